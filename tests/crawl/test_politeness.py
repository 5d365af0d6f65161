"""How the crawl behaves towards the sites it visits."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from tests.crawl.documents import publish, rss, stories, story
from tests.crawl.running import DAY, crawl
from tests.crawl.site import html, redirect, status, text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.site import Site


def gaps(site: Site) -> list[float]:
    """Seconds between one request and the next."""
    return [after.at - before.at for before, after in pairwise(site.requests)]


def test_without_a_robots_txt_that_answers_nothing_is_fetched_until_it_does(
    archive: Path, site: Site, neighbour: Site
) -> None:
    one, other = story(1), story(2)
    feed = publish(site, [one])
    # The feed may be fetched; the page that it announces is on a host in trouble.
    site.add("/abroad.xml", rss([replace(other.entry, link=neighbour.url(other.path))]))
    neighbour.add(other.path, other.page)
    neighbour.add("/robots.txt", status(500), text(""))
    neighbours_feed = neighbour.add("/feed.xml", rss([]))
    feeds = [feed, site.url("/abroad.xml"), neighbours_feed]
    first = crawl(archive, feeds, CONTACT="https://archive.invalid/contact")
    assert neighbour.paths == []
    assert len(neighbour.to("/robots.txt")) == 1
    assert first.channel(neighbours_feed)["outcome"] == "unavailable"
    assert first.report["page_failures"] == {"unavailable": 1}
    assert first.outcomes() == {site.url(one.path): "stored", neighbour.url(other.path): None}
    agents = {request.header("User-Agent") for request in [*site.requests, *neighbour.requests]}
    (agent,) = agents
    assert agent is not None
    assert agent.startswith("archiver/")
    assert agent.endswith("(+https://archive.invalid/contact)")
    # A feed's address may carry a token, and cookies are nobody's business.
    assert not [r for r in site.requests if r.header("Referer") or r.header("Cookie")]

    second = crawl(archive, feeds, clock_offset=DAY)
    assert sorted(neighbour.paths) == ["/feed.xml", other.path]
    assert second.pending() == 0
    assert len(second.objects) == 2


def test_a_robots_txt_that_forbids_nothing_is_no_hindrance(
    archive: Path, make_site: Callable[[str], Site]
) -> None:
    answers = (
        status(404),
        status(403),
        text("\ufeffUser-agent: *\nDisallow:\n"),
        text("User-agent: *\nDisallow: /\n\nUser-agent: archiver\nAllow: /\n"),
        text("User-agent: *\nDisallow: /nothing\n").but(("Content-Encoding", "gzip")),
        redirect("/moved-robots.txt", 301),
        html("<p>Not found, says a page that is always 200.</p>"),
    )
    feeds = []
    for number, robots in enumerate(answers, start=11):
        host = make_site(f"127.0.0.{number}")
        host.add("/robots.txt", robots)
        host.add("/moved-robots.txt", text("User-agent: *\nDisallow: /nothing\n"))
        feeds.append(publish(host, [story(number)]))
    run = crawl(archive, feeds)
    assert run.report["polls"] == {"new": len(answers)}
    # Whichever poll ends last, its page belongs to the same run.
    assert len(run.objects) == len(answers)


def test_a_feed_that_robots_txt_forbids_is_not_polled(archive: Path, site: Site) -> None:
    site.add("/robots.txt", text("User-agent: *\nDisallow: /private\nAllow: /private/open\n"))
    hidden = site.add("/private/feed.xml", rss([]))
    shown = site.add("/private/open/feed.xml", rss([]))
    # A redirect is no way around it.
    around = site.add("/around.xml", redirect("/private/feed.xml"))
    run = crawl(archive, [hidden, shown, around])
    outcomes = {url: row["outcome"] for url, row in run.channels().items()}
    assert outcomes == {hidden: "robots", shown: "unchanged", around: "robots"}
    assert sorted(site.paths) == ["/around.xml", "/private/open/feed.xml"]


def test_a_host_is_left_in_peace_for_as_long_as_it_and_the_settings_ask(
    archive: Path, make_site: Callable[[str], Site]
) -> None:
    silent, asks, greedy = (make_site(f"127.0.0.{number}") for number in (11, 12, 13))
    asks.add("/robots.txt", text("User-agent: *\nCrawl-delay: 0.6\n"))
    greedy.add("/robots.txt", text("User-agent: *\nCrawl-delay: 3600\n"))
    feeds = [publish(host, stories(4)) for host in (silent, asks, greedy)]
    run = crawl(archive, feeds, DOWNLOAD_DELAY=0.4, ROBOTS_LONGEST_DELAY=0.8)
    assert len(run.objects) == 12
    # Jitter is for hosts that said nothing: from half the delay to half as much again.
    assert min(gaps(silent)) >= 0.2
    # What robots.txt asks for is kept to the letter, cut to what we can bear.
    assert min(gaps(asks)) >= 0.6
    assert min(gaps(greedy)) >= 0.8
    assert max(gaps(greedy)) < 5


def test_the_delay_counts_from_the_answer(archive: Path, site: Site) -> None:
    site.add("/robots.txt", text("User-agent: *\nCrawl-delay: 0.6\n").but(delay=0.3))
    told = stories(3)
    feed = publish(site, told)
    for one in told:
        site.add(one.path, one.page.but(delay=0.3))
    run = crawl(archive, [feed], DOWNLOAD_DELAY=0.4)
    assert len(run.objects) == len(told)
    pages = [one for one in site.requests if one.path.startswith("/stor")]
    assert len(pages) == len(told)
    # As if each had arrived just before it was answered.
    assert min(after.at - before.at for before, after in pairwise(pages)) >= 0.3 + 0.6


def test_no_more_requests_at_once_than_a_host_may_get(archive: Path, site: Site) -> None:
    told = stories(8)
    feed = publish(site, told)
    for one in told:
        site.add(one.path, one.page.but(delay=0.2))
    # Without any delay, Scrapy 2.19 does not count the requests that it is about to send.
    run = crawl(archive, [feed], DOWNLOAD_DELAY=0.01)
    assert len(run.objects) == len(told)
    assert site.busiest == 2
