"""The text of an article where the knowledge base says where it is: as good as the whole text in a feed."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.expressions.budget import Budget
from archiver.documents.expressions.parsing import parse
from archiver.documents.expressions.selecting import owners
from archiver.documents.pages.text import text_of
from archiver.documents.pages.words import tokens
from archiver.errors import ExpressionFlaw, OverBudget

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.model import Announcement


def with_stated_body(said: Announcement, tree: Element) -> Announcement:
    """What was said of a page, with the text that its software is known to have there as its content."""
    if said.content or not said.body:
        return said
    found = _first(said.body, tree)
    if not found:
        return said
    return replace(
        said, content="".join(etree.tostring(one, encoding="unicode", with_tail=False) for one in found)
    )


def known_text(page: ParsedPage) -> ParsedPage:
    """Only the text of the page, where its software is known to have it in one place; else the page as it is.

    What stands around a text is the template's: it is not weighed, so that another template changes nothing.
    """
    found = _first(page.announcement.body, page.tree)
    if len(found) != 1 or not tokens(text_of(found[0])):
        return page
    return replace(page, tree=_alone(found[0], page), is_known=True)


def _alone(text: Element, page: ParsedPage) -> Element:
    """A page with the same head, and nothing but the text in its body."""
    tree = etree.Element("html", {"lang": page.language} if page.language else {})
    head, part = page.tree.find("head"), copy.deepcopy(text)
    if head is not None:
        tree.append(copy.deepcopy(head))
    # What stands behind an element is not in it.
    part.tail = None
    etree.SubElement(tree, "body").append(part)
    return tree


def _first(paths: tuple[str, ...], tree: Element) -> list[Element]:
    budget = Budget()
    for path in paths:
        try:
            found = owners(parse(path), tree, budget)
        except (ExpressionFlaw, OverBudget):  # of another version, or a page that is made to take long
            continue
        if found:
            return found
    return []
