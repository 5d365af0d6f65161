"""What pages say of their times, held against the look before: dates, validators, and their software."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, update

from archiver.acquisition.reliability.dates import (
    DateVerdict,
    change_dates,
    verdicts_of_look,
    verdicts_of_times,
)
from archiver.acquisition.reliability.validators import Given, looks_of
from archiver.batches import batches
from archiver.store.reliability.validators import ValidatorNotes
from archiver.store.reliability.writing import put
from archiver.store.schema import date_verdicts, host_software, page_looks, pages
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.acquisition.findings import Finding
    from archiver.acquisition.pages import PageValidators
    from archiver.acquisition.reliability.dates import Verdicts
    from archiver.acquisition.reliability.software import Software
    from archiver.documents.times.model import Times


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledLook:
    """A page as it was read, and what came of it."""

    finding: Finding
    is_edited: bool = False  # a version was written, not the first
    times: Times | None = None  # of a version that was written


@dataclass(slots=True)
class _Sums:
    """What is written in the end."""

    verdicts: defaultdict[tuple[int, str], Verdicts] = field(default_factory=lambda: defaultdict(Counter))
    looks: list[dict[str, Any]] = field(default_factory=list)
    vouched: list[dict[str, Any]] = field(default_factory=list)
    software: dict[str, Software] = field(default_factory=dict)


def note_looks(connection: Connection, settled: Sequence[SettledLook], now: datetime) -> None:
    """Count what answers said; to be called while pages still have the validators that came with them."""
    known = _known(connection, [one.finding.page_id for one in settled])
    sums, notes = _Sums(), ValidatorNotes(now)
    for one in settled:
        if (row := known.get(one.finding.page_id)) is not None and one.finding.capture is not None:
            _note(one, row, sums, notes)
    notes.save(connection)
    put(connection, page_looks, sums.looks)
    if sums.vouched:
        connection.execute(_VOUCH, sums.vouched)
    put(connection, date_verdicts, _verdict_rows(sums), adds=True)
    _save_software(connection, sums.software)


_VOUCH = (
    update(page_looks)
    .where(page_looks.c.page_id == bindparam("page"))
    .values(vouched=page_looks.c.vouched + 1)
)


def _known(connection: Connection, page_ids: Sequence[int]) -> dict[int, Row[Any]]:
    """Pages with their last captures and validators, and the look before where there was one."""
    columns = (pages.c.id, pages.c.capture, pages.c.validators, page_looks)
    joined = pages.outerjoin(page_looks, page_looks.c.page_id == pages.c.id)
    found = {}
    for some in batches(page_ids):
        for row in connection.execute(select(*columns).select_from(joined).where(pages.c.id.in_(some))):
            found[row.id] = row
    return found


def _note(one: SettledLook, row: Row[Any], sums: _Sums, notes: ValidatorNotes) -> None:
    finding, before = one.finding, row.page_id is not None
    assert finding.capture is not None  # noqa: S101 - asked by the caller
    host, scope = host_of(finding.capture.url), finding.leads[0].scope if finding.leads else 0
    if finding.is_same and finding.capture != row.capture:
        # A 304: the page still has the capture of its last whole answer.
        notes.not_modified(host, _given(row.validators))
        sums.vouched += [{"page": finding.page_id}] if before else []
        return
    if finding.capture != row.capture or finding.capture.capture_id == row.capture_id:
        return  # a capture that is read anew: its answer was counted when it came
    now = _given(row.validators)
    if before:
        looks = looks_of(
            Given(etag=row.etag, last_modified=row.last_modified),
            now,
            is_same=finding.is_same,
            is_edited=one.is_edited,
            is_vouched=row.vouched > 0,
        )
        notes.whole(host, looks)
    dates = _dates(finding)
    if before and dates:
        sums.verdicts[scope, host] += verdicts_of_look(row.dates, dates, is_edited=one.is_edited)
    if one.times is not None:
        sums.verdicts[scope, host] += verdicts_of_times(one.times)
    if finding.software is not None:
        sums.software[host] = finding.software
    said = {source.value: stamp for source, stamp in dates.items()}
    look = {
        "page_id": finding.page_id,
        "capture_id": finding.capture.capture_id,
        "etag": now.etag,
        "last_modified": now.last_modified,
        "vouched": 0,
        # The same bytes say the same.
        "dates": row.dates if finding.is_same and before else said,
    }
    if before or any(look[name] for name in ("etag", "last_modified", "dates")):
        sums.looks.append(look)


def _given(validators: PageValidators | None) -> Given:
    if validators is None:
        return Given()
    return Given(etag=validators.etag, last_modified=validators.last_modified)


def _dates(finding: Finding) -> dict[Any, str]:
    return change_dates(finding.article.dated) if finding.article is not None else {}


def _verdict_rows(sums: _Sums) -> list[dict[str, Any]]:
    rows: defaultdict[tuple[str, str, int, str], dict[str, int]] = defaultdict(
        lambda: dict.fromkeys(map(str, DateVerdict), 0)
    )
    for (scope, host), verdicts in sums.verdicts.items():
        for (what, source, verdict), count in verdicts.items():
            rows[what.value, source.value, scope, host][verdict.value] += count
    # In one order, so that two writers never wait for each other.
    return [
        {"what": what, "source": source, "scope": scope, "host": host} | counts
        for (what, source, scope, host), counts in sorted(rows.items())
    ]


def _save_software(connection: Connection, found: dict[str, Software]) -> None:
    """Most hosts are as they were: only what is new is written."""
    known = {}
    for some in batches(sorted(found)):
        for row in connection.execute(select(host_software).where(host_software.c.host.in_(some))):
            known[row.host] = (row.server, row.generator)
    rows = [
        {"host": host, "server": one.server, "generator": one.generator}
        for host, one in sorted(found.items())
        if known.get(host) != (one.server, one.generator)
    ]
    put(connection, host_software, rows)
