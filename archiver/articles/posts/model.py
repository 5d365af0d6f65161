"""The object that is written for each version of a post."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING

from archiver.archive.objects.kinds import WarcPointer
from archiver.digests import folded, name_digest, text_digest
from archiver.documents.apis.model import PostAuthor
from archiver.documents.contributions import ContributionKind  # noqa: TC001 - as above
from archiver.documents.pages.model import Link
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.archive.warc.records import Capture
    from archiver.documents.apis.model import ApiQuery, Post

SCHEMA = "post/1"


@dataclass(frozen=True, slots=True, kw_only=True)
class PostPointer(WarcPointer):
    """Where the bytes are, and where in their JSON the post stands (RFC 6901)."""

    pointer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivedPost:
    """One version of a post. All times are RFC 3339 in UTC."""

    schema: str
    id: str  # the network's own
    kind: ContributionKind
    url: str | None = None
    # By which API of which server it was read, and what was followed there, such as `tag flood`.
    api: str
    server: str
    source: str
    campaign: str | None = None
    author: PostAuthor = PostAuthor()
    published: datetime | None = None
    edited: datetime | None = None  # as the network says
    language: str | None = None
    title: str | None = None
    text: str
    html: str
    links: tuple[Link, ...] = ()
    in_reply_to: str | None = None
    thread: str | None = None
    tags: tuple[str, ...] = ()
    boosts: int | None = None
    replies: int | None = None
    digest: str
    version: int
    change: str  # new, or text
    first_seen: datetime
    # When the version before was last seen as it was.
    unchanged_until: datetime | None = None
    captured: datetime
    warc: PostPointer


@dataclass(frozen=True, slots=True, kw_only=True)
class PostOrigin:
    """What showed a post: an API, what was asked of it, and the capture of its answer."""

    query: ApiQuery
    campaign: str | None
    capture: Capture


@dataclass(frozen=True, slots=True, kw_only=True)
class PostVersion:
    """What makes one version of a post."""

    number: int
    first_seen: datetime
    unchanged_until: datetime | None = None


def post_key(post_id: str) -> str:
    """By which the state store knows a post: networks have ids of any length."""
    return name_digest(post_id)


def post_digest(title: str | None, text: str, links: Sequence[Link]) -> str:
    """Equal for posts that a reader would call the same; what they lead to is a part of what they say."""
    return text_digest("\n".join((folded(title or ""), folded(text), *sorted(link.url for link in links))))


def digest_of(post: Post) -> str:
    return post_digest(post.title, post.text, _redacted(post.links))


def make_post(post: Post, origin: PostOrigin, version: PostVersion) -> ArchivedPost:
    """The object of a version of what an API showed."""
    capture, author = origin.capture, post.author
    return ArchivedPost(
        schema=SCHEMA,
        id=post.id,
        kind=post.kind,
        url=redact(post.url) if post.url else None,
        api=origin.query.api,
        server=redact(origin.query.base),
        source=origin.query.source,
        campaign=origin.campaign,
        author=PostAuthor(
            name=author.name, handle=author.handle, url=redact(author.url) if author.url else None
        ),
        published=post.published,
        edited=post.edited,
        language=post.language,
        title=post.title,
        text=post.text,
        html=post.html,
        links=_redacted(post.links),
        in_reply_to=post.in_reply_to,
        thread=post.thread,
        tags=post.tags,
        boosts=post.boosts,
        replies=post.replies,
        digest=digest_of(post),
        version=version.number,
        change="new" if version.number == 1 else "text",
        first_seen=version.first_seen,
        unchanged_until=version.unchanged_until,
        captured=capture.date,
        warc=PostPointer(
            file=capture.file,
            offset=capture.offset,
            record_id=capture.record_id,
            capture_id=capture.capture_id,
            pointer=post.pointer,
        ),
    )


def _redacted(links: Sequence[Link]) -> tuple[Link, ...]:
    return tuple(Link(url=redact(link.url), text=link.text) for link in links)
