"""Runs of an archive, from the reports that they left: what each did, and what failed and why."""

from __future__ import annotations

import os
from collections import Counter
from datetime import datetime
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import select

from archiver.acquisition.outcome_words import FAILURES, ending_in_words, failure_in_words, in_words
from archiver.acquisition.outcomes import Failure, Success
from archiver.archive.lock import is_going_on
from archiver.errors import ArchiveError
from archiver.running.report import ChannelProblem, RunReport
from archiver.store.schema import runs as run_table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld

_NAME = "run-"
_SUFFIX = ".json"
FINISHED, STOPPED, FAILED, UNREADABLE = "finished", "stopped", "failed", "unreadable"
GOING_ON, NO_REPORT = "going on", "no report"
_COUNTERS = (
    "polls", "gaps_ended", "outcomes", "rechecks", "page_failures", "requisite_failures", "visits",
    "visit_failures", "contributions",
)  # fmt: skip


class RunNote(msgspec.Struct, frozen=True, kw_only=True):
    """A run in one line."""

    name: str
    # finished, stopped (early, in order), failed, going on, no report (killed), unreadable
    state: str
    started: datetime | None = None
    ended: datetime | None = None
    seconds: float | None = None
    writer: str = ""
    profile: str = ""
    crawled: str = "feeds"  # or sites, posts, campaigns
    reason: str = ""
    exit_code: int | None = None
    polls: int = 0
    polls_failed: int = 0
    # Of the polls that were answered, 0 to 1; null where none was.
    not_modified_share: float | None = None
    entries_new: int = 0
    entries_changed: int = 0
    pages_fetched: int = 0
    articles_new: int = 0
    versions_new: int = 0  # of articles that were known
    bytes_received: int = 0
    bytes_kept: int = 0
    errors: int = 0
    notes: int = 0


class RunList(msgspec.Struct, frozen=True, kw_only=True):
    """Runs, the newest first; with `next`, the ones before them can be asked for."""

    runs: tuple[RunNote, ...]
    next: str | None = None


class FailureCount(msgspec.Struct, frozen=True, kw_only=True):
    """How often something failed in one way."""

    what: str  # channels, pages, requisites
    failure: str
    words: str
    count: int


