"""DESCRIPTION: what the feed said of a page is taken for the article; the FOREST paper's plainest baseline.

Where the feed has no description, its content stands in, as it does for SIGFEED.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml import etree

from archiver.articles.methods.reference.signifiers import announced
from archiver.articles.model import Found, Selection
from archiver.documents.pages.dom import cleaned, parse_markup
from archiver.documents.pages.text import plain, text_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage, Wrapper
    from archiver.documents.pages.model import Announcement


class Description:
    """The feed's own words, whatever the page is like."""

    def find(self, pages: Sequence[ParsedPage], memory: Sequence[Wrapper]) -> Found:  # noqa: ARG002
        return Found(selections=[select(page.announcement) for page in pages])

    find_known = find


def select(announcement: Announcement) -> Selection | None:
    """A tree of title and description, which are on no node of the page."""
    title, description = announced(announcement)
    node = _described(description)
    heading = etree.Element("h1")
    heading.text = plain(title)
    # The text before the first element of the description comes after the title.
    heading.tail, node.text = node.text, None
    node.insert(0, heading)
    if not text_of(node):
        return None
    return Selection(node=node, confidence=1.0, evidence={})


def _described(description: str) -> Element:
    tree = parse_markup(description) if description.strip() else None
    body = None if tree is None else cleaned(tree).find("body")
    return etree.Element("body") if body is None else body
