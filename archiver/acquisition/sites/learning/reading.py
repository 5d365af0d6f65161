"""What a page gives to learn from: its links with their paths, and its own text. In workers."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.coverage import pairs_in
from archiver.acquisition.sites.learning.labels import LabelPaths, label_of
from archiver.acquisition.sites.learning.model import GRAIN, ShownText, Teaser
from archiver.acquisition.sites.learning.teasers import is_title, records_of
from archiver.acquisition.sites.model import CANONICAL, Followed
from archiver.acquisition.sites.reading import asks_in_meta, canonical_of, inner_links, read_listed
from archiver.documents.lists.listing import pager_link

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element

    from archiver.acquisition.sites.model import VisitRead
    from archiver.acquisition.sites.reading import SitePage
    from archiver.documents.pages.blocks import Block
    from archiver.documents.pages.links import PageLink


def read_to_learn(page: SitePage) -> VisitRead:
    """Give all links of a page with their paths, and its text by whom it belongs to."""
    links = list(inner_links(page))
    canonical = canonical_of(page)
    # Whether what a page names as its own address is another one is learned like all else.
    first = () if canonical is None else (Followed(url=canonical, path=CANONICAL),)
    paths = LabelPaths()
    is_last = asks_in_meta(page.tree, "nofollow")
    follow = [_followed(link, paths, is_last=is_last) for link in links]
    return msgspec.structs.replace(
        read_listed(page),
        follow=(*first, *follow),
        shown=_shown(page, links, follow),
    )


def _followed(link: PageLink, paths: LabelPaths, *, is_last: bool) -> Followed:
    told = pager_link(link)
    return Followed(
        url=link.url.split("#", 1)[0],
        path=paths.path_of(link.element),
        is_next=told.is_marked or told.text.isdecimal() or told.says_further,
        is_last=is_last or "nofollow" in link.rel,
    )


def _shown(page: SitePage, links: Sequence[PageLink], follow: Sequence[Followed]) -> ShownText:
    labelled = [(link, label_of(one.path, one.url)) for link, one in zip(links, follow, strict=True)]
    records = records_of(labelled, page.document.url)
    texts: dict[int | None, list[str]] = defaultdict(list)
    for block in page.blocks:
        texts[_owner(block.node.element, records)] += _texts(block)
    own = texts.pop(None, [])
    return ShownText(
        own=_pairs(own),
        teasers=tuple(
            Teaser(follow[at].url, follow[at].path, _known_pairs(tuple(said)), is_title(links[at]))
            for at, said in texts.items()
            if at is not None
        ),
        is_unlisted=asks_in_meta(page.tree, "noindex"),
    )


def _texts(block: Block) -> list[str]:
    """The text of a block; of a row of links what each says, since they stand in ever other orders."""
    if 2 * block.linked <= len(block.words):
        return [block.text]
    return [text for text, *_ in block.read]


def _owner(element: Element, records: Mapping[Element, int]) -> int | None:
    """The link in whose record an element is."""
    if element in records:
        return records[element]
    return next((records[one] for one in element.iterancestors() if one in records), None)


def _pairs(texts: Sequence[str]) -> tuple[int, ...]:
    """The hashes that are kept, in their order, small enough for databases, which count with a sign."""
    return tuple(sorted({number // GRAIN for number in pairs_in(texts).tolist() if not number % GRAIN}))


# A site announces the same pages on many others.
_known_pairs = lru_cache(maxsize=5_000)(_pairs)
