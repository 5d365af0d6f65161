"""The addresses that a page links to, for archives that keep them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.dom import absolute_url, base_url, elements, parse_html, why_not_html
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from archiver.documents.pages.model import RawPage

MOST = 10_000
_LINKS = etree.XPath("//a[@href] | //area[@href]")


def outlinks_of(page: RawPage) -> list[str]:
    """Each address once, in the order of the page; none for what is no page."""
    if not page.body.strip() or why_not_html(page.body, page.content_type) is not None:
        return []
    try:
        tree = parse_html(page.body, page.content_type, page.url)
    except ExtractionError:
        return []
    base = base_url(tree, page.url)
    found = (absolute_url(base, link.get("href", "")) for link in elements(_LINKS, tree)[:MOST])
    return list(dict.fromkeys(filter(None, found)))
