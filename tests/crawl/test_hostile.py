"""Servers that mean harm, or might as well: each costs its own page, never the crawl."""

from __future__ import annotations

import gzip
import time
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import Entry, publish, rss, stories, story
from tests.crawl.running import crawl
from tests.crawl.site import Answer, html, redirect

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.site import Site

pytestmark = pytest.mark.zoo

MB = 1 << 20
HTML = (("Content-Type", "text/html"),)


def announce(paths: list[str]) -> list[Entry]:
    return [
        Entry(link=path, id=path, title="The harbour at night", summary="A ferry in the fog.")
        for path in paths
    ]


def test_answers_without_end_are_cut_kept_and_told(archive: Path, make_site: Callable[[str], Site]) -> None:
    bodies, heads, drips, robots, good = (make_site(f"127.0.0.{number}") for number in range(11, 16))
    bodies.add("/page.html", Answer(headers=HTML, body=b"<p>The harbour at night", endless=b"fog " * 4096))
    bodies.add(
        "/promised.html", Answer(headers=(*HTML, ("Content-Length", str(999 * MB))), endless=b"fog " * 4096)
    )
    bodies.add("/feed.xml", Answer(body=rss([]).body, endless=b"<!-- fog -->" * 1024))
    heads.add("/lines.html", Answer(raw=b"HTTP/1.1 200 OK\r\n", endless=b"X-Fog: fog\r\n" * 100))
    heads.add("/line.html", Answer(raw=b"HTTP/1.1 200 OK\r\nX-Fog: ", endless=b"fog " * 1024))
    heads.add("/status.html", Answer(raw=b"HTTP/1.1 ", endless=b"2" * 1024))
    drips.add("/page.html", Answer(headers=HTML, endless=b"drip ", pause=0.2))
    robots.add(
        "/robots.txt",
        Answer(raw=b"HTTP/1.1 200 OK\r\n\r\nUser-agent: *\n", endless=b"Disallow: /fog\n" * 512),
    )
    robots_feed = robots.add("/feed.xml", rss([]))
    links = [
        host.url(path) for host in (bodies, heads, drips) for path in host._scripts if path.endswith(".html")
    ]
    feed = good.add("/feed.xml", rss(announce(links)))
    healthy = publish(good, stories(2), "/healthy.xml")
    endless = bodies.url("/feed.xml")

    feeds = [feed, endless, healthy, robots_feed]
    run = crawl(archive, feeds, profile="cron", DOWNLOAD_MAXSIZE=MB, DOWNLOAD_TIMEOUT=3)
    # Nothing that a site does is worth waking the operator.
    assert (run.exit_code, run.stdout, run.stderr) == (0, "", "")
    assert len(run.objects) == 2
    outcomes = {url: row["outcome"] for url, row in run.channels().items()}
    assert outcomes[endless] == "too_large"
    assert outcomes[healthy] == outcomes[feed] == "new"
    pages = run.outcomes()
    assert pages[bodies.url("/page.html")] == pages[bodies.url("/promised.html")] == "given_up"
    # What came is in the archive, with the reason why it is not all.
    (record,) = run.responses(bodies.url("/page.html"))
    assert record.headers["WARC-Truncated"] == "length"
    assert record.payload.startswith(b"<p>The harbour at night" + b"fog " * 1000)
    assert MB - 65536 <= len(record.payload) <= 3 * MB
    (record,) = run.responses(drips.url("/page.html"))
    assert record.headers["WARC-Truncated"] == "time"
    assert record.payload.startswith(b"drip drip ")
    for path in ("/lines.html", "/line.html", "/status.html"):
        (record,) = run.responses(heads.url(path))
        assert record.headers["WARC-Truncated"]
        # No longer than heads are allowed to be.
        assert len(record.block) <= MB
    assert_whole(run)


def test_pages_made_to_break_a_reader_do_not_break_this_one(archive: Path, site: Site) -> None:
    deep = "<div>" * 10_000 + "<p>The harbour at night. A ferry in the fog.</p>" + "</div>" * 10_000
    bomb = gzip.compress(b"<p>The harbour at night</p>" + b" " * (300 * MB), 1)
    wide = "<p>" + "".join(f'<a href="/{n}">The harbour at night</a> ' for n in range(20_000))
    entities = (
        "<!DOCTYPE html [<!ENTITY a 'aaaaaaaaaa'><!ENTITY b '&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;'>]><p>&b;&b;"
    )
    site.add("/deep.html", html(deep))
    site.add("/bomb.html", Answer(headers=(*HTML, ("Content-Encoding", "gzip")), body=bomb))
    site.add("/wide.html", html(wide))
    site.add("/entities.html", html(entities))
    site.add("/zeros.html", html("\x00" * MB))
    site.add(
        "/liar.html", Answer(headers=(*HTML, ("Content-Encoding", "gzip")), body=b"\x1f\x8b\x08\x00 not gzip")
    )
    site.add("/attribute.html", html(f"<p class='{'x ' * MB}'>The harbour at night. A ferry in the fog."))
    paths = [path for path in site._scripts if path.endswith(".html")]
    feed = site.add("/feed.xml", rss(announce(paths)))
    healthy = publish(site, stories(2), "/healthy.xml")

    run = crawl(archive, [feed, healthy], EXTRACT_TIMEOUT=20)
    assert run.exit_code == 0
    assert run.pending() == 0
    made = {one["url"].removeprefix(site.origin) for one in run.objects}
    assert made >= {one.path for one in stories(2)}
    assert all(len(run.responses(site.url(path))) == 1 for path in paths)
    assert "Traceback" not in run.stderr


