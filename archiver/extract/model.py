"""What extraction takes and what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element as Element


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What the feed said of a page: the evidence that a page alone does not have."""

    title: str | None = None
    summary: str | None = None
    content: str | None = None
    language: str | None = None
    # The texts of the channel's other entries: a phrase that recurs in them says nothing of this page.
    other_summaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """A page as it was captured: bytes, and what the server said of them."""

    url: str
    body: bytes
    content_type: str | None = None
    announcement: Announcement = Announcement()


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPage:
    """A page as a tree, twice: as it was served, and without what no reader sees."""

    url: str
    base_url: str
    tree: Element
    cleaned: Element
    language: str | None = None
    announcement: Announcement = Announcement()


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The node of a cleaned page that a method takes for the article, how surely, and why."""

    node: Element
    method: str
    confidence: float
    evidence: Mapping[str, str | float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    url: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    url: str
    alt: str | None = None
    caption: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The object found on a page."""

    method: str
    confidence: float
    text: str
    html: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    published: datetime | None = None
    modified: datetime | None = None
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoArticle:
    """Why a page gave no article: `empty`, `not_article` or `not_html`, and the reason in words."""

    outcome: str
    reason: str
