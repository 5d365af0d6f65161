"""What a run that crawled sites says at its end, and what its progress line says meanwhile."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.sites.curve import TextSeen, pairs_after, text_seen, together
from archiver.acquisition.sites.model import Site, SiteState, Strategy
from archiver.running.progress import Progress, progress_line
from archiver.running.report import RunReport
from archiver.running.site_endings import sites_told
from archiver.running.site_run import SiteRun
from archiver.running.summary import summary
from archiver.store.whole_sites.tallies import SiteTally

NOW = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)
URL = "http://blog.example/"


def tally(
    state: SiteState = SiteState.OPEN,
    why: str | None = None,
    strategy: Strategy = Strategy.AUTO,
    way: str = "",
    **counts: int,
) -> SiteTally:
    site = Site(id=1, url=URL, scope="blog.example/", strategy=strategy, state=state, way=way)
    ended = {name: many for name, many in counts.items() if name != "waiting"}
    found = SiteTally(site=site, why=why, waiting=counts.get("waiting", 0), read=ended.get("read", 0))
    found.ended.update(ended)
    return found


def run(*, limit: int | None = None, requests: int = 0, failed: Failure | None = None) -> SiteRun:
    found = SiteRun(ids=(1,), limit=limit, tell=print, requests=requests)
    if failed is not None:
        found.failures[1] = Failed(failure=failed)
    return found


@pytest.mark.parametrize(
    ("state", "why", "limit", "told"),
    [
        (SiteState.OPEN, None, 12, "12 of 30 visited: the limit of 12 requests is reached"),
        (SiteState.OPEN, None, 90, "12 of 30 visited: the rest waits for the next run"),
        (SiteState.PAUSED, "by hand", None, "paused, 12 of 30 visited: by hand"),
        (SiteState.STOPPED, None, None, "stopped, 12 of 30 visited"),
    ],
)
def test_what_is_left_is_told_with_its_reason(
    state: SiteState, why: str | None, limit: int | None, told: str
) -> None:
    found = sites_told([tally(state, why, read=10, not_found=2, waiting=18)], run(limit=limit, requests=12))
    assert found.sites == (f"{URL}: {told}",)
    assert found.left == (18 if state is SiteState.OPEN else 0)
    assert not found.errors


def test_a_finished_site_is_told_as_done() -> None:
    found = sites_told([tally(SiteState.DONE, read=10, not_found=2)], run())
    assert found.sites == (f"{URL}: done, 12 documents visited",)
    assert (
        found.next
        == f"`scrapy site status {URL}` shows what was found; `scrapy browse` opens it in a browser"
    )


@pytest.mark.parametrize(
    ("strategy", "way", "note"),
    [
        (
            Strategy.SITEMAP,
            "sitemap",
            f"no sitemap was found: `scrapy crawl site -a url={URL} -a strategy=blind`",
        ),
        (Strategy.AUTO, "blind", "only its first page was found: the site may need JavaScript"),
        (Strategy.KNOWN, "blind", "the knowledge base does not know its software"),
    ],
)
def test_a_site_that_gave_less_than_was_meant_is_told_with_the_reason(
    strategy: Strategy, way: str, note: str
) -> None:
    found = sites_told([replace(tally(SiteState.DONE, None, strategy, way, read=1), leads_on=False)], run())
    (told,) = found.notes
    assert told.startswith(f"{URL}: {note}")
    assert not sites_told([tally(SiteState.DONE, read=9)], run()).notes


@pytest.mark.parametrize(
    ("failure", "advice"),
    [
        (Failure.NOT_FOUND, f"check the address; `scrapy fetch {URL}`"),
        (Failure.CONNECTION, "`scrapy crawl site` retries later"),
        (Failure.ROBOTS, "ask the site owner"),
        (Failure.ADDRESS, "-s ALLOW_PRIVATE_ADDRESSES=1"),
    ],
)
def test_a_first_page_that_cannot_be_read_is_an_error_with_advice(failure: Failure, advice: str) -> None:
    found = sites_told([tally(SiteState.DONE, **{failure: 1})], run(failed=failure))
    (error,) = found.errors
    assert error.startswith(f"{URL} could not be read: ")
    assert advice in error
    assert not found.next


def test_the_summary_of_a_site_run_does_not_speak_of_channels() -> None:
    report = RunReport(started=NOW, crawled="sites", pages_tried=12, reason="finished")
    report.sites = [f"{URL}: done", "http://b/: done"]
    report.visit_failures["not_found"] = 2
    report.contributions.update(new=7, changed=1, gone=0)
    report.left = {"unread": 0, "visits": 18}
    report.next = "`scrapy crawl site` continues"
    lines = summary(report, Path("archive"), width=80).splitlines()
    assert lines[:4] == [
        f"Sites      {URL}: done",
        "           http://b/: done",
        "Pages      10 fetched, 2 failed: not found (404) ×2",
        "Articles   none",
    ]
    assert "Comments   7 new, 1 changed" in lines
    assert "Left       18 documents to visit" in lines
    assert lines[-1] == "Next: `scrapy crawl site` continues"
    assert not [line for line in lines if "hannel" in line or line.startswith("Entries")]


def test_many_sites_are_told_in_part() -> None:
    report = RunReport(started=NOW, crawled="sites", sites=[f"http://{n}/: done" for n in range(12)])
    assert "and 2 more, see the run report" in summary(report, Path("archive"))


CURVE = ((1, 100), (10, 1000), (50, 3000), (100, 4000))


def test_text_between_two_points_lies_on_the_line() -> None:
    assert [pairs_after(CURVE, number) for number in (0, 1, 5, 10, 30, 75, 100, 500)] == [
        0, 100, 500, 1000, 2000, 3500, 4000, 4000,
    ]  # fmt: skip


def test_what_is_new_is_that_of_the_last_requests() -> None:
    assert text_seen(CURVE) == TextSeen(pairs=4000, new=1000, requests=50)
    assert text_seen(CURVE).share == 0.25
    assert text_seen(()) == TextSeen(pairs=0, new=0, requests=0)
    assert text_seen(CURVE[:2]).share is None  # all of it is new: that says nothing
    assert together([text_seen(CURVE), text_seen(CURVE)]) == TextSeen(pairs=8000, new=2000, requests=100)


def line(width: int, limit: int | None = 500) -> str:
    progress = Progress(
        pages=120,
        pages_known=279,
        channels=0,
        channels_known=0,
        pages_a_second=7.5,
        limit=limit,
        seen=TextSeen(pairs=82000, new=246, requests=50),
    )
    return progress_line(progress, NOW, width)


def test_the_line_tells_pages_requests_rate_time_and_text() -> None:
    assert line(200) == (
        "Pages 120 of 279, requests 120 of 500, 7.5/s, about 21 seconds left, 82,000 pairs of words, "
        "0.3 % new in 50 pages"
    )
    assert line(79) == "Pages 120 of 279, 7.5/s, about 21 seconds left, 0.3 % new in 50 pages"
    assert line(30) == "Pages 120 of 279, 7.5/s"


def test_a_limit_shortens_the_time_that_is_left() -> None:
    assert "about 4 seconds left" in line(200, limit=150)
