"""What a crawl leaves on disk: everything that went over the wire, and objects that lead back to it."""

from __future__ import annotations

import base64
import gzip
import re
from dataclasses import replace
from typing import TYPE_CHECKING

import brotli

from tests.crawl.checks import assert_whole
from tests.crawl.documents import Entry, atom, publish, rss, stories, story
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer, conditional, redirect, status, text

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import Archived, Record
    from tests.crawl.site import Request, Site

ANSWERS = {"response", "revisit"}
PLAYER = "https://www.youtube.com/embed/abc?rel=0"
ATTACHED = (
    '<enclosure url="http://files.test/1.mp3" length="900" type="audio/mpeg"/>'
    "<wfw:commentRss>http://files.test/1/feed</wfw:commentRss><slash:comments>3</slash:comments>"
)


def put_up(site: Site) -> list[str]:
    """A site with an answer of every kind; its feeds."""
    plain, zipped, chunked, both, best, abroad = told = [story(number) for number in range(1, 7)]
    site.add("/robots.txt", text("User-agent: *\nDisallow: /private\n").but(("X-Odd-CASE", "  kept  ")))
    played = plain.page.body.replace(b"</p>", f'</p><iframe src="{PLAYER}"></iframe>'.encode(), 1)
    plain_page = plain.page.but(body=played)
    site.add(plain.path, plain_page.but(("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"), reason="Fine By Me"))
    site.add(zipped.path, compressed(zipped.page, "gzip", gzip.compress(zipped.page.body)))
    site.add(chunked.path, chunked.page.but(chunked=True))
    site.add(both.path, compressed(both.page, "gzip", gzip.compress(both.page.body)).but(chunked=True))
    site.add(best.path, lambda request: as_small_as_accepted(best.page, request))
    site.add(abroad.path, redirect("/landed.html", 301))
    site.add("/landed.html", abroad.page.but(("Content-Language", "caf\xe9")))
    site.add("/missing.html", status(404))
    site.add("/broken.html", status(500))
    site.add("/cut.html", story(7).page.but(cut=300))
    site.add(
        "/paper.pdf", Answer(headers=(("Content-Type", "application/pdf"),), body=b"%PDF-1.7\x00\xff" * 99)
    )
    lost = [
        Entry(link=path, id=path) for path in ("/missing.html", "/broken.html", "/cut.html", "/paper.pdf")
    ]
    carried = story(8, "/private/8.html")
    announced = [replace(plain.entry, extra=ATTACHED), *(one.entry for one in told[1:])]
    entries = [*announced, replace(carried.entry, content=carried.content), *lost]
    return [
        site.add("/feed.xml", conditional(rss(entries).but(("ETag", '"1"')))),
        site.add("/atom.xml", redirect("/real.xml")),
        site.add("/dead.xml", Answer(raw=b"HTTP/1.1 500 Oh\r\nno colon here\r\nX:y\r\n\r\nbroken")),
        site.add("/real.xml", compressed(atom([]), "gzip", gzip.compress(atom([]).body))),
    ]


def compressed(answer: Answer, coding: str, body: bytes) -> Answer:
    return answer.but(("Content-Encoding", coding), body=body)


def as_small_as_accepted(answer: Answer, request: Request) -> Answer:
    """As most servers do: the best coding that the client says it can read."""
    accepted = request.header("Accept-Encoding") or ""
    if "br" in accepted:
        return compressed(answer, "br", brotli.compress(answer.body))
    return compressed(answer, "gzip", gzip.compress(answer.body)) if "gzip" in accepted else answer


def assert_kept_to_the_byte(archived: Archived, requests: list[Request], origin: str) -> None:
    """Each exchange that the site saw is a request and a response with the same bytes."""
    records = archived.records
    sent = sorted((record.url, record.block) for record in records if record.type == "request")
    assert sent == sorted((origin + request.target, request.raw) for request in requests)
    by_id = {record.id: record for record in records}
    heads = {
        record.headers["WARC-Concurrent-To"]: base64.b64decode(head)
        for record in records
        if record.type == "metadata"
        for head in re.findall(rb"^notModifiedHeadBase64: (\S+)", record.block, re.MULTILINE)
    }

    def as_received(record: Record) -> bytes:
        if record.id in heads:
            return heads[record.id]
        is_revisit = record.type == "revisit"
        return record.block + (by_id[record.headers["WARC-Refers-To"]].payload if is_revisit else b"")

    received = sorted((record.url, as_received(record)) for record in records if record.type in ANSWERS)
    assert received == sorted((origin + request.target, as_kept(request.answered)) for request in requests)