class FailedChannel(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    failure: str
    words: str


class RunDetails(msgspec.Struct, frozen=True, kw_only=True):
    """A run with everything that an operator may want to know of it."""

    run: RunNote
    ending: str | None = None  # why it ended early, in words
    failures: tuple[FailureCount, ...] = ()
    failed_channels: tuple[FailedChannel, ...] = ()
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    seed_problems: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()  # that it crawled, and what became of each
    campaigns: tuple[str, ...] = ()  # that it fetched for, and how each stands
    channels_dropped: tuple[str, ...] = ()
    gaps: dict[str, int] = {}
    rechecks: dict[str, int] = {}
    left: dict[str, int] = {}
    warc_files: tuple[str, ...] = ()
    object_files: tuple[str, ...] = ()
    cpu_seconds: dict[str, float] = {}


def list_runs(
    archive: Path, state: Connection | None, *, limit: int = 50, before: str | None = None
) -> RunList:
    """The newest runs; with the `next` of another list, the ones behind that list."""
    names = _names(archive, state)
    shown = [name for name in names if before is None or name < before]
    notes = tuple(_note(archive, name) for name in shown[:limit])
    return RunList(runs=notes, next=notes[-1].name if notes and len(shown) > limit else None)


def run_details(archive: Path, state: Connection | None, name: str, withheld: Withheld) -> RunDetails:
    """A run by its name, or by the beginning of it, without lines that name what is withheld.

    Raises ArchiveError where there is no such run.
    """
    found = [one for one in _names(archive, state) if one.startswith(_plain(name))]
    if not found:
        raise ArchiveError(f"No run is called {name}: `scrapy runs` lists them")
    if len(found) > 1 and _plain(name) not in found:
        raise ArchiveError(f"{name} begins the names of {len(found)} runs: write more of it")
    note = _note(archive, found[0] if len(found) == 1 else _plain(name))
    report = read_report(_path(archive, note.name)) if note.exit_code is not None else None
    return RunDetails(run=note) if report is None else _details(note, report, withheld)


def read_report(path: Path) -> RunReport | None:
    """A report as the run had it; None where the file cannot be read. Those of other versions have less."""
    try:
        said: dict[str, Any] = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        known = {name: value for name, value in said.items() if name in RunReport.__dataclass_fields__}
        known |= {name: Counter(known.get(name, {})) for name in _COUNTERS}
        problems = msgspec.convert(known.pop("channel_problems", []), list[ChannelProblem])
        known |= {name: _moment(known.get(name)) for name in ("started", "ended")}
        return RunReport(**known, channel_problems=problems)
    except (OSError, ValueError, TypeError):  # msgspec's errors are ValueErrors
        return None


def _moment(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _names(archive: Path, state: Connection | None) -> list[str]:
    """The names of all runs, the newest first: those with a report, and those that left none."""
    try:
        files = [one.name for one in os.scandir(archive / "runs")]
    except FileNotFoundError:
        files = []
    told = {_plain(name) for name in files if name.startswith(_NAME) and name.endswith(_SUFFIX)}
    return sorted({*told, *_without_report(state, told)}, reverse=True)


def _without_report(state: Connection | None, told: set[str]) -> Iterator[str]:
    """Runs that were begun and not ended: they go on, or were killed."""
    if state is None:
        return
    begun = {name[: len("20260302T070509000000Z")] for name in told}
    query = select(run_table.c.started).where(run_table.c.ended.is_(None))
    for row in state.execute(query):
        name = f"{row.started:%Y%m%dT%H%M%S%f}Z"
        if name not in begun:
            yield name


def _plain(name: str) -> str:
    return name.removeprefix(_NAME).removesuffix(_SUFFIX)


def _path(archive: Path, name: str) -> Path:
    return archive / "runs" / f"{_NAME}{name}{_SUFFIX}"


def _note(archive: Path, name: str) -> RunNote:
    path = _path(archive, name)
    if not path.exists():
        started = datetime.strptime(name[:21] + "+0000", "%Y%m%dT%H%M%S%f%z")
        return RunNote(name=name, state=GOING_ON if is_going_on(archive) else NO_REPORT, started=started)
    report = read_report(path)
    try:
        return RunNote(name=name, state=UNREADABLE) if report is None else _told(name, report)
    except (TypeError, ValueError, AttributeError):  # written by hand, or by another program
        return RunNote(name=name, state=UNREADABLE)


def _told(name: str, report: RunReport) -> RunNote:
    answered = report.channels_polled - report.channels_failed
    return RunNote(
        name=name,
        state=_state(report),
        started=report.started,
        ended=report.ended,
        seconds=report.seconds.get("total"),
        writer=report.writer,
        profile=report.profile,
        crawled=report.crawled,
        reason=report.reason,
        exit_code=report.exit_code,
        polls=report.channels_polled,
        polls_failed=report.channels_failed,
        not_modified_share=report.polls[Success.NOT_MODIFIED] / answered if answered else None,
        entries_new=report.entries_new,
        entries_changed=report.entries_changed,
        pages_fetched=report.pages_tried - sum((report.page_failures + report.visit_failures).values()),
        articles_new=report.outcomes["stored"],
        versions_new=report.recheck_versions,
        bytes_received=report.bytes_received,
        bytes_kept=report.warc_bytes,
        errors=len(report.errors),
        notes=len(report.notes),
    )


def _state(report: RunReport) -> str:
    if report.exit_code:
        return FAILED
    return FINISHED if report.reason == "finished" else STOPPED


def _details(note: RunNote, report: RunReport, withheld: Withheld) -> RunDetails:
    def shown(lines: Sequence[str]) -> tuple[str, ...]:
        return tuple(line for line in lines if not withheld.hides_within(line))

    polls = {code: count for code, count in report.polls.items() if code in set(Failure)}
    return RunDetails(
        run=note,
        ending=ending_in_words(report.reason),
        failures=(
            *_counted("channels", polls),
            *_counted("pages", report.page_failures + report.visit_failures),
            *_counted("requisites", report.requisite_failures),
        ),
        failed_channels=tuple(
            FailedChannel(url=one.url, failure=one.outcome, words=failure_in_words(one.outcome, one.detail))
            for one in report.channel_problems
            if not withheld.hides(one.url)
        ),
        errors=shown(report.errors),
        notes=shown(report.notes),
        seed_problems=shown(report.seed_problems),
        sites=shown(report.sites),
        campaigns=shown(report.campaigns),
        channels_dropped=shown(report.channels_dropped),
        gaps={"seen": report.gaps_seen, "open": report.gaps_open, "found": report.entries_filled},
        rechecks=dict(report.rechecks),
        left=report.left,
        warc_files=tuple(report.warc_files),
        object_files=tuple(report.object_files),
        cpu_seconds=report.cpu_seconds,
    )


def _counted(what: str, counts: Mapping[str, int]) -> Sequence[FailureCount]:
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [
        FailureCount(what=what, failure=code, words=in_words(code, FAILURES), count=count)
        for code, count in ordered
    ]
