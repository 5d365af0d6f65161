// An archived page below a sheet of ours: this script points at its elements, and nothing of the page runs.
"use strict";
(() => {
  // A form of the page may name a field `getAttribute`, and would answer in its place: methods come from here.
  const method = (kind, name) => { const own = kind.prototype[name]; return (one, ...given) => own.apply(one, given); };
  const property = (kind, name) => { const own = Object.getOwnPropertyDescriptor(kind.prototype, name).get; return (one) => own.call(one); };
  const elementAt = method(Document, "elementFromPoint"), find = method(Document, "querySelectorAll");
  const rootOf = property(Document, "documentElement");
  const attribute = method(Element, "getAttribute"), setAttribute = method(Element, "setAttribute");
  const closest = method(Element, "closest"), boxOf = method(Element, "getBoundingClientRect");
  const nameOf = property(Element, "localName"), wideOf = property(Element, "scrollWidth"), highOf = property(Element, "scrollHeight");
  const before = property(Element, "previousElementSibling"), after = property(Element, "nextElementSibling");
  const firstIn = property(Element, "firstElementChild");
  const parentOf = property(Node, "parentElement"), textIn = property(Node, "textContent");

  const NUMBERED = "[data-n]", LONGEST = 500;
  const named = (id) => document.getElementById(id);
  const frame = named("page"), sheet = named("sheet"), spacer = named("spacer"), boxes = named("boxes"), told = named("told");
  const buttons = { wider: named("wider"), narrower: named("narrower"), hide: named("hide") };
  const application = document.body.dataset.application;
  const rest = told.textContent;
  // The element that is pointed at; whether it was chosen; the narrower ones that it was widened from.
  let chosen = null, isHeld = false, trail = [], lit = [], isWaiting = false;

  const page = () => frame.contentDocument;
  const tell = (message) => parent.postMessage(message, application);
  const numberOf = (element) => Number(attribute(element, "data-n"));
  const textOf = (element) => textIn(element).replace(/\s+/g, " ").trim().slice(0, LONGEST);

  const draw = () => {
    isWaiting = false;
    boxes.replaceChildren();
    for (const { node, label, hue } of lit) {
      for (const element of find(page(), `[data-n="${node}"]`)) put(boxOf(element), `lit hue-${hue}`, label);
    }
    if (chosen) put(boxOf(chosen), isHeld ? "chosen" : "pointed", "");
  };
  const redraw = () => { if (!isWaiting) { isWaiting = true; requestAnimationFrame(draw); } };
  const put = (box, kind, label) => {
    if (box.width === 0 && box.height === 0) return;
    const shown = document.createElement("div");
    shown.className = `box ${kind}`;
    Object.assign(shown.style, { left: `${box.left}px`, top: `${box.top}px`, width: `${box.width}px`, height: `${box.height}px` });
    if (label) shown.append(Object.assign(document.createElement("b"), { textContent: label, className: box.right + 90 < sheet.clientWidth ? "" : "inside" }));
    boxes.append(shown);
  };

  // The sheet scrolls as the page would, and takes the page with it.
  const measure = () => {
    const root = rootOf(page());
    frame.style.width = `${sheet.clientWidth}px`;
    spacer.style.width = `${Math.max(wideOf(root), 1)}px`;
    spacer.style.height = `${Math.max(highOf(root), 1)}px`;
    redraw();
  };
  const follow = () => { frame.contentWindow.scrollTo({ left: sheet.scrollLeft, top: sheet.scrollTop, behavior: "instant" }); redraw(); };

  const show = () => {
    for (const button of Object.values(buttons)) button.disabled = !(chosen && isHeld);
    told.textContent = chosen ? `${nameOf(chosen)}: ${textOf(chosen).slice(0, 120) || "without text"}` : rest;
    redraw();
  };
  const point = (element) => { chosen = element; show(); };
  const choose = (element, isWidened) => {
    if (!element) return;
    if (!isWidened) trail = [];
    chosen = element; isHeld = true;
    const box = boxOf(element);
    if (box.bottom < 0 || box.top > sheet.clientHeight) sheet.scrollTo({ top: sheet.scrollTop + box.top - 60, behavior: "instant" });
    show();
    tell({ kind: "chosen", node: numberOf(element), tag: nameOf(element), text: textOf(element) });
  };
  const release = () => { chosen = null; isHeld = false; trail = []; show(); tell({ kind: "released" }); };
  const under = (event) => {
    const area = frame.getBoundingClientRect();
    const found = elementAt(page(), event.clientX - area.left, event.clientY - area.top);
    return found && closest(found, NUMBERED);
  };

  const wider = () => {
    const around = chosen && parentOf(chosen) && closest(parentOf(chosen), NUMBERED);
    if (around) { trail.push(chosen); choose(around, true); }
  };
  const narrower = () => {
    const inner = trail.pop() ?? (chosen && firstIn(chosen));
    if (inner && attribute(inner, "data-n") !== null) choose(inner, true);
  };
  // The next element that shows something: beside the chosen one, or beside what is around it.
  const beside = (step) => {
    let around = chosen;
    while (around && !step(around)) around = parentOf(around);
    let next = around && step(around);
    while (next && boxOf(next).height === 0) next = step(next);
    if (next && attribute(next, "data-n") !== null) choose(next);
  };
  const firstShown = () => [...find(page(), `body ${NUMBERED}`)].find((one) => {
    const box = boxOf(one);
    return box.top >= 0 && box.height > 0 && box.width > 0 && !firstIn(one) && textOf(one);
  });
  const hide = () => {
    if (!chosen) return;
    setAttribute(chosen, "style", "display: none !important");
    release(); measure();
  };
  const keys = {
    ArrowUp: wider, ArrowDown: narrower, ArrowLeft: () => beside(before), ArrowRight: () => beside(after),
    Enter: () => tell({ kind: "name" }), Escape: release, h: hide, Delete: hide,
  };

  const ready = () => {
    // What a browser shows in place of a page that did not come is not of our origin.
    if (!page()) { told.textContent = "The page cannot be shown: load this again."; return; }
    measure();
    new ResizeObserver(measure).observe(rootOf(page()));
    sheet.addEventListener("scroll", follow);
    sheet.addEventListener("mousemove", (event) => { if (!isHeld) point(under(event)); });
    sheet.addEventListener("mouseleave", () => { if (!isHeld) point(null); });
    sheet.addEventListener("click", (event) => choose(under(event)));
    sheet.addEventListener("keydown", (event) => {
      const act = event.ctrlKey || event.metaKey || event.altKey ? null : keys[event.key];
      if (!act) return;
      event.preventDefault();
      if (isHeld || event.key === "Escape") act(); else choose(chosen ?? firstShown());
    });
    buttons.wider.addEventListener("click", wider);
    buttons.narrower.addEventListener("click", narrower);
    buttons.hide.addEventListener("click", hide);
    addEventListener("resize", measure);
    tell({ kind: "ready" });
  };
  addEventListener("message", ({ origin, source, data }) => {
    if (origin !== application || source !== parent) return;
    if (data.kind === "lit") { lit = data.lit; redraw(); }
    if (data.kind === "theme") document.documentElement.dataset.theme = data.theme;
    if (data.kind === "release") release();
  });
  const isThere = () => frame.contentDocument?.readyState === "complete" && frame.contentWindow.location.href !== "about:blank";
  if (isThere()) ready(); else frame.addEventListener("load", ready, { once: true });
})();
