"""The style sheets of a page that an archive has, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.dom import absolute_url, base_url

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

    from archiver.documents.requisites.model import Stored

# More are not looked up: pages have three in the mean. A guess.
_MOST_SHEETS = 20


def kept_sheets(tree: Element, url: str, stored: Stored) -> list[str]:
    """The sheets that a page names and the archive has, in their order; none is fetched."""
    base = base_url(tree, url)
    addresses = [absolute_url(base, link.get("href", "")) for link in tree.iter("link") if _is_sheet(link)]
    found = [stored(address, "style") for address in filter(None, addresses[:_MOST_SHEETS])]
    return [one.body.decode("utf-8", "replace") for one in found if one is not None]


def _is_sheet(link: Element) -> bool:
    kinds = link.get("rel", "").lower().split()
    return "stylesheet" in kinds and "alternate" not in kinds and "print" not in link.get("media", "").lower()
