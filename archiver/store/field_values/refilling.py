"""Versions and pages whose fields are read from captures that are there: which there are, how they follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from archiver.acquisition.pages import EntryOutcome
from archiver.store.content.leads import past_leads
from archiver.store.content.pages import CapturedPage
from archiver.store.field_values.fields import PageFields, tally_past
from archiver.store.object_files import lines_settled
from archiver.store.schema import entries, leads, pages, versions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.articles.objects.model import ArchivedObject
    from archiver.fields.model import FieldsRead
    from archiver.store.content.rereading import OldVersion

_WITHOUT_ARTICLE = (EntryOutcome.NOT_ARTICLE, EntryOutcome.EMPTY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refilled:
    """A version whose object has other fields now."""

    old: OldVersion
    made: ArchivedObject
    read: FieldsRead


def settle_refilled(
    connection: Connection, filled: Sequence[Refilled], objects: ObjectWriter, moment: datetime
) -> None:
    """Write the new lines, then have the versions follow. A failure must end it: start-up mends the rest."""
    rows = []
    with lines_settled(connection, objects):
        for one in filled:
            place = objects.stage(one.made, moment)
            rows.append(
                {
                    "article": one.old.article_id,
                    "number": one.old.number,
                    "file": place.file,
                    "offset": place.offset,
                    "line": place.digest,
                }
            )
    if rows:
        connection.execute(_FOLLOW, rows)
    tally_past(connection, _of_pages(connection, [one for one in filled if one.old.is_last]), moment)


def _of_pages(connection: Connection, filled: Sequence[Refilled]) -> list[PageFields]:
    query = select(pages.c.key, pages.c.id).where(pages.c.key.in_([one.old.key for one in filled]))
    numbers: dict[str, int] = {row.key: row.id for row in connection.execute(query)}
    return [
        PageFields(
            page_id=numbers[one.old.key], url=one.old.capture.url, capture=one.old.capture, read=one.read
        )
        for one in filled
        if one.old.key in numbers
    ]


_FOLLOW = (
    update(versions)
    .where(versions.c.article_id == bindparam("article"), versions.c.version == bindparam("number"))
    .values(object_file=bindparam("file"), object_offset=bindparam("offset"), object_digest=bindparam("line"))
)


def pages_without_article(
    connection: Connection, *, since: datetime, scopes: Collection[int] | None, after: int, limit: int
) -> tuple[list[CapturedPage], int | None]:
    """The next pages that were captured and gave no article, and the last one looked at; None: no more."""
    query = (
        select(pages)
        .where(
            pages.c.id > after,
            pages.c.state == "settled",
            pages.c.article_id.is_(None),
            pages.c.whole.is_(None),
            pages.c.capture.is_not(None),
            pages.c.captured >= since,
        )
        .order_by(pages.c.id)
        .limit(limit)
    )
    rows = connection.execute(query).all()
    led = past_leads(connection, [row.id for row in rows])
    found = [
        CapturedPage(id=row.id, url=row.url, capture=row.capture, leads=led.get(row.id, ()), size=row.size)
        for row in rows
        if scopes is None or any(lead.scope in scopes for lead in led.get(row.id, ()))
    ]
    return found, rows[-1].id if rows else None


def become_stored(connection: Connection, page_ids: Sequence[int]) -> None:
    """Have the entries of pages that are objects now say so."""
    for table in (entries, leads):
        mine = table.c.page_id.in_(page_ids) & table.c.outcome.in_(_WITHOUT_ARTICLE)
        connection.execute(update(table).where(mine).values(outcome=EntryOutcome.STORED))
