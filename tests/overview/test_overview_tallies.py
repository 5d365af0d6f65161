"""Run reports and WARC files are summed, and each is read once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.inspection.overview import tallies as module
from archiver.inspection.overview.tallies import Tallies
from archiver.running.report import RunReport

if TYPE_CHECKING:
    from pathlib import Path

NOW = datetime(2026, 3, 31, 15, 0, tzinfo=UTC)
LATELY = NOW - timedelta(days=30)


def ran(archive: Path, days_ago: float, **polls: int) -> Path:
    started = NOW - timedelta(days=days_ago)
    report = RunReport(started=started)
    report.polls.update(polls)
    report.finish("finished", started + timedelta(hours=1), failing_share=0.0, most_failing=0.5)
    return report.write(archive / "runs")


def test_polls_of_late_runs_are_summed(tmp_path: Path) -> None:
    ran(tmp_path, 40, new=100)
    ran(tmp_path, 3, new=2, not_modified=6, timeout=1)
    ran(tmp_path, 1, unchanged=2, not_found=4)
    told = Tallies().polls_since(tmp_path, LATELY)
    assert (told.runs, told.polls, told.failed, told.not_modified) == (2, 15, 5, 6)
    assert told.not_modified_share == pytest.approx(0.6)


def test_an_archive_without_runs_has_none(tmp_path: Path) -> None:
    told = Tallies().polls_since(tmp_path, LATELY)
    assert (told.runs, told.polls, told.not_modified_share) == (0, 0, None)
    assert Tallies().kept(tmp_path).warc_bytes == 0


def test_a_report_is_read_once_and_a_broken_one_counts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran(tmp_path, 2, new=1)
    (tmp_path / "runs" / "run-20260330T000000000000Z.json").write_text("{")
    tallies = Tallies()
    first = tallies.polls_since(tmp_path, LATELY)
    assert first.polls == 1
    monkeypatch.setattr(module, "read_report", None)
    assert tallies.polls_since(tmp_path, LATELY) == first


def test_a_report_that_changes_is_read_again(tmp_path: Path) -> None:
    path = ran(tmp_path, 2, new=1)
    tallies = Tallies()
    assert tallies.polls_since(tmp_path, LATELY).polls == 1
    path.write_bytes(path.read_bytes().replace(b'"new": 1', b'"new": 7'))
    assert tallies.polls_since(tmp_path, LATELY).polls == 7


def test_bytes_are_those_of_files_also_of_the_one_that_grows(tmp_path: Path) -> None:
    (tmp_path / "warc").mkdir()
    (tmp_path / "objects").mkdir()
    (tmp_path / "warc" / "a.warc.gz").write_bytes(b"x" * 10)
    (tmp_path / "warc" / "manifest-sha256.txt").write_bytes(b"x" * 99)
    growing = tmp_path / "warc" / "b.warc.gz.open"
    growing.write_bytes(b"x" * 5)
    (tmp_path / "objects" / "articles-2026-03-31.jsonl").write_bytes(b"x" * 3)
    tallies = Tallies()
    assert (tallies.kept(tmp_path).warc_bytes, tallies.kept(tmp_path).object_bytes) == (15, 3)
    growing.write_bytes(b"x" * 50)
    assert tallies.kept(tmp_path).warc_bytes == 60


def test_many_may_ask_at_once(tmp_path: Path) -> None:
    for number in range(30):
        ran(tmp_path, number / 10 + 0.5, new=1)
    tallies = Tallies()
    with ThreadPoolExecutor(8) as threads:
        told = list(threads.map(lambda _: tallies.polls_since(tmp_path, LATELY).polls, range(40)))
    assert set(told) == {30}
