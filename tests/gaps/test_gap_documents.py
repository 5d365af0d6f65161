"""Listings, sitemaps and robots.txt, also broken and hostile ones."""

from __future__ import annotations

import gzip
import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.lists.listing import MAX_LINKS, read_listing
from archiver.documents.lists.model import Ask, Way
from archiver.documents.lists.read import read_document
from archiver.documents.lists.sitemap import MAX_ENTRIES, read_sitemap, sitemaps_in_robots

BASE = "http://example.org/"
EXAMPLES = [f"{BASE}stories/{number}.html" for number in range(3)]
SINCE = datetime(2026, 3, 2, 12, tzinfo=UTC)


def listing(body: str, number: int = 2, url: str = BASE) -> tuple[list[str], str | None]:
    found = read_listing(body.encode(), url=url, content_type="text/html", examples=EXAMPLES, number=number)
    return [(one.link or "").removeprefix(BASE) for one in found.entries], found.following


def link(number: int, text: str = "A story") -> str:
    return f'<a href="/stories/{number}.html">{text}</a>'


def test_links_are_found_once_and_in_order() -> None:
    body = f'<p>{link(9)}{link(8)}<a href="/stories/9.html?utm_medium=x#c">3</a><a href="/x">X</a>{link(7)}'
    assert listing(body)[0] == ["stories/9.html", "stories/8.html", "stories/7.html"]


def test_menus_and_lists_of_another_order_are_left_out() -> None:
    body = (
        f"<nav>{link(1)}</nav><aside>{link(2)}</aside><header>{link(3)}</header><footer>{link(4)}</footer>"
        f'<div class="sidebar-right">{link(5)}</div><ul id="most-read">{link(6)}</ul>'
        f'<div role="complementary">{link(7)}</div><div class="content has-sidebar">{link(8)}</div>'
        f"<article><header>{link(9)}</header></article>"
    )
    assert listing(body)[0] == ["stories/8.html", "stories/9.html"]


def test_a_links_title_and_date_are_those_beside_it() -> None:
    body = "".join(
        f'<div class="card"><a href="/stories/{number}.html"><img></a>{link(number, f"Story {number}")}'
        f'<time datetime="2026-03-0{number}T10:00:00Z">x</time></div>'
        for number in (3, 2)
    )
    found = read_listing(body.encode(), url=BASE, content_type=None, examples=EXAMPLES, number=2)
    assert [(one.title, one.published.utc if one.published else None) for one in found.entries] == [
        ("Story 3", datetime(2026, 3, 3, 10, tzinfo=UTC)),
        ("Story 2", datetime(2026, 3, 2, 10, tzinfo=UTC)),
    ]
    times = '<time datetime="2026-03-01">a</time><time datetime="2026-03-02">b</time>'
    shared = f"<div>{link(1)}{link(2)}{times}</div>"
    found = read_listing(shared.encode(), url=BASE, content_type=None, examples=EXAMPLES, number=2)
    assert [one.published for one in found.entries] == [None, None]
    times = times.replace("<time", '<time itemprop="dateCreated datePublished"', 1)
    found = read_listing(
        f"<p>{link(1)}{times}".encode(), url=BASE, content_type=None, examples=EXAMPLES, number=2
    )
    assert [one.published.text for one in found.entries if one.published] == ["2026-03-01"]


@pytest.mark.parametrize(
    ("pager", "expected"),
    [
        ('<link rel="next" href="/page/2/">', "page/2/"),
        ('<a rel="nofollow next" href="?page=1">&gt;</a>', "?page=1"),
        ('<a href="/page/2/">2</a><a href="/page/3/">3</a>', "page/2/"),
        ('<a href="/page2">Older posts</a>', "page2"),
        ('<a href="/page/2/" aria-label="Next">&raquo;</a>', "page/2/"),
        ('<a href="?start=2">\u2192</a>', "?start=2"),
        ('<a class="page-link next" href="/page/2/"><i class="chevron"></i></a>', "page/2/"),
        ('<a href="/archive?p=2"><span>Weitere</span> ältere Beiträge</a>', "archive?p=2"),
        # Not these: another site, an article, this very page, a long headline, no number.
        ('<a href="http://example.com/page/2/">2</a>', None),
        ('<a href="/stories/2.html">2</a><a href="/stories/2.html">Read more</a>', None),
        ('<a href="/#2">2</a>', None),
        ('<a href="/2-things">The next two things that every reader should certainly know</a>', None),
        ('<a href="/more">More</a>', None),
    ],
)
def test_the_next_page_of_a_list(pager: str, expected: str | None) -> None:
    assert listing(link(1) + pager)[1] == (BASE + expected if expected else None)