def test_links_and_redirects_that_lead_nowhere_cost_their_entry_and_nothing_else(
    archive: Path, site: Site
) -> None:
    places = {
        "file": "file:///etc/passwd",
        "ftp": "ftp://127.0.0.1/x",
        "data": "data:text/html,<p>hello",
        "script": "javascript:alert(1)",
        "broken": "http://[bad/",
        "port": "http://127.0.0.1:99999/",
        "itself": "#top",
        "empty": "",
    }
    for name, place in places.items():
        site.add(f"/{name}", redirect(place))
    named = {
        f"http://{'a' * 300}.invalid/": "dns",
        "http://a..b.invalid/": "dns",
        "http://xn--a.invalid/": "dns",
        "http://münchen.invalid/": "dns",
        "http://127.0.0.1:1/": "connection",
    }
    unusable = [
        "http://",
        "http:",
        "https://exa mple.invalid/",
        "http://127.0.0.1:99999/x",
        "http://[::1",
        "tel:1",
    ]
    one = story(1)
    odd = site.add("/fü ñ?q=ä b", one.page)
    site.add("/f%C3%BC%20%C3%B1?q=%C3%A4%20b", one.page)
    links = [*(site.url(f"/{name}") for name in places), *named, *unusable]
    entries = [Entry(link=link, id=str(number)) for number, link in enumerate(links)]
    feed = site.add("/feed.xml", rss([*entries, replace(one.entry, link=odd)]))
    started = time.monotonic()
    run = crawl(archive, [feed], profile="cron")
    assert (run.exit_code, run.stdout, run.stderr) == (0, "", "")
    assert time.monotonic() - started < 30
    rows = run.rows("SELECT e.key, e.outcome, p.failure FROM entries e LEFT JOIN pages p ON p.id = e.page_id")
    found = {row["key"]: row["outcome"] or row["failure"] for row in rows}
    assert found.pop(one.entry.id or "") == "stored"
    ends = {link: found[str(number)] for number, link in enumerate(links)}
    assert {link: ends[link] for link in named} == named
    assert {ends[link] for link in unusable} == {"no_link"}
    assert {ends[site.url(f"/{name}")] for name in places} <= {"redirects", "connection"}


def test_a_feed_too_large_to_be_one_is_told_and_the_others_are_read(archive: Path, site: Site) -> None:
    huge = rss([Entry(link=f"/{n}", id=str(n), title="Fog", summary="fog " * 500) for n in range(10_000)])
    assert len(huge.body) > 20 * MB
    large, healthy = site.add("/huge.xml", huge), publish(site, stories(1))
    expands = site.add("/laughs.xml", Answer(headers=(("Content-Type", "application/xml"),), body=laughs()))
    outside = site.add(
        "/outside.xml", Answer(headers=(("Content-Type", "application/xml"),), body=reads_a_file())
    )
    run = crawl(archive, [large, healthy, expands, outside], FAILING_SHARE=0.8)
    assert run.exit_code == 0
    outcomes = {url: row["outcome"] for url, row in run.channels().items()}
    assert outcomes[large] == "not_a_feed"
    assert outcomes[healthy] == "new"
    assert len(run.objects) == 1
    # The document is in the archive, whatever it is.
    (record,) = run.responses(large)
    assert record.payload == huge.body
    kept = str([tuple(row) for row in run.rows("SELECT * FROM entries")])
    assert "root:" not in kept
    assert len(kept) < 100_000


def laughs() -> bytes:
    """A document of a thousand bytes that means a thousand million."""
    doctype = ['<!ENTITY l0 "ha">', *(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 10))]
    item = "<item><title>&l9;</title><link>/laugh</link></item>"
    return (
        f'<?xml version="1.0"?><!DOCTYPE rss [{"".join(doctype)}]>'
        f'<rss version="2.0"><channel><title>Laughs</title>{item}</channel></rss>'
    ).encode()


def reads_a_file() -> bytes:
    return (
        b'<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/passwd">]>'
        b'<rss version="2.0"><channel><title>Spy</title>'
        b"<item><title>&file;</title><guid>spy</guid></item></channel></rss>"
    )


def test_a_server_that_speaks_no_http_is_a_failing_channel_and_no_more(
    archive: Path, make_site: Callable[[str], Site]
) -> None:
    hosts = [make_site(f"127.0.0.{number}") for number in range(11, 17)]
    garbage, silent, early, informs, nothing, good = hosts
    garbage.add("/feed.xml", Answer(raw=b"SSH-2.0-OpenSSH_9.6\r\n"))
    silent.add("/feed.xml", Answer(raw=b""))
    early.add("/feed.xml", Answer(raw=b"HTTP/1.1 200 OK\r\nContent-Length: 10"))
    informs.add(
        "/feed.xml", Answer(raw=b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 3 + rss([]).wire())
    )
    nothing.add("/feed.xml", Answer(status=204))
    feeds = [host.url("/feed.xml") for host in hosts[:5]]
    told = [story(1)]
    run = crawl(archive, [*feeds, publish(good, told)], FAILING_SHARE=0.9)
    assert run.exit_code == 0
    outcomes = [run.channel(url)["outcome"] for url in feeds]
    assert outcomes == ["connection", "connection", "connection", "unchanged", "not_a_feed"]
    assert len(run.objects) == 1
    assert_whole(run)
