"""What is withheld, as the state store has it and as requests that wait in the inbox change it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from sqlalchemy import func, insert, inspect, select, update

from archiver.archive.inbox import count_taken, taken, waiting
from archiver.archive.withheld import URL, WithheldPattern, WithholdingOrder, page_keys, withheld_by
from archiver.batches import batches
from archiver.store.schema import articles, pages, taken_requests, versions
from archiver.store.schema import withheld as table
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from sqlalchemy import ColumnElement, Connection

    from archiver.archive.inbox import InboxRequest
    from archiver.archive.withheld import Withheld

KIND = "withhold"
# A database takes only so many values in one question.
_AT_ONCE = 500


class WithholdRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Withhold what a pattern names, or show it again."""

    pattern: WithheldPattern
    reason: str
    lift: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    pattern: WithheldPattern
    reason: str
    since: datetime
    lifted: datetime | None = None
    lift_reason: str | None = None
    article_id: int | None = None
    is_waiting: bool = False


def load_withheld(connection: Connection | None, archive: Path) -> Withheld:
    """What is withheld now: by the state store, and by requests that no run has taken up yet.

    Without a state store, by all that was ever asked for: what is lost with it must not come to light.
    """
    rows = [row for row in _rows(connection, archive) if row.lifted is None]
    patterns = [row.pattern for row in rows]
    if connection is not None:
        # Of the others, the addresses of their articles are noted with them.
        unknown = [row.pattern for row in rows if row.article_id is None]
        widened = {one.pattern.named: one.pattern for one in _with_addresses(connection, unknown)}
        patterns = [widened.get(pattern.named, pattern) for pattern in patterns]
    return withheld_by((pattern, row.reason) for pattern, row in zip(patterns, rows, strict=True))


def list_orders(connection: Connection | None, archive: Path) -> list[WithholdingOrder]:
    """Every order, those that were lifted included, the newest first."""
    found = [
        WithholdingOrder(
            kind=row.pattern.kind,
            named=row.pattern.named,
            reason=row.reason,
            since=row.since,
            lifted=row.lifted,
            lift_reason=row.lift_reason,
            is_waiting=row.is_waiting,
        )
        for row in _rows(connection, archive)
    ]
    return sorted(found, key=lambda order: order.since, reverse=True)


def is_in_force(connection: Connection, archive: Path, pattern: WithheldPattern) -> bool:
    name = _name(pattern)
    return any(row.lifted is None and _name(row.pattern) == name for row in _rows(connection, archive))


def apply_withhold(connection: Connection, request: WithholdRequest, at: datetime) -> None:
    """Note an order, or that it was lifted. One that is in force already is not noted again."""
    name = _name(request.pattern)
    in_force = (table.c.name == name) & table.c.lifted.is_(None)
    if request.lift:
        done = update(table).where(in_force).values(lifted=at, lift_reason=request.reason)
        connection.execute(done)
    elif connection.execute(select(table.c.id).where(in_force)).first() is None:
        (found,) = _with_addresses(connection, [request.pattern])
        values = {"name": name, "pattern": found.pattern, "reason": request.reason, "since": at}
        connection.execute(insert(table).values(**values, article_id=found.article))


def refresh_addresses(connection: Connection) -> None:
    """Add the addresses under which withheld pages became known since."""
    rows = connection.execute(select(table).where(table.c.lifted.is_(None))).all()
    found = _with_addresses(connection, [row.pattern for row in rows])
    for row, known in zip(rows, found, strict=True):
        if known != (row.pattern, row.article_id):
            changed = update(table).where(table.c.id == row.id)
            connection.execute(changed.values(pattern=known.pattern, article_id=known.article))


def has_table(connection: Connection) -> bool:
    """A store of an archiver that withheld nothing can still be read."""
    return inspect(connection).has_table(table.name)


def _rows(connection: Connection | None, archive: Path) -> list[_Row]:
    rows = list(_stored(connection)) if connection is not None and has_table(connection) else []
    for request in _not_taken(connection, archive):
        try:
            what = msgspec.json.decode(request.what, type=WithholdRequest)
        except msgspec.DecodeError:
            continue  # the run that takes it up says so
        rows = _changed(rows, what, request.made)
    return rows


def _stored(connection: Connection) -> Iterator[_Row]:
    for row in connection.execute(select(table).order_by(table.c.id)):
        yield _Row(
            pattern=row.pattern,
            reason=row.reason,
            since=row.since,
            lifted=row.lifted,
            lift_reason=row.lift_reason,
            article_id=row.article_id,
        )


def _not_taken(connection: Connection | None, archive: Path) -> list[InboxRequest]:
    """Requests of our kind that are not part of the store: those that wait, and those of a lost store."""
    # First those that wait: one that is taken up meanwhile is then among the others.
    left = [request for request in waiting(archive).requests if request.kind == KIND]
    done = [] if _knows_all(connection, archive) else taken(archive, KIND)
    asked = {request.id: request for request in (*done, *left)}
    known = known_requests(connection, list(asked)) if connection is not None else set()
    return [request for name, request in asked.items() if name not in known]


