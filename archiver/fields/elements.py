"""What an element says as a value of a field: its text, its markup, or the attribute that has it."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.clean_html import clean_tree, html_of
from archiver.documents.pages.dom import UNSEEN
from archiver.documents.pages.images import IMAGES, image_url
from archiver.documents.pages.text import text_of

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.expressions.budget import Budget
    from archiver.fields.model import Field

# What has a text of 10 kB has fewer.
MOST_ELEMENTS = 5_000
_ADDRESSES = ("href", "src", "content", "data-src")
_STATED = {"date": ("datetime", "content"), "moment": ("datetime", "content")}
# Of elements that show nothing, or a picture of it.
_UNWRITTEN = {"meta": "content", "input": "value", "data": "value", "meter": "value", "img": "alt"}


def text_at(element: Element, field: Field, base: str, budget: Budget) -> str:
    """The text that an element has for a field; empty where it has none, or too much."""
    size = sum(1 for _ in islice(element.iter("*"), MOST_ELEMENTS + 1))
    budget.spend(size)
    if size > MOST_ELEMENTS:
        return ""
    if field.type == "html":
        return html_of(clean_tree(element, base, _is_unseen))
    if field.type in ("url", "image"):
        return _address(element, field, base)
    stated = (element.get(name, "") for name in _STATED.get(field.type, ()))
    return next(filter(None, stated), "") or shown_text(element)


def shown_text(element: Element) -> str:
    """What readers see of an element; of one that shows no words, what it has instead of them."""
    shown = (element.text or "") if not len(element) else text_of(element, _is_unseen)
    if element.tag in UNSEEN or not shown.strip():
        return element.get(_UNWRITTEN.get(element.tag, "content"), "")
    return shown


def _is_unseen(element: Element) -> bool:
    return element.tag in UNSEEN


def _address(element: Element, field: Field, base: str) -> str:
    if field.type == "image":
        image = next(element.iter(*IMAGES), None)
        if image is not None:
            return image_url(image, base) or ""
    stated = next(filter(None, (element.get(name, "").strip() for name in _ADDRESSES)), "")
    if stated:
        return stated
    link = next(element.iter("a"), None)
    return link.get("href", "") if link is not None else shown_text(element)
