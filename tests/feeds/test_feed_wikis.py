"""Feeds of wikis: an entry announces a change of a page, whatever difference it links to."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from archiver.documents.feeds.entries import EntryChanges, KnownEntry, compare, identify, with_zones
from archiver.documents.feeds.model import FeedDate, FeedEntry, FeedInfo, ParsedFeed
from archiver.documents.feeds.parse import parse_feed
from archiver.documents.feeds.wikis import with_changed_pages

WIKI = "https://wiki.example.org"
RECENT = f"{WIKI}/w/api.php?action=feedrecentchanges"
HISTORY = f"{WIKI}/w/index.php?title=Harbour&action=history&feed=atom"
MOMENT = FeedDate(text="2026-03-02T07:30:00Z", utc=datetime(2026, 3, 2, 7, 30, tzinfo=UTC))


def mediawiki(
    *links: str, home: str | None = f"{WIKI}/wiki/Special:RecentChanges", **entry: object
) -> ParsedFeed:
    entries = tuple(FeedEntry(id=link, link=link, **entry) for link in links)  # type: ignore[arg-type]
    return ParsedFeed(
        format="atom10", info=FeedInfo(link=home, generator="MediaWiki 1.39.17"), entries=entries
    )


def dokuwiki(*links: str, generator: str | None = "FeedCreator 1.8") -> ParsedFeed:
    entries = tuple(FeedEntry(link=link) for link in links)
    return ParsedFeed(format="rss20", info=FeedInfo(generator=generator), entries=entries)


def pages_of(feed: ParsedFeed, url: str) -> list[str | None]:
    return [entry.changed_page for entry in with_changed_pages(feed, url).entries]


@pytest.mark.parametrize(
    ("link", "page"),
    [
        ("/w/index.php?title=Harbour&diff=12&oldid=11", "/wiki/Harbour"),
        ("/w/index.php?title=Harbour&diff=12&oldid=prev", "/wiki/Harbour"),
        ("/w/index.php?title=Harbour&diff=12&oldid=0", "/wiki/Harbour"),
        ("/w/index.php?title=Harbour&diff=12", "/wiki/Harbour"),
        ("/w/index.php?title=Harbour&oldid=12", "/wiki/Harbour"),
        (
            "/w/index.php?title=Talk:Caf%C3%A9_%26_bar/Old&curid=5&diff=12&oldid=11",
            "/wiki/Talk:Caf%C3%A9_%26_bar/Old",
        ),
        ("/w/index.php?curid=5&diff=12&oldid=11", "/w/index.php?curid=5"),
        ("/wiki/Harbour?diff=12&oldid=11", "/wiki/Harbour"),
        ("/wiki/Special:Diff/11/12", "/wiki/The_old_harbour"),
        ("/w/index.php?title=Special:Diff/12&diff=12", "/wiki/The_old_harbour"),
        # What a log tells of a page: moved, deleted, uploaded.
        ("/wiki/File:Pier.jpg", "/wiki/File:Pier.jpg"),
    ],
)
def test_a_change_of_mediawiki_is_of_its_page(link: str, page: str) -> None:
    feed = mediawiki(f"{WIKI}{link}", title="The old harbour")
    assert pages_of(feed, RECENT) == [f"{WIKI}{page}"]


def test_without_its_own_page_a_wikis_script_is_asked_for_the_page() -> None:
    feed = mediawiki(f"{WIKI}/w/index.php?title=Harbour&diff=12&oldid=prev", home=f"{HISTORY}#top")
    assert pages_of(feed, HISTORY) == [f"{WIKI}/w/index.php?title=Harbour"]


def test_talk_pages_tell_where_pages_are() -> None:
    link = f"{WIKI}/w/index.php?title=Harbour&diff=12&oldid=prev"
    feed = mediawiki(link, home=HISTORY, comments=f"{WIKI}/wiki/Talk:Harbour")
    assert pages_of(feed, HISTORY) == [f"{WIKI}/wiki/Harbour"]


def test_a_page_on_another_host_is_not_sought_at_this_one() -> None:
    feed = mediawiki("https://other.example.org/w/index.php?title=Harbour&diff=12&oldid=11")
    assert pages_of(feed, RECENT) == ["https://other.example.org/w/index.php?title=Harbour"]


def test_new_pages_of_a_wiki_are_pages() -> None:
    feed = mediawiki(f"{WIKI}/wiki/Harbour", home=f"{WIKI}/wiki/Special:NewPages")
    assert pages_of(feed, f"{WIKI}/w/index.php?title=Special:NewPages&feed=atom") == [None]


@pytest.mark.parametrize(
    ("link", "page"),
    [
        ("/doku.php?id=town:harbour&rev=1794931418&do=diff", "/doku.php?id=town:harbour"),
        ("/doku.php?id=town:harbour&rev=1794931418", "/doku.php?id=town:harbour"),
        ("/doku.php?id=town:harbour&do=revisions&rev=1794931418", "/doku.php?id=town:harbour"),
        ("/town/harbour?rev=1794931418&do=diff", "/town/harbour"),
        ("/doku.php/town:harbour?rev=1794931418&do=diff", "/doku.php/town:harbour"),
        ("/doku.php?id=town:harbour", "/doku.php?id=town:harbour"),
        (
            "/doku.php?image=town%3Apier.jpg&ns=town&rev=1794931418&tab_details=history&mediado=diff&do=media",
            "/doku.php?image=town%3Apier.jpg&ns=town&do=media",
        ),
    ],
)
@pytest.mark.parametrize("generator", [None, "FeedCreator 1.8", "FeedCreator 1.7.2-ppt DokuWiki"])
def test_a_change_of_dokuwiki_is_of_its_page(link: str, page: str, generator: str | None) -> None:
    feed = dokuwiki(f"{WIKI}{link}", generator=generator)
    assert pages_of(feed, f"{WIKI}/feed.php") == [f"{WIKI}{page}"]


@pytest.mark.parametrize(
    "link",
    [
        "/story?diff=12",
        "/story?diff=12&oldid=11",
        "/index.php?title=Harbour",
        "/index.php?title=Harbour&diff=yes&oldid=no",
        "/story?id=5&rev=1794931418&do=diff",
        "/story?id=5&rev=2",
        "http://[",
        "mailto:a@example.org",
    ],
)
def test_links_of_other_software_stay_what_they_are(link: str) -> None:
    address = f"{WIKI}{link}" if link.startswith("/") else link
    feed = ParsedFeed(format="rss20", info=FeedInfo(generator="Blog 1"), entries=(FeedEntry(link=address),))
    assert with_changed_pages(feed, f"{WIKI}/feed.xml") == feed


def test_a_phpbb_feed_is_not_a_wikis() -> None:
    feed = dokuwiki(f"{WIKI}/viewtopic.php?t=5&p=7", generator=None)
    assert with_changed_pages(feed, f"{WIKI}/feed.php") == feed


def test_an_address_that_is_surely_mediawikis_needs_no_word_of_the_feed() -> None:
    link = f"{WIKI}/w/index.php?title=Harbour&diff=12&oldid=11"
    feed = ParsedFeed(format="rss20", info=FeedInfo(), entries=(FeedEntry(link=link), FeedEntry(link=WIKI)))
    assert pages_of(feed, "https://planet.example.net/feed") == [f"{WIKI}/w/index.php?title=Harbour", None]


def test_a_change_is_no_publication() -> None:
    feed = mediawiki(f"{WIKI}/w/index.php?title=Harbour&diff=12&oldid=0", published=MOMENT)
    (entry,) = with_changed_pages(feed, RECENT).entries
    assert (entry.published, entry.updated) == (None, MOMENT)


def test_the_generator_is_read_from_the_document() -> None:
    document = f"""<rss version="2.0"><channel><title>Changes</title>
        <link>{WIKI}/wiki/Special:RecentChanges</link><generator>MediaWiki 1.39.17</generator>
        <item><title>Harbour</title><link>{WIKI}/w/index.php?title=Harbour&amp;diff=12&amp;oldid=11</link>
        <pubDate>Mon, 02 Mar 2026 07:30:00 GMT</pubDate></item></channel></rss>"""
    (entry,) = parse_feed(document.encode(), url=RECENT).entries
    assert entry.link == f"{WIKI}/w/index.php?title=Harbour&diff=12&oldid=11"
    assert entry.changed_page == f"{WIKI}/wiki/Harbour"


# ── Entries ──────────────────────────────────────────────────────────────────────────────────────────────


def change(number: int, **values: object) -> FeedEntry:
    link = f"{WIKI}/w/index.php?title=Harbour&diff={number}&oldid={number - 1}"
    return FeedEntry(link=link, changed_page=f"{WIKI}/wiki/Harbour", **values)  # type: ignore[arg-type]


def compared(before: list[FeedEntry], now: list[FeedEntry]) -> EntryChanges:
    known = [
        KnownEntry(id=number, key=one.key, link_key=one.link_key, digest=one.digest, page_key=one.page_key)
        for number, one in enumerate(identify(before))
    ]
    by_link = {one.place: one for one in known if one.place}
    return compare(identify(now), {one.key: one for one in known}, by_link)


def test_changes_of_a_page_are_entries_of_their_own_and_lead_to_one_page() -> None:
    found = with_zones(identify([change(3), change(2), replace(change(2), id="2")]), set())
    assert len({one.key for one in found}) == 3
    assert {one.page_key for one in found} == {f"{WIKI}/wiki/Harbour"}
    assert found[0].link == f"{WIKI}/wiki/Harbour"


def test_a_later_change_does_not_take_the_place_of_an_earlier_one() -> None:
    found = compared([change(2)], [change(3)])
    assert [one.entry for one in found.new] == [change(3)]
    assert not found.changed
    assert not found.renamed
