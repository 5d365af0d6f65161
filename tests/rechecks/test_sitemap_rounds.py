"""A day's round asks for the sitemaps of a host: few of them, and of an index those that moved."""

from __future__ import annotations

import gzip
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from archiver.acquisition.rechecks.sitemaps import (
    SEARCH_AGAIN,
    ListedPage,
    SitemapFile,
    SitemapPlan,
    after_failure,
    after_not_modified,
    after_robots,
    after_sitemap,
    begin_round,
    read_sitemap_of,
)
from archiver.documents.lists.model import SitemapLink

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ORIGIN = "http://example.org:8080/"
INDEX, FIRST, SECOND = (f"http://example.org:8080/{name}.xml" for name in ("index", "first", "second"))


def urls(plan: SitemapPlan) -> list[str]:
    return [one.url for one in plan.waiting]


def link(url: str, days: float | None = None) -> SitemapLink:
    return SitemapLink(url=url, modified=None if days is None else NOW - days * DAY)


def searched(*named: str) -> SitemapPlan:
    return after_robots(begin_round(SitemapPlan(), ORIGIN, NOW), ORIGIN, map(link, named), 10)


def test_the_first_round_asks_where_sitemaps_are() -> None:
    begun = begin_round(SitemapPlan(), ORIGIN, NOW)
    assert urls(begun) == ["http://example.org:8080/robots.txt"]
    assert urls(searched(FIRST, FIRST, "http://elsewhere.org/s.xml", "ftp://example.org/s.xml")) == [FIRST]
    assert urls(searched()) == ["http://example.org:8080/sitemap.xml"]


def test_the_next_rounds_ask_for_what_was_found_until_it_is_searched_for_again() -> None:
    plan, _ = after_sitemap(searched(FIRST), SitemapFile(url=FIRST), (), 10)
    assert urls(plan) == []
    assert urls(begin_round(plan, ORIGIN, NOW + DAY)) == [FIRST]
    assert urls(begin_round(plan, ORIGIN, NOW + SEARCH_AGAIN)) == ["http://example.org:8080/robots.txt"]


def test_of_an_index_those_are_asked_for_that_moved_the_newest_first() -> None:
    index = SitemapFile(url=INDEX)
    plan, still = after_sitemap(searched(INDEX), index, [link(FIRST, 9), link(SECOND, 1)], 10)
    assert (urls(plan), still) == ([SECOND, FIRST], ())
    while plan.waiting:
        plan, _ = after_sitemap(plan, plan.waiting[0], (), 10)
    plan = begin_round(plan, ORIGIN, NOW + DAY)
    moved, still = after_sitemap(plan, index, [link(FIRST, 9), link(SECOND, 0)], 10)
    assert (urls(moved), still) == ([SECOND], (FIRST,))
    same, below = after_not_modified(plan, index)
    assert (urls(same), set(below)) == ([], {FIRST, SECOND})


def test_a_round_is_bounded_and_no_index_leads_around_in_circles() -> None:
    many = [link(f"http://example.org:8080/{number}.xml", number) for number in range(500)]
    plan, _ = after_sitemap(searched(INDEX), SitemapFile(url=INDEX), [link(INDEX), *many], 10)
    assert len(plan.waiting) == 8  # with robots.txt and the index ten
    again, _ = after_sitemap(plan, plan.waiting[0], [link(INDEX), *many], 10)
    assert urls(again) == urls(plan)[1:]


def test_what_is_not_there_is_not_asked_for_again_and_what_may_come_back_is() -> None:
    gone = after_failure(searched(FIRST), is_final=True)
    assert (gone.waiting, gone.roots) == ((), ())
    away = after_failure(searched(FIRST), is_final=False)
    assert (away.waiting, away.roots) == ((), (FIRST,))
    assert urls(begin_round(away, ORIGIN, NOW + DAY)) == [FIRST]


