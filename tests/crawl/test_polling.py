"""What a poll can come to, and what the channel does next."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

from tests.crawl.documents import Entry, atom, jsonfeed, page, publish, rss, stories
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, conditional, html, redirect, status, unavailable

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

    from tests.crawl.site import Site

HOUR = 3600


def wait_of(channel: sqlite3.Row) -> float:
    """Hours between a poll and the next one, for a channel that was polled with the clock not moved."""
    return float(channel["next_poll"] - channel["last_poll"]) / 1e6 / HOUR


def test_each_kind_of_failure_is_recorded_and_backs_off_in_its_own_way(
    archive: Path, site: Site, neighbour: Site
) -> None:
    in_two_days = format_datetime(datetime.now(UTC) + timedelta(days=2), usegmt=True)
    expected = {
        site.add("/missing.xml", status(404)): "not_found",
        site.add("/gone.xml", status(410)): "gone",
        site.add("/forbidden.xml", status(403)): "refused",
        site.add("/busy.xml", unavailable("172800", code=429)): "rate_limited",
        site.add("/closed.xml", unavailable(in_two_days)): "unavailable",
        site.add("/broken.xml", status(500)): "server_error",
        site.add("/teapot.xml", status(418)): "client_error",
        site.add("/reset.xml", Answer(reset=True)): "connection",
        site.add("/cut.xml", rss([Entry(link="/a")]).but(cut=100)): "truncated",
        site.add("/round.xml", redirect("/round.xml")): "redirects",
        site.add("/nothing.xml", Answer()): "not_a_feed",
        neighbour.add("/slow.xml", Answer(delay=5)): "timeout",
        "http://name.invalid/feed.xml": "dns",
    }
    first = crawl(archive, list(expected), DOWNLOAD_TIMEOUT=1)
    channels = first.channels()
    assert {url: row["outcome"] for url, row in channels.items()} == expected
    assert {row["failures"] for row in channels.values()} == {1}
    assert {p["url"]: p["outcome"] for p in first.report["channel_problems"]} == expected
    # More than half of the channels fail: an operator must look.
    assert (first.exit_code, first.report["exit_code"]) == (1, 1)
    gone = channels[site.url("/gone.xml")]
    assert gone["status"] == "retired"
    # What will pass is asked about sooner than what a person has to mend.
    assert 1 <= wait_of(channels[site.url("/broken.xml")]) <= 1.2
    assert 4 <= wait_of(channels[site.url("/missing.xml")]) <= 4.5
    # Both forms of Retry-After are kept to.
    assert 47.9 <= wait_of(channels[site.url("/busy.xml")]) <= 48.1
    assert 47.9 <= wait_of(channels[site.url("/closed.xml")]) <= 48.1

    site.forget()
    site.add("/broken.xml", rss([]))
    second = crawl(archive, list(expected), clock_offset=2 * HOUR, DOWNLOAD_TIMEOUT=1)
    channels = second.channels()
    # Only what was due; a retired channel is no longer asked for, listed or not.
    assert set(site.paths) == {"/broken.xml", "/reset.xml", "/cut.xml"}
    assert channels[site.url("/reset.xml")]["failures"] == 2
    assert 2 <= wait_of(channels[site.url("/reset.xml")]) - 2 <= 2.3
    # One success and everything is forgiven.
    assert channels[site.url("/broken.xml")]["failures"] == 0
    assert channels[site.url("/broken.xml")]["outcome"] == "unchanged"


def test_a_host_that_cannot_be_reached_is_told_by_its_cause_not_by_its_robots_txt(
    archive: Path, site: Site, neighbour: Site
) -> None:
    neighbour.add("/robots.txt", Answer(delay=5))
    site.close()
    slow, closed = neighbour.url("/feed.xml"), site.url("/feed.xml")
    run = crawl(archive, [slow, closed], DOWNLOAD_TIMEOUT=1)
    assert {url: row["outcome"] for url, row in run.channels().items()} == {
        slow: "timeout",
        closed: "connection",
    }


def test_validators_go_back_verbatim_and_only_to_the_url_that_gave_them(
    archive: Path, site: Site, neighbour: Site
) -> None:
    odd = {
        "/weak.xml": ("ETag", 'W/"a b,c"'),
        "/bare.xml": ("ETag", "no-quotes'here"),
        "/latin.xml": ("ETag", '"caf\xe9--gzip"'),
        "/dated.xml": ("Last-Modified", "Mon, 2 Mar 2026 7:30:00 +0100"),
        "/wrong.xml": ("Last-Modified", "yesterday, at tea time"),
    }
    for path, header in odd.items():
        site.add(path, conditional(rss([]).but(header)))
    both = (("ETag", '"1"'), ("Last-Modified", "Mon, 02 Mar 2026 07:30:00 GMT"))
    site.add("/both.xml", conditional(rss([]).but(*both)))
    theirs = neighbour.add("/theirs.xml", conditional(rss([]).but(("ETag", '"theirs"'))))
    site.add("/moving.xml", rss([]).but(("ETag", '"ours"')), redirect(theirs))
    site.add("/dropped.xml", rss([]).but(("ETag", '"old"')), rss([]))
    feeds = [site.url(path) for path in (*odd, "/both.xml", "/moving.xml", "/dropped.xml")]

    first = crawl(archive, feeds)
    assert first.report["polls"] == {"unchanged": len(feeds)}
    assert not any(r.header("If-None-Match") or r.header("If-Modified-Since") for r in site.requests)
    site.forget()

    second = crawl(archive, feeds, clock_offset=DAY)
    assert second.report["polls"] == {"not_modified": len(odd) + 1, "unchanged": 2}
    names = {"ETag": "If-None-Match", "Last-Modified": "If-Modified-Since"}
    for path, (name, value) in odd.items():
        (request,) = site.to(path)
        assert request.header(names[name]) == value
    (request,) = site.to("/both.xml")
    assert [request.header(name) for name in names.values()] == [value for _, value in both]
    # The URL that we were sent to has given us nothing yet.
    assert [r.header("If-None-Match") for r in neighbour.to("/theirs.xml")] == [None]
    site.forget()

    third = crawl(archive, feeds, clock_offset=2 * DAY)
    # A 304 takes nothing away; a feed that gave up its validators is sent none.
    assert third.report["polls"] == {"not_modified": len(odd) + 2, "unchanged": 1}
    assert [r.header("If-None-Match") for r in site.to("/dropped.xml")] == [None]
    assert [r.header("If-None-Match") for r in neighbour.to("/theirs.xml")] == [None, '"theirs"']


def test_a_permanent_redirect_is_kept_when_seen_again_and_a_temporary_one_never(
    archive: Path, site: Site, neighbour: Site
) -> None:
    moved = {301: "/moved.xml", 308: "/moved-too.xml"}
    passing = {302: "/found.xml", 303: "/other.xml", 307: "/temporary.xml"}
    for code, path in (moved | passing).items():
        site.add(path, redirect(neighbour.add(f"/{code}.xml", rss([])), code))
    # One passing step makes the whole way a passing one.
    site.add("/half.xml", redirect("/step.xml", 301))
    site.add("/step.xml", redirect(neighbour.url("/301.xml"), 302))
    feeds = [site.url(path) for path in (*moved.values(), *passing.values(), "/half.xml")]

    first = crawl(archive, feeds)
    assert first.exit_code == 0
    assert {url: row["url"] for url, row in first.channels().items()} == {url: url for url in feeds}
    second = crawl(archive, feeds, clock_offset=DAY)
    addresses = {url: row["url"] for url, row in second.channels().items()}
    for code, path in moved.items():
        assert addresses.pop(site.url(path)) == neighbour.url(f"/{code}.xml")
    assert all(url == seed for seed, url in addresses.items())
    assert {
        f"{site.url(path)} moved for good, to {neighbour.url(f'/{code}.xml')}" for code, path in moved.items()
    } <= set(second.report["notes"])

    site.forget()
    third = crawl(archive, feeds, clock_offset=2 * DAY)
    # The seeds still say the old address, and no second channel is made of it.
    assert len(third.channels()) == len(feeds)
    assert third.report["polls"] == {"unchanged": len(feeds)}
    assert set(site.paths) == {*passing.values(), "/half.xml", "/step.xml"}


def test_a_feed_may_change_its_format_become_empty_or_turn_into_a_web_page(archive: Path, site: Site) -> None:
    told = stories(3)
    entries = [one.entry for one in told]
    publish(site, told)
    site.add("/dialects.xml", rss(entries), atom(entries), jsonfeed(entries))
    site.add("/emptied.xml", rss(entries), rss([]), rss(entries))
    site.add("/page.xml", rss([]), page("Sorry", ["This feed is no more."]), rss([]))
    site.add("/always-empty.xml", atom([]))
    # What a server calls a web page may be a feed all the same.
    site.add("/mislabelled.xml", html(rss(entries[:1]).body.decode()))
    paths = ("/dialects.xml", "/emptied.xml", "/page.xml", "/always-empty.xml", "/mislabelled.xml")
    feeds = [site.url(path) for path in paths]

    first = crawl(archive, feeds)
    assert first.report["polls"] == {"new": 3, "unchanged": 2}
    second = crawl(archive, feeds, clock_offset=DAY)
    channels = second.channels()
    assert channels[site.url("/page.xml")]["outcome"] == "not_a_feed"
    assert channels[site.url("/page.xml")]["kind"] == "feed"
    # It is not looked at as a site on which feeds may be found.
    assert not site.to("/rss.xml")
    assert channels[site.url("/emptied.xml")]["entries"] == 3
    assert second.exit_code == 0
    third = crawl(archive, feeds, clock_offset=2 * DAY)
    assert {row["format"] for row in third.channels().values()} >= {"json11", "rss20", "atom10"}
    assert third.channel(site.url("/page.xml"))["outcome"] == "unchanged"
    assert third.report["entries_new"] == 0
    # The words stayed the same: whatever the dialect, there is one object for each article.
    assert sorted(one["title"] for one in third.objects) == sorted(one.title for one in told)