def test_a_link_without_words_has_the_title_of_its_card() -> None:
    cards = "".join(
        f"<article><h2>Story {number}</h2><p>Some words</p>{link(number, '')}</article>" for number in (3, 2)
    )
    found = read_listing(cards.encode(), url=BASE, content_type=None, examples=EXAMPLES, number=2)
    assert [one.title for one in found.entries] == ["Story 3", "Story 2"]
    around = link(1, "<h3>Story 1</h3><p>And all that it says</p>") + link(
        1, "Read what it says and what others said"
    )
    found = read_listing(around.encode(), url=BASE, content_type=None, examples=EXAMPLES, number=2)
    assert [one.title for one in found.entries] == ["Story 1"]


def test_pages_of_the_list_are_no_articles() -> None:
    examples = [f"{BASE}a-post", f"{BASE}another-post"]
    body = b'<a href="/a-third-post">A</a><a href="/page-2">2</a>'
    found = read_listing(body, url=BASE, content_type=None, examples=examples, number=2)
    assert [one.link for one in found.entries] == [f"{BASE}a-third-post"]
    assert found.following == f"{BASE}page-2"


@pytest.mark.parametrize(
    "body", ["", "\0", "<", "<a href>", "<a href='http://['>x</a>", "{}", "<a href='&#0;'>"]
)
def test_what_is_no_list_gives_nothing(body: str) -> None:
    assert listing(body) == ([], None)


def test_a_huge_list_is_read_to_its_bounds_and_in_time() -> None:
    rows = "".join(f"<p>{number}</p>{link(number)}" for number in range(60_000))
    before = time.process_time()
    found, _ = listing(f"<div>{rows}</div>")
    assert len(found) == MAX_LINKS
    assert time.process_time() - before < 10


# ── Sitemaps ─────────────────────────────────────────────────────────────────────────────────────────────


def urlset(*rows: str) -> bytes:
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(rows)}</urlset>'.encode()


def row(number: int, inner: str = "") -> str:
    return f"<url><loc>{BASE}stories/{number}.html</loc>{inner}</url>"


def found_in(body: bytes, since: datetime | None = SINCE) -> list[str]:
    sitemap = read_sitemap(body, url=f"{BASE}sitemap.xml", examples=EXAMPLES, since=since)
    return [(one.link or "").removeprefix(f"{BASE}stories/") for one in sitemap.entries]


def test_only_what_may_be_in_the_gap_and_looks_like_an_article() -> None:
    body = urlset(
        row(1, "<lastmod>2026-02-28T10:00:00Z</lastmod>"),
        row(2, "<lastmod>2026-03-02</lastmod>"),
        row(3, "<lastmod>2026-03-03T10:00+01:00</lastmod>"),
        row(4),
        row(5, "<lastmod>whenever</lastmod>"),
        f"<url><loc>{BASE}about.html</loc><lastmod>2026-03-03</lastmod></url>",
        "<url><loc>http://example.com/stories/6.html</loc></url>",
        "<url></url>",
        row(3),
    )
    assert found_in(body) == ["2.html", "3.html", "4.html", "5.html"]
    assert found_in(body, since=None)[0] == "1.html"


def test_news_sitemaps_have_titles_and_dates() -> None:
    news = (
        '<news:news xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><news:publication>'
        "<news:name>Gazette</news:name></news:publication><news:publication_date>2026-03-02T13:00:00Z"
        "</news:publication_date><news:title>Ferry &amp; storm</news:title></news:news>"
    )
    old = news.replace("2026-03-02", "2026-02-01")
    body = urlset(row(1, f"<lastmod>2026-03-09</lastmod>{old}"), row(2, news))
    (entry,) = read_sitemap(body, url=BASE, examples=EXAMPLES, since=SINCE).entries
    assert (entry.title, entry.published and entry.published.utc) == (
        "Ferry & storm",
        datetime(2026, 3, 2, 13, tzinfo=UTC),
    )


def test_an_index_names_the_sitemaps_that_may_have_it() -> None:
    body = (
        "<sitemapindex><sitemap><loc>/a.xml</loc><lastmod>2019-01-01</lastmod></sitemap>"
        "<sitemap><loc> /b.xml </loc><lastmod>2026-03-02T13:00:00Z</lastmod></sitemap>"
        "<sitemap><loc>/c.xml</loc></sitemap><sitemap><loc>mailto:x</loc></sitemap></sitemapindex>"
    )
    sitemap = read_sitemap(body.encode(), url=BASE, examples=EXAMPLES, since=SINCE)
    assert [one.url for one in sitemap.sitemaps] == [f"{BASE}b.xml", f"{BASE}c.xml"]