def test_a_sitemap_keeps_what_makes_its_next_request_conditional() -> None:
    had = replace(SitemapFile(url=FIRST), modified=NOW)
    plan, _ = after_sitemap(searched(FIRST), had, (), 10)
    assert begin_round(plan, ORIGIN, NOW + DAY).waiting == (had,)


SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>http://example.org:8080/a.html?utm_source=map</loc><lastmod>2026-03-01T10:00:00+02:00</lastmod></url>
<url><loc>/b.html</loc><lastmod>2026-03-01</lastmod></url>
<url><loc>http://example.org:8080/undated.html</loc></url>
<url><loc>http://elsewhere.org/c.html</loc><lastmod>2026-03-01</lastmod></url>
</urlset>"""
PAGES = (
    ListedPage(key="http://example.org:8080/a.html", lastmod=datetime(2026, 3, 1, 8, tzinfo=UTC)),
    ListedPage(
        key="http://example.org:8080/b.html", lastmod=datetime(2026, 3, 1, 23, 59, 59, 999999, tzinfo=UTC)
    ),
)


def test_pages_of_the_host_are_read_with_their_dates_compressed_or_not() -> None:
    for body in (SITEMAP, gzip.compress(SITEMAP)):
        assert read_sitemap_of(body, url=FIRST, host="example.org").pages == PAGES


def test_an_index_and_a_robots_file_name_sitemaps() -> None:
    index = (
        b"<sitemapindex><sitemap><loc>/first.xml</loc><lastmod>2026-03-02T12:00:00Z</lastmod></sitemap>"
        b"<sitemap><loc>/second.xml</loc></sitemap></sitemapindex>"
    )
    assert read_sitemap_of(index, url=INDEX, host="example.org").sitemaps == (link(FIRST, 0), link(SECOND))
    robots = b"User-agent: *\nDisallow:\nSitemap: /first.xml\n"
    read = read_sitemap_of(robots, url="http://example.org:8080/robots.txt", host="example.org")
    assert read.sitemaps == (link(FIRST),)


def test_no_entity_is_expanded_and_damage_ends_what_is_read() -> None:
    bomb = (
        b'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><urlset><url>'
        b"<loc>http://example.org:8080/&b;</loc><lastmod>2026-03-01</lastmod></url></urlset>"
    )
    read = read_sitemap_of(bomb, url=FIRST, host="example.org")
    assert all("aaaa" not in one.key for one in read.pages)
    whole = read_sitemap_of(SITEMAP[: SITEMAP.index(b"<url><loc>/b")], url=FIRST, host="example.org")
    assert whole.pages == PAGES[:1]
    assert read_sitemap_of(b"<html><p>Not found</html>", url=FIRST, host="example.org").pages == ()


def test_of_a_large_index_the_newest_are_read() -> None:
    days = [(NOW - number * DAY).date() for number in range(2000)]
    parts = [f"<sitemap><loc>{ORIGIN}{day}.xml</loc><lastmod>{day}</lastmod></sitemap>" for day in days]
    body = f"<sitemapindex>{''.join(parts)}</sitemapindex>".encode()
    read = read_sitemap_of(body, url=INDEX, host="example.org")
    assert [one.url for one in read.sitemaps] == [f"{ORIGIN}{day}.xml" for day in days[:1000]]


def test_parts_of_an_index_without_dates_take_turns() -> None:
    parts = [link(f"{ORIGIN}{number}.xml") for number in range(6)]
    plan, asked = searched(INDEX), []
    for _ in range(3):
        plan, _ = after_sitemap(begin_round(plan, ORIGIN, NOW), SitemapFile(url=INDEX), parts, 3)
        while plan.waiting:
            asked.append(plan.waiting[0].url)
            plan, _ = after_sitemap(plan, plan.waiting[0], (), 3)
    assert asked == [f"{ORIGIN}{number}.xml" for number in (0, 1, 2, 3, 4, 5)]
