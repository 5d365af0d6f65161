"""When a channel publishes: its newest entries by weekday and hour."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import Text, select, type_coerce

from archiver.inspection.channels.model import WeekHours
from archiver.store.schema import entries

if TYPE_CHECKING:
    from sqlalchemy import Connection

_LOOKED_AT = 500
_WEEKDAYS, _HOURS = 7, 24


class _Date(msgspec.Struct):
    utc: datetime | None = None


class _Dated(msgspec.Struct):
    """Of an entry, its dates alone: its text may be long, and is passed over."""

    published: _Date | None = None
    updated: _Date | None = None


_decoder = msgspec.json.Decoder(_Dated)


def week_hours(state: Connection, channel_id: int) -> WeekHours:
    """By the dates that the newest entries have. Days without a time of day say nothing of hours."""
    query = select(type_coerce(entries.c.entry, Text)).where(entries.c.channel_id == channel_id)
    texts = state.execute(query.order_by(entries.c.id.desc()).limit(_LOOKED_AT)).scalars()
    moments = [moment for text in texts if (moment := _moment(text)) is not None]
    counts = Counter((moment.weekday(), moment.hour) for moment in moments)
    return WeekHours(
        entries=len(moments),
        hours=tuple(tuple(counts[day, hour] for hour in range(_HOURS)) for day in range(_WEEKDAYS)),
    )


def _moment(text: str) -> datetime | None:
    dated = _decoder.decode(text)
    stamp = dated.published or dated.updated
    return stamp.utc.astimezone(UTC) if stamp is not None and stamp.utc is not None else None
