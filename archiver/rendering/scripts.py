"""What is run in a page: before its own scripts, to scroll it, and to read what it has become."""

from __future__ import annotations

# Numbers by chance are the same each time: mulberry32, begun with a number of the page.
_SEEDED = """
(() => {
  let state = %d >>> 0;
  const next = () => {
    state = (state + 0x6D2B79F5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return (t ^ (t >>> 14)) >>> 0;
  };
  Math.random = () => next() / 4294967296;
  const bytes = (array) => {
    const view = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < view.length; i++) view[i] = next() & 255;
    return array;
  };
  if (window.Crypto) {
    Crypto.prototype.getRandomValues = bytes;
    Crypto.prototype.randomUUID = () => {
      const hex = Array.from(bytes(new Uint8Array(16)), (one, place) =>
        (place === 6 ? (one & 15) | 64 : place === 8 ? (one & 63) | 128 : one).toString(16).padStart(2, "0"));
      return [[0, 4], [4, 6], [6, 8], [8, 10], [10, 16]].map(([a, b]) => hex.slice(a, b).join("")).join("-");
    };
  }
})();
"""

# One screen down: from where, to where.
SCROLL = """() => {
  const before = window.scrollY;
  window.scrollBy({top: window.innerHeight, behavior: "instant"});
  return [before, window.scrollY, document.documentElement ? document.documentElement.scrollHeight : 0];
}"""

# Observers of what comes into view are called when a frame is drawn.
FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"

# The document as it is, with what stands in the shadow of its elements; null where it is too large.
_SERIALIZE = """() => {
  const root = document.documentElement;
  if (!root) return "";
  const kind = document.doctype ? "<!DOCTYPE " + document.doctype.name + ">" : "";
  const flat = (node) => {
    if (node.nodeType !== 1 || node.tagName === "TEMPLATE") return [node.cloneNode(true)];
    if (node.tagName === "SLOT" && node.getRootNode() instanceof ShadowRoot) {
      const given = node.assignedNodes({flatten: true});
      return (given.length ? given : Array.from(node.childNodes)).flatMap(flat);
    }
    const copy = node.cloneNode(false);
    for (const child of (node.shadowRoot || node).childNodes) copy.append(...flat(child));
    return [copy];
  };
  const hasShadow = Array.from(document.querySelectorAll("*")).some(one => one.shadowRoot);
  const html = kind + (hasShadow ? flat(root)[0] : root).outerHTML;
  return html.length > %d ? null : html;
}"""


def seeded(seed: int) -> str:
    return _SEEDED % seed


def serialize(longest: int) -> str:
    return _SERIALIZE % longest
