// Marking: what is pointed at on the stage goes into the form, and what marks lead to is lit on the stage.
"use strict";
(() => {
  const stage = document.getElementById("stage");
  if (!stage) return;
  const origin = new URL(stage.src).origin;
  const form = () => document.getElementById("name-it");
  let isReady = false;
  const tell = (message) => { if (isReady) stage.contentWindow.postMessage(message, origin); };
  // The text of the chosen element: what is sent is only what a reader made of it.
  let shown = "";

  const light = () => {
    const lit = [...document.querySelectorAll("#panel [data-nodes]")].flatMap((one) =>
      one.dataset.nodes.split(" ").filter(Boolean).map((node) => ({ node: Number(node), label: one.dataset.field, hue: Number(one.dataset.hue) })));
    tell({ kind: "lit", lit });
  };
  const theme = () => tell({ kind: "theme", theme: document.documentElement.dataset.theme });

  const offer = (tag) => {
    const label = document.getElementById("what-of-it"), others = JSON.parse(label.dataset.others)[tag] ?? {};
    const options = [["", "its text"], ...Object.entries(others)].map(([value, words]) => new Option(words, value));
    label.querySelector("select").replaceChildren(...options);
    label.hidden = options.length < 2;
  };
  const chosen = ({ node, tag, text }) => {
    const { elements } = form();
    elements.node.value = node;
    elements.value.value = shown = String(text);
    offer(String(tag));
  };
  const released = () => { form().elements.node.value = ""; form().elements.value.value = shown = ""; offer(""); };

  // Only the panel is loaded again: the page stays where it was scrolled to.
  const load = async (address) => {
    const panel = document.getElementById("panel");
    panel.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { headers: { accept: "text/html" } });
      const read = new DOMParser().parseFromString(await answer.text(), "text/html");
      if (!answer.ok || !read.getElementById("panel")) throw new Error(read.querySelector("main p")?.textContent ?? answer.statusText);
      for (const id of ["panel", "siblings"]) document.getElementById(id).replaceWith(document.adoptNode(read.getElementById(id)));
      history.replaceState(null, "", document.getElementById("panel").dataset.address);
      tell({ kind: "release" });
      light();
    } catch (error) {
      panel.removeAttribute("aria-busy");
      complain(error.message);
    }
  };
  const complain = (text) => {
    document.getElementById("complaint")?.remove();
    const said = Object.assign(document.createElement("p"), { id: "complaint", className: "notice", textContent: text });
    said.setAttribute("role", "alert");
    form().after(said);
  };

  document.addEventListener("submit", (event) => {
    if (event.target !== form()) return;
    event.preventDefault();
    const given = new FormData(form());
    if (given.get("node") && (given.get("value") === shown || given.get("of"))) given.set("value", "");
    load(`/mark?${new URLSearchParams([...given].filter(([, value]) => value))}`);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-panel]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    load(link.href);
  });
  addEventListener("message", ({ origin: from, source, data }) => {
    if (from !== origin || source !== stage.contentWindow) return;
    if (data.kind === "ready") { isReady = true; theme(); light(); }
    if (data.kind === "chosen" && Number.isInteger(data.node)) chosen(data);
    if (data.kind === "released") released();
    if (data.kind === "name" && form().elements.node.value) form().elements.field.focus();
  });
  new MutationObserver(theme).observe(document.documentElement, { attributeFilter: ["data-theme"] });
})();
