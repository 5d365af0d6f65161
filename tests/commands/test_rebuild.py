"""`scrapy rebuild`: what it writes, what it tells, and what it refuses."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from lxml import html

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


@pytest.fixture
def now() -> str:
    return f"{datetime.now(UTC):%Y%m%d%H%M%S}"


def test_a_page_is_written(crawled: Crawled, run_here: RunHere, now: str, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    feed = crawled.url("newspaper", "/rss.xml")
    done = run_here("rebuild", crawled.archived.folder, feed, "--at", now, "-o", str(out))
    assert (done.exit_code, done.out) == (0, b"")
    assert f"{feed} at " in done.told
    assert f": 15 articles, around {crawled.url('newspaper', '/')} of " in done.told
    assert len(html.fromstring(out.read_text()).xpath("//main/*[@data-archiver='rebuilt']")) == 15
    assert list(tmp_path.iterdir()) == [out]


def test_a_dash_prints_it(crawled: Crawled, run_here: RunHere, now: str) -> None:
    done = run_here("rebuild", crawled.archived.folder, "1", "--at", now, "-o", "-")
    assert done.exit_code == 0
    assert done.out.startswith(b"<!DOCTYPE html>")


def test_json_lists_the_articles(crawled: Crawled, run_here: RunHere, now: str, tmp_path: Path) -> None:
    feed = crawled.url("blog", "/atom.xml")
    printed = run_here("rebuild", crawled.archived.folder, feed, "--at", now, "--json")
    written = tmp_path / "list.json"
    run_here("rebuild", crawled.archived.folder, feed, "--at", now, "--json", "--output", str(written))
    assert written.read_bytes() == printed.out
    found = json.loads(printed.out)
    assert (found["channel"], found["title"], found["frame_kind"]) == (feed, "Slack Water", "home")
    assert {article["grounds"] for article in found["articles"]} == {"last_known"}
    assert {article["source"] for article in found["articles"]} == {"version"}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("99", "--at", "2026-03-02"), "No channel is called 99: `scrapy channels` lists them"),
        (("1", "--at", "1999-01-01"), "1999-01-01T00:00:00.000000Z is before the first poll of channel 1, "),
    ],
)
def test_what_is_not_known_is_said(
    words: tuple[str, ...], told: str, crawled: Crawled, run_here: RunHere
) -> None:
    done = run_here("rebuild", crawled.archived.folder, *words, "-o", "-")
    assert (done.exit_code, done.out) == (1, b"")
    assert done.told.startswith(f"scrapy rebuild: error: {told}")


def test_a_channel_that_never_gave_a_feed_has_nothing(crawled: Crawled, run_here: RunHere, now: str) -> None:
    missing = crawled.url("moved", "/missing.xml")
    done = run_here("rebuild", crawled.archived.folder, missing, "--at", now, "-o", "-")
    assert done.exit_code == 1
    assert "Nothing was captured yet of channel" in done.told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name one channel; got none"),
        (("1", "2"), "Name one channel; got 1 2"),
        (("1",), "Say with --at which time is meant"),
        (("1", "--at", "soon"), "--at: 'soon' is not a time"),
        (("1", "--at", "2026-03-02"), "Say with -o where the page goes"),
        (("1", "--at", "2026-03-02", "-o", "/nowhere/at/all"), "-o /nowhere/at/all"),
        (("1", "--at", "2026-03-02", "-o", "-", "--colour"), "--colour is not an option"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], told: str, crawled: Crawled, run_here: RunHere) -> None:
    done = run_here("rebuild", crawled.archived.folder, *words)
    assert done.exit_code == 2
    assert told in done.text + done.told
