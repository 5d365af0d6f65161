"""Elements of pages by what they are: headings, blocks, and what runs on within a line."""

from __future__ import annotations

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# As titles of articles are written.
HEADLINES = HEADINGS[:3]
# What stands alone, with a blank line before and after.
PARAGRAPHS = frozenset({
    *HEADINGS, "address", "article", "aside", "blockquote", "body", "center", "dd", "details", "div", "dl",
    "dt", "fieldset", "figcaption", "figure", "footer", "form", "header", "hgroup", "hr", "html", "legend",
    "main", "nav", "p", "pre", "section", "summary", "table",
})  # fmt: skip
LISTS = frozenset({"ul", "ol", "menu", "dir"})
LINES = frozenset({"tr", "li", "option", "caption"})
CELLS = frozenset({"td", "th"})
BLOCKS = PARAGRAPHS | LISTS | LINES | CELLS
# What runs on within a line; every other element begins a block and ends one.
INLINE = frozenset({
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font",
    "i", "img", "ins", "kbd", "label", "mark", "nobr", "picture", "q", "rp", "rt", "ruby", "s", "samp",
    "small", "source", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var", "wbr",
})  # fmt: skip
