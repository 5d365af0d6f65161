"""`scrapy channels`: what an operator sees of the channels, and does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.documents import front_page, publish, rss, stories
from tests.crawl.running import DAY, Archived, crawl

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere
    from tests.crawl.site import Site


def test_channels_are_listed_added_paused_resumed_and_removed(
    archive: Path, site: Site, run_here: RunHere
) -> None:
    told = stories(2)
    news, letters = publish(site, told), site.add("/letters.xml", rss([], title="Letters"))
    home = site.add("/", front_page(["/found.xml"]))
    site.add("/found.xml", rss([], title="Found"))
    words = ("add", news, letters, home, "--label", "Harbour", "--every", "2h")
    added = run_here("channels", archive, *words)
    assert added.exit_code == 0
    assert f"{news}: added" in added.text
    assert Archived(archive).channel(news)["every"] == 7200.0
    assert f"{news}: was there already" in run_here("channels", archive, "add", news).text

    first = crawl(archive)
    assert first.exit_code == 0
    assert first.report["polls"] == {"new": 1, "site": 1, "unchanged": 2}
    listed = run_here("channels", archive).text
    for words in (news, "[Harbour]", "Letters", "last: new, 2 entries", "next poll", "found.xml"):
        assert words in listed

    number = str(first.channel(letters)["id"])
    unknown = run_here("channels", archive, "pause", number, site.url("/unknown.xml"))
    assert unknown.exit_code == 1
    assert "no channel is called" in unknown.told
    assert run_here("channels", archive, "remove", home).exit_code == 0
    site.forget()
    second = crawl(archive, clock_offset=DAY)
    assert site.paths == ["/feed.xml"]
    statuses = {url: row["status"] for url, row in second.channels().items()}
    assert statuses == {
        news: "active",
        letters: "paused",
        home: "unlisted",
        site.url("/found.xml"): "unlisted",
    }
    assert run_here("channels", archive, "resume", letters).exit_code == 0
    assert run_here("channels", archive, "remove", news).exit_code == 0
    site.forget()
    third = crawl(archive, clock_offset=2 * DAY)
    assert site.paths == ["/letters.xml"]
    # Everything that was kept stays.
    assert len(third.objects) == 2
    assert third.channel(news)["entries"] == 2


def test_what_was_added_by_hand_is_polled_with_every_seeds_file(
    archive: Path, site: Site, run_here: RunHere
) -> None:
    by_hand, from_file = site.add("/hand.xml", rss([])), site.add("/file.xml", rss([]))
    run_here("channels", archive, "add", by_hand)
    run = crawl(archive, [from_file])
    assert sorted(site.paths) == ["/file.xml", "/hand.xml"]
    assert {row["status"] for row in run.channels().values()} == {"active"}
