"""The parts of the overview that are read from the state store and from the last report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import insert

from archiver.archive.withheld import NOTHING_WITHHELD, pattern_of, withheld_by
from archiver.articles.model import LearnedWrapper
from archiver.documents.lists.model import Plan
from archiver.inspection.overview.read import WholeArchive, read_overview
from archiver.inspection.overview.tallies import Tallies
from archiver.running.report import RunReport
from archiver.store.reading import reading
from archiver.store.schema import gaps, wrappers
from tests.history.made import MadeArchive, made

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.withheld import Withheld
    from archiver.inspection.overview.model import Overview

NOW = datetime(2026, 3, 31, 15, 0, tzinfo=UTC)
DAY = timedelta(days=1)
WRAPPER = LearnedWrapper(
    id="w", xpath="//article", signature=(), kept=(), dropped=(), furniture=(), samples=(), confidence=0.9
)


@pytest.fixture
def archive(store_url: str, tmp_path: Path) -> Iterator[MadeArchive]:
    with made(tmp_path / "archive", store_url) as new:
        yield new


def read(archive: MadeArchive, store_url: str, withheld: Withheld = NOTHING_WITHHELD) -> Overview:
    with reading(store_url) as state:
        whole = WholeArchive(folder=archive.folder, state=state, tallies=Tallies(), withheld=withheld)
        return read_overview(whole, NOW)


def learned(archive: MadeArchive, channel: int, *spans: tuple[float, float | None]) -> None:
    """Wrappers: how many days ago each was learned, and found outdated."""
    for place, (first, last) in enumerate(spans):
        values = {"scope_id": channel, "id": str(place), "extractor": "sigfeed/1", "wrapper": WRAPPER}
        times = {"learned": NOW - first * DAY, "outdated": None if last is None else NOW - last * DAY}
        archive.change(insert(wrappers).values(**values, **times))


@pytest.mark.parametrize(
    ("spans", "drift"),
    [
        ([(90, None)], None),
        ([(90, 2), (2, None)], (1, 1)),
        ([(90, 2)], (1, 0)),
        # Learned anew while there were few pages.
        ([(3, 2.9), (2.9, None)], None),
        ([(3, 2.9)], (1, 0)),
        # Long ago.
        ([(90, 60), (60, None)], None),
        ([(90, 50), (50, 3), (3, 2.5), (2.5, None)], (2, 1)),
    ],
)
def test_a_channel_drifts_where_what_fitted_for_long_no_longer_does(
    archive: MadeArchive,
    store_url: str,
    spans: list[tuple[float, float | None]],
    drift: tuple[int, int] | None,
) -> None:
    learned(archive, archive.channel("http://example.org/feed"), *spans)
    told = read(archive, store_url)
    assert [(one.outdated, one.in_use) for one in told.drift] == ([drift] if drift else [])
    assert told.drifting == len(told.drift)


def test_channels_without_a_wrapper_that_fits_come_first(archive: MadeArchive, store_url: str) -> None:
    some, none = (archive.channel(f"http://example.org/{name}") for name in ("some", "none"))
    learned(archive, some, (50, 1), (1, None))
    learned(archive, none, (50, 9))
    learned(archive, -3, (50, 9))  # a scope that is not a channel
    assert [one.number for one in read(archive, store_url).drift] == [none, some]


def test_gaps_of_these_days_are_counted_by_what_became_of_them(archive: MadeArchive, store_url: str) -> None:
    channel = archive.channel("http://example.org/feed")
    fixed: dict[str, Any] = {"channel_id": channel, "after_entry": 0, "after_key": "a", "before_key": "b"}
    for days, state, filled in ((99, "filled", 50), (5, "filled", 7), (4, "partly", 2), (3, "open", 0)):
        seen = NOW - days * DAY
        values = {"seen": seen, "next_try": seen, "state": state, "filled": filled, "how": "", "plan": Plan()}
        archive.change(insert(gaps).values(**fixed, **values))
    told = read(archive, store_url).gaps
    assert (told.seen, told.filled, told.partly, told.unfillable) == (3, 1, 1, 0)
    assert (told.open, told.entries) == (1, 9)


def test_the_last_run_is_heard_its_errors_first_and_nothing_that_is_withheld(
    archive: MadeArchive, store_url: str
) -> None:
    for days in (2, 1):
        report = RunReport(started=NOW - days * DAY)
        report.note(f"http://example.org/{days} is gone")
        report.note("http://secret.example/a, is gone")
        report.error(f"The disk was full {days} days ago")
        report.finish("finished", report.started, failing_share=0.0, most_failing=0.5)
        report.write(archive.folder / "runs")
    told = read(archive, store_url, withheld_by([(pattern_of("secret.example"), "asked for")]))
    assert [(one.kind, one.text) for one in told.alarms] == [
        ("error", "The disk was full 1 days ago"),
        ("note", "http://example.org/1 is gone"),
    ]
    assert [run.state for run in told.runs] == ["failed", "failed"]


def test_an_empty_archive_has_an_overview(archive: MadeArchive, store_url: str) -> None:
    told = read(archive, store_url)
    assert (told.channels, told.runs, told.events, told.alarms, told.drift) == (0, (), (), (), ())
    assert [one.state for one in told.states] == ["healthy", "failing", "silent"]
