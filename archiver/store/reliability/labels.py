"""What was seen of sources of labels: read, and counted on with each page that several of them speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import case, func, select

from archiver.articles.labels.model import LabelSource, SourceRecord
from archiver.articles.labels.reliability import MOST_OF_A_CHANNEL, after_page, judged_page, usual_trusts
from archiver.store.reliability.writing import put
from archiver.store.schema import source_reliability

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.articles.labels.model import LabelledPage, Records, SourceTrust

_COLUMNS = ("sound", "broken", "right", "wrong")


def label_records(connection: Connection) -> Records:
    """All of them: a few for each channel."""
    rows = connection.execute(select(source_reliability))
    return {(LabelSource(row.source), row.scope): _record(row) for row in rows}


def labelled_counts(connection: Connection) -> dict[int, float]:
    """How many pages of each scope have taught something of their sources."""
    seen = source_reliability.c.sound + source_reliability.c.broken
    query = select(source_reliability.c.scope, func.max(seen)).group_by(source_reliability.c.scope)
    return {scope: float(pages) for scope, pages in connection.execute(query)}


def note_labels(connection: Connection, pages: Sequence[LabelledPage], recorded: datetime) -> None:
    """Learn from pages of what their sources say of each other, one page after the other."""
    if not pages:
        return
    records, usual = _of_scopes(connection, {page.channel for page in pages}), _usual(connection)
    changed: Records = {}
    for page in pages:
        new = after_page(records, page.channel, judged_page(page, records, usual).lessons)
        records |= new
        changed |= new
    rows = [
        {"source": source.value, "scope": scope, "updated": recorded}
        | {name: getattr(record, name) for name in _COLUMNS}
        # In one order, so that two writers never wait for each other.
        for (source, scope), record in sorted(changed.items())
    ]
    put(connection, source_reliability, rows)


def _usual(connection: Connection) -> dict[LabelSource, SourceTrust]:
    """What is usual on all channels, summed by the database: there may be many."""
    table = source_reliability
    seen = table.c.sound + table.c.broken
    factor = case((seen > MOST_OF_A_CHANNEL, MOST_OF_A_CHANNEL / seen), else_=1.0)
    sums = [func.sum(table.c[name] * factor).label(name) for name in _COLUMNS]
    rows = connection.execute(select(table.c.source, *sums).group_by(table.c.source))
    return dict(usual_trusts({LabelSource(row.source): _record(row) for row in rows}))


def _of_scopes(connection: Connection, scopes: Collection[int]) -> Records:
    query = select(source_reliability).where(source_reliability.c.scope.in_(scopes))
    return {(LabelSource(row.source), row.scope): _record(row) for row in connection.execute(query)}


def _record(row: Row[Any]) -> SourceRecord:
    return SourceRecord(**{name: float(getattr(row, name)) for name in _COLUMNS})
