"""bench/rechecks.py counts an edit as found only where a look came before the next one."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from archiver.acquisition.rechecks.schedule import RecheckPolicy
from bench.rechecks_histories import History, read
from bench.rechecks_play import Ours, alike, backing_off, fixed, two_days

HOUR = 1 / 24


def history(*hours: float, captured: float = 0.0) -> History:
    edits = tuple(hour * HOUR for hour in hours)
    return History(channel="a", published=0.0, captured=captured * HOUR, edits=edits)


def test_fixed_looks_find_what_is_not_overwritten_before_them() -> None:
    found = fixed(HOUR, 10 * HOUR, [history(0.4, 0.6, 1.5, 9.5)], "x")
    assert (found.found, found.requests) == (75.0, 10.0)
    assert found.mean_delay == pytest.approx((0.4 + 0.5 + 0.5) / 3)


def test_looks_count_from_the_first_capture_and_end() -> None:
    found = fixed(4 * HOUR, 10 * HOUR, [history(8.9, 9.5, captured=1.0)], "x")
    assert (found.found, found.requests) == (50.0, 2.0)


def test_two_days_and_the_end() -> None:
    found = two_days(24 * HOUR, 30.0, [history(1, 25, 60, 70)], "x")
    assert (found.found, found.requests) == (75.0, 3.0)


def test_backing_off_looks_after_one_three_and_seven_hours_and_at_the_end() -> None:
    found = backing_off(HOUR, 2.0, 10 * HOUR, [history(0.5, 1.5, 2.5, 6, 9)], "x")
    assert (found.found, found.requests) == (80.0, 4.0)
    assert found.mean_delay == pytest.approx((0.5 + 0.5 + 1 + 1) / 4)


def test_the_interval_is_found_that_finds_the_same() -> None:
    histories = [history(*(0.37 * number**1.5 for number in range(1, 60)))]
    same = alike(lambda days: fixed(days, 30.0, histories, "x"), 80.0, 1 / 1440, 30.0)
    assert same is not None
    assert 80.0 <= same.found < 84.0
    assert alike(lambda days: fixed(days, 30.0, histories, "x"), 101.0, 1 / 1440, 30.0) is None


def test_ours_finds_what_its_looks_show_and_learns_from_them_alone() -> None:
    player = Ours(RecheckPolicy())
    found = player.play([history(), history(), history(2.0)], "x")
    assert found.found == 100.0
    assert 5 < found.requests < 25
    assert 0 < found.mean_delay < 4
    assert set(player.curves) == {"a"}


def test_histories_are_read_as_ages(tmp_path: Path) -> None:
    path = tmp_path / "edits.jsonl"
    rows = [
        {"channel": "b", "published": 86400 * 3, "captured": 86400 * 3 + 600, "edits": []},
        {"channel": "a", "published": 86400, "edits": [86400 * 2, 86400 * 1.5, 86400 * 90, 5]},
    ]
    path.write_text("\n".join(map(json.dumps, rows)))
    first, second = read(path, 30.0)
    assert first == History(channel="a", published=0.0, captured=0.0, edits=(0.5, 1.0))
    assert (second.published, second.captured) == (2.0, pytest.approx(600 / 86400))


def test_edits_found_per_request_are_printed_with_sitemaps_and_without() -> None:
    small = {"channels": 1, "articles": 60, "seeds": 1, "days": 6, "until": 10, "fixed": 24}
    options = [text for name, value in small.items() for text in (f"--{name}", str(value))]
    command = [sys.executable, "bench/rechecks.py", *options]
    root = Path(__file__).parents[2]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=60, check=True)
    found = re.search(r"edits found per request: ([\d.]+) with sitemaps .*, ([\d.]+) without", run.stdout)
    assert found is not None, run.stdout
    assert float(found[1]) > float(found[2])
