"""What an answer of an API changes of the posts that are known: which are new, edited, or as they were."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.posts.model import PostVersion, digest_of, post_key
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from archiver.articles.posts.model import PostOrigin
    from archiver.documents.apis.model import Post

# The digest of a text for each server that shows it: each cleans the markup of others in its own way.
Digests = dict[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownPost:
    """The last version of a post."""

    key: str
    version: int
    digests: Digests
    first_seen: datetime
    last_seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenPost:
    """A post that gets a line."""

    post: Post
    key: str
    version: PostVersion
    digests: Digests


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPost:
    """A post that is as it was."""

    key: str
    version: int
    digests: Digests
    last_seen: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class PostChanges:
    """What an answer came to."""

    written: tuple[WrittenPost, ...] = ()
    seen: tuple[SeenPost, ...] = ()


def compare_posts(
    posts: Iterable[Post], known: Mapping[str, KnownPost], origin: PostOrigin, recorded: datetime
) -> PostChanges:
    """What is to be noted of the posts of an answer; of two with one id, the first counts."""
    host, captured = host_of(origin.query.base), origin.capture.date
    written, seen, there = [], [], set()
    for post in posts:
        key = post_key(post.id)
        if key in there:
            continue
        there.add(key)
        before, digests = known.get(key), {host: digest_of(post)}
        if before is not None and not _is_edited(digests[host], before, host, captured):
            seen.append(_seen(before, digests, captured))
            continue
        written.append(WrittenPost(post=post, key=key, version=_version(before, recorded), digests=digests))
    return PostChanges(written=tuple(written), seen=tuple(seen))


def _is_edited(digest: str, before: KnownPost, host: str, captured: datetime) -> bool:
    """Whether the same server shows another text than before; what an older capture shows is not news."""
    was = before.digests.get(host)
    is_other = was is not None and digest not in before.digests.values()
    return is_other and captured > before.last_seen


def _seen(before: KnownPost, digests: Digests, captured: datetime) -> SeenPost:
    return SeenPost(
        key=before.key,
        version=before.version,
        digests=before.digests | digests if captured >= before.last_seen else before.digests,
        last_seen=max(before.last_seen, captured),
    )


def _version(before: KnownPost | None, recorded: datetime) -> PostVersion:
    if before is None:
        return PostVersion(number=1, first_seen=recorded)
    return PostVersion(
        number=before.version + 1, first_seen=before.first_seen, unchanged_until=before.last_seen
    )
