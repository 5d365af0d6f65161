"""Where the software of a site is known, its own lists fill gaps: with fewer requests, and no guesses."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.channels.gaps.knowledge import with_knowledge
from archiver.acquisition.channels.gaps.plan import advance, begin
from archiver.acquisition.sites.knowledge.loading import load_knowledge
from archiver.acquisition.sites.reading import VisitedDocument
from archiver.documents.feeds.model import FeedInfo, ParsedFeed
from archiver.documents.lists.api import read_api
from archiver.documents.lists.listing import read_listing
from archiver.documents.lists.model import ApiKeys, ArchivePage, Ask, Bounds, Candidate, Seen, Way
from tests.gaps.test_gap_plan import FEED, HOST, NOW, down, entry, page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase

SINCE = datetime(2026, 3, 1, 10, tzinfo=UTC)
WORDPRESS = "https://wordpress.org/?v=6.1.9"
KEYS = ApiKeys(title="title.rendered", date="date_gmt", has_link_header=True)


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    return load_knowledge(["builtin"])


def told(generator: str | None, home: str = f"{HOST}/") -> ArchivePage:
    info = FeedInfo(generator=generator, link=home)
    return ArchivePage(feed=ParsedFeed(format="rss20", info=info, entries=(entry(30),)))


def asks(found: ArchivePage, base: KnowledgeBase, since: datetime | None = SINCE) -> Sequence[Ask]:
    document = VisitedDocument(url=FEED, content=b"", content_type=None)
    return with_knowledge(found, document, Way.PAGED, base, since).known


# ── Which list is asked for ──────────────────────────────────────────────────────────────────────────────


def test_a_feed_tells_what_made_it(base: KnowledgeBase) -> None:
    (ask,) = asks(told(WORDPRESS), base)
    assert ask.way is Way.SITE
    # A day earlier: its clock may be that of another zone.
    assert ask.url == (
        f"{HOST}/wp-json/wp/v2/posts?per_page=100&_fields=link,date_gmt,title&after=2026-02-28T10%3A00%3A00"
    )
    assert ask.keys == KEYS


def test_an_application_need_not_be_at_the_top_of_its_host(base: KnowledgeBase) -> None:
    (ask,) = asks(told(WORDPRESS, f"{HOST}/blog/"), base)
    assert ask.url.startswith(f"{HOST}/blog/wp-json/")
    (elsewhere,) = asks(told(WORDPRESS, "https://other.example.net/"), base)
    assert elsewhere.url.startswith(HOST)


@pytest.mark.parametrize(
    "generator", [None, "", "Blog '> 1", "About https://wordpress.org/?v=1", "FeedCreator"]
)
def test_of_other_software_nothing_is_known(base: KnowledgeBase, generator: str | None) -> None:
    assert asks(told(generator), base) == ()


def test_a_list_is_read_by_its_level(base: KnowledgeBase) -> None:
    """What looks like an article and stands elsewhere on the page is none."""
    markup = f"""<html><head><meta name="generator" content="WordPress 6.1.9"></head><body class="blog">
        <a href="/2026/03/best-of-all-times/">Our best</a>
        <h2 class="entry-title"><a href="/2026/03/a-new-pier/">A new pier</a></h2>
        <h2 class="entry-title"><a href="/2026/03/an-old-pier/">An old pier</a></h2>
        <a class="next page-numbers" href="{HOST}/more/2/">Older</a></body></html>""".encode()
    examples = [f"{HOST}/2026/03/the-ferry-is-late/", f"{HOST}/2026/02/the-ferry-is-gone/"]
    found = read_listing(markup, url=f"{HOST}/", content_type="text/html", examples=examples, number=2)
    assert len(found.entries) == 3
    document = VisitedDocument(url=f"{HOST}/", content=markup, content_type="text/html", scope="example.org/")
    known = with_knowledge(found, document, Way.LISTING, base, SINCE)
    assert [one.link for one in known.entries] == [
        f"{HOST}/2026/03/a-new-pier/",
        f"{HOST}/2026/03/an-old-pier/",
    ]
    assert known.entries[0].title == "A new pier"
    assert (known.following, known.is_counted) == (f"{HOST}/more/2/", True)
    assert [one.way for one in known.known] == [Way.SITE]


# ── What it says ─────────────────────────────────────────────────────────────────────────────────────────


def test_an_answer_is_read_by_its_keys() -> None:
    item = {"link": "/p/1", "date_gmt": "2026-03-01T10:00:00", "title": {"rendered": "A &amp; <b>B</b>"}}
    headers = [("Link", f'<{HOST}/?page=0>; rel="prev", <{HOST}/?page=2>; rel="next"')]
    found = read_api(json.dumps([item, {"link": 5}, "x"]).encode(), KEYS, url=f"{HOST}/", headers=headers)
    (one,) = found.entries
    assert (one.link, one.title) == (f"{HOST}/p/1", "A & B")
    assert one.published is not None
    assert one.published.utc == SINCE
    assert found.following == f"{HOST}/?page=2"


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"code": "rest_forbidden"}', b"[" * 100_000, b"\xff\xfe"])
def test_any_other_answer_lists_nothing(body: bytes) -> None:
    found = read_api(body, KEYS, url=HOST)
    assert (found.entries, found.following) == ((), None)
    assert found.problem


def test_a_list_may_be_deep_in_an_answer() -> None:
    keys = ApiKeys(items="query.pages", link="fullurl")
    body = json.dumps({"query": {"pages": [{"fullurl": f"{HOST}/a"}]}}).encode()
    assert [one.link for one in read_api(body, keys, url=HOST).entries] == [f"{HOST}/a"]


# ── What is taken of it ──────────────────────────────────────────────────────────────────────────────────

# Known are 6 to 10, the feed shows 30 to 26: 25 to 11 are missing.
SITE = Ask(way=Way.SITE, url=f"{HOST}/api", keys=KEYS)


def listed(*numbers: int) -> list[Candidate]:
    return [Candidate(entry=entry(number), seen=_seen(number)) for number in numbers]


def _seen(number: int) -> Seen:
    if number in NOW:
        return Seen.SINCE
    return Seen.BEFORE if number <= 10 else Seen.NEW


def bounds() -> Bounds:
    after, floor = (entry(number).published for number in (10, 6))
    assert after is not None
    assert floor is not None
    return Bounds(after=after.utc, floor=floor.utc)


def test_it_is_asked_for_where_what_is_known_is_far() -> None:
    older = page(*down(25, 23))
    assert older.feed is not None
    known = ArchivePage(feed=older.feed, known=(SITE,))
    plan = begin(page(*NOW).feed or older.feed, FEED, [entry(30).link or ""])
    step = advance(plan, known, listed(*down(25, 23)), bounds())
    assert [ask.url for ask in step.plan.waiting[:2]] == [SITE.url, f"{FEED}?paged=3"]
    # From 17 to 15, the next page is as cheap.
    near = page(*down(17, 12))
    assert near.feed is not None
    step = advance(plan, ArchivePage(feed=near.feed, known=(SITE,)), listed(*down(17, 12)), bounds())
    assert step.plan.waiting[0].url == f"{FEED}?paged=3"


def answered(
    numbers: Sequence[int], following: str | None = None, number: int = 2
) -> tuple[list[int], bool, list[str]]:
    start = begin(page(*NOW).feed or ParsedFeed(format="rss20", info=FeedInfo()), FEED, [])
    ask = Ask(way=Way.SITE, url=SITE.url, keys=KEYS, number=number)
    plan = type(start)(waiting=(ask,), feed=start.feed)
    step = advance(plan, ArchivePage(following=following), listed(*numbers), bounds())
    found = [int((one.link or "").rpartition("/")[2].removesuffix(".html")) for one in step.found]
    return found, step.met, [one.url for one in step.plan.waiting]


def test_all_that_is_newer_than_what_is_known_is_taken() -> None:
    assert answered(down(30, 8)) == (list(down(25, 11)), True, [])


def test_it_goes_on_where_it_has_further_pages() -> None:
    assert answered(down(30, 20), f"{HOST}/api?page=2") == (list(down(25, 20)), False, [f"{HOST}/api?page=2"])
    assert answered(down(19, 11), number=3) == (list(down(19, 11)), True, [])


def test_without_a_further_page_everything_was_listed() -> None:
    assert answered(down(30, 11))[1]


def test_a_list_of_something_else_is_left() -> None:
    assert answered([]) == ([], False, [])
    assert answered(down(25, 11)) == ([], False, [])
    mixed = [30, 130, 131, 29, 129, 132, 28, 128, 27]
    assert answered(mixed) == ([], False, [])


def test_an_entry_without_a_link_is_left() -> None:
    assert read_api(b'[{"date_gmt": "2026-03-01T10:00:00"}]', KEYS, url=HOST).entries == ()
