"""From a captured page to its times: what the server and the page said travels with the article."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.articles.model import Article
from archiver.documents.times.model import Source, Trust, Why
from archiver.running.workers.page_tasks import PageToRead, ReadPages
from archiver.running.workers.pages import read_pages
from tests.crawl.documents import story
from tests.timestamps.said import CAPTURED, SEEN, at, feed, resolve
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from pathlib import Path

HEAD = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nDate: Mon, 02 Mar 2026 10:02:00 GMT\r\n"
    b'Last-Modified: Mon, 02 Mar 2026 09:20:01 GMT\r\nETag: "69a4b012-1f3"\r\n\r\n'
)
STATED = b"<head><meta property='article:published_time' content='2026-03-02T10:19:00+01:00'>"


def article_in(folder: Path, told: bytes = b"") -> Article:
    """As it comes from a worker: encoded, and read again; `told` stands below the headline."""
    keeper = writer(folder)
    body = story(0).page.body.replace(b"<head>", STATED, 1).replace(b"</h1>", b"</h1>" + told, 1)
    (capture,) = keeper.write([exchange(HEAD + body)])
    keeper.close()
    assert capture is not None
    page = PageToRead(
        id=capture.record_id, url="http://post.example/a", file=capture.file, offset=capture.offset
    )
    (read,) = read_pages(ReadPages(folder=str(folder), method="article", pages=(page,))).pages
    assert read.article is not None
    return msgspec.json.decode(msgspec.json.encode(read.article), type=Article)


def test_the_answer_and_the_page_confirm_what_the_feed_says(tmp_path: Path) -> None:
    said = [*feed("Mon, 02 Mar 2026 09:18:00 GMT"), *article_in(tmp_path).dated]
    times = resolve(said, first_seen=SEEN, captured=CAPTURED)
    assert times.published is not None
    assert (times.published.at, times.published.trust) == (at(9, 18), Trust.SURE)
    assert {Source.META, Source.HTTP} <= set(times.published.agrees)
    assert times.modified is not None
    assert (times.modified.at, times.modified.source) == (at(9, 20, 1), Source.HTTP)
    assert [(one.source, one.why) for one in times.modified.contradicted_by] == [(Source.ETAG, Why.REWRITTEN)]


def test_what_readers_are_told_of_an_edit_goes_before_the_time_of_the_file(tmp_path: Path) -> None:
    told = b"<p class='byline'>Updated 2 March 2026, 9:25 GMT</p>"
    times = resolve(article_in(tmp_path, told).dated, first_seen=SEEN, captured=CAPTURED)
    assert times.modified is not None
    assert (times.modified.at, times.modified.source) == (at(9, 25), Source.TEXT)
    assert times.updated_at == at(9, 25)
    assert times.published_at == at(9, 19)
