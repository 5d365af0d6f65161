"""Posts that APIs show: lines of their objects first, then the rows that know where these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, tuple_, update

from archiver.articles.posts.changes import KnownPost, compare_posts
from archiver.articles.posts.model import make_post, post_key
from archiver.store.schema import api_posts, posts
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import LinePlace, ObjectWriter
    from archiver.articles.posts.changes import PostChanges, SeenPost, WrittenPost
    from archiver.articles.posts.model import ArchivedPost, PostOrigin
    from archiver.documents.apis.model import ApiPage

    # An object, and where its line is.
    RestoredPost = tuple[ArchivedPost, LinePlace]


@dataclass(frozen=True, slots=True, kw_only=True)
class PostCounts:
    """What an answer came to."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0
    withheld: int = 0
    # New to what was asked, whether or not another source showed it before; or edited.
    fresh: int = 0


def write_posts(
    connection: Connection,
    objects: ObjectWriter,
    page: ApiPage,
    origin: PostOrigin,
    source_id: int,
    recorded: datetime,
) -> PostCounts:
    """Stage the lines of what is new or edited, and note what is as it was; within `Archive.write`."""
    captured = origin.capture.date
    keys = {post_key(post.id) for post in page.posts}
    changes = compare_posts(page.posts, known_posts(connection, keys), origin, recorded)
    if changes.written:
        connection.execute(insert(posts), [_stage(one, origin, objects, recorded) for one in changes.written])
    if changes.seen:
        connection.execute(_SEEN, [_seen_values(one) for one in changes.seen])
    gone = _note_gone(connection, {post_key(name) for name in page.gone} - keys, captured)
    first_shown = _note_shown(connection, source_id, keys)
    return _counts(changes, first_shown, gone, page.withheld)


def known_posts(connection: Connection, keys: Collection[str]) -> dict[str, KnownPost]:
    """The last versions of these posts, by their keys."""
    query = select(posts).where(posts.c.id.in_(keys)).order_by(posts.c.version)
    return {
        row.id: KnownPost(
            key=row.id,
            version=row.version,
            digests=row.digests,
            first_seen=row.first_seen,
            last_seen=row.last_seen,
        )
        for row in connection.execute(query)
    }


def _stage(
    one: WrittenPost, origin: PostOrigin, objects: ObjectWriter, recorded: datetime
) -> dict[str, object]:
    made = make_post(one.post, origin, one.version)
    return row_values(made, objects.stage(made, recorded))


def row_values(made: ArchivedPost, place: LinePlace) -> dict[str, object]:
    """What the state store knows of the version that an object is of."""
    return {
        "id": post_key(made.id),
        "version": made.version,
        "name": made.id,
        "thread": post_key(made.thread or made.id),
        "author": made.author.handle or made.author.name,
        "digests": {host_of(made.server): made.digest},
        "first_seen": made.first_seen,
        "captured": made.captured,
        "last_seen": made.captured,
        "object_file": place.file,
        "object_offset": place.offset,
        "object_digest": place.digest,
    }


def _note_gone(connection: Connection, keys: Collection[str], at: datetime) -> int:
    """Note when an answer said that posts are no longer there; their versions stay."""
    mine = posts.c.id.in_(keys) & posts.c.gone.is_(None) & (posts.c.last_seen < at)
    return connection.execute(update(posts).where(mine).values(gone=at)).rowcount if keys else 0


def _note_shown(connection: Connection, source_id: int, keys: Collection[str]) -> set[str]:
    """Note which posts a source has shown; those that it shows for the first time."""
    mine = (api_posts.c.source_id == source_id) & api_posts.c.post_id.in_(keys)
    first = set(keys) - set(connection.execute(select(api_posts.c.post_id).where(mine)).scalars())
    if first:
        rows = [{"source_id": source_id, "post_id": key} for key in sorted(first)]
        connection.execute(insert(api_posts), rows)
    return first


def _counts(changes: PostChanges, first_shown: Collection[str], gone: int, withheld: int) -> PostCounts:
    edited = {one.key for one in changes.written if one.version.number > 1}
    return PostCounts(
        new=len(changes.written) - len(edited),
        changed=len(edited),
        unchanged=len(changes.seen),
        gone=gone,
        withheld=withheld,
        fresh=len(edited.union(first_shown)),
    )


def restore_posts(connection: Connection, found: Sequence[RestoredPost]) -> int:
    """Note what objects say, for a store that was lost."""
    rows = {(values["id"], values["version"]): values for values in (row_values(*one) for one in found)}
    names = tuple_(posts.c.id, posts.c.version)
    connection.execute(delete(posts).where(names.in_(list(rows))))
    if rows:
        connection.execute(insert(posts), list(rows.values()))
    return len(rows)


def _seen_values(one: SeenPost) -> dict[str, object]:
    return {"mine": one.key, "number": one.version, "texts": one.digests, "at": one.last_seen}


_SEEN = (
    update(posts)
    .where((posts.c.id == bindparam("mine")) & (posts.c.version == bindparam("number")))
    .values(
        last_seen=bindparam("at", type_=posts.c.last_seen.type),
        digests=bindparam("texts", type_=posts.c.digests.type),
        gone=None,
    )
)
