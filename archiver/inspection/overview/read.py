"""The overview, read in a moment however much the archive holds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from itertools import chain, islice
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.documents.lists.model import GapState
from archiver.inspection.channels.listing import counted_states, slim_channels
from archiver.inspection.channels.states import states_of
from archiver.inspection.history.changes import Wanted, find_events
from archiver.inspection.overview.days import days_until
from archiver.inspection.overview.drift import find_drift
from archiver.inspection.overview.model import Alarm, GapTally, Overview
from archiver.inspection.runs import list_runs, run_details
from archiver.store.polling.gaps import IS_HISTORY, count_open_gaps
from archiver.store.schema import gaps

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.history.model import Event
    from archiver.inspection.overview.tallies import Tallies
    from archiver.inspection.runs import RunNote

LATELY = 30  # days
_RUNS, _EVENTS, _ALARMS, _DRIFTING = 5, 5, 5, 10
# How many of the newest gaps are looked at.
_GAPS = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeArchive:
    """What an overview is read from, and what earlier ones have read."""

    folder: Path
    state: Connection
    tallies: Tallies
    withheld: Withheld


def read_overview(archive: WholeArchive, now: datetime) -> Overview:
    state, since = archive.state, now - timedelta(days=LATELY)
    known = slim_channels(state, archive.withheld)
    runs = list_runs(archive.folder, state, limit=_RUNS).runs
    drifting, drift = find_drift(state, known, since, _DRIFTING)
    return Overview(
        now=now,
        channels=len(known),
        states=counted_states(states_of(known).values()),
        lately=LATELY,
        days=days_until(state, now.date(), LATELY, archive.tallies.days),
        polls=archive.tallies.polls_since(archive.folder, since),
        kept=archive.tallies.kept(archive.folder),
        runs=runs,
        gaps=_gaps(state, since),
        alarms=tuple(_alarms(archive, runs)),
        drifting=drifting,
        drift=drift,
        events=tuple(_events(archive)),
    )


def _gaps(state: Connection, since: datetime) -> GapTally:
    newest = select(gaps.c.state, gaps.c.seen, gaps.c.filled).where(~IS_HISTORY).order_by(gaps.c.id.desc())
    late = [row for row in state.execute(newest.limit(_GAPS)) if row.seen >= since]
    of_state = [row.state for row in late]
    return GapTally(
        open=count_open_gaps(state),
        seen=len(late),
        filled=of_state.count(GapState.FILLED),
        partly=of_state.count(GapState.PARTLY),
        unfillable=of_state.count(GapState.UNFILLABLE),
        entries=sum(row.filled for row in late),
    )


def _alarms(archive: WholeArchive, runs: Sequence[RunNote]) -> Iterator[Alarm]:
    """What the last run with a report told: its errors first."""
    last = next((run for run in runs if run.exit_code is not None), None)
    if last is None:
        return
    told = run_details(archive.folder, archive.state, last.name, archive.withheld)
    problems = (Alarm(kind="error", text=text) for text in (*told.errors, *told.seed_problems))
    notes = (Alarm(kind="note", text=text) for text in told.notes)
    yield from islice(chain(problems, notes), _ALARMS)


def _events(archive: WholeArchive) -> list[Event]:
    """The newest first."""
    return list(find_events(archive.state, Wanted(limit=_EVENTS), archive.withheld))[::-1]
