"""What was seen of sources of labels: read, and counted on with each page that several of them speak of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.articles.labels.model import LabelSource, SourceRecord
from archiver.articles.labels.reliability import after_page, judged_page
from archiver.store.reliability.writing import put
from archiver.store.schema import source_reliability

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.articles.labels.model import LabelledPage, Records

_COLUMNS = ("sound", "broken", "right", "wrong")


def label_records(connection: Connection) -> Records:
    """All of them: a few for each channel."""
    return {
        (LabelSource(row.source), row.scope): SourceRecord(**{name: getattr(row, name) for name in _COLUMNS})
        for row in connection.execute(select(source_reliability))
    }


def labelled_counts(connection: Connection) -> dict[int, float]:
    """How many pages of each scope have taught something of their sources."""
    seen = source_reliability.c.sound + source_reliability.c.broken
    query = select(source_reliability.c.scope, func.max(seen)).group_by(source_reliability.c.scope)
    return {scope: float(pages) for scope, pages in connection.execute(query)}


def note_labels(connection: Connection, pages: Sequence[LabelledPage], recorded: datetime) -> None:
    """Learn from pages of what their sources say of each other, one page after the other."""
    if not pages:
        return
    records = label_records(connection)
    changed: Records = {}
    for page in pages:
        new = after_page(records, page.channel, judged_page(page, records).lessons)
        records |= new
        changed |= new
    rows = [
        {"source": source.value, "scope": scope, "updated": recorded}
        | {name: getattr(record, name) for name in _COLUMNS}
        for (source, scope), record in changed.items()
    ]
    put(connection, source_reliability, rows)
