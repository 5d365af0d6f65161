"""The sample web serves what its own truth says, over real HTTP on loopback."""

from __future__ import annotations

import contextlib
import gzip
import html
import http.client
import json
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit
from xml.etree import ElementTree as ET

import pytest

from sample.seeds import seed_lines, write_seeds
from sample.server import SampleWeb, SampleWebError, make_sites

if TYPE_CHECKING:
    from email.message import Message

    from sample.model import TrueEntry

LAST_DAY = 12
ROOT = Path(__file__).resolve().parents[2]


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
    seen = set()
    for web.day in (0, 3, LAST_DAY):
        articles = (one for one in web.truth(web.day) if one.kind == "article")
        for entry in (one for one in articles if (one.link, one.revision) not in seen):
            seen.add((entry.link, entry.revision))
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
    assert web.log[-1][:5] == ("blog", "GET", "/atom.xml", 200, 0)


def test_pages_are_compressed_and_chunked_when_asked(web: SampleWeb) -> None:
    kinds = set()
    for entry in web.truth(0)[:6]:
        _, headers, body = get(entry.link, {"Accept-Encoding": "gzip"})
        assert entry.body_paragraphs[0] in shown(gzip.decompress(body).decode())
        kinds.add(headers.get("Transfer-Encoding"))
    assert kinds == {None, "chunked"}


def test_feeds_that_moved_ended_or_are_busy(web: SampleWeb) -> None:
    base = web.base("moved")
    status, headers, _ = get(f"{base}/culture.xml")
    assert (status, headers["Location"]) == (301, f"{web.base('magazine')}/culture/feed.json")
    assert get(f"{base}/gone.xml")[0] == 410
    assert get(f"{base}/missing.xml")[0] == 404
    status, headers, _ = get(f"{base}/busy.xml")
    assert (status, headers["Retry-After"]) == (429, "7200")
    web.day = 1
    assert get(f"{base}/busy.xml")[0] == 200


def test_the_planet_announces_the_same_pages_again(web: SampleWeb) -> None:
    links = {site: {one.link for one in web.truth(5) if one.site == site} for site in web.names}
    assert links["planet"] == links["blog"] | links["wordpress"]


def test_content_that_no_page_shows_is_in_the_feed(web: SampleWeb) -> None:
    feed = shown(html.unescape(get(f"{web.base('trouble')}/feed.xml")[2].decode()))
    entries = [one for one in web.truth(0) if one.kind in {"forbidden_with_content", "no_link"}]
    assert len(entries) == 2
    assert all(paragraph in feed for one in entries for paragraph in one.body_paragraphs)


def test_institute_leaves_its_encoding_to_the_page(web: SampleWeb) -> None:
    entry = next(one for one in web.truth(0) if one.site == "institute")
    _, headers, body = get(entry.link)
    assert headers["Content-Type"] == "text/html"
    assert b"charset=iso-8859-1" in body


def test_truth_depends_on_the_day_alone(web: SampleWeb) -> None:
    with SampleWeb(port=0) as other:
        port, other_port = f":{web.port}/", f":{other.port}/"
        assert repr(web.truth(LAST_DAY)) == repr(other.truth(LAST_DAY)).replace(other_port, port)


@pytest.mark.parametrize("name", ["seeds.txt", "seeds.csv", "seeds.opml"])
def test_seeds_files_list_every_seed(web: SampleWeb, tmp_path: Path, name: str) -> None:
    write_seeds(tmp_path / name, seed_lines(make_sites(web.port).values()))
    text = (tmp_path / name).read_text("utf-8")
    assert all(url in text for url in web.seeds)
    assert text.count("broken") >= 1


def test_command_serves_until_told_to_stop(tmp_path: Path) -> None:
    state = tmp_path / "day"
    command = [sys.executable, "-m", "sample", "--port", "0", "--day", "0", "--state", str(state)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        lines = [line.split() for line in iter(process.stdout.readline, "ready\n")]
        busy = f"{dict(lines)['moved']}busy.xml"
        assert get(busy)[0] == 429
        state.write_text("1\n")
        assert get(busy)[0] == 200
        process.terminate()
        assert process.wait(timeout=5) == 0
