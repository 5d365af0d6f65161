"""PDF documents are found by their text, which a worker reads from WARC."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.archive.cdxj.update import update as update_index
from archiver.inspection.selection.model import chosen_articles
from archiver.running.papers import Papers
from archiver.running.workers.pool import WorkerPool
from archiver.search.opening import open_index, open_store
from archiver.search.papers import new_papers
from archiver.store.reading import reading
from tests.search.made import searched
from tests.search.pdfs import pdf
from tests.store.samples import entry, feed_of, poll
from tests.waiting import SOON
from tests.warc.samples import STARTED, exchange, writer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.search.made import SearchedArchive


@pytest.fixture
def archive(store_url: str, tmp_path: Path) -> Iterator[SearchedArchive]:
    with searched(tmp_path / "archive", store_url) as made:
        yield made


HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"
URL = "http://example.org/papers/the%20tides.pdf"


def keep(archive: SearchedArchive, *documents: tuple[str, bytes], later: int = 0) -> None:
    """Capture documents, as a run that has ended."""
    keeper = writer(archive.folder / "warc")
    started = STARTED + timedelta(days=later)
    keeper.write([exchange(HEAD + body, url=url, started=started) for url, body in documents])
    keeper.close()
    update_index(archive.folder / "warc", archive.folder / "index")


def read_papers(archive: SearchedArchive, **limits: Any) -> Papers:
    async def run() -> Papers:
        pool = WorkerPool(1, seconds=SOON, memory_mb=1024)
        places = (archive.folder, archive.folder / "warc", archive.folder / "index", archive.url)
        papers = Papers(*places, pool)
        try:
            await papers.run(**limits)
        finally:
            pool.close()
        return papers

    return asyncio.run(run())


@pytest.fixture
def library(archive: SearchedArchive) -> SearchedArchive:
    """An article, a paper that a feed announced, one that is broken, and a page that is no paper."""
    archive.feed()
    channel = archive.channel("http://example.org/feed")
    listed = entry(URL, link=URL, title="On tides")
    poll(archive.database, channel, feed=feed_of(listed))
    archive.add("ferry", "The ferry waits for the tide.")
    archive.feed()
    keep(
        archive,
        (URL, pdf("The moon moves the tide.", "Second page.", title="Untitled-1")),
        ("http://example.org/broken.pdf", b"%PDF-1.7\x00\xff" * 99),
    )
    return archive


def test_a_paper_is_found_by_its_text_beside_articles(library: SearchedArchive) -> None:
    assert library.found("moon") == []
    papers = read_papers(library)
    assert papers.read == 2
    assert library.search("tide").total == 2
    (hit,) = library.search("moon tide", channel=("1",)).hits
    assert (hit.kind, hit.url, hit.title, hit.version, hit.article) == ("pdf", URL, "On tides", 1, "")
    assert hit.channel is not None
    assert {piece.text for piece in hit.snippet if piece.marked} == {"moon", "tide"}
    assert hit.captured == STARTED.replace(microsecond=0)
    assert library.found("tide", kind="article") == ["ferry"]
    assert library.found("tide", kind="pdf") == ["the%20tides.pdf"]
    assert library.found("tide", kind="pdf", hidden=lambda url: url == URL) == []
    assert library.found("broken.pdf") == ["broken.pdf"]


def test_what_keeps_papers_from_being_read_is_told_and_left_to_the_next_time(
    library: SearchedArchive,
) -> None:
    def fail(_done: int, _total: int) -> None:
        raise RuntimeError("of ours")

    assert read_papers(library, show=fail).trouble.endswith("were read: RuntimeError: of ours")
    lines = next((library.folder / "index").glob("*.cdxj"))
    away = lines.rename(lines.with_name("away"))
    lines.mkdir()
    assert "not in the search index yet" in read_papers(library).trouble
    lines.rmdir()
    away.rename(lines)
    again = read_papers(library)
    assert (again.read, again.trouble) == (2, "")


def test_a_paper_is_taken_away_with_its_whole_text(library: SearchedArchive) -> None:
    read_papers(library)
    problems: list[str] = []
    with reading(library.url) as state, open_index(library.folder, state) as index:
        hits = library.search("tide").hits
        chosen = list(chosen_articles(index, library.folder / "objects", hits, problems.append))
    assert [one.paragraphs for one in chosen if one.url == URL] == [
        ("The moon moves the tide.", "Second page.")
    ]
    assert (len(chosen), problems) == (2, [])


def test_what_was_read_is_not_read_again_and_a_new_capture_is_the_newest(library: SearchedArchive) -> None:
    assert read_papers(library).read == 2
    assert read_papers(library).read == 0
    keep(library, (URL, pdf("The sun moves the tide, too.")), later=1)
    assert read_papers(library).read == 1
    assert library.found("moon") == []
    assert library.found("sun") == ["the%20tides.pdf"]
    (old,) = library.search("moon", all_versions=True).hits
    assert (old.version, old.newest) == (1, False)
    assert library.search("sun").hits[0].version == 2


def test_what_was_stopped_goes_on_the_next_time(library: SearchedArchive) -> None:
    def stopped(done: int, _total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        read_papers(library, show=stopped)
    with open_store(library.folder, library.url) as store:
        left, looked = new_papers(store, library.folder / "index")
    assert (len(left), len(looked)) == (1, 1)
    assert read_papers(library).read == 1
    assert library.found("moon") == ["the%20tides.pdf"]


def test_without_an_index_nothing_is_read(archive: SearchedArchive) -> None:
    keep(archive, (URL, pdf("The moon")))
    assert read_papers(archive).read == 0
    assert not (archive.folder / "search.sqlite").exists()


def test_a_record_that_is_lost_is_passed_over(library: SearchedArchive) -> None:
    for path in (library.folder / "warc").glob("*.warc.gz"):
        path.write_bytes(b"")
    papers = read_papers(library)
    assert (papers.read, papers.unreadable) == (0, 2)
    assert read_papers(library).unreadable == 0