def as_kept(wire: bytes) -> bytes:
    """What was sent, without the one thing that is not kept: the chunks."""
    head, blank, body = wire.partition(b"\r\n\r\n")
    if b"Transfer-Encoding: chunked" not in head:
        return wire
    pieces = []
    while body:
        size, _, rest = body.partition(b"\r\n")
        pieces.append(rest[: int(size, 16)])
        body = rest[int(size, 16) + 2 :]
    return head.replace(b"\r\nTransfer-Encoding: chunked", b"") + blank + b"".join(pieces)


def test_every_exchange_is_kept_to_the_byte_and_every_object_leads_to_its_payload(
    archive: Path, site: Site
) -> None:
    feeds = put_up(site)
    first = crawl(archive, feeds, OPERATOR="The Harbour Archive", CONTACT="https://archive.invalid/")
    assert {record.status for record in first.records if record.type == "response"} == {
        200,
        301,
        302,
        404,
        500,
    }
    assert first.responses(site.url("/robots.txt"))
    assert len(first.objects) == 7
    assert sum(one["method"] == "feed" for one in first.objects) == 1
    (plain,) = [one for one in first.objects if one["media"]]
    assert [(one["kind"], one["url"], one["source"]) for one in plain["media"]] == [
        ("audio", "http://files.test/1.mp3", "feed"),
        ("video", PLAYER, "player"),
    ]
    assert (plain["comments_feed"], plain["comments_count"]) == ("http://files.test/1/feed", 3)
    assert all(len(one["terms"]) == 10 for one in first.objects)
    assert_kept_to_the_byte(first, site.requests, site.origin)
    assert_whole(first)

    second = crawl(archive, feeds, clock_offset=DAY)
    # A 304 is part of the record as well, and refers to what it says is still so.
    (revisit,) = [record for record in second.records if record.url == feeds[0] and record.type == "revisit"]
    assert revisit.headers["WARC-Profile"].endswith("/server-not-modified")
    assert revisit.headers["WARC-Refers-To"] == second.responses(feeds[0])[0].id
    assert_kept_to_the_byte(second, site.requests, site.origin)
    assert_whole(second)
    assert len(second.warcs) == 2

    info, *others = second.records
    assert info.type == "warcinfo"
    for words in (b"operator: The Harbour Archive", b"robots: classic", b"(+https://archive.invalid/)"):
        assert words in info.block
    # Request and response know of each other, and of the address that answered.
    responses = {record.id: record for record in others if record.type in ANSWERS}
    for record in others:
        if record.type == "request":
            assert responses[record.headers["WARC-Concurrent-To"]].url == record.url
        if record.type in {"request", *ANSWERS}:
            assert record.headers["WARC-IP-Address"] == site.host
    answers = [record for record in responses.values() if record.type == "response"]
    truncated = {record.url: record.headers.get("WARC-Truncated") for record in answers}
    assert truncated[site.url("/cut.html")] == "disconnect"
    assert truncated[site.url("/missing.html")] is None


def test_a_warc_that_has_grown_enough_is_followed_by_another(archive: Path, site: Site) -> None:
    told = stories(6)
    feed = publish(site, told)
    for one in told:
        site.add(one.path, one.page.but(body=one.page.body + b"<!--" + b"ballast " * 40_000 + b"-->"))
    run = crawl(archive, [feed], WARC_MAX_MB=1, WARC_COMPRESSION=0, WARC_PREFIX="harbour", WARC_FSYNC=False)
    assert len(run.warcs) >= 2
    assert [path.name for path in run.warcs] == run.report["warc_files"]
    assert all(path.name.startswith("harbour-") for path in run.warcs)
    assert {record.file for record in run.records if record.type == "warcinfo"} == set(
        run.report["warc_files"]
    )
    assert len(run.objects) == 6
    assert_whole(run)
