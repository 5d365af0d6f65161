"""The run report: counts add up, secrets stay out, and the exit code tells the truth."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.polls import PollResult
from archiver.acquisition.outcome_words import ENTRIES, FAILURES, GAPS, POLLS
from archiver.acquisition.outcomes import Failure, Success
from archiver.acquisition.pages import EntryOutcome
from archiver.documents.lists.model import GapState
from archiver.extensions.telling import as_typed
from archiver.running.report import RunReport
from archiver.running.summary import summary

if TYPE_CHECKING:
    from enum import StrEnum

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
        url=SECRET_URL, outcome=Failure.GONE, moved_to=SECRET_URL, retired=True, detail=f"at {SECRET_URL}"
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
    assert sorted(one.name for one in path.parent.iterdir()) == ["manifest-sha256.txt", path.name]
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
    assert report.errors == [
        "51% of this run's channels fail, more than FAILING_SHARE=0.5: `scrapy channels --failing` lists them"
    ]


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
    report.pages_tried, report.pages_fetched = 4, 3
    report.page_failures[Failure.TIMEOUT] += 1
    report.bytes_received, report.warc_bytes = 999_600, 1234
    report.warc_files, report.object_files = ["a.warc.gz"], ["articles-2026-03-02.jsonl"]
    report.seed_problems = [f"seeds.txt:{number}: bad" for number in range(12)]
    told = summary(finished(report), Path("/archive"), Path("/archive/runs/run.json")).splitlines()
    assert told[:8] == [
        "Channels   1 polled: 1 with something new",
        "Entries    3 new, 0 changed",
        "Pages      3 fetched, 1 failed: timed out ×1",
        "Articles   3 stored",
        "Received   1 MB, kept in 1.23 kB",
        "WARC       /archive/warc/a.warc.gz",
        "Objects    /archive/objects/articles-2026-03-02.jsonl",
        "Report     /archive/runs/run.json",
    ]
    assert "Seed skipped: seeds.txt:0: bad" in told
    assert "Seed skipped: and 2 more, see the run report" in told


def test_the_summary_counts_failures_in_plain_words(report: RunReport) -> None:
    for outcome, times in ((Failure.NOT_FOUND, 2), (Failure.RATE_LIMITED, 1), (Success.NOT_MODIFIED, 3)):
        for _ in range(times):
            report.polled(PollResult(url="http://a/", outcome=outcome, detail="HTTP 404"))
    report.polled(PollResult(url="http://b/", outcome=Failure.REFUSED, detail="HTTP 403"))
    told = summary(finished(report), Path("/archive")).splitlines()
    assert told[0] == (
        "Channels   7 polled: 3 not modified (304),"
        " 4 failed: not found (404) ×2, rate limited (429) ×1, access refused ×1"
    )
    assert "Channel failing: http://a/: not found (404)" in told
    assert "Channel failing: http://b/: access refused: HTTP 403" in told
    only = RunReport(started=STARTED, polls=Counter({Failure.DNS: 2}))
    assert summary(finished(only), Path("/a")).startswith(
        "Channels   2 polled: 2 failed: host name not found ×2\n"
    )
    nothing = summary(finished(RunReport(started=STARTED)), Path("/a")).splitlines()
    assert nothing[0] == "Channels   none was due"


def test_counts_are_wrapped_to_the_window_and_paths_stay_whole(report: RunReport) -> None:
    report.polls = Counter(dict.fromkeys(Failure, 1))
    report.outcomes = Counter(dict.fromkeys(EntryOutcome, 1))
    report.warc_files = ["a" * 100]
    lines = summary(finished(report), Path("/archive"), width=80).splitlines()
    assert lines[0].startswith("Channels   19 polled: 19 failed: ")
    assert lines[1].startswith(" " * 11)
    counted = lines[: lines.index(f"WARC       /archive/warc/{'a' * 100}")]
    assert all(line.endswith((",", ":")) for line, after in pairwise(counted) if after.startswith("  "))
    assert all(len(line) <= 80 for line in lines if "WARC" not in line)


def test_private_addresses_are_told_with_the_setting_that_allows_them(report: RunReport) -> None:
    report.polled(PollResult(url="http://127.0.0.1/", outcome=Failure.ADDRESS))
    told = summary(finished(report), Path("/archive"), width=40)
    assert "Private addresses are not asked for: ALLOW_PRIVATE_ADDRESSES = true in archiver.toml, or" in (
        " ".join(told.split())
    )


def test_commands_are_spelt_before_lines_are_folded(report: RunReport) -> None:
    report.error("Too many fail: `scrapy channels --failing` lists them")
    told = summary(finished(report), Path("/a"), width=40, spell=partial(as_typed, program="archiver"))
    assert "ERROR: Too many fail: `archiver channels\n  --failing` lists them" in told


def test_what_goes_wrong_twice_is_told_once(report: RunReport) -> None:
    for _ in range(2):
        report.error("The disk is full")
    assert report.errors == ["The disk is full"]


def test_objects_that_rechecks_alone_wrote_are_told(report: RunReport) -> None:
    report.rechecks, report.recheck_versions = Counter({"changed": 1, "missing": 2}), 1
    report.object_files = ["articles-2026-03-02.jsonl"]
    told = summary(finished(report), Path("/archive")).splitlines()
    assert "Articles   1 new version" in told
    assert "Rechecks   3 looked at again: 2 missing for now, 1 changed" in told
    assert "Objects    /archive/objects/articles-2026-03-02.jsonl" in told


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("shutdown", "Interrupted by Ctrl-C or SIGTERM"),
        ("closespider_timeout", "Stopped by CLOSESPIDER_TIMEOUT"),
        ("archive_error", "Stopped by an error"),
        ("something", "Stopped early (something)"),
    ],
)
def test_a_run_that_ended_early_says_so_and_what_is_left(report: RunReport, reason: str, words: str) -> None:
    report.left = {"pages": 12, "retries": 0, "unread": 1, "channels": 3}
    report.finish(reason, ENDED, failing_share=0.0, most_failing=0.5)
    told = summary(report, Path("/archive")).splitlines()
    assert told[0] == f"{words}; the next run goes on where this one stopped."
    assert "Left       12 pages to fetch, 1 page to read, 3 channels to poll" in told


def test_what_others_wrote_gives_no_orders_to_a_terminal(report: RunReport) -> None:
    url = "http://a/\x1b[31m\u202efeed"
    report.polled(PollResult(url=url, outcome=Failure.NOT_A_FEED, detail="<\x07title>", retired=True))
    report.error(f"Cannot read\r{url}")
    report.seed_problems = [f"seeds.txt:1: {url}"]
    lines = summary(finished(report), Path("/archive")).splitlines()
    assert len(lines) == 9
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("table", "codes"),
    [(FAILURES, Failure), (POLLS, Success), (ENTRIES, EntryOutcome), (GAPS, GapState)],
)
def test_every_outcome_has_its_words(table: dict[str, str], codes: type[StrEnum]) -> None:
    assert set(table) == set(codes)
    assert not any("_" in words for words in table.values())
