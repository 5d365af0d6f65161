"""The sample web serves what its own truth says, over real HTTP on loopback."""

from __future__ import annotations

import contextlib
import html
import http.client
import json
import re
import socket
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from sample.server import SampleWeb, SampleWebError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from email.message import Message

    from sample.model import TrueEntry

LAST_DAY = 12


@pytest.fixture(scope="module")
def shared() -> Iterator[SampleWeb]:
    with SampleWeb(day=0, port=0) as web:
        yield web


@pytest.fixture
def web(shared: SampleWeb) -> SampleWeb:
    shared.day = 0
    return shared


def get(url: str | None, headers: dict[str, str] | None = None) -> tuple[int, Message, bytes]:
    parts = urlsplit(url or "")
    connection = http.client.HTTPConnection(str(parts.hostname), parts.port, timeout=5)
    with contextlib.closing(connection):
        connection.request("GET", parts.path or "/", headers=headers or {})
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()


def shown(markup: str) -> str:
    """The text of a page, without its marks and with single spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", "", markup)).split())


def page_text(entry: TrueEntry) -> str:
    _, headers, body = get(entry.link)
    charset = headers.get_content_charset() or ("latin-1" if b"iso-8859-1" in body.lower() else "utf-8")
    return shown(body.decode(charset))


def test_every_feed_parses_in_its_own_format(web: SampleWeb) -> None:
    web.day = 1
    for url in {entry.feed_url for entry in web.truth(1)}:
        status, headers, body = get(url)
        assert status == 200, url
        if "json" in headers["Content-Type"]:
            assert json.loads(body)["version"] == "https://jsonfeed.org/version/1.1"
        elif url.endswith("/broken.xml"):
            with pytest.raises(ET.ParseError):
                ET.fromstring(body)
        else:
            ET.fromstring(body)


def test_feeds_hold_what_the_truth_says_is_in_them(web: SampleWeb) -> None:
    for web.day in (0, 3, LAST_DAY):
        for url in {entry.feed_url for entry in web.truth(web.day)}:
            body = get(url)[2].decode("latin-1")
            for entry in (one for one in web.truth(web.day) if one.feed_url == url):
                assert (entry.entry_id in body) == entry.in_feed, (web.day, entry.entry_id)


def test_pages_show_the_true_paragraphs(web: SampleWeb) -> None:
    for web.day in (0, 3, LAST_DAY):
        entries = {
            one.link: one
            for one in web.truth(web.day)
            if one.kind == "article" and one.revision + one.in_feed
        }
        for entry in entries.values():
            text = page_text(entry)
            assert len(entry.body_paragraphs) >= 4, entry.link
            for paragraph in entry.body_paragraphs:
                assert " ".join(paragraph.split()) in text, entry.link


def test_unchanged_newspaper_feed_is_not_modified(web: SampleWeb) -> None:
    url = f"{web.base('newspaper')}/rss.xml"
    tag = get(url)[1]["ETag"]
    assert get(url, {"If-None-Match": tag})[0] == 304
    web.day = 1
    assert get(url, {"If-None-Match": tag})[0] == 200


def test_unchanged_blog_is_not_modified(web: SampleWeb) -> None:
    url = f"{web.base('blog')}/atom.xml"
    stamp = get(url)[1]["Last-Modified"]
    assert get(url, {"If-Modified-Since": stamp})[0] == 304
    web.day = 1
    assert get(url, {"If-Modified-Since": stamp})[0] == 200


def test_a_day_brings_new_entries(web: SampleWeb) -> None:
    before, after = ({one.link for one in web.truth(day) if one.site == "newspaper"} for day in (0, 1))
    assert len(after - before) == 4
    link = (after - before).pop()
    assert get(link)[0] == 404
    web.day = 1
    assert get(link)[0] == 200


def test_the_author_edits_old_posts(web: SampleWeb) -> None:
    def revised(day: int) -> dict[str | None, TrueEntry]:
        return {one.link: one for one in web.truth(day) if one.site == "blog" and one.revision}

    assert [len(revised(day)) for day in range(4)] == [0, 1, 2, 3]
    updated = next(one for one in revised(2).values() if one.body_paragraphs[-1].startswith("Update:"))
    assert updated.body_paragraphs[-1] not in page_text(updated)
    web.day = 2
    assert updated.body_paragraphs[-1] in page_text(updated)


def test_a_fetch_differs_though_the_article_does_not(web: SampleWeb) -> None:
    link = web.truth(0)[0].link
    assert get(link)[2] != get(link)[2]


@pytest.mark.parametrize(
    ("kind", "statuses"),
    [
        ("gone", (200, 200, 410)),
        ("unavailable", (503, 200, 200)),
        ("forbidden_with_content", (403, 403, 403)),
        ("not_found", (404, 404, 404)),
        ("pdf", (200, 200, 200)),
        ("redirect", (302, 302, 302)),
        ("login", (200, 200, 200)),
    ],
)
def test_troublesome_pages_answer_as_their_kind(web: SampleWeb, kind: str, statuses: tuple[int, ...]) -> None:
    link = next(one.link for day in (0, 2) for one in web.truth(day) if one.kind == kind)
    for web.day, status in enumerate(statuses):
        assert get(link)[0] == status


def test_the_redirect_chain_ends_at_the_article(web: SampleWeb) -> None:
    entry = next(one for one in web.truth(0) if one.kind == "redirect")
    second = web.base("trouble") + get(entry.link)[1]["Location"]
    status, headers, _ = get(second)
    assert status == 301
    assert entry.body_paragraphs[0] in shown(get(headers["Location"])[2].decode())


def test_a_taken_port_is_explained() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SampleWebError, match=f"port {port} is taken"):
            SampleWeb(port=port).start()


def test_the_log_tells_what_was_asked(web: SampleWeb) -> None:
    get(f"{web.base('blog')}/atom.xml")
    assert web.log[-1] == ("blog", "GET", "/atom.xml", 200, 0)
