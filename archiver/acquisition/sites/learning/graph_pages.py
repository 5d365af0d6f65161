"""Pages of a site as patterns are learned from them: their pairs of words, and links with their labels."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.sites.coverage import pairs_in
from archiver.acquisition.sites.learning.graph import GraphLink, GraphPage
from archiver.acquisition.sites.learning.labels import LabelPaths, label_of
from archiver.acquisition.sites.learning.teasers import records_of
from archiver.acquisition.sites.learning.thesis_labels import ThesisPaths
from archiver.acquisition.sites.reading import MOST_LINKS
from archiver.acquisition.sites.scope import is_within
from archiver.documents.lists.shapes import FILES
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.links import links_of
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.learning.graph import Grams
    from archiver.acquisition.sites.learning.labels import LinkLabel
    from archiver.acquisition.sites.reading import SitePage
    from archiver.documents.pages.blocks import Block
    from archiver.documents.pages.links import PageLink


def graph_link(url: str, path: str, thesis_path: str = "") -> GraphLink:
    label = label_of(path, url)
    return GraphLink(
        same_page_key(url), url, label._replace(path=sys.intern(label.path)), sys.intern(thesis_path)
    )


def graph_page(page: SitePage) -> GraphPage:
    """A page with the text that it shows, that which is its own, and its links."""
    inner, links, external = _links(page)
    blocks = outline_of(page.tree).blocks
    labelled = [(one, link.label) for one, link in zip(inner, links, strict=True)]
    own = _own(blocks, labelled, page.document.url)
    return GraphPage(
        url=page.document.url,
        grams=_once(pairs_in(block.text for block in blocks)),
        own=_once(pairs_in(own)),
        links=tuple(links),
        external=_once(_hashes(external)),
    )


def _links(page: SitePage) -> tuple[list[PageLink], list[GraphLink], list[str]]:
    """Links to pages of the site, each address once by each path, and addresses of other sites."""
    inner: dict[GraphLink, PageLink] = {}
    external: list[str] = []
    paths, thesis_paths = LabelPaths(), ThesisPaths()
    for link in links_of(page.tree, page.base):
        url = link.url.split("#", 1)[0]
        if not is_within(url, page.document.scope):
            external.append(url)
        elif not FILES.search(url.split("?", 1)[0]) and len(inner) < MOST_LINKS:
            path, thesis_path = paths.path_of(link.element), thesis_paths.path_of(link.element)
            inner.setdefault(graph_link(url, path, thesis_path), link)
    return list(inner.values()), list(inner), external


def _own(blocks: Iterable[Block], links: list[tuple[PageLink, LinkLabel]], url: str) -> Iterator[str]:
    """Texts that announce no other page."""
    records = records_of(links, url)
    return (block.text for block in blocks if not _is_record(block, records))


def _is_record(block: Block, records: Mapping[Element, int]) -> bool:
    if block.linked * 2 > len(block.words) and any(one[2] in records for one in block.read):
        return True  # a row of links
    element = block.node.element
    return element in records or any(one in records for one in element.iterancestors())


def _once(hashes: Grams) -> Grams:
    return np.unique(hashes)


def _hashes(urls: Iterable[str]) -> Grams:
    # As texts of two words, so that no other hash is needed.
    return pairs_in(f"link {url}" for url in urls)
