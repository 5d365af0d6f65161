"""Where a site says that its API is: in the head of its answer, or of its page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.documents.pages.dom import parse_markup
from archiver.urls import is_web

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.apis.model import ApiResponse

# RFC 8288, as far as servers use it: an address, and what it is to this one.
_LINK = re.compile(r"<([^<>]*)>([^<]*)")
_REL = re.compile(r"""\brel\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;,"']+))""", re.IGNORECASE)


def header_link(response: ApiResponse, relation: str) -> str | None:
    """The address that a Link header gives for a relation."""
    for url, parameters in _LINK.findall(response.header("Link")):
        named = _REL.search(parameters)
        if named and relation in next(filter(None, named.groups()), "").split():
            return _absolute(response.url, url)
    return None


def page_link(response: ApiResponse, relation: str) -> str | None:
    """The address that a `link` element of the page gives for a relation."""
    tree = parse_markup(response.body.decode("utf-8", "replace"))
    return None if tree is None else linked(tree, response.url, relation)


def linked(tree: Element, url: str, relation: str) -> str | None:
    """The same of a page that was parsed."""
    for element in tree.iter("link"):
        if relation in element.get("rel", "").split():
            return _absolute(url, element.get("href", ""))
    return None


def _absolute(base: str, url: str) -> str | None:
    try:
        found = urljoin(base, url.strip())
    except ValueError:
        return None
    return found if is_web(found) else None
