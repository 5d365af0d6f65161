"""Which documents are asked for, in which order, what is taken from them, and when it is enough."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.gaps.detect import moment_of
from archiver.acquisition.channels.gaps.plan import advance, begin
from archiver.acquisition.channels.gaps.walk import digest_of
from archiver.documents.feeds.model import FeedDate, FeedEntry, FeedInfo, ParsedFeed
from archiver.documents.lists.model import (
    FEED_WAYS,
    ArchivePage,
    Ask,
    Bounds,
    Candidate,
    Plan,
    Seen,
    SitemapLink,
    Way,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

HOST = "http://example.org"
FEED = f"{HOST}/feed"
START = datetime(2026, 3, 1, tzinfo=UTC)


def entry(number: int, *, dated: bool = True) -> FeedEntry:
    at = START + timedelta(hours=number)
    return FeedEntry(
        id=f"id {number}",
        link=f"{HOST}/stories/{number}.html",
        title=f"Story {number}",
        published=FeedDate(text=at.isoformat(), utc=at) if dated else None,
    )


def link(number: int, *, dated: bool = False) -> FeedEntry:
    found = entry(number, dated=dated)
    return FeedEntry(link=found.link, title=found.title, published=found.published)


def page(*numbers: int, dated: bool = True, **paging: str) -> ArchivePage:
    named = {name.replace("_", "-"): url for name, url in paging.items()}
    return ArchivePage(
        feed=ParsedFeed(
            format="rss20",
            info=FeedInfo(link=f"{HOST}/", paging=named),
            entries=tuple(entry(number, dated=dated) for number in numbers),
        )
    )


def listed(*numbers: int, following: str | None = None) -> ArchivePage:
    return ArchivePage(entries=tuple(map(link, numbers)), following=following)


# Known are 6 to 10, the feed shows 26 to 30: 11 to 25 are missing.
KNOWN, NOW, MISSING = range(6, 11), range(30, 25, -1), set(range(11, 26))


@dataclass(kw_only=True)
class World:
    """A site, and what the archive knows of it."""

    answers: dict[str, ArchivePage] = field(default_factory=dict)
    feed: ArchivePage = field(default_factory=lambda: page(*NOW))
    known: Sequence[int] = KNOWN
    dated: bool = True
    asked: list[str] = field(default_factory=list)
    found: list[int] = field(default_factory=list)
    met: bool = False

    def fill(self, most: int = 50) -> World:
        assert self.feed.feed is not None
        examples = [one.link or "" for one in self.feed.feed.entries]
        newest = [link(number).link or "" for number in sorted(self.known)[-3:]]
        plan = begin(self.feed.feed, FEED, examples, newest)
        while plan.waiting and not self.met and len(self.asked) < most:
            plan = self._ask(plan)
        return self

    def _ask(self, plan: Plan) -> Plan:
        ask = plan.waiting[0]
        self.asked.append(ask.url.removeprefix(HOST))
        answer = self.answers.get(ask.url.removeprefix(HOST))
        shown: Sequence[FeedEntry] = answer.entries if answer else ()
        if answer and answer.feed and ask.way in FEED_WAYS:
            shown = answer.feed.entries
        step = advance(plan, answer, [self._candidate(one) for one in shown], self._bounds())
        self.found += [number_of(one) for one in step.found]
        self.met = step.met
        return step.plan

    def _candidate(self, one: FeedEntry) -> Candidate:
        number = number_of(one)
        if number in self.known:
            return Candidate(entry=one, seen=Seen.BEFORE)
        return Candidate(entry=one, seen=Seen.SINCE if number in {*NOW, *self.found} else Seen.NEW)

    def _bounds(self) -> Bounds:
        if not self.dated:
            return Bounds()
        return Bounds(after=moment_of(entry(max(self.known))), floor=moment_of(entry(min(self.known))))


def number_of(one: FeedEntry) -> int:
    return int((one.link or "").rpartition("/")[2].removesuffix(".html"))


def down(first: int, last: int) -> range:
    return range(first, last - 1, -1)


def is_whole(world: World) -> bool:
    return world.met and sorted(world.found) == sorted(MISSING)


# ── Older pages of the feed ──────────────────────────────────────────────────────────────────────────────


def test_archives_are_followed_until_something_known_is_met() -> None:
    answers = {
        "/a/3": page(*range(19, 26), prev_archive=f"{HOST}/a/2"),
        "/a/2": page(*range(9, 19), prev_archive=f"{HOST}/a/1"),
        "/a/1": page(*range(1, 9)),
    }
    world = World(answers=answers, feed=page(*NOW, prev_archive=f"{HOST}/a/3")).fill()
    assert is_whole(world)
    assert world.asked == ["/a/3", "/a/2"]


def test_the_next_page_may_be_on_another_host_if_the_feed_says_so() -> None:
    other = "http://archive.example.net/2"
    world = World(answers={other: page(*down(25, 10))}, feed=page(*NOW, next=other)).fill()
    assert is_whole(world)


def test_wordpress_is_asked_page_by_page() -> None:
    pages = {f"/feed?paged={n}": page(*down(35 - 5 * n, 31 - 5 * n)) for n in range(2, 7)}
    world = World(answers=pages).fill()
    assert is_whole(world)
    assert world.asked == [f"/feed?paged={n}" for n in (2, 3, 4, 5)]


def test_pages_that_overlap_because_something_was_published_meanwhile() -> None:
    pages = {"/feed?paged=2": page(*down(27, 20)), "/feed?paged=3": page(*down(21, 10))}
    assert is_whole(World(answers=pages).fill())


@pytest.mark.parametrize("first", [0, 1])
def test_other_pages_count_from_0_or_from_1(first: int) -> None:
    pages = {f"/feed?page={n + first}": page(*down(30 - 5 * n, 26 - 5 * n)) for n in range(5)}
    world = World(answers=pages).fill()
    assert is_whole(world)
    assert world.asked[:2] == ["/feed?paged=2", "/feed?page=1"]


def test_a_server_that_does_not_know_the_parameter_is_left_at_once() -> None:
    same = {f"/feed?{name}={n}": page(*NOW) for name in ("paged", "page") for n in range(1, 9)}
    world = World(answers=same).fill()
    assert not world.met
    assert world.asked[:3] == ["/feed?paged=2", "/feed?page=1", "/feed?page=2"]
    assert "/feed?page=3" not in world.asked


def test_an_archive_that_ends_too_early_is_not_the_last_resort() -> None:
    answers = {
        "/2": page(*down(25, 18)),
        "/": listed(*NOW, *down(25, 9)),
    }
    world = World(answers=answers, feed=page(*NOW, next=f"{HOST}/2")).fill()
    assert is_whole(world)
    assert world.asked == ["/2", "/feed?paged=2", "/feed?page=1", "/"]


def test_what_is_older_than_the_archive_is_not_wanted() -> None:
    world = World(answers={"/feed?paged=2": page(*down(25, 1))}).fill()
    assert is_whole(world)
    undated = World(answers={"/feed?paged=2": page(*down(25, 1), dated=False)}, dated=False).fill()
    assert is_whole(undated)


def test_where_what_was_known_is_gone_age_alone_ends_it() -> None:
    pages = {"/feed?paged=2": page(*down(25, 11)), "/feed?paged=3": page(5, 4, 3)}
    world = World(answers=pages).fill()
    assert is_whole(world)
    assert world.asked == ["/feed?paged=2", "/feed?paged=3"]


def test_a_pinned_entry_ends_nothing() -> None:
    pages = {"/feed?paged=2": page(6, *down(25, 18)), "/feed?paged=3": page(6, *down(17, 9))}
    assert is_whole(World(answers=pages).fill())


@pytest.mark.parametrize("rel", ["next", "prev_archive"])
def test_a_circle_is_gone_round_once(rel: str) -> None:
    answers = {"/2": page(25, 24, **{rel: f"{HOST}/3"}), "/3": page(23, 22, **{rel: f"{HOST}/2"})}
    world = World(answers=answers, feed=page(*NOW, **{rel: f"{HOST}/2"})).fill()
    assert not world.met
    assert len(world.asked) == len(set(world.asked))


@pytest.mark.parametrize(
    "url", ["", "javascript:x", "http://", FEED, f"{FEED}#x", "http://example.org/" + "x" * 3000]
)
def test_addresses_that_lead_nowhere_are_not_asked(url: str) -> None:
    world = World(feed=page(*NOW, next=url)).fill()
    assert world.asked[0] == "/feed?paged=2"


# ── The site's own list ──────────────────────────────────────────────────────────────────────────────────


def test_a_list_is_followed_from_page_to_page() -> None:
    answers = {
        "/": listed(*down(30, 21), following=f"{HOST}/page/2"),
        "/page/2": listed(*down(20, 13), following=f"{HOST}/page/3"),
        "/page/3": listed(*down(12, 1), following=f"{HOST}/page/4"),
    }
    world = World(answers=answers).fill()
    assert is_whole(world)
    assert world.asked[-3:] == ["/", "/page/2", "/page/3"]


def test_what_a_list_shows_above_and_below_is_not_missing() -> None:
    # A large one of long ago on top, one that the feed does not have yet, the list, and what is older.
    assert is_whole(World(answers={"/": listed(3, 8, 31, *down(30, 10), 2, 1)}).fill())


def test_a_known_article_beside_the_list_does_not_end_it() -> None:
    answers = {
        "/": listed(*down(30, 21), 7, following=f"{HOST}/page/2"),
        "/page/2": listed(*down(20, 10), 7, following=f"{HOST}/page/3"),
    }
    world = World(answers=answers).fill()
    assert is_whole(world)
    assert world.asked[-1] == "/page/2"


def test_a_list_whose_newest_of_before_were_taken_down_ends_at_the_others() -> None:
    world = World(answers={"/": listed(*down(30, 11), 7, 6, 5)}, known=range(1, 11)).fill()
    assert is_whole(world)


def test_a_list_of_something_else_is_not_read() -> None:
    world = World(answers={"/": listed(50, 51, 52), "/stories/": listed(*down(30, 5))}).fill()
    assert is_whole(world)
    assert world.asked[-2:] == ["/", "/stories/"]


def test_a_list_of_the_whole_site_is_none_of_one_section() -> None:
    """Two of three articles are of other sections, but have the same kind of address."""
    mixed = [number for one in down(30, 6) for number in (one, 1000 + one, 2000 + one)]
    for told in (True, False):
        answers = {"/": listed(*mixed), "/sitemap.xml": halves(mixed, dated=told)}
        world = World(answers=answers).fill()
        assert (world.found, world.met) == ([], False)
    # A single one that the feed has not is nothing to worry about.
    one_more = [30, 29, 1000, *down(28, 6)]
    assert set(World(answers={"/": listed(*one_more)}).fill().found) == {1000, *MISSING}


def halves(mixed: list[int], *, dated: bool) -> ArchivePage:
    """A sitemap in which what is numbered from 1000 on is as old as its neighbours."""
    entries = []
    for number in mixed:
        date = entry(number % 1000, dated=dated).published
        entries.append(FeedEntry(link=link(number).link, published=date))
    return ArchivePage(entries=tuple(entries))


def test_a_list_does_not_lead_to_other_sites() -> None:
    answers = {"/": listed(*down(30, 20), following="http://example.com/page/2")}
    world = World(answers=answers).fill()
    assert not [url for url in world.asked if "example.com" in url]


# ── Sitemaps ─────────────────────────────────────────────────────────────────────────────────────────────


def sitemap(*numbers: int, dated: bool = True) -> ArchivePage:
    return ArchivePage(entries=tuple(link(number, dated=dated) for number in numbers))


def named(*urls: str, modified: dict[str, datetime] | None = None) -> ArchivePage:
    ages = modified or {}
    links = (SitemapLink(url=url, modified=ages.get(url)) for url in urls)
    return ArchivePage(sitemaps=tuple(links))


def test_the_sitemaps_that_robots_txt_names_come_first() -> None:
    answers = {"/robots.txt": named(f"{HOST}/map.xml"), "/map.xml": sitemap(*range(7, 31))}
    world = World(answers=answers).fill()
    assert is_whole(world)
    assert world.asked[-2:] == ["/robots.txt", "/map.xml"]


@pytest.mark.parametrize("robots", [None, named()])
def test_else_they_are_looked_for_where_they_usually_are(robots: ArchivePage | None) -> None:
    answers = {"/sitemap_index.xml": sitemap(*range(7, 31))} | ({"/robots.txt": robots} if robots else {})
    world = World(answers=answers).fill()
    assert is_whole(world)
    assert world.asked[-2:] == ["/sitemap.xml", "/sitemap_index.xml"]


@pytest.mark.parametrize("order", [range(1, 40), range(39, 0, -1)])
def test_without_dates_order_tells(order: range) -> None:
    world = World(answers={"/sitemap.xml": sitemap(*order, dated=False)}).fill()
    assert is_whole(world)


def test_without_dates_and_order_nothing_is_taken() -> None:
    mixed = [30, 8, 20, 26, 3, 10, 15, 29]
    world = World(answers={"/sitemap.xml": sitemap(*mixed, dated=False)}).fill()
    assert (world.found, world.met) == ([], False)


def test_several_sitemaps_fill_a_gap_together() -> None:
    maps = {f"{HOST}/post-{n}.xml": START + timedelta(hours=10 * n) for n in (1, 2, 3)}
    answers = {
        "/sitemap.xml": named(f"{HOST}/tags.xml", *maps, "http://example.com/x.xml", modified=maps),
        "/post-3.xml": sitemap(*range(21, 31)),
        "/post-2.xml": sitemap(*range(11, 21)),
        "/post-1.xml": sitemap(*range(6, 11)),
    }
    world = World(answers=answers).fill()
    assert is_whole(world)
    # The newest first, the least likely last; others' never.
    assert world.asked[-6:] == [
        "/post-3.xml", "/post-2.xml", "/post-1.xml", "/tags.xml", "/sitemap_index.xml", "/wp-sitemap.xml"
    ]  # fmt: skip


def test_an_index_of_thousands_that_says_nothing_is_not_read_through() -> None:
    answers = {"/sitemap.xml": named(*(f"{HOST}/s{n}.xml" for n in range(1000)))}
    world = World(answers=answers).fill()
    assert [url for url in world.asked if url.startswith("/s9")] == ["/s999.xml", "/s998.xml", "/s997.xml"]


def test_an_index_that_names_itself_ends() -> None:
    answers = {
        "/sitemap.xml": named(f"{HOST}/sitemap.xml", f"{HOST}/b.xml"),
        "/b.xml": named(f"{HOST}/sitemap.xml"),
    }
    world = World(answers=answers).fill()
    assert world.asked.count("/sitemap.xml") == 1


# ── What holds for all ───────────────────────────────────────────────────────────────────────────────────


def test_a_feed_of_other_sites_has_no_list_of_its_own() -> None:
    feed = ParsedFeed(format="rss20", info=FeedInfo(link="http://planet.test/"))
    plan = begin(feed, "http://planet.test/feed", ["http://a.test/1-x", "http://b.test/2-y"])
    assert {ask.way for ask in plan.waiting} == {Way.PAGED, Way.PAGE}


def test_documents_are_the_same_whatever_their_order() -> None:
    assert digest_of([entry(1), entry(2)]) == digest_of([entry(2), entry(1), entry(1)])
    assert digest_of([entry(1)]) != digest_of([entry(2)])


numbers = st.lists(st.integers(0, 40), max_size=12, unique=True)
urls = st.sampled_from(
    [f"{HOST}/{n}" for n in range(6)] + ["http://other.test/x", FEED, f"{HOST}/sitemap.xml"]
)


@st.composite
def documents(draw: Callable[[st.SearchStrategy[object]], object]) -> ArchivePage:
    """Any answer to anything."""
    told = draw(numbers)
    assert isinstance(told, list)
    paging = {"next": str(draw(urls)), "prev_archive": str(draw(urls))}
    feed = page(*told, dated=bool(draw(st.booleans())), **paging).feed
    links = (SitemapLink(url=str(draw(urls))),)
    entries = tuple(link(number, dated=bool(draw(st.booleans()))) for number in told)
    return ArchivePage(
        feed=feed if draw(st.booleans()) else None,
        entries=entries,
        following=str(draw(urls)),
        sitemaps=links,
    )


@given(st.lists(st.none() | documents(), max_size=12))
def test_whatever_is_answered_it_ends_and_asks_for_nothing_twice(answers: list[ArchivePage | None]) -> None:
    class Web(dict[str, ArchivePage]):
        def get(self, *_: object) -> ArchivePage | None:
            return answers.pop() if answers else None

    world = World(answers=Web(), feed=page(*NOW, next=f"{HOST}/1")).fill(most=60)
    assert len(world.asked) == len(set(world.asked))
    assert len(world.asked) < 60
    assert len(world.found) == len(set(world.found))
    assert not set(world.found) & {*KNOWN, *NOW}


def test_an_ask_is_second_unless_it_says_otherwise() -> None:
    assert Ask(way=Way.PAGED, url=FEED).number == 2
