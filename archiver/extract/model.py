"""What extraction takes and what it gives."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What the feed said of a page: the evidence that a page alone does not have."""

    title: str | None = None
    summary: str | None = None
    content: str | None = None
    language: str | None = None
    # The texts that other entries of the channel carry: a phrase that recurs in them says nothing of this page.
    other_summaries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """A page as it was captured: bytes, and what the server said of them."""

    url: str
    body: bytes
    content_type: str | None = None
    announcement: Announcement = Announcement()


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