def test_compressed_plain_and_broken_ones_are_read_as_far_as_they_go() -> None:
    assert found_in(gzip.compress(urlset(row(1), row(2)))) == ["1.html", "2.html"]
    assert found_in(f"{BASE}stories/1.html\n{BASE}x\nnot an address\n".encode()) == ["1.html"]
    assert found_in(urlset(row(1), row(2))[:-40]) == ["1.html"]
    assert found_in(b"\xef\xbb\xbf" + urlset(row(1))) == ["1.html"]
    for body in (b"", b"\x1f\x8b", b"<html><body>Not found</body></html>", b"{}", b"\xff\xfe\x00"):
        assert found_in(body) == []


def test_bombs_are_not_lit() -> None:
    lines = ['<!ENTITY a "' + "x" * 1000 + '">']
    lines += [
        f'<!ENTITY {name} "{f"&{before};" * 20}">' for before, name in zip("abcdef", "bcdefg", strict=True)
    ]
    bomb = f"<!DOCTYPE urlset [{''.join(lines)}]><urlset x='&g;'><url><loc>&g;</loc></url>{row(1)}</urlset>"
    secret = (
        '<!DOCTYPE u [<!ENTITY s SYSTEM "file:///etc/hostname">]><urlset><url><loc>&s;</loc></url></urlset>'
    )
    before = time.process_time()
    found_in(bomb.encode())
    assert found_in(secret.encode()) == []
    found_in(gzip.compress(b"<urlset>" + b" " * 200_000_000))
    assert time.process_time() - before < 5


def test_a_huge_sitemap_is_read_to_its_bounds() -> None:
    assert len(found_in(urlset(*map(row, range(MAX_ENTRIES + 2000))))) == MAX_ENTRIES


def test_robots_txt_names_sitemaps() -> None:
    body = b"User-agent: *\nDisallow: /\nSitemap: http://example.org/a.xml\nSITEMAP:/b.xml # ours\n"
    body += b"sitemap: mailto:x\n"
    assert [one.url for one in sitemaps_in_robots(body, url=f"{BASE}robots.txt")] == [
        f"{BASE}a.xml",
        f"{BASE}b.xml",
    ]
    assert sitemaps_in_robots(b"<html>\xff\x00", url=BASE) == ()


def test_empty_lines_of_a_robots_txt_are_read_once() -> None:
    began = time.process_time()
    body = b"\n" * 200_000 + b"Sitemap:\nUser-agent: *\n sitemap : /late.xml\n"
    found = sitemaps_in_robots(body, url=f"{BASE}robots.txt")
    assert [one.url.rpartition("/")[2] for one in found] == ["late.xml"]
    assert time.process_time() - began < 2


def test_a_document_is_read_as_what_it_was_asked_for() -> None:
    rss = b'<rss version="2.0"><channel><item><link>http://example.org/stories/1.html</link></item></channel></rss>'
    read = {
        way: read_document(rss, Ask(way=way, url=BASE), url=BASE, content_type=None, examples=EXAMPLES)
        for way in Way
    }
    assert all((read[way].feed is not None) == (way in {"archive", "next", "paged", "page"}) for way in Way)
    page = read_document(b"<html>", Ask(way=Way.PAGED, url=BASE), url=BASE, content_type="text/html")
    assert (page.feed, page.problem) == (None, "HTML page, not a feed")


PIECES = (
    b"<urlset> <url> <loc> http://example.org/stories/1.html </loc> </url> <sitemap> &x; <lastmod> 2026-03-02"
    b" <a\thref=' '> </a> 2 next <rss\tversion='2.0'> <item> { Sitemap: \x00 \xff <!DOCTYPE\tx\t["
    b" <!ENTITY\tx\t'y'> ]> <base\thref='//['> \x1f\x8b"
).split(b" ")


@given(st.lists(st.sampled_from(PIECES) | st.binary(max_size=9), max_size=40), st.sampled_from(Way))
def test_whatever_comes_is_read_as_something_or_nothing(pieces: list[bytes], way: Way) -> None:
    page = read_document(
        b"".join(pieces), Ask(way=way, url=BASE), url=BASE, content_type=None, examples=EXAMPLES, since=SINCE
    )
    assert all((one.link or "").startswith("http") for one in page.entries)
