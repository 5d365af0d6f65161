"""A page as it was captured, and what stands on it."""

from __future__ import annotations

from dataclasses import dataclass

from archiver.documents.times.model import Evidence  # noqa: TC001 - as above


@dataclass(frozen=True, slots=True, kw_only=True)
class Announcement:
    """What is said of a page where it was found: the evidence that a page alone does not have."""

    title: str | None = None
    summary: str | None = None
    content: str | None = None
    language: str | None = None
    # The texts of the channel's other entries: a phrase that recurs in them says nothing of this page.
    other_summaries: tuple[str, ...] = ()
    # What the feed is called, which is mostly what its site is called.
    site: str | None = None
    # What the knowledge base finds on the page, where its software is known.
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    dated: tuple[Evidence, ...] = ()
    # Further pages that are visited by themselves, such as those of comments: no article goes on there.
    visited: tuple[str, ...] = ()
    # What other pages call it: the words of links that lead here.
    anchors: tuple[str, ...] = ()
    # Expressions of the knowledge base, of which the first that finds anything leads to the article's text.
    body: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RawPage:
    """A page as it was captured: bytes, and what the server said of them."""

    url: str
    body: bytes
    content_type: str | None = None
    announcement: Announcement = Announcement()
    # What names this capture of the page: its record in the archive.
    id: str = ""
    # What the server said of when it was written, and of itself.
    dated: tuple[Evidence, ...] = ()
    server: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    url: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Image:
    url: str
    alt: str | None = None
    caption: str | None = None
