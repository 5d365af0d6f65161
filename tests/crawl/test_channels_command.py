"""`scrapy channels`: what an operator sees of the channels, and does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.documents import front_page, publish, rss, stories
from tests.crawl.running import DAY, crawl, scrapy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Site


def test_channels_are_listed_added_paused_resumed_and_removed(archive: Path, site: Site) -> None:
    told = stories(2)
    news, letters = publish(site, told), site.add("/letters.xml", rss([], title="Letters"))
    home = site.add("/", front_page(["/found.xml"]))
    site.add("/found.xml", rss([], title="Found"))
    added = scrapy(archive, "channels", "add", news, letters, home, "--label", "Harbour", "--every", "2h")
    assert added.exit_code == 0
    assert f"{news}: added" in added.stdout
    assert added.channel(news)["every"] == 7200.0
    assert f"{news}: was there already" in scrapy(archive, "channels", "add", news).stdout

    first = crawl(archive)
    assert first.exit_code == 0
    assert first.report["polls"] == {"new": 1, "site": 1, "unchanged": 2}
    listed = scrapy(archive, "channels").stdout
    for words in (news, "[Harbour]", "Letters", "last: new, 2 entries", "next poll", "found.xml"):
        assert words in listed

    number = str(first.channel(letters)["id"])
    unknown = scrapy(archive, "channels", "pause", number, site.url("/unknown.xml"))
    assert unknown.exit_code == 1
    assert "no channel is called" in unknown.stderr
    assert scrapy(archive, "channels", "remove", home).exit_code == 0
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
    assert scrapy(archive, "channels", "resume", letters).exit_code == 0
    assert scrapy(archive, "channels", "remove", news).exit_code == 0
    site.forget()
    third = crawl(archive, clock_offset=2 * DAY)
    assert site.paths == ["/letters.xml"]
    # Everything that was kept stays.
    assert len(third.objects) == 2
    assert third.channel(news)["entries"] == 2


def test_what_was_added_by_hand_is_polled_with_every_seeds_file(archive: Path, site: Site) -> None:
    by_hand, from_file = site.add("/hand.xml", rss([])), site.add("/file.xml", rss([]))
    scrapy(archive, "channels", "add", by_hand)
    run = crawl(archive, [from_file])
    assert sorted(site.paths) == ["/file.xml", "/hand.xml"]
    assert {row["status"] for row in run.channels().values()} == {"active"}
