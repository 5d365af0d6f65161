"""`scrapy channels`: what an operator sees of the channels, and does with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.seeds import read_seeds
from tests.crawl.documents import front_page, publish, rss, stories
from tests.crawl.gap_sites import WINDOW, wordpress
from tests.crawl.running import DAY, Archived, crawl

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

    from tests.commands.here import RunHere
    from tests.crawl.site import Site


def test_channels_are_listed_added_paused_resumed_and_removed(
    archive: Path, site: Site, run_here: RunHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
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
    assert len(listed.splitlines()) == 5  # a heading, and a line for each
    for words in (news, "Harbour", "Letters", "in 2 hours", "found.xml"):
        assert words in listed
    shown = run_here("channels", archive, "show", letters)
    assert shown.exit_code == 0
    for words in (f"URL        {letters}", "Labels     Harbour", "Entries    0", "): unchanged"):
        assert words in shown.text
    assert "Next poll  in 2 hours (" in shown.text
    # What is exported is a seeds file.
    exported = archive.parent / "exported.opml"
    exported.write_bytes(run_here("channels", archive, "--opml").out)
    seeds = {seed.url: seed.labels for seed in read_seeds([exported]).seeds}
    assert seeds == dict.fromkeys([news, letters, home, site.url("/found.xml")], ("Harbour",))

    number = str(first.channel(letters)["id"])
    unknown = run_here("channels", archive, "pause", number, site.url("/unknown.xml"))
    assert unknown.exit_code == 1
    assert "No channel is called" in unknown.told
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


def test_a_channel_of_a_seeds_file_that_is_also_added_by_hand_stays_and_that_is_told(
    archive: Path, site: Site, run_here: RunHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    one, other = site.add("/one.xml", rss([])), site.add("/other.xml", rss([]))
    crawl(archive, [f"{one} every=2h", other])
    told = run_here("channels", archive, "add", one).text
    assert "was there already; from now on it is polled even if " in told
    assert "seeds.txt no longer names it" in told
    assert run_here("channels", archive, "add", one).text == f"{one}: was there already\n"
    second = crawl(archive, arguments={"urls": other})
    assert any("from now on it is polled" in note for note in second.report["notes"]), second.report
    third = crawl(archive, [other])
    assert third.channel(one)["every"] == 7200.0
    (kept,) = [note for note in third.report["notes"] if "also added by hand" in note]
    assert f"no longer name it: {one}" in kept


def test_history_is_asked_for_fetched_by_the_next_crawl_and_told(
    archive: Path, site: Site, run_here: RunHere
) -> None:
    told = stories(11)
    for one in told:
        site.add(one.path, one.page)
    wordpress(site, told)
    feed, home = site.url("/feed.xml"), site.add("/", front_page(["/feed.xml"]))
    run_here("channels", archive, "add", home)
    early = run_here("channels", archive, "history", home)
    assert early.exit_code == 1
    assert "was not polled yet" in early.told
    assert crawl(archive).exit_code == 0

    # Of a site, that of its feed.
    asked = run_here(
        "channels", archive, "history", home, "--since", f"{told[2].published:%Y-%m-%dT%H:%M:%S}"
    )
    assert asked.exit_code == 0
    assert f"{feed}: all that it published before its first poll is wanted back to 2026-03-02" in asked.text
    assert "under way back to 2026-03-02: 0 entries" in run_here("channels", archive, "show", feed).text
    assert "under way" in run_here("channels", archive, "history", feed).text
    second = crawl(archive, clock_offset=60)
    assert second.report["history_entries"] == len(told) - WINDOW - 2
    assert "History    5 entries found" in second.stdout
    assert {one["title"] for one in second.objects} == {one.title for one in told[2:]}
    shown = run_here("channels", archive, "show", feed).text
    assert "History    complete back to 2026-03-02: 5 entries found in 3 documents (paged)" in shown
    assert "not being asked for" in run_here("channels", archive, "history", feed, "--stop").text
    run_here("channels", archive, "pause", feed)
    refused = run_here("channels", archive, "history", feed)
    assert refused.exit_code == 1
    assert "resume" in refused.told
