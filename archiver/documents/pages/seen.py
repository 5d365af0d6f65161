"""What readers may see of a page as it was served: a clean copy of it takes longer to make than to look."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import SIGNED, UNSEEN, is_sign, strip_unseen
from archiver.documents.pages.text import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element as Element


def seen(found: Iterable[Element]) -> Iterator[Element]:
    """Those of a page's elements that its clean copy has as well."""
    return filter(is_seen, found)


def is_seen(element: Element) -> bool:
    if element.tag in UNSEEN or next(element.iterancestors(*UNSEEN), None) is not None:
        return False
    return next(element.iterancestors(*SIGNED), None) is None or element.tag != "a" or not _is_sign(element)


def seen_text(element: Element) -> str:
    """The text of an element as the clean copy of its page has it."""
    if next(element.iter(*UNSEEN), None) is None and not any(map(is_sign, element.iter("a"))):
        return text_of(element)
    return text_of(_clean(element))


def _is_sign(link: Element) -> bool:
    return "#" in link.get("href", "") and is_sign(_clean(link))


def _clean(element: Element) -> Element:
    clean = copy.deepcopy(element)
    strip_unseen(clean)
    return clean
