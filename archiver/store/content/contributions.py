"""Contributions to pages: lines of their objects first, then the rows that know where these are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, delete, insert, select, tuple_, update

from archiver.articles.contributions.changes import KnownContribution, compare
from archiver.articles.contributions.model import make_contribution
from archiver.store.schema import contributions

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.archive.objects.writer import LinePlace, ObjectWriter
    from archiver.articles.contributions.changes import (
        ContributionChanges,
        SeenContribution,
        WrittenContribution,
    )
    from archiver.articles.contributions.model import ArchivedContribution, ContributionPage
    from archiver.documents.contributions import Contribution

    # An object, and where its line is.
    RestoredContribution = tuple[ArchivedContribution, LinePlace]


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionCounts:
    """What a look at a page came to."""

    new: int = 0
    changed: int = 0
    unchanged: int = 0
    gone: int = 0

    def __add__(self, other: ContributionCounts) -> ContributionCounts:
        return ContributionCounts(
            new=self.new + other.new,
            changed=self.changed + other.changed,
            unchanged=self.unchanged + other.unchanged,
            gone=self.gone + other.gone,
        )


def write_contributions(
    connection: Connection,
    objects: ObjectWriter,
    page: ContributionPage,
    found: Sequence[Contribution],
    recorded: datetime,
    *,
    is_whole: bool = False,
) -> ContributionCounts:
    """Stage the lines of what is new or edited, and note what is as it was; within `Archive.write`.

    `is_whole` says that the document of the capture shows all of its contributions: those that it showed
    before and does not show any more are noted as gone. A feed, or a page that was cut off, does not.
    """
    known = known_contributions(connection, page.article)
    changes = compare(found, known, page, recorded, is_whole=is_whole)
    if changes.written:
        connection.execute(
            insert(contributions), [_stage(one, page, objects, recorded) for one in changes.written]
        )
    if changes.seen:
        connection.execute(_SEEN, [_seen_values(one, page) for one in changes.seen])
    if changes.gone:
        rows = [{"name": one.id, "number": one.version, "at": page.capture.date} for one in changes.gone]
        connection.execute(_GONE, rows)
    return _counts(changes)


def known_contributions(connection: Connection, article: str) -> dict[str, KnownContribution]:
    """The contributions to an article's page, by id, each with its last version."""
    query = select(contributions).where(contributions.c.article == article).order_by(contributions.c.version)
    return {row.id: _known(row) for row in connection.execute(query)}


def _known(row: Row[Any]) -> KnownContribution:
    return KnownContribution(
        id=row.id,
        version=row.version,
        digests=row.digests,
        first_seen=row.first_seen,
        last_seen=row.last_seen,
        shown_at=row.shown_at,
        is_gone=row.gone is not None,
    )


def _stage(
    one: WrittenContribution, page: ContributionPage, objects: ObjectWriter, recorded: datetime
) -> dict[str, object]:
    made = make_contribution(one.found, page, one.version)
    place = objects.stage(made, recorded)
    return row_values(made, place, page.capture.page_key) | {"digests": one.digests}


def row_values(made: ArchivedContribution, place: LinePlace, shown_at: str) -> dict[str, object]:
    """What the state store knows of the version that an object is of."""
    return {
        "id": made.id,
        "version": made.version,
        "article": made.article,
        "kind": made.kind,
        "key": made.key,
        "author": made.author,
        "digests": {made.read_by: made.digest},
        "first_seen": made.first_seen,
        "captured": made.captured,
        "last_seen": made.captured,
        "shown_at": shown_at,
        "object_file": place.file,
        "object_offset": place.offset,
        "object_digest": place.digest,
    }


def restore_contributions(connection: Connection, found: Sequence[RestoredContribution]) -> int:
    """Note what objects say, for a store that was lost. Which documents showed them last is not known."""
    rows = {(made.id, made.version): row_values(made, place, shown_at="") for made, place in found}
    names = tuple_(contributions.c.id, contributions.c.version)
    connection.execute(delete(contributions).where(names.in_(list(rows))))
    if rows:
        connection.execute(insert(contributions), list(rows.values()))
    return len(rows)


def _seen_values(one: SeenContribution, page: ContributionPage) -> dict[str, object]:
    return {
        "name": one.known.id,
        "number": one.known.version,
        "at": page.capture.date,
        "where": page.capture.page_key,
        "texts": one.digests,
    }


def _counts(changes: ContributionChanges) -> ContributionCounts:
    new = sum(one.version.number == 1 for one in changes.written)
    return ContributionCounts(
        new=new,
        changed=len(changes.written) - new,
        unchanged=len(changes.seen),
        gone=len(changes.gone),
    )


_MINE = (contributions.c.id == bindparam("name")) & (contributions.c.version == bindparam("number"))
_SEEN = (
    update(contributions)
    .where(_MINE)
    .values(
        last_seen=bindparam("at", type_=contributions.c.last_seen.type),
        shown_at=bindparam("where"),
        digests=bindparam("texts", type_=contributions.c.digests.type),
        gone=None,
    )
)
_GONE = update(contributions).where(_MINE).values(gone=bindparam("at", type_=contributions.c.gone.type))
