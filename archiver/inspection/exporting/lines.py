"""Which lines of objects files are exported: of a kind, of channels, of a time, all versions or the last."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import func, inspect, select

from archiver.archive.objects.kinds import kind_of
from archiver.search.feeding import here
from archiver.store.object_files import object_lengths
from archiver.store.schema import articles, contributions, posts, versions

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import ColumnElement, Connection, Table

# The tables that know where the lines of each kind are.
TABLES: dict[str, Table] = {"articles": versions, "contributions": contributions, "posts": posts}
_AT_ONCE = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenLines:
    """What is exported; None: whatever the channel or the time of the capture."""

    kind: str = "articles"
    channels: tuple[int, ...] | None = None
    since: datetime | None = None
    until: datetime | None = None
    only_last: bool = False  # of the versions of each object, the last one


def files_of(state: Connection, objects: Path, kind: str) -> dict[str, int]:
    """The files of a kind that are here, each with the length up to which it is settled."""
    found = here(objects, object_lengths(state))
    return {name: found[name] for name in sorted(found) if (kind_of(name) or "articles") == kind}


def places_in(state: Connection, file: str, chosen: ChosenLines) -> Iterator[int]:
    """Where the chosen lines of a file begin, in order."""
    table = TABLES[chosen.kind]
    if not inspect(state).has_table(table.name):
        return
    after = -1
    query = select(table.c.object_offset).where(table.c.object_file == file, *_conditions(table, chosen))
    query = query.order_by(table.c.object_offset).limit(_AT_ONCE)
    while found := state.execute(query.where(table.c.object_offset > after)).scalars().all():
        yield from found
        after = found[-1]


def _conditions(table: Table, chosen: ChosenLines) -> Iterator[ColumnElement[bool]]:
    if chosen.since is not None:
        yield table.c.captured >= chosen.since
    if chosen.until is not None:
        yield table.c.captured <= chosen.until
    if chosen.channels is not None and table is versions:
        yield versions.c.channel_id.in_(chosen.channels)
    if chosen.only_last:
        yield table.c.version == _last(table)


def _last(table: Table) -> ColumnElement[int]:
    """The number of the last version: of articles, the one that was captured last."""
    if table is versions:
        query = select(articles.c.version).where(articles.c.id == versions.c.article_id)
        return query.scalar_subquery()
    other = table.alias()
    return select(func.max(other.c.version)).where(other.c.id == table.c.id).scalar_subquery()
