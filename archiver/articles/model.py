"""What extraction takes and what it gives."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime  # noqa: TC003 - msgspec reads the annotations at run time
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from archiver.documents.media import Media  # noqa: TC001 - as above
from archiver.documents.pages.model import Announcement, Image, Link
from archiver.documents.times.model import Evidence  # noqa: TC001 - as above
from archiver.fields.model import ObjectField  # noqa: TC001 - as above

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lxml.etree import _Element as Element


@dataclass(frozen=True, kw_only=True)
class ParsedPage:
    """A page as a tree, twice: as it was served, and without what no reader sees."""

    url: str
    base_url: str
    tree: Element
    language: str | None = None
    announcement: Announcement = Announcement()
    id: str = ""
    # First headings that sibling pages have too: they name the site.
    site_headings: frozenset[str] = frozenset()
    # It is only what the words of an entry point at, cut out of a page that several entries share.
    is_zone: bool = False
    # It is only the text of a page, cut out of it where the software is known to have it.
    is_known: bool = False
    # Its bytes in small letters, where they are known to be UTF-8.
    markup: bytes = field(default=b"", repr=False)

    def may_say(self, name: bytes) -> bool:
        """Whether its markup can have a name: the bytes are searched much faster than the tree."""
        return not self.markup or name in self.markup

    @cached_property
    def cleaned(self) -> Element:
        """Made when it is first asked for: where a wrapper serves, only the article is cleaned."""
        # The store knows this module for its wrappers, and reads no pages.
        from archiver.documents.pages.dom import cleaned  # noqa: PLC0415

        return cleaned(self.tree)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The node that a method takes for the article, how surely, and why.

    It is one of the cleaned page, a clean copy of one, or of a tree that the method made: feeds have words
    that no page has.
    """

    node: Element
    confidence: float
    evidence: Mapping[str, str | float]
    # Subtrees of the node that are not the article.
    dropped: frozenset[Element] = frozenset()
    # With what it was made, so that it can be made again: the wrapper's name, and the other pages' names.
    wrapper: str | None = None
    siblings: tuple[str, ...] = ()


class LearnedWrapper(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind", tag="learned"):
    """What was learned of a template: where its articles are, and what in there is not of them."""

    id: str
    # The article's node, for a person to read and for any tool to use.
    xpath: str
    # Which pages are of this template: the types of their elements.
    signature: tuple[str, ...]
    # Types of blocks below the node that are kept, that are not, and that are now this and now that.
    kept: tuple[str, ...]
    dropped: tuple[str, ...]
    mixed: tuple[str, ...] = ()
    # How many times as much text as in the node stood beside it, at most.
    outside: float = 0.0
    # Digests of texts that stood on several pages.
    furniture: tuple[str, ...]
    # The captures that it was learned from, and how well they agreed.
    samples: tuple[str, ...]
    confidence: float


# How to read pages of one template. Another kind is one more class with `kind` for its tag and an `id`, added
# here as `LearnedWrapper | …`: the state store and the messages of workers take whatever this is.
Wrapper = LearnedWrapper


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a method found on sibling pages: an answer for each, and what is to be remembered."""

    selections: Sequence[Selection | None]
    # Wrappers that are new, and the names of those that no longer fit what the site shows.
    learned: Sequence[Wrapper] = ()
    outdated: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """The object found on a page."""

    method: str
    confidence: float
    text: str
    html: str
    title: str | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    published: datetime | None = None
    published_day: date | None = None
    modified: datetime | None = None
    # Everything that the page and its answer say of their times, each with its source.
    dated: tuple[Evidence, ...] = ()
    # The image that stands for the article; it need not be in it.
    image: Image | None = None
    comments: str | None = None
    # What a reader of the text must know: `paywall` where it is likely no more than a beginning.
    notice: str | None = None
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    media: tuple[Media, ...] = ()
    # The stems of the words that it is about, the most frequent one first.
    terms: tuple[str, ...] = ()
    wrapper: str | None = None
    siblings: tuple[str, ...] = ()
    # What a field wrapper read off its page, and which: its name and digest.
    fields: dict[str, ObjectField | None] = field(default_factory=dict)
    field_wrapper: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What came of sibling pages: for each an article or the reason why there is none; what was learned."""

    results: tuple[Article | NoArticle, ...]
    # The pages as they were parsed, in the same order.
    parsed: tuple[ParsedPage | NoArticle, ...] = field(default=(), compare=False, repr=False)
    learned: tuple[Wrapper, ...] = ()
    outdated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NoArticle:
    """Why a page gave no article: `empty`, `not_article` or `not_html`, and the reason in words."""

    outcome: str
    reason: str
