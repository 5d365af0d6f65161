"""The run report: counts add up, secrets stay out, and the exit code tells the truth."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.outcomes import Failure, Success
from archiver.pages import EntryOutcome
from archiver.report import RunReport
from archiver.store.polls import PollResult
from archiver.summary import progress_line, summary

STARTED = datetime(2026, 3, 2, 7, 5, 9, 123456, tzinfo=UTC)
ENDED = STARTED + timedelta(seconds=90)
SECRET_URL = "https://me:hunter2@example.org/feed?token=hunter2"


def finished(report: RunReport, *, failing_share: float = 0.0) -> RunReport:
    report.finish("finished", ENDED, failing_share=failing_share, most_failing=0.5)
    return report


@pytest.fixture
def report() -> RunReport:
    return RunReport(started=STARTED)


def test_polls_are_counted_by_outcome(report: RunReport) -> None:
    report.polled(PollResult(url="http://a/", outcome=Success.NEW, new=3, changed=1))
    report.polled(PollResult(url="http://b/", outcome=Success.NOT_MODIFIED))
    report.polled(PollResult(url="http://c/", outcome=Failure.TIMEOUT, detail="too slow"))
    report.polled(PollResult(url="http://d/", outcome=Success.SITE, discovered=2))
    assert report.polls == {"new": 1, "not_modified": 1, "timeout": 1, "site": 1}
    assert (report.channels_polled, report.channels_failed) == (4, 1)
    assert (report.entries_new, report.entries_changed, report.channels_found) == (3, 1, 2)


@given(st.lists(st.sampled_from([*Success, *Failure]), max_size=30))
def test_every_poll_is_either_failed_or_not(outcomes: list[Success | Failure]) -> None:
    report = RunReport(started=STARTED)
    for outcome in outcomes:
        report.polled(PollResult(url="http://a/", outcome=outcome))
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failure)]
    assert report.channels_polled == len(outcomes)
    assert report.channels_failed == len(failed)
    assert len(report.channel_problems) == len(failed)


def test_no_secret_is_in_the_report_nor_in_the_summary(report: RunReport, tmp_path: Path) -> None:
    failing = PollResult(
        url=SECRET_URL, outcome=Failure.GONE, moved=True, retired=True, detail=f"at {SECRET_URL}"
    )
    report.polled(failing)
    report.error(f"Cannot read {SECRET_URL}")
    report.note(f"Note on {SECRET_URL}")
    path = finished(report).write(tmp_path)
    for text in (path.read_text(), summary(report, tmp_path)):
        assert "hunter2" not in text
        assert "https://***@example.org/feed?token=***" in text


def test_the_report_is_readable_json_with_everything_in_it(report: RunReport, tmp_path: Path) -> None:
    report.polled(PollResult(url="http://a/", outcome=Failure.DNS, detail="no such host"))
    report.outcomes[EntryOutcome.STORED] += 2
    path = finished(report).write(tmp_path / "runs")
    assert path == tmp_path / "runs" / "run-20260302T070509123456Z.json"
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    told = json.loads(path.read_text())
    assert told["started"] == "2026-03-02T07:05:09.123456Z"
    assert told["ended"] == "2026-03-02T07:06:39.123456Z"
    assert told["seconds"]["total"] == 90
    assert told["polls"] == {"dns": 1}
    assert told["outcomes"] == {"stored": 2}
    assert told["channel_problems"] == [{"url": "http://a/", "outcome": "dns", "detail": "no such host"}]
    assert told["exit_code"] == 0


def test_a_run_without_trouble_ends_with_zero(report: RunReport) -> None:
    report.polled(PollResult(url="http://a/", outcome=Success.UNCHANGED))
    report.note("something")
    assert finished(report).exit_code == 0


def test_a_failing_feed_among_many_is_told_but_is_no_error(report: RunReport) -> None:
    report.polled(PollResult(url="http://a/", outcome=Failure.NOT_FOUND))
    assert finished(report, failing_share=0.5).exit_code == 0
    assert len(report.channel_problems) == 1


def test_too_many_failing_feeds_are_an_error(report: RunReport) -> None:
    report.polled(PollResult(url="http://a/", outcome=Failure.NOT_FOUND))
    assert finished(report, failing_share=0.51).exit_code == 1
    assert report.errors == ["51% of this run's channels fail, more than FAILING_SHARE=0.5"]


def test_failing_feeds_are_told_again_only_by_a_run_that_polled(report: RunReport) -> None:
    assert finished(report, failing_share=1.0).exit_code == 0


def test_a_bad_seed_line_or_an_error_of_ours_ends_with_one(report: RunReport) -> None:
    report.seed_problems = ["seeds.txt:3: not a URL"]
    assert finished(report).exit_code == 1
    other = RunReport(started=STARTED)
    other.error("bug")
    assert finished(other).exit_code == 1


def test_a_watch_that_is_told_to_stop_ends_with_zero(report: RunReport) -> None:
    report.polled(PollResult(url="http://a/", outcome=Failure.NOT_FOUND))
    report.seed_problems = ["seeds.txt:3: not a URL"]
    report.error("a page was lost in March")
    options = {"failing_share": 1.0, "most_failing": 0.5, "was_watching": True}
    report.finish("shutdown", ENDED, **options)
    assert (report.exit_code, len(report.errors)) == (0, 2)
    # Whatever else ends it is a failure.
    report.finish("archive_error", ENDED, **options)
    assert report.exit_code == 1


def test_a_run_of_months_tells_a_bounded_number_of_each(report: RunReport) -> None:
    for number in range(1500):
        report.polled(PollResult(url=f"http://a/{number}", outcome=Failure.TIMEOUT, retired=True))
        report.error(f"error {number}")
    assert len(report.channel_problems) == len(report.notes) == len(report.errors) == 1000
    assert report.channels_failed == 1500


def test_the_summary_says_what_was_kept_and_where(report: RunReport) -> None:
    report.polled(PollResult(url="http://a/", outcome=Success.NEW, new=3))
    report.outcomes[EntryOutcome.STORED] += 3
    report.pages_fetched = 3
    report.page_failures[Failure.TIMEOUT] += 1
    report.bytes_received, report.warc_bytes = 999_600, 1234
    report.warc_files, report.object_files = ["a.warc.gz"], ["articles-2026-03-02.jsonl"]
    report.seed_problems = [f"seeds.txt:{number}: bad" for number in range(12)]
    told = summary(finished(report), Path("/archive")).splitlines()
    assert told[:6] == [
        "Channels   1 polled: 1 new",
        "Entries    3 new, 0 changed",
        "Pages      3 fetched, not had: 1 timeout",
        "Articles   3 stored",
        "Received   1 MB, kept in 1.23 kB",
        "WARC       /archive/warc/a.warc.gz",
    ]
    assert "Objects    /archive/objects/articles-2026-03-02.jsonl" in told
    assert "Seed left out: and 2 more, see the run report" in told


@given(st.integers(0, 10**16))
def test_sizes_are_short_and_never_in_powers_of_ten(size: int) -> None:
    line = progress_line(RunReport(started=STARTED, bytes_received=size))
    assert size >= 999 * 10**12 or "e+" not in line
    assert len(line) < 110
