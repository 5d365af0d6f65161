"""Field wrappers in the state store: what they gave page by page, which fields fail, which are suspended."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, select, update

from archiver.fields.drift import FieldWatch, begun_again, missed, watched
from archiver.store.quotas import day_of
from archiver.store.schema import field_days, field_pages, field_watches, field_wrappers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Insert, Table

    from archiver.archive.warc.records import Capture
    from archiver.fields.drift import FieldAlarm
    from archiver.fields.model import FieldsRead

# Of each wrapper: enough to repair it by, and to show.
MOST_PAGES = 500
# So many pages more may be there until the oldest are forgotten.
_SLACK = 100
# A page that takes too long may do so by itself; two are the wrapper's.
_MOST_STOPS = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFields:
    """What a wrapper read off the capture of a page."""

    page_id: int
    url: str
    capture: Capture
    read: FieldsRead

    @property
    def wrapper(self) -> str:
        return self.read.wrapper.partition("/")[0]

    @property
    def digest(self) -> str:
        return self.read.wrapper.partition("/")[2]

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(name for name, reading in self.read.readings.items() if not reading.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailingField:
    """A field that no longer works."""

    wrapper: str
    digest: str
    field: str
    alarm: FieldAlarm


def tally_fields(connection: Connection, pages: Sequence[PageFields], recorded: datetime) -> None:
    """Count what wrappers read, and see whether they still work."""
    for name in dict.fromkeys(page.wrapper for page in pages):
        of_wrapper = [page for page in pages if page.wrapper == name]
        _count(connection, of_wrapper, recorded)
        _watch(connection, name, of_wrapper, recorded)
        _note_pages(connection, name, of_wrapper, recorded)


def tally_past(connection: Connection, pages: Sequence[PageFields], recorded: datetime) -> None:
    """Count what wrappers read off captures of the past: what a field is expected to give is learned from it.

    Pages that were counted stay as they are: a crawl has seen them later.
    """
    for name in dict.fromkeys(page.wrapper for page in pages):
        known = _known_pages(connection, name, [page.page_id for page in pages])
        new = [page for page in pages if page.wrapper == name and page.page_id not in known]
        tally_fields(connection, new, recorded)


def _count(connection: Connection, pages: Sequence[PageFields], recorded: datetime) -> None:
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for page in pages:
        for name, reading in page.read.readings.items():
            count = counts.setdefault((page.wrapper, page.digest, name), Counter())
            count["pages"] += 1
            count["filled"] += bool(reading.values)
            count["mistyped"] += reading.mistyped and not reading.values
    rows = [
        {"wrapper": wrapper, "digest": digest, "field": field, "day": day_of(recorded), **count}
        for (wrapper, digest, field), count in counts.items()
    ]
    _upsert(connection, field_days, rows, adds=("pages", "filled", "mistyped"))
    used = Counter((page.wrapper, page.digest) for page in pages)
    times = {"first_used": recorded, "last_used": recorded}
    rows = [
        {"wrapper": wrapper, "digest": digest, "pages": count, **times}
        for (wrapper, digest), count in used.items()
    ]
    _upsert(connection, field_wrappers, rows, adds=("pages",), sets=("last_used",))


def _watch(connection: Connection, name: str, pages: Sequence[PageFields], recorded: datetime) -> None:
    known = _known_pages(connection, name, [page.page_id for page in pages])
    rows = connection.execute(select(field_watches).where(field_watches.c.wrapper == name))
    watches: dict[str, tuple[str, FieldWatch]] = {row.field: (row.digest, row.watch) for row in rows}
    for page in pages:
        for field, reading in page.read.readings.items():
            digest, watch = watches.get(field, (page.digest, FieldWatch()))
            watch = watch if digest == page.digest else begun_again(watch)
            is_new = page.page_id not in known
            watches[field] = page.digest, watched(watch, reading, recorded, is_new=is_new)
        known.add(page.page_id)
    _save(connection, name, watches)


def _save(connection: Connection, name: str, watches: Mapping[str, tuple[str, FieldWatch]]) -> None:
    rows = [
        {
            "wrapper": name,
            "field": field,
            "digest": digest,
            "watch": watch,
            "failing": watch.alarm.since if watch.alarm else None,
        }
        for field, (digest, watch) in watches.items()
    ]
    _upsert(connection, field_watches, rows, sets=("digest", "watch", "failing"))


def _known_pages(connection: Connection, name: str, page_ids: Sequence[int]) -> set[int]:
    mine = (field_pages.c.wrapper == name) & field_pages.c.page_id.in_(page_ids)
    return set(connection.scalars(select(field_pages.c.page_id).where(mine)))


def _note_pages(connection: Connection, name: str, pages: Sequence[PageFields], recorded: datetime) -> None:
    rows = {
        page.page_id: {
            "wrapper": name,
            "page_id": page.page_id,
            "url": page.url,
            "capture": page.capture,
            "seen": recorded,
            "missing": page.missing,
        }
        for page in pages
    }
    _upsert(connection, field_pages, list(rows.values()), sets=("url", "capture", "seen", "missing"))
    _forget_pages(connection, name)


def _forget_pages(connection: Connection, name: str) -> None:
    """Keep the newest pages of a wrapper: those that failed are among them, or it works again."""
    mine = field_pages.c.wrapper == name
    newest = select(field_pages.c.seen).where(mine).order_by(field_pages.c.seen.desc())
    oldest_kept = connection.scalar(newest.offset(MOST_PAGES - 1).limit(1))
    if oldest_kept is not None and connection.scalar(newest.offset(MOST_PAGES + _SLACK).limit(1)) is not None:
        connection.execute(delete(field_pages).where(mine, field_pages.c.seen < oldest_kept))


def note_missed(connection: Connection, wrapper: str, found: Iterable[tuple[str, bool, datetime]]) -> None:
    """Note for fields whether a value of an older version, which a page still has, was found by a rule.

    The time is that of the page's capture.
    """
    rows = connection.execute(select(field_watches).where(field_watches.c.wrapper == wrapper))
    watches = {row.field: (row.digest, row.watch) for row in rows}
    for field, is_found, captured in found:
        if field in watches:
            digest, watch = watches[field]
            watches[field] = digest, missed(watch, is_found=is_found, at=captured)
    _save(connection, wrapper, watches)


def note_repair(connection: Connection, wrapper: str, digest: str, repaired: Collection[str]) -> None:
    """Have the fields with new rules begin again; what is held against the others stays."""
    rows = connection.execute(select(field_watches).where(field_watches.c.wrapper == wrapper)).all()
    watches = {
        row.field: (digest, begun_again(row.watch) if row.field in repaired else row.watch) for row in rows
    }
    _save(connection, wrapper, watches)


def failing_fields(connection: Connection) -> list[FailingField]:
    """The fields that no longer work, those that have failed longest first."""
    table = field_watches
    query = select(table).where(table.c.failing.is_not(None)).order_by(table.c.failing, table.c.wrapper)
    return [
        FailingField(wrapper=row.wrapper, digest=row.digest, field=row.field, alarm=row.watch.alarm)
        for row in connection.execute(query)
        if row.watch.alarm is not None
    ]


def note_stop(connection: Connection, label: str, why: str, recorded: datetime) -> bool:
    """Count a page that could only be read without a wrapper; whether that suspends the wrapper."""
    name, _, digest = label.partition("/")
    row = {"wrapper": name, "digest": digest, "first_used": recorded, "last_used": recorded, "stops": 1}
    _upsert(connection, field_wrappers, [row], adds=("stops",), sets=("last_used",))
    mine = (field_wrappers.c.wrapper == name) & (field_wrappers.c.digest == digest)
    stops = connection.scalar(select(field_wrappers.c.stops).where(mine)) or 0
    if stops < _MOST_STOPS:
        return False
    is_on = mine & field_wrappers.c.suspended.is_(None)
    ended = connection.execute(update(field_wrappers).where(is_on).values(suspended=recorded, why=why))
    return bool(ended.rowcount)


def suspended_wrappers(connection: Connection) -> dict[str, str]:
    """The labels of wrappers that are not used, each with the reason: another text of one is used again."""
    query = select(field_wrappers).where(field_wrappers.c.suspended.is_not(None))
    return {f"{row.wrapper}/{row.digest}": row.why or "" for row in connection.execute(query)}


def _upsert(
    connection: Connection,
    table: Table,
    rows: Sequence[dict[str, Any]],
    *,
    adds: tuple[str, ...] = (),
    sets: tuple[str, ...] = (),
) -> None:
    if rows:
        statement = _upserting(table, adds, sets, is_sqlite=connection.dialect.name == "sqlite")
        connection.execute(statement, rows)


@cache
def _upserting(table: Table, adds: tuple[str, ...], sets: tuple[str, ...], *, is_sqlite: bool) -> Insert:
    # Not both at the top: what is known of PostgreSQL takes a twentieth of a second to load.
    dialect = import_module(f"sqlalchemy.dialects.{'sqlite' if is_sqlite else 'postgresql'}")
    new = dialect.insert(table)
    changed = {name: table.c[name] + new.excluded[name] for name in adds}
    changed |= {name: new.excluded[name] for name in sets}
    keys = [column.name for column in table.primary_key]
    made: Insert = new.on_conflict_do_update(index_elements=keys, set_=changed)
    return made
