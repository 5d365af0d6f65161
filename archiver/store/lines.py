"""The lines of objects as the state store knows them: where each is, and what it takes to make it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, select, tuple_, update

from archiver.articles.continuation.model import NONE
from archiver.articles.objects.model import article_id
from archiver.articles.versions.model import Change, Fingerprint
from archiver.store.content.leads import leads_of_articles
from archiver.store.content.pages import identity_keys_of
from archiver.store.content.twins import twins_of
from archiver.store.object_files import save_object_length
from archiver.store.schema import articles, object_files, versions, wrappers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from archiver.archive.objects.writer import LinePlace
    from archiver.archive.warc.records import Capture
    from archiver.articles.continuation.model import Further
    from archiver.articles.leads import Lead
    from archiver.articles.model import Wrapper
    from archiver.articles.objects.model import Twin

# Rows that are asked for at a time.
_AT_ONCE = 1000

# Pages that were read together were captured within less than this.
_ABOUT_THEN = timedelta(minutes=10)
# An article and the number of its version.
VersionKey = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownLine:
    """A version, and where its object is."""

    key: VersionKey
    file: str
    offset: int
    id: str  # of the object
    words: str  # the digest of title and text that the object carries
    digest: str | None  # of the line; None where an older archiver wrote it

    @property
    def version(self) -> int:
        return self.key[1]


def known_lines(connection: Connection, file: str | None = None) -> Iterator[KnownLine]:
    """All lines of a file, or of all files, in the order in which they stand."""
    query = _LINES if file is None else _LINES.where(versions.c.object_file == file)
    for row in connection.execute(query.execution_options(yield_per=_AT_ONCE)):
        yield _known_line(row)


def _known_line(row: Row[Any]) -> KnownLine:
    return KnownLine(
        key=(row.article_id, row.version),
        file=row.object_file,
        offset=row.object_offset,
        id=article_id(row.key),
        words=row.digest,
        digest=row.object_digest,
    )


_LINES: Select[Any] = (
    select(
        versions.c.article_id, versions.c.version, versions.c.object_file, versions.c.object_offset,
        versions.c.object_digest, versions.c.digest, articles.c.key,
    )
    .join(articles, articles.c.id == versions.c.article_id)
    .order_by(versions.c.object_file, versions.c.object_offset)
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LostVersion:
    """All that the state store knows of a version whose object is lost."""

    line: KnownLine
    article_key: str
    url: str
    first_seen: datetime
    unchanged_until: datetime | None
    change: Change
    fingerprint: Fingerprint
    method: str
    extractor: str
    wrapper: Wrapper | None
    capture: Capture
    twins: tuple[Twin, ...]
    lead: Lead | None  # None where nothing leads to the article any more
    is_last: bool
    # The captures that it was read with, where no wrapper served; none: an older archiver did not note them.
    siblings: tuple[str, ...] = ()
    further: Further = NONE
    size: int = 0  # not known any more

    @property
    def identity_keys(self) -> frozenset[str]:
        return identity_keys_of(self.capture)


def lost_versions(connection: Connection, lines: Sequence[KnownLine]) -> list[LostVersion]:
    """These versions, in the order of their captures."""
    found = []
    for start in range(0, len(lines), _AT_ONCE // 4):
        found += _lost(connection, {line.key: line for line in lines[start : start + _AT_ONCE // 4]})
    return sorted(found, key=lambda one: (one.capture.date, one.line.key))


def neighbours(connection: Connection, lost: Sequence[LostVersion], channel_id: int) -> list[LostVersion]:
    """What the same extractor read of the channel about then, in the order in which pages are taken."""
    dates = [one.capture.date for one in lost]
    about_then = versions.c.captured.between(min(dates) - _ABOUT_THEN, max(dates) + _ABOUT_THEN)
    found = _read_by_same(connection, lost[0].extractor, channel_id, about_then)
    return _in_order([*found, *lost])


def siblings(
    connection: Connection, lost: Sequence[LostVersion], channel_id: int
) -> list[tuple[LostVersion, ...]]:
    """Each version that no wrapper served, with those that it was read with, as far as these are known."""
    asked = [one for one in lost if one.siblings]
    if not asked:
        return []
    since = min(one.capture.date for one in asked)
    about_then = versions.c.captured.between(since - _ABOUT_THEN, max(one.capture.date for one in asked))
    extractor = asked[0].extractor
    found = _read_by_same(connection, extractor, channel_id, about_then)
    # Pages of earlier runs, the newest first.
    found += _read_by_same(connection, extractor, channel_id, versions.c.captured < since - _ABOUT_THEN)
    by_capture = {one.capture.capture_id: one for one in (*found, *lost)}
    groups = [[one, *(by_capture[name] for name in one.siblings if name in by_capture)] for one in asked]
    return [tuple(_in_order(group)) for group in groups]


def _read_by_same(
    connection: Connection, extractor: str, channel_id: int, when: ColumnElement[bool]
) -> list[LostVersion]:
    mine = (versions.c.channel_id == channel_id) & (versions.c.extractor == extractor)
    query = _LINES.order_by(None).order_by(versions.c.captured.desc()).where(mine, when)
    lines = [_known_line(row) for row in connection.execute(query.limit(_AT_ONCE))]
    return lost_versions(connection, lines)


def _in_order(some: Sequence[LostVersion]) -> list[LostVersion]:
    """Each once, in the order in which pages are taken to be read."""
    known = {one.line.key: one for one in some if one.lead is not None}
    return sorted(known.values(), key=_place)


def _place(version: LostVersion) -> tuple[int, datetime]:
    announcer = version.lead.announcer if version.lead else None
    return announcer.id if announcer else 0, version.capture.date


def _lost(connection: Connection, lines: dict[VersionKey, KnownLine]) -> list[LostVersion]:
    query = (
        select(
            versions, articles.c.key, articles.c.url, articles.c.first_seen, articles.c.version.label("last")
        )
        .join(articles, articles.c.id == versions.c.article_id)
        .where(tuple_(versions.c.article_id, versions.c.version).in_(list(lines)))
    )
    rows = connection.execute(query).all()
    ids = list({row.article_id for row in rows})
    found, twins = leads_of_articles(connection, ids), twins_of(connection, ids)
    made_by = _wrappers(connection, {row.wrapper for row in rows} - {None})
    return [
        LostVersion(
            line=lines[row.article_id, row.version],
            article_key=row.key,
            url=row.url,
            first_seen=row.first_seen,
            unchanged_until=row.unchanged_until,
            change=_change(row),
            fingerprint=_fingerprint(row),
            method=row.method,
            extractor=row.extractor or "",
            wrapper=made_by.get(row.wrapper),
            capture=row.capture,
            # As in a crawl, the first version names them.
            twins=twins.get(row.article_id, ()) if row.version == 1 else (),
            lead=_lead(found.get(row.article_id, ()), row.channel_id),
            is_last=row.version == row.last,
            siblings=row.siblings or (),
            further=row.further or NONE,
        )
        for row in rows
    ]


def _lead(found: Sequence[Lead], channel_id: int) -> Lead | None:
    """What the version was read with: an entry of the channel that is noted, if that is known."""
    mine = (one for one in found if one.scope == channel_id)
    return next(mine, found[0] if found else None)


def _change(row: Row[Any]) -> Change:
    return Change(
        kinds=tuple((row.kinds or "").split(",")) if row.kinds else (),
        similarity=row.similarity,
        added=row.added,
        removed=row.removed,
    )


def _fingerprint(row: Row[Any]) -> Fingerprint:
    return Fingerprint(
        title=row.title_digest,
        text=row.text_digest,
        whole=row.digest,
        links=row.links_digest or "",
        images=row.images_digest or "",
    )


def _wrappers(connection: Connection, names: set[str]) -> dict[str, Wrapper]:
    """Wrappers by name, also those that are outdated; the same name in two scopes is the same wrapper."""
    query = select(wrappers.c.id, wrappers.c.wrapper).where(wrappers.c.id.in_(names))
    return {row.id: row.wrapper for row in connection.execute(query)} if names else {}


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedLine:
    """A version whose line is at another place now."""

    key: VersionKey
    place: LinePlace
    # Where it was read anew: what it is known by from now on.
    values: dict[str, object] | None = None


def move_lines(
    connection: Connection, old_file: str, moved: Sequence[MovedLine], lengths: dict[str, int]
) -> None:
    """Have versions point to the file that was put in the place of a damaged one, in one transaction."""
    rows = [
        {"article": one.key[0], "number": one.key[1], "file": one.place.file}
        | {"offset": one.place.offset, "line": one.place.digest}
        for one in moved
    ]
    if rows:
        connection.execute(_MOVE, rows)
    for one in moved:
        if one.values is not None:
            mine = (versions.c.article_id == one.key[0]) & (versions.c.version == one.key[1])
            connection.execute(update(versions).where(mine).values(**one.values))
    for file, length in lengths.items():
        save_object_length(connection, file, length)
    # What could not be made again still points there: each run says so until the file is restored.
    if (
        connection.execute(select(versions.c.version).filter_by(object_file=old_file).limit(1)).first()
        is None
    ):
        connection.execute(delete(object_files).where(object_files.c.file == old_file))


_MOVE = (
    update(versions)
    .where(versions.c.article_id == bindparam("article"), versions.c.version == bindparam("number"))
    .values(object_file=bindparam("file"), object_offset=bindparam("offset"), object_digest=bindparam("line"))
)
