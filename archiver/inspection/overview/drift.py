"""Drift: channels whose pages got another structure than the one that was learned of them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import BigInteger, and_, case, func, select, type_coerce

from archiver.inspection.overview.model import Drift
from archiver.store.schema import wrappers
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row

# What fitted for less than this was not right yet: as long as pages are few, wrappers are learned anew.
_FITTED = timedelta(days=1)


def find_drift(
    state: Connection, known: Sequence[Row[Any]], since: datetime, most: int
) -> tuple[int, tuple[Drift, ...]]:
    """How many of these channels drift, and the first of them.

    Those are meant of which a wrapper that had fitted for a day or more became outdated lately, or of which
    none is left that fits; the latter come first.
    """
    names = {row.id: row for row in known}
    found = [
        row
        for row in state.execute(_by_channel(since))
        if row.scope_id in names and (row.settled or not row.in_use)
    ]
    found.sort(key=lambda row: (row.in_use > 0, -row.last.timestamp(), row.scope_id))
    return len(found), tuple(_drift(row, names[row.scope_id]) for row in found[:most])


def _drift(row: Row[Any], channel: Row[Any]) -> Drift:
    return Drift(
        number=channel.id,
        title=channel.title,
        url=redact(channel.url),
        outdated=row.late,
        last=row.last,
        in_use=row.in_use,
    )


def _by_channel(since: datetime) -> Any:  # noqa: ANN401 - SQLAlchemy has no name for what these columns are
    outdated, learned = wrappers.c.outdated, wrappers.c.learned
    fitted = type_coerce(outdated, BigInteger) - type_coerce(learned, BigInteger)
    is_late = outdated >= since
    had_fitted = fitted >= _FITTED // timedelta(microseconds=1)
    return (
        select(
            wrappers.c.scope_id,
            _count(outdated.is_(None)).label("in_use"),
            _count(is_late).label("late"),
            _count(and_(is_late, had_fitted)).label("settled"),
            func.max(outdated).label("last"),
        )
        .group_by(wrappers.c.scope_id)
        .having(func.max(outdated) >= since)
    )


def _count(condition: ColumnElement[bool]) -> ColumnElement[int]:
    return func.sum(case((condition, 1), else_=0))
