"""The words of a comment: what is left of its elements without name, date, and links that do something."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.clean_html import clean_tree
from archiver.documents.pages.comments.zones import names_of
from archiver.documents.pages.dom import UNSEEN
from archiver.documents.pages.text import one_line, text_of, walk
from archiver.lexicon.comment_names import CONTROL, DOES, REST
from archiver.lexicon.elements import BLOCKS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lxml.etree import _Element as Element

# What has more words is a text, whatever it is called.
_FEW = 12
# What is longer is a sentence.
_SHORT = 60
_LONG = 1000
_TEXTS = frozenset({"p", "blockquote", "pre", "ul", "ol"})
_NAME = re.compile(r"[a-zA-Z_][\w.-]*", re.ASCII)
_NEVER = frozenset({"form", "label", "fieldset", "hr", "nav"})


def words_of(element: Element) -> str:
    """The words of an element on one line; of a long text only the beginning, which tells that it is long."""
    pieces: list[str] = []
    length = 0
    for text in element.itertext():
        pieces.append(str(text))
        length += len(text)
        if length > _LONG:
            break
    return one_line(" ".join(pieces))


def text_and_markup(
    pieces: Sequence[Element], base_url: str, skip: Callable[[Element], bool], *, is_bare: bool
) -> tuple[str, str]:
    """The text and the clean markup of these elements, without what is skipped.

    `is_bare` says that nothing tells the words from what stands around them.
    """
    tree = _copied(pieces, lambda one: one.tag in UNSEEN or skip(one))
    if is_bare:
        _strip_rest(tree)
    clean = clean_tree(tree, base_url)
    return text_of(tree), etree.tostring(clean, encoding="unicode") if len(clean) or clean.text else ""


def _copied(pieces: Sequence[Element], skip: Callable[[Element], bool]) -> Element:
    builder = etree.TreeBuilder()
    builder.start("div", {})
    for piece in pieces:
        for element, event in walk(piece, skip):
            if event == "open":
                # A comment that is an item of a list is not a list.
                builder.start("div" if element is piece else _tag(element), _attributes(element))
                builder.data(element.text or "")
                continue
            if event == "close":
                builder.end("div" if element is piece else _tag(element))
            if element is not piece:
                builder.data(element.tail or "")
    builder.end("div")
    return builder.close()


def _tag(element: Element) -> str:
    """Pages have elements that cannot be written, such as `fb:comments`."""
    return element.tag if _NAME.fullmatch(element.tag) else "span"


def _attributes(element: Element) -> dict[str | bytes, str | bytes]:
    return {name: value for name, value in element.attrib.items() if _NAME.fullmatch(str(name))}


def _strip_rest(tree: Element) -> None:
    """Take out what stood around the name and the date: "says:", "on", "|"; not within a paragraph."""
    for element in list(tree.iter()):
        if not _is_in_text(element) and _is_rest(element.text):
            element.text = None
        parent = element.getparent()
        if parent is not None and not _is_in_text(parent) and _is_rest(element.tail):
            element.tail = None


def _is_in_text(element: Element) -> bool:
    return element.tag in _TEXTS or any(one.tag in _TEXTS for one in element.iterancestors())


def _is_rest(text: str | None) -> bool:
    return text is not None and len(text) < _SHORT and REST.fullmatch(text) is not None


def is_control(element: Element) -> bool:
    """Whether an element does something, by its tag or names and in few words."""
    if element.tag in _NEVER:
        return True
    if element.tag == "img":
        return CONTROL.search(names_of(element)) is not None
    words = words_of(element)
    if element.tag in {"a", "li", "span", "small"} and words and DOES.fullmatch(words):
        return True
    names = element.get("class", "") if element.tag in _TEXTS else names_of(element)
    return CONTROL.search(names) is not None and len(words.split()) <= _FEW


def is_line(element: Element, ends: Sequence[Element]) -> bool:
    """Whether it is only the line with the name and the date: hardly a word beside, and no paragraph."""
    around = {one for end in ends for one in (end, *end.iterancestors())}
    others = (one for one in element.iter(*BLOCKS) if one not in around and not is_control(one))
    if any(words_of(one) for one in others):
        return False
    rest = words_of(element)
    for one in ends:
        rest = rest.replace(words_of(one), " ", 1)
    return len(re.findall(r"\w+", rest)) <= _FEW // 2
