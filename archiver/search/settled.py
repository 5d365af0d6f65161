"""Lines of objects files as the state store has them: in order, and what tells one from another at its place.

An index that is made from objects files is fed with these, and notices by them that a file is another one.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Table, inspect, literal, select

from archiver.archive.objects.kinds import kind_of
from archiver.articles.contributions.schema import ContributionObjects
from archiver.articles.posts.schema import PostObjects
from archiver.search.sieve import CONTRIBUTIONS
from archiver.store.schema import articles, contributions, posts, versions

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection, Row, Select


class SettledLine(NamedTuple):
    """A line of an objects file: whose it is, and where."""

    article_id: int
    version: int
    channel_id: int
    object_offset: int
    object_digest: str | None
    # Its article has a version that was captured later, whatever their numbers.
    is_past: bool = False


# Objects that are not articles, and the tables that know where they are.
_TABLES: dict[str | None, Table] = {ContributionObjects.name: contributions, PostObjects.name: posts}


def holds_contributions(file: str) -> bool:
    """Whether its lines are what people contributed: to articles, or to a network."""
    return kind_of(file) in _TABLES


def holds_posts(file: str) -> bool:
    return kind_of(file) == PostObjects.name


def lines_between(state: Connection, file: str, start: int, end: int, most: int) -> Sequence[SettledLine]:
    """The lines that begin from `start` on and before `end`."""
    table = _table_of(state, file)
    if table is None:
        return []
    mine = (table.c.object_file == file) & table.c.object_offset.between(start, end - 1)
    query = _lines(table).where(mine).order_by(table.c.object_offset).limit(most)
    return [_line(row) for row in state.execute(query)]


def last_line(state: Connection, file: str, end: int) -> SettledLine | None:
    """The last line that begins before `end`."""
    table = _table_of(state, file)
    if table is None:
        return None
    mine = (table.c.object_file == file) & (table.c.object_offset < end)
    row = state.execute(_lines(table).where(mine).order_by(table.c.object_offset.desc()).limit(1)).first()
    return _line(row) if row else None


def _table_of(state: Connection, file: str) -> Table | None:
    """None where an older archiver wrote the store, which knows nothing of such lines."""
    table = _TABLES.get(kind_of(file), versions)
    return table if table is versions or inspect(state).has_table(table.name) else None


_LAST = select(articles.c.version).where(articles.c.id == versions.c.article_id).scalar_subquery()


def _lines(table: Table) -> Select[Any]:
    is_version = table is versions
    whose = versions.c.article_id if is_version else table.c.id
    channel = versions.c.channel_id if is_version else literal(0)
    is_past = versions.c.version > _LAST if is_version else literal(value=False)
    return select(
        whose.label("whose"), channel.label("channel_id"),
        table.c.version, table.c.object_offset, table.c.object_digest, is_past.label("is_past"),
    )  # fmt: skip


def _line(row: Row[Any]) -> SettledLine:
    number = row.whose if isinstance(row.whose, int) else contribution_number(row.whose)
    return SettledLine(
        number, row.version, row.channel_id, row.object_offset, row.object_digest, bool(row.is_past)
    )


def contribution_number(contribution_id: str) -> int:
    """The number that stands for a contribution where those of articles do."""
    return CONTRIBUTIONS - 1 - int.from_bytes(hashlib.sha256(contribution_id.encode()).digest()[:7])


def is_still_there(state: Connection, file: str, place: int | None, mark: str) -> bool:
    """Whether the line at a place is the one that was marked; without a place, nothing was."""
    if place is None:
        return True
    found = lines_between(state, file, place, place + 1, 1)
    return bool(found) and mark_of(found[0]) == mark


def mark_of(row: SettledLine) -> str:
    """What tells a line from another one that is put at its place, in this store or in one made again."""
    return f"{row.object_digest} {row.article_id} {row.version} {row.channel_id}"


def fed_up_to(rows: Sequence[SettledLine], most: int, end: int) -> int:
    """How far a file is fed with these rows, of which `most` were asked for."""
    # The line behind the last one begins where the next one is asked for.
    return int(rows[-1].object_offset) + 1 if len(rows) == most else end


def bytes_behind(fed: Mapping[str, int], lengths: Mapping[str, int]) -> int:
    """How many bytes of objects files are not fed yet."""
    return sum(max(length - fed.get(name, 0), 0) for name, length in lengths.items())
