"""Sites that ask for rest, refuse, or fail: the whole site is spared, and the run says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import stories
from tests.crawl.running import crawl
from tests.crawl.site import html, status, text, unavailable

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Answer, Site

TOLD = stories(30)


def crawl_site(archive: Path, site: Site, **arguments: str) -> CrawlRun:
    given = {"url": site.url("/"), "strategy": "blind"} | arguments
    return crawl(archive, spider="site", arguments=given)


def open_blog(site: Site, *answers: Answer) -> None:
    """A front page with links to stories, each answered alike; without answers, with the story itself."""
    links = "".join(f'<li><a href="{one.path}">{one.title}</a></li>' for one in TOLD)
    site.add("/", html(f"<html><body><h1>All</h1><ul>{links}</ul></body></html>"))
    for one in TOLD:
        site.add(one.path, *(answers or (one.page,)))


def test_a_site_that_asks_for_a_pause_gets_it_as_a_whole(archive: Path, site: Site) -> None:
    open_blog(site, unavailable("3600", code=429))

    run = crawl_site(archive, site)

    assert run.exit_code == 0, run.stderr
    assert len(site.paths) <= 1 + 8, "what was under way, and nothing more"
    assert any("asked for a pause until" in told for told in run.report["notes"])
    (row,) = run.rows("SELECT state, rest_until FROM sites")
    assert row["state"] == "open"
    assert row["rest_until"] is not None
    site.forget()
    again = crawl_site(archive, site)
    assert not site.paths, "nor is it asked by the next run"
    assert again.exit_code == 0


@pytest.mark.zoo
@pytest.mark.parametrize(
    "answer",
    [
        status(500),
        status(403),
        html("<html><title>Just a moment…</title><h1>Checking your browser</h1></html>"),
    ],
    ids=["fails", "refuses", "checks"],
)
def test_a_site_that_fails_again_and_again_is_paused(archive: Path, site: Site, answer: Answer) -> None:
    open_blog(site, answer)

    run = crawl_site(archive, site)

    (row,) = run.rows("SELECT state, why, rest_until FROM sites")
    if row["rest_until"] is None:
        assert run.exit_code == 1
        assert row["state"] == "paused"
        assert "requests in a row failed" in row["why"]
        assert any("is paused" in told for told in run.report["errors"])
    assert len(site.paths) < len(TOLD)
    for one in TOLD:
        site.add(one.path, one.page)
    later = crawl(
        archive, spider="site", clock_offset=7200, arguments={"url": site.url("/"), "strategy": "blind"}
    )
    assert {one["url"] for one in later.objects} >= {site.url(one.path) for one in TOLD}


@pytest.mark.zoo
def test_a_site_whose_first_page_fails_makes_the_run_fail(archive: Path, site: Site) -> None:
    run = crawl_site(archive, site)

    assert run.exit_code == 1
    assert any("could not be read: not found" in told for told in run.report["errors"]), run.report["errors"]


@pytest.mark.zoo
def test_a_site_that_robots_txt_closes_is_said_to_be_closed(archive: Path, site: Site) -> None:
    open_blog(site)
    site.add("/robots.txt", text("User-agent: *\nDisallow: /\n"))

    run = crawl_site(archive, site)

    assert run.exit_code == 1
    assert not site.paths
    assert any("the archiver obeys robots.txt" in told for told in run.report["errors"])


@pytest.mark.zoo
def test_a_limit_that_is_reached_is_noted_and_no_failure(archive: Path, site: Site) -> None:
    open_blog(site)

    run = crawl_site(archive, site, limit="5")

    assert run.exit_code == 0, run.stderr
    assert len(site.paths) == 5
    assert any("limit of 5 requests is reached" in told for told in run.report["sites"])