def _knows_all(connection: Connection | None, archive: Path) -> bool:
    """Whether the store has as many requests as the journal: then none of these needs to be read."""
    if connection is None or not inspect(connection).has_table(taken_requests.name):
        return False
    query = select(func.count()).select_from(taken_requests).where(taken_requests.c.kind == KIND)
    return count_taken(archive, KIND) <= connection.execute(query).scalar_one()


def known_requests(connection: Connection, names: Sequence[str]) -> set[str]:
    """Which of these are part of the store."""
    if not names or not inspect(connection).has_table(taken_requests.name):
        return set()
    column = taken_requests.c.id
    found: set[str] = set()
    for start in range(0, len(names), _AT_ONCE):
        query = select(column).where(column.in_(names[start : start + _AT_ONCE]))
        found.update(connection.execute(query).scalars())
    return found


def _changed(rows: list[_Row], request: WithholdRequest, at: datetime) -> list[_Row]:
    """What `apply_withhold` will make of the rows."""
    name = _name(request.pattern)
    in_force = [row for row in rows if row.lifted is None and _name(row.pattern) == name]
    if request.lift:
        lifted = [replace(row, lifted=at, lift_reason=request.reason, is_waiting=True) for row in in_force]
        return [*(row for row in rows if row not in in_force), *lifted]
    if in_force:
        return rows
    return [*rows, _Row(pattern=request.pattern, reason=request.reason, since=at, is_waiting=True)]


def _name(pattern: WithheldPattern) -> str:
    return f"{pattern.kind} {pattern.keys[0]}"


class _KnownPattern(NamedTuple):
    """A pattern with all addresses of what is there, and the number of its article."""

    pattern: WithheldPattern
    article: int | None


def _with_addresses(connection: Connection, patterns: Sequence[WithheldPattern]) -> list[_KnownPattern]:
    numbers = _articles_at(connection, [one.named for one in patterns if one.kind == URL])
    return [_known(connection, one, numbers.get(one.named, ())) for one in patterns]


def _known(connection: Connection, pattern: WithheldPattern, numbers: Collection[int]) -> _KnownPattern:
    if not numbers or pattern.kind != URL:
        return _KnownPattern(pattern, None)
    keys = page_keys(url for number in numbers for url in _addresses(connection, number))
    whole = tuple(dict.fromkeys((*pattern.keys, *keys)))
    return _KnownPattern(msgspec.structs.replace(pattern, keys=whole), min(numbers))


def articles_at(connection: Connection, url: str) -> list[int]:
    """The articles that an address leads to: by redirects, as its parts, or as one that they name."""
    return sorted(_articles_at(connection, [url]).get(url, ()))


def _articles_at(connection: Connection, urls: Sequence[str]) -> dict[str, set[int]]:
    """The same of many addresses; of those that lead nowhere, nothing."""
    asked: dict[str, set[str]] = {}
    for url in urls:
        for key in _page_keys(url):
            asked.setdefault(key, set()).add(url)
    found: dict[str, set[int]] = {}
    for some in batches(list(asked)):
        for number, led_by in _led_to(connection, some):
            for url in asked.get(led_by or "", ()):
                found.setdefault(url, set()).add(number)
    return found


def _led_to(connection: Connection, keys: Sequence[str]) -> Iterator[tuple[int, str | None]]:
    named: tuple[ColumnElement[str | None], ...] = (articles.c.key, articles.c.canonical)
    for column in named:
        for row in connection.execute(select(articles.c.id, column).where(column.in_(keys))):
            yield row[0], row[1]
    leading: tuple[ColumnElement[str | None], ...] = (pages.c.key, pages.c.whole)
    for column in leading:
        led = column.in_(keys) & pages.c.article_id.is_not(None)
        for row in connection.execute(select(pages.c.article_id, column).where(led)):
            yield row[0], row[1]


@lru_cache(maxsize=50_000)
def _page_keys(url: str) -> tuple[str, ...]:
    """The keys of a page under both schemes."""
    scheme, mark, rest = url.partition("://")
    return tuple({same_page_key(f"{one}{mark}{rest}") for one in (scheme, "http", "https")})


def _addresses(connection: Connection, number: int) -> Iterable[str]:
    yield from connection.scalars(select(articles.c.url).where(articles.c.id == number))
    query = select(pages.c.url, pages.c.capture).where(pages.c.article_id == number)
    for row in connection.execute(query):
        yield row.url
        if row.capture is not None:
            yield row.capture.url
    kept = select(versions.c.capture, versions.c.further).where(versions.c.article_id == number)
    for row in connection.execute(kept):
        yield row.capture.url
        yield from (one.url for one in (row.further.captures if row.further else ()))
