"""A capture of an article as it is compared: the article, and what stood anywhere on its page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.digests import folded

if TYPE_CHECKING:
    from archiver.articles.model import Article

# Programs that lay out markup set white space beside punctuation, or take it away.
_LOOSE = re.compile(r"\s*([^\w\s])\s*")
_LONGEST_KEY = 200_000


def key_of(text: str) -> str:
    """Equal for texts that read the same."""
    return _LOOSE.sub(r"\1", folded(text[:_LONGEST_KEY]))


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedNode:
    """An element that holds blocks."""

    parent: int  # its place among the nodes; -1 for the outermost
    step: str  # its tag and the first of its names
    tag: str
    zones: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedBlock:
    """A run of text that nothing but inline markup interrupts."""

    text: str
    key: str
    node: int
    words: int
    linked: int = 0  # how many of the characters stand in links, of a hundred
    timed: int = 0  # in `time` elements
    jumps: bool = False  # to another place of the page


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedLink:
    identity: str
    words: str
    node: int
    block: int  # which one it stands in, or before


@dataclass(frozen=True, slots=True, kw_only=True)
class PageImage:
    identities: tuple[str, ...]
    node: int
    block: int
    leads: str  # to where, if it stands in a link
    is_small: bool = False  # as portraits and icons are


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """A heading of the first level, and the types of the elements around it."""

    key: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedOutline:
    """What stands anywhere on a page."""

    nodes: tuple[ComparedNode, ...]
    blocks: tuple[ComparedBlock, ...]
    links: tuple[ComparedLink, ...]
    images: tuple[PageImage, ...]
    # Keys of what may be the title, and of the site's names.
    titles: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    headlines: tuple[Headline, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One capture: what was found on it, and all that is on it."""

    article: Article
    outline: ComparedOutline
