"""What was learned of the templates of channels: a line for each channel, or all that is known of one."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.clock import rfc3339
from archiver.display.tables import Coloured, TableColumn, many, printable, table_lines
from archiver.display.when import when
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from datetime import datetime

    from sqlalchemy import Row

    from archiver.display.tables import Paint

    Wrappers = list[Row[Any]]  # of one channel, those in use in front

_COLUMNS = (
    TableColumn(title="No.", is_number=True),
    TableColumn(title="Channel", narrowest=16),
    TableColumn(title="In use", is_number=True),
    TableColumn(title="Outdated", is_number=True),
    TableColumn(title="Pages", is_number=True),
    TableColumn(title="Learned", is_optional=True),
    TableColumn(title="Article at", narrowest=16),
)
_TIMES = ("learned", "last_used", "outdated")


def by_channel(
    rows: Sequence[Row[Any]], *, failing: bool = False, labels: Collection[str] = ()
) -> list[Wrappers]:
    """The wrappers of each channel; only where none fits any more, only of channels with some labels."""
    groups = [list(some) for _, some in groupby(rows, lambda row: int(row.channel_id))]
    return [
        group
        for group in groups
        if (not failing or all(row.outdated for row in group))
        and (not labels or not set(labels).isdisjoint(group[0].labels))
    ]


def wrapper_table(
    channels: Sequence[Wrappers], now: datetime, *, width: int | None, paint: Paint | None = None
) -> Iterator[str]:
    """A heading and a line for each channel, with the wrapper that is used at present."""
    return table_lines(_COLUMNS, [_cells(group, now) for group in channels], width=width, paint=paint)


def _cells(group: Wrappers, now: datetime) -> tuple[str | Coloured, ...]:
    first, used = group[0], sum(row.outdated is None for row in group)
    return (
        str(first.channel_id),
        first.title or redact(first.url).partition("://")[2],
        str(used) if used else Coloured("0", "red"),
        str(len(group) - used),
        str(sum(row.pages for row in group)),
        when(max(row.learned for row in group), now),
        first.wrapper.xpath,
    )


def wrapper_details(group: Wrappers, now: datetime) -> Iterator[str]:
    """All that is known of a channel's wrappers."""
    first = group[0]
    yield f"Channel {first.channel_id}: {printable(first.title or redact(first.url))}"
    if first.title:
        yield f"  {printable(redact(first.url))}"
    for row in group:
        yield f"  {printable(row.wrapper.xpath)}"
        yield f"    {_told(row, now)}"


def _told(row: Row[Any], now: datetime) -> str:
    wrapper = row.wrapper
    samples = len(wrapper.samples)
    return printable(
        "; ".join(
            (
                f"outdated since {row.outdated:%Y-%m-%d}" if row.outdated else "in use",
                f"{many(row.pages, 'page')} served, learned from {samples}",
                f"learned {when(row.learned, now)} ({row.learned:%Y-%m-%d})",
                f"last used {when(row.last_used, now)}" if row.last_used else "not used yet",
                f"confidence {wrapper.confidence:.2f}",
                row.extractor,
                row.id,
            )
        )
    )


def wrappers_json(channels: Sequence[Wrappers]) -> str:
    """A list of objects, with everything that each wrapper knows."""
    shown = [
        {
            "channel": row.channel_id,
            "url": redact(row.url),
            "extractor": row.extractor,
            **msgspec.to_builtins(row.wrapper),
            **{name: rfc3339(moment) if (moment := getattr(row, name)) else None for name in _TIMES},
            "pages": row.pages,
        }
        for group in channels
        for row in group
    ]
    return msgspec.json.format(msgspec.json.encode(shown), indent=1).decode()
