"""Servers that would make an archive grow without end: each poll something that only looks new."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import rss, stories
from tests.crawl.running import DAY, crawl
from tests.crawl.site import html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.site import Answer, Request, Site

pytestmark = pytest.mark.zoo

POLLS = 3
FEEDS = 2000


def _feed_with_links(site: Site, made: list[Story], link: Callable[[Story, int], str]) -> str:
    """A feed whose ids stay while its links are others at each poll."""
    polls = count(1)

    def answer(_request: Request) -> Answer:
        number = next(polls)
        return rss([replace(one.entry, link=link(one, number), id=f"id-{one.path}") for one in made])

    return site.add("/feed.xml", answer)


@pytest.mark.parametrize(
    "link",
    [
        lambda one, poll: f"{one.path}?PHPSESSID={poll:032x}",
        # Units have the rest; these take long.
        pytest.param(lambda one, poll: f"{one.path};jsessionid={poll:032X}.node1", marks=pytest.mark.zoo),
        pytest.param(lambda one, poll: f"{one.path}?visit=8f3a{poll:028x}&page=2", marks=pytest.mark.zoo),
    ],
    ids=["named", "in the path", "by its value"],
)
def test_a_link_that_only_gets_a_new_session_id_is_the_same_entry(
    link: Callable[[Story, int], str], archive: Path, site: Site
) -> None:
    made = stories(2)
    feed = _feed_with_links(site, made, link)
    for poll in range(1, POLLS + 1):
        for one in made:
            site.add(link(one, poll).partition("?")[0], one.page)
    for poll in range(POLLS):
        archived = crawl(archive, [feed], clock_offset=poll * DAY)
        assert archived.report["entries_changed"] == 0
    assert len(archived.objects) == len(made)
    assert sum(len(site.to(link(one, 1).partition("?")[0])) for one in made) == len(made)


def test_a_page_at_a_new_address_for_a_known_entry_is_the_same_article(archive: Path, site: Site) -> None:
    made = stories(2)
    feed = _feed_with_links(site, made, lambda one, poll: f"/{poll}{one.path}?v={poll}")
    for poll in range(1, POLLS + 1):
        for one in made:
            site.add(f"/{poll}{one.path}", one.page)
    for poll in range(POLLS):
        archived = crawl(archive, [feed], clock_offset=poll * DAY)
    assert sorted((one["title"], one["version"]) for one in archived.objects) == sorted(
        (one.title, 1) for one in made
    )
    assert archived.pending() == 0


def test_an_id_that_is_used_again_makes_another_article(archive: Path, site: Site) -> None:
    first, second, third = stories(3)
    for one in (first, second, third):
        site.add(one.path, one.page)
    feed = site.add(
        "/feed.xml", *(rss([replace(one.entry, id="the latest")]) for one in (first, second, third))
    )
    for poll in range(POLLS):
        archived = crawl(archive, [feed], clock_offset=poll * DAY)
    assert [one["version"] for one in archived.objects] == [1, 1, 1]
    assert len({one["id"] for one in archived.objects}) == 3


def test_a_page_that_names_thousands_of_feeds_adds_a_few(archive: Path, site: Site) -> None:
    links = "".join(
        f'<link rel="alternate" type="application/rss+xml" href="/feed/{number}.xml">'
        for number in range(FEEDS)
    )
    home = site.add("/", html(f"<html><head>{links}</head><body><p>Feeds.</p></body></html>"))
    archived = crawl(archive, [home], MAX_FEEDS_PER_SITE=7)
    assert archived.report["channels_found"] == 7
    assert any(str(FEEDS) in note and "MAX_FEEDS_PER_SITE" in note for note in archived.report["notes"])
