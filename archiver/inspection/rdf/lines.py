"""The line of an object as RDF reads it: its fields, and the nodes that it tells of."""

from __future__ import annotations

from datetime import date, datetime  # noqa: TC003 - msgspec reads the annotations at run time
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import msgspec

from archiver.archive.objects.kinds import WarcPointer  # noqa: TC001 - as above
from archiver.articles.contributions.model import contribution_id
from archiver.articles.objects.model import LeadPointer, PagePointer, Twin  # noqa: TC001 - as above
from archiver.articles.posts.model import post_key
from archiver.articles.versions.model import Change  # noqa: TC001 - as above
from archiver.documents.apis.model import PostAuthor
from archiver.documents.contributions import ContributionKind
from archiver.documents.media import Media  # noqa: TC001 - as above
from archiver.documents.pages.model import Image, Link  # noqa: TC001 - as above
from archiver.inspection.rdf.mapping import (
    ACCOUNT,
    ARTICLE,
    CAPTURE,
    CHANNEL,
    CONTRIBUTION,
    RECORD,
    VERSION,
)
from archiver.inspection.rdf.nodes import (
    account_node,
    article_node,
    contribution_node,
    record_node,
    site_of,
    version_node,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

CHANNELS = "channels"  # the source of leads that are feeds


class Account(NamedTuple):
    """A name under which something was published on a host."""

    host: str
    name: str
    url: str | None = None

    @property
    def node(self) -> str:
        return account_node(self.host, self.name)


class ToldCapture(NamedTuple):
    """A capture: of which page, when, and where its bytes are."""

    url: str
    captured: datetime
    warc: WarcPointer

    @property
    def node(self) -> str:
        return record_node(self.warc.capture_id)

    @property
    def original(self) -> str | None:
        """The record that has the payload, where that is another."""
        return self.warc.record_id if self.warc.record_id != self.warc.capture_id else None


class RdfNode(NamedTuple):
    """A node, by the kind that the mapping knows it by, and what its statements are taken from."""

    kind: str
    name: str
    said: object


class ArticleLine(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """The fields of an article's object that are told; the others are passed over."""

    id: str
    url: str
    version: int
    canonical_url: str | None = None
    lead: LeadPointer | None = None
    channel: str | None = None
    channel_title: str | None = None
    entry_id: str | None = None
    title: str | None = None
    text: str = ""
    summary: str | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str | None = None
    published: datetime | None = None
    said_day: date | None = msgspec.field(name="published_day", default=None)
    updated: datetime | None = None
    first_seen: datetime
    unchanged_until: datetime | None = None
    captured: datetime
    change: Change
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()
    media: tuple[Media, ...] = ()
    comments: str | None = None
    comments_feed: str | None = None
    comments_count: int | None = None
    method: str = ""
    confidence: float = 0.0
    twins: tuple[Twin, ...] = ()
    pages: tuple[PagePointer, ...] = ()
    warc: WarcPointer

    @property
    def page(self) -> str:
        """The address by which it may be withheld."""
        return self.url

    @property
    def owner(self) -> str:
        """The node that all of its versions are of."""
        return article_node(self.id)

    @property
    def node(self) -> str:
        return version_node(self.id, self.version)

    @property
    def replaces(self) -> str | None:
        return version_node(self.id, self.version - 1) if self.version > 1 else None

    @property
    def published_day(self) -> date | None:
        """Where no moment is known."""
        return None if self.published else self.said_day

    @property
    def led_by(self) -> str | None:
        """The document that led there, where it was not a feed."""
        return self.lead.via if self.lead and self.lead.source != CHANNELS else None

    @cached_property
    def captures(self) -> tuple[ToldCapture, ...]:
        """Of each of its pages."""
        if self.pages:
            return tuple(ToldCapture(one.url, one.captured, one.warc) for one in self.pages)
        return (ToldCapture(self.url, self.captured, self.warc),)

    def account(self, name: str) -> Account:
        return Account(site_of(self.url), name)

    def nodes(self) -> Iterator[RdfNode]:
        yield RdfNode(ARTICLE, self.owner, self)
        yield RdfNode(f"{VERSION} of an article", self.node, self)
        if self.channel:
            yield RdfNode(CHANNEL, self.channel, self)
        yield from (RdfNode(ACCOUNT, one.node, one) for one in map(self.account, self.authors))
        yield from nodes_of_captures(self.captures)


class ContributionLine(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a contribution's object that are told."""

    id: str
    kind: ContributionKind
    article: str
    page_url: str
    key: str
    url: str | None = None
    answered: str | None = msgspec.field(name="parent", default=None)
    position: int = 0
    author: str | None = None
    author_url: str | None = None
    published: datetime | None = None
    said_day: date | None = msgspec.field(name="published_day", default=None)
    text: str = ""
    version: int
    change: str = ""
    first_seen: datetime
    unchanged_until: datetime | None = None
    captured: datetime
    confidence: float = 0.0
    read_by: str = ""
    warc: WarcPointer

    # What none of them has.
    language: ClassVar[None] = None
    channel: ClassVar[None] = None

    @property
    def page(self) -> str:
        return self.page_url

    @property
    def owner(self) -> str:
        return contribution_node(self.id)

    @property
    def node(self) -> str:
        return version_node(self.id, self.version)

    @property
    def replaces(self) -> str | None:
        return version_node(self.id, self.version - 1) if self.version > 1 else None

    @property
    def published_day(self) -> date | None:
        """Where no moment is known."""
        return None if self.published else self.said_day

    @property
    def parent(self) -> str | None:
        """The contribution that it answers."""
        return contribution_id(self.article, self.kind, self.answered) if self.answered else None

    @property
    def answers(self) -> str | None:
        """The article, where it answers nothing else."""
        return None if self.answered or self.revises else self.article

    @property
    def revises(self) -> str | None:
        return self.article if self.kind is ContributionKind.REVISION else None

    @property
    def captures(self) -> tuple[ToldCapture, ...]:
        return (ToldCapture(self.page_url, self.captured, self.warc),)

    def account(self, name: str) -> Account:
        return Account(site_of(self.page_url), name, self.author_url)

    def nodes(self) -> Iterator[RdfNode]:
        yield RdfNode(CONTRIBUTION, self.owner, self)
        yield RdfNode(f"{VERSION} of a contribution", self.node, self)
        if self.author:
            account = self.account(self.author)
            yield RdfNode(ACCOUNT, account.node, account)
        yield from nodes_of_captures(self.captures)


class PostLine(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a post's object that are told, as those of a contribution that is made to no article."""

    key: str = msgspec.field(name="id")
    kind: ContributionKind
    url: str | None = None
    server: str = ""
    api: str = ""
    signed: PostAuthor = msgspec.field(name="author", default=PostAuthor())
    published: datetime | None = None
    language: str | None = None
    text: str = ""
    in_reply_to: str | None = None
    version: int
    change: str = ""
    first_seen: datetime
    unchanged_until: datetime | None = None
    captured: datetime
    warc: WarcPointer

    # What none of them has.
    article: ClassVar[None] = None
    answers: ClassVar[None] = None
    revises: ClassVar[None] = None
    published_day: ClassVar[None] = None
    position: ClassVar[None] = None
    channel: ClassVar[None] = None
    page_url: ClassVar[None] = None
    confidence: ClassVar[float] = 1.0

    @property
    def id(self) -> str:
        return post_key(self.key)

    @property
    def page(self) -> str:
        return self.url or self.server

    @property
    def owner(self) -> str:
        return contribution_node(self.id)

    @property
    def node(self) -> str:
        return version_node(self.id, self.version)

    @property
    def replaces(self) -> str | None:
        return version_node(self.id, self.version - 1) if self.version > 1 else None

    @property
    def parent(self) -> str | None:
        return post_key(self.in_reply_to) if self.in_reply_to else None

    @property
    def author(self) -> str | None:
        return self.signed.handle or self.signed.name

    @property
    def read_by(self) -> str:
        return self.api

    @property
    def captures(self) -> tuple[ToldCapture, ...]:
        return (ToldCapture(self.page, self.captured, self.warc),)

    def account(self, name: str) -> Account:
        return Account(site_of(self.page), name, self.signed.url)

    def nodes(self) -> Iterator[RdfNode]:
        yield RdfNode(CONTRIBUTION, self.owner, self)
        yield RdfNode(f"{VERSION} of a contribution", self.node, self)
        if self.author:
            account = self.account(self.author)
            yield RdfNode(ACCOUNT, account.node, account)
        yield from nodes_of_captures(self.captures)


ObjectLine = ArticleLine | ContributionLine | PostLine


def nodes_of_captures(captures: tuple[ToldCapture, ...]) -> Iterator[RdfNode]:
    for one in captures:
        yield RdfNode(CAPTURE, one.node, one)
        yield RdfNode(RECORD, record_node(one.warc.record_id), one.warc)
