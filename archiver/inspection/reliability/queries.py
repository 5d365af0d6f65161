"""What the state store has on how far sources can be trusted; an older store has less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect, select

from archiver.inspection.reliability.model import (
    DateCounts,
    LabelCounts,
    Reliability,
    ValidatorCounts,
)
from archiver.store.reliability.labels import label_records
from archiver.store.schema import (
    channels,
    date_verdicts,
    host_software,
    host_validators,
    source_reliability,
)
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row, Table

    from archiver.articles.labels.model import Records

_VALIDATORS = tuple(
    column.name
    for column in host_validators.columns
    if not column.primary_key and column.name not in ("lies", "last_lie", "unsent_until")
)
_DATES = ("agreed", "contradicted", "moved", "stood")


def known_records(state: Connection) -> Records:
    """What was seen of sources of labels."""
    return label_records(state) if inspect(state).has_table(source_reliability.name) else {}


def gather_reliability(state: Connection, made: datetime, ids: Sequence[int] | None = None) -> Reliability:
    """All counts, of these channels or of all; those of validators are of hosts, whichever channel asked."""
    names = _channel_names(state)
    software = {row.host: row for row in _rows(state, host_software)}
    return Reliability(
        made=made,
        labels=tuple(
            LabelCounts(source=source.value, channel=scope, name=names.get(scope, ""), record=record)
            for (source, scope), record in sorted(known_records(state).items())
            if ids is None or scope in ids
        ),
        dates=tuple(
            DateCounts(
                what=row.what,
                source=row.source,
                channel=row.scope,
                name=names.get(row.scope, ""),
                host=row.host,
                server=_said(software, row.host, "server"),
                generator=_said(software, row.host, "generator"),
                **{name: getattr(row, name) for name in _DATES},
            )
            for row in _rows(state, date_verdicts)
            if ids is None or row.scope in ids
        ),
        validators=tuple(
            ValidatorCounts(
                host=row.host,
                validator=row.validator,
                server=_said(software, row.host, "server"),
                generator=_said(software, row.host, "generator"),
                unsent_until=row.unsent_until if row.unsent_until and row.unsent_until > made else None,
                **{name: getattr(row, name) for name in _VALIDATORS},
            )
            for row in _rows(state, host_validators)
        ),
    )


def _rows(state: Connection, table: Table) -> list[Row[Any]]:
    if not inspect(state).has_table(table.name):
        return []
    return list(state.execute(select(table).order_by(*table.primary_key)))


def _said(software: dict[str, Row[Any]], host: str, name: str) -> str:
    return str(getattr(software[host], name)) if host in software else ""


def _channel_names(state: Connection) -> dict[int, str]:
    query = select(channels.c.id, channels.c.title, channels.c.url)
    return {row.id: row.title or redact(row.url) for row in state.execute(query)}
