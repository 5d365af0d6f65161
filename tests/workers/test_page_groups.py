"""Sibling pages in one message: read together, in any order the same, and each by itself where that fails."""

from __future__ import annotations

import asyncio
import random
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.articles.methods import registry
from archiver.errors import ExtractionError, RecordError
from archiver.running.reading.reader import GroupReader, ReadingRules
from archiver.running.workers.page_tasks import PageToRead, ReadPages
from archiver.running.workers.pages import read_pages
from archiver.running.workers.pool import WorkerPool
from tests.crawl.documents import page, story
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.running.reading.reader import GroupRead
    from archiver.running.workers.page_tasks import PagesRead

LEARNING = Path(__file__).parents[1] / "learning"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"


@pytest.fixture(autouse=True)
def learning(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method of another package, here and in the workers."""
    monkeypatch.syspath_prepend(LEARNING)
    registry._others.cache_clear()


def kept(folder: Path, *bodies: bytes) -> list[PageToRead]:
    """These pages in WARC, with addresses in their order."""
    keeper = writer(folder)
    captures = keeper.write([exchange(HEAD + body) for body in bodies])
    keeper.close()
    return [
        PageToRead(id=one.record_id, url=f"http://example.org/{number}", file=one.file, offset=one.offset)
        for number, one in enumerate(captures)
        if one is not None
    ]


def read(folder: Path, pages: list[PageToRead], **other: object) -> PagesRead:
    return read_pages(ReadPages(folder=str(folder), method="learning", pages=tuple(pages), **other))  # type: ignore[arg-type]


def texts(found: PagesRead) -> list[str]:
    return [one.article.text if one.article else "" for one in found.pages]


def test_pages_in_any_order_give_the_same(tmp_path: Path) -> None:
    pages = kept(tmp_path, *(story(number).page.body for number in range(4)))
    expected = read(tmp_path, pages)
    assert expected.learned[0].xpath == "//div[@class='body']"
    for order in random.Random(1).sample(list(permutations(range(4))), 6):
        found = read(tmp_path, [pages[place] for place in order])
        assert found.learned == expected.learned
        assert {one.id: found.pages[place] for place, one in enumerate(pages[n] for n in order)} == {
            one.id: expected.pages[place] for place, one in enumerate(pages)
        }


def test_stored_siblings_teach_but_are_not_answered_for(tmp_path: Path) -> None:
    first, *others = kept(tmp_path, *(story(number).page.body for number in range(3)))
    found = read(tmp_path, [first], siblings=tuple(others))
    assert texts(found) == ["\n\n".join(story(0).paragraphs)]
    (made,) = found.pages
    assert made.article is not None
    assert made.article.siblings == tuple(sorted(one.id for one in others))


def test_stored_siblings_are_only_looked_at_where_no_wrapper_fits(tmp_path: Path) -> None:
    one, other = kept(tmp_path, *(story(number).page.body for number in range(2)))
    (learned,) = read(tmp_path, [one, other]).learned
    nowhere = msgspec.structs.replace(other, file="none.warc.gz")
    found = read(tmp_path, [one], memory=(learned,), siblings=(other,))
    assert (found.learned, found.outdated) == ((), ())
    assert found.pages[0].article is not None
    assert found.pages[0].article.siblings == ()
    found = read(tmp_path, [one], siblings=(nowhere, other))
    assert len(found.learned) == 1, "a stored page that is lost is not missed"


def test_a_wrapper_that_does_not_fit_is_told_and_another_learned(tmp_path: Path) -> None:
    pages = kept(tmp_path, *(story(number).page.body for number in range(2)))
    (learned,) = read(tmp_path, pages).learned
    bodies = [story(number).page.body.replace(b'"body"', b'"text"') for number in (5, 6)]
    changed, another = kept(tmp_path, *bodies)
    found = read(tmp_path, [changed], memory=(learned,), siblings=(another, pages[0]))
    assert found.outdated == (learned.id,)
    assert [one.xpath for one in found.learned] == ["//div[@class='text']"]
    assert texts(found) == ["\n\n".join(story(5).paragraphs)]


def test_a_group_has_more_time_than_a_page_but_not_as_many_times_more() -> None:
    one = PageToRead(id="<a>", url="http://example.org/", file="a.warc.gz", offset=0)
    alone = ReadPages(folder="", method="sigfeed", pages=(one,))
    assert alone.patience() == 1
    assert msgspec.structs.replace(alone, pages=(one,) * 11, siblings=(one,) * 10).patience() == 3


@contextmanager
def reader(folder: Path, method: str = "forest-tfidf", seconds: float = 20) -> Iterator[GroupReader]:
    pool = WorkerPool(1, seconds=seconds, memory_mb=1024)
    try:
        yield GroupReader(pool, ReadingRules(folder=folder, method=method))
    finally:
        pool.close()


def test_one_lost_record_does_not_keep_the_others_from_being_read(tmp_path: Path) -> None:
    pages = kept(tmp_path, *(page(str(n), story(n).paragraphs).body for n in range(3)))
    pages[1] = msgspec.structs.replace(pages[1], file="none.warc.gz")

    async def run() -> GroupRead:
        with reader(tmp_path) as one:
            return await one.read(pages)

    first, lost, last = asyncio.run(run()).results
    assert isinstance(lost, RecordError)
    assert not isinstance(first, Exception)
    assert not isinstance(last, Exception)


def test_a_page_that_a_method_of_another_package_cannot_read_is_blamed_and_no_other(tmp_path: Path) -> None:
    bodies = [story(number).page.body for number in range(3)]
    bodies[1] = bodies[1].replace(b"<head>", b"<head><meta name='riddle'>")
    pages = kept(tmp_path, *bodies)

    async def run() -> GroupRead:
        with reader(tmp_path, "learning") as one:
            return await one.read(pages)

    first, blamed, last = asyncio.run(run()).results
    assert isinstance(blamed, ExtractionError)
    assert str(blamed) == "LookupError: a riddle"
    for read_one in (first, last):
        assert not isinstance(read_one, Exception)
        assert read_one.article is not None
        assert (read_one.extractor, read_one.article.method) == ("learning/1", "learning")


def test_a_method_of_another_package_that_fails_on_every_page_ends_no_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "stubborn.py").write_text(
        "from archiver.articles.methods.registry import MethodFacts\n"
        "FACTS = MethodFacts(path='stubborn:Stubborn', about='nothing')\n"
        "class Stubborn:\n"
        "    def find(self, pages, memory):\n"
        "        raise LookupError('never')\n"
        "    find_known = find\n"
    )
    (tmp_path / "stubborn-1.dist-info").mkdir()
    points = tmp_path / "stubborn-1.dist-info" / "entry_points.txt"
    points.write_text("[archiver.methods]\nstubborn = stubborn:FACTS\n")
    pages = kept(tmp_path, story(1).page.body)

    async def run() -> GroupRead:
        with reader(tmp_path, "stubborn") as one:
            return await one.read(pages)

    (blamed,) = asyncio.run(run()).results
    assert isinstance(blamed, ExtractionError)
    assert str(blamed) == "LookupError: never"
