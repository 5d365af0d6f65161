"""A run on a machine whose clock was years ahead, and then one with a right clock."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import prose, publish, stories
from tests.crawl.running import ROOT, crawl

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Site

AHEAD = timedelta(days=5 * 365)


def ahead(row_time: int) -> bool:
    return datetime.fromtimestamp(row_time / 1e6, UTC) > datetime.now(UTC) + AHEAD / 2


@pytest.mark.zoo
def test_after_a_clock_that_was_ahead_channels_are_polled_and_doubts_are_told(
    archive: Path, site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = stories(3)
    feed = publish(site, told)
    with monkeypatch.context() as wrong:
        wrong.setenv("PYTHONPATH", f"{ROOT / 'tests' / 'clock_ahead'}:{ROOT}")
        wrong.setenv("CLOCK_AHEAD", str(AHEAD.total_seconds()))
        first = crawl(archive, [feed])
    assert (first.exit_code, len(first.objects)) == (0, 3), first
    # As it was: five years away, and nothing in the archive knows better.
    assert ahead(first.channel(feed)["next_poll"])
    assert all(ahead(row["first_seen"]) for row in first.rows("SELECT first_seen FROM entries"))

    edited = replace(told[0], title="A correction", paragraphs=prose(77))
    publish(site, [edited, *told[1:], *stories(1, first=4)])
    second = crawl(archive, [feed])
    assert second.exit_code == 0, second
    # By name, the report of the wrong clock comes last.
    report = second.reports[0]
    # Polled, and what is new since is here, with a plan that will come.
    assert report["polls"] == {"new": 1}
    assert {one["title"] for one in second.objects} == {one.title for one in (*told, edited, *stories(1, 4))}
    assert not ahead(second.channel(feed)["next_poll"])
    # Told once, in words and in numbers; the run of then is marked, and only that.
    notes = "\n".join(report["notes"])
    assert "The clock was ahead in the run that began at 20" in notes
    assert "3 entries and 3 versions have times of that run, which are not to be trusted" in notes
    assert "and due now: 1 polls, 0 pages" in notes
    assert [row["doubted"] is not None for row in second.rows("SELECT doubted FROM runs ORDER BY id")] == [
        True,
        False,
    ]
    # What was noted then is not passed on as if it were sure.
    line = next(one for one in second.objects if one["title"] == edited.title)
    trusts = {name: line["times"][name]["trust"] for name in ("first_seen", "unchanged_until", "captured")}
    assert trusts == {"first_seen": "weak", "unchanged_until": "weak", "captured": "sure"}
    third = crawl(archive, [feed])
    assert not any("clock" in note for note in third.reports[1]["notes"])
