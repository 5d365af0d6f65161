"""What publishers wish, and what becomes of their feeds over days: on real answers, from run to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import front_page, publish, rss, stories
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, redirect
from tests.crawl.test_polling import wait_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.site import Request, Site

HOUR = 3600


def in_parts(*editions: Answer) -> Callable[[Request], Answer]:
    """A server that gives whoever asks for it what is new since their edition: the others' entries."""
    tags = [f'"{number}"' for number in range(len(editions))]
    asked = iter(range(len(editions)))

    def script(request: Request) -> Answer:
        current = next(asked, len(editions) - 1)
        tag = ("ETag", tags[current])
        had = request.header("If-None-Match")
        if had == tags[current]:
            return Answer(status=304, headers=(tag,))
        if had in tags and request.header("A-IM") == "feed":
            return editions[current].but(tag, ("IM", "feed"), ("Cache-Control", "no-store, im"), status=226)
        return editions[current].but(tag)

    return script


def test_a_server_may_send_what_changed_only(archive: Path, site: Site) -> None:
    told = stories(4)
    publish(site, told)
    first, new = rss([one.entry for one in told[:3]]), rss([told[3].entry])
    feed = site.add("/feed.xml", in_parts(first, new))
    # Another payload: the same one would be kept once, whichever of the two came first.
    other = rss([one.entry for one in told[:3]], title="The Odd Gazette")
    odd = site.add("/odd.xml", other.but(("ETag", '"1"')), other.but(("IM", "vcdiff"), status=226), other)
    runs = [crawl(archive, [feed, odd], clock_offset=number * DAY) for number in range(3)]

    assert [request.header("A-IM") for request in site.to("/feed.xml")] == [None, "feed", "feed"]
    # Nobody who gave us no validators, or nonsense for them, is asked for a part.
    assert [request.header("A-IM") for request in site.to("/odd.xml")] == [None, "feed", None]
    none = runs[-1]
    assert [run.exit_code for run in runs] == [0, 0, 0]
    assert [report["entries_new"] for report in none.reports] == [6, 1, 0]
    channel = none.channel(feed)
    assert (channel["entries"], channel["outcome"], channel["failures"]) == (4, "not_modified", 0)
    assert sorted(one["title"] for one in none.objects) == sorted(one.title for one in told)
    assert none.channel(odd)["outcome"] == "unchanged"
    assert none.reports[1]["channel_problems"][0]["detail"] == (
        "226 with IM: vcdiff, where feed was asked for"
    )
    # All of it is in the archive as it came; a part of a feed cannot stand for the whole in a revisit.
    assert [record.status for record in none.responses(feed)] == [200, 226, 304]
    assert_whole(none)


def test_what_an_answer_asks_for_is_done_unless_its_seed_says_otherwise(archive: Path, site: Site) -> None:
    slow = rss([]).but(("Cache-Control", "public, max-age=14400"))
    cached, pinned = site.add("/cached.xml", slow), site.add("/pinned.xml", slow)
    busy = site.add("/busy.xml", slow.but(("Retry-After", "172800")))
    run = crawl(archive, [cached, f"{pinned} every=20m", f"{busy} every=20m"])
    assert 4 <= wait_of(run.channel(cached)) <= 4.1
    assert run.channel(cached)["why"] == "the server's cache time of 4 h"
    assert wait_of(run.channel(pinned)) <= 0.34
    assert 47.9 <= wait_of(run.channel(busy)) <= 48.1
    assert run.exit_code == 0


@pytest.mark.zoo
def test_a_channel_stays_one_wherever_its_publisher_puts_it(
    archive: Path, site: Site, neighbour: Site
) -> None:
    """It moves, it turns into a page, it has a second address: each becomes one channel by and by."""
    told = stories(6)
    entries = [one.entry for one in told]
    moved_home = neighbour.add("/moved.xml", rss([]))
    moved = site.add("/moved.xml", redirect(moved_home, 301))
    page_feed = site.add("/news/new.xml", rss([]))
    page = site.add("/page.xml", rss([]), front_page([page_feed]))
    publish(neighbour, told)
    own_link = (
        '<atom:link xmlns:atom="http://www.w3.org/2005/Atom" rel="self" href="http://gazette.example/"/>'
    )
    body = rss(entries).body.replace(b"<description>", own_link.encode() + b"<description>", 1)
    twin = neighbour.add("/feed.xml", rss(entries).but(body=body))
    other = neighbour.add("/feed.xml?format=rss", rss(entries).but(body=body))

    seeds = [moved, page, f"{twin} label=a", f"{other} label=b"]
    runs = [crawl(archive, seeds, clock_offset=number * DAY) for number in range(3)]
    channels = runs[2].channels()
    assert channels[moved]["url"] == moved_home
    assert channels[page]["url"] == page_feed
    assert channels[twin]["labels"] == '["a","b"]'
    assert (channels[other]["status"], channels[other]["merged_into"]) == ("merged", channels[twin]["id"])
    assert f"{page} is a web page now: followed to its feed {page_feed}" in runs[2].reports[2]["notes"]
    problem = runs[2].reports[1]["channel_problems"][0]
    assert problem["detail"] == f"a web page where there was a feed; it names this feed: {page_feed}"

    site.forget()
    neighbour.forget()
    # Somebody writes the seeds anew, with the addresses of today.
    last = crawl(archive, [moved_home, page_feed, twin], clock_offset=3 * DAY)
    assert len(last.channels()) == len(seeds)
    assert site.paths == ["/news/new.xml"]
    assert sorted(neighbour.paths) == ["/feed.xml", "/moved.xml"]
    assert last.channel(page)["outcome"] == "unchanged"
    assert last.channel(twin)["labels"] == "[]"
