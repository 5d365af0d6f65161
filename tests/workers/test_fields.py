"""Fields beside articles, in worker processes: what goes wrong with them costs no article."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.errors import ArchiverError
from archiver.fields.files import load_wrapper, save_wrapper, wrapper_path, write_wrapper
from archiver.fields.model import Field
from archiver.running.reading.reader import GroupReader, ReadingRules
from archiver.running.reading.shelf import WrapperShelf
from archiver.running.report import RunReport
from archiver.running.workers.fields import fields_on
from archiver.running.workers.pool import WorkerPool
from archiver.store.database import Database
from tests.crawl.documents import story
from tests.fields.pages import page, rule, wrapper
from tests.workers.test_page_groups import kept

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pytest

    from archiver.running.workers.page_tasks import PageRead, PageToRead

TITLES = wrapper(Field(field="title", rules=(rule("h1"),)), url="/**")
TEXT = write_wrapper(TITLES).decode()
URL = "http://example.org/1"


def read(
    folder: Path, pages: Sequence[PageToRead]
) -> tuple[Sequence[PageRead | ArchiverError], list[tuple[str, str]]]:
    """What a pool of one worker reads, and the wrappers that were to blame."""
    killed: list[tuple[str, str]] = []

    async def on_killed(text: str, url: str, _reason: str) -> None:
        killed.append((text, url))

    async def run() -> Sequence[PageRead | ArchiverError]:
        pool = WorkerPool(1, seconds=20, memory_mb=1024)
        try:
            reader = GroupReader(pool, ReadingRules(folder=folder, method="forest-tfidf"), on_killed)
            return (await reader.read(pages)).results
        finally:
            pool.close()

    return asyncio.run(run()), killed


def test_a_wrapper_that_breaks_its_worker_costs_no_article_and_no_fields_of_others(tmp_path: Path) -> None:
    pages = kept(tmp_path, *(story(number).page.body for number in range(3)))
    texts = (TEXT, "no: wrapper", TEXT)
    asked = [msgspec.structs.replace(one, fields_by=text) for one, text in zip(pages, texts, strict=True)]
    results, killed = read(tmp_path, asked)
    assert killed == [("no: wrapper", asked[1].url)]
    titles = []
    for result in results:
        assert not isinstance(result, ArchiverError)
        assert result.article is not None
        field = result.article.fields.get("title")
        titles.append(field.value if field else None)
    assert titles == [story(0).title, None, story(2).title]


def test_an_error_of_ours_is_told_and_costs_the_fields_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr("archiver.fields.execution.select", broken)
    found = fields_on(page("<h1>A</h1>").tree, URL, TITLES)
    assert (found.readings, found.trouble) == ({}, "internal error: RuntimeError: a bug")


class Shelved:
    """A shelf over a folder of the test's."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "wrappers"
        self.database = Database(f"sqlite:///{folder / 'state.sqlite'}")
        self.report = RunReport(started=machine_now())
        self.shelf = WrapperShelf(self.folder, self.database, self.report)

    def text(self, url: str = URL) -> str:
        self.shelf._next_look = 0
        return self.shelf.text_for(url)


def test_a_wrapper_is_suspended_after_two_pages_until_it_is_changed(tmp_path: Path) -> None:
    one = Shelved(tmp_path)
    save_wrapper(one.folder, TITLES)
    assert one.text() == TEXT
    asyncio.run(one.shelf.killed(TEXT, URL, "took longer than 60 s"))
    assert one.text() == TEXT
    asyncio.run(one.shelf.killed(TEXT, URL, "took longer than 60 s"))
    assert one.text() == ""
    assert one.report.fields == {"killed": 2}
    assert "is suspended until it is changed" in one.report.errors[-1]
    assert WrapperShelf(one.folder, one.database, one.report).text_for(URL) == ""
    changed = msgspec.structs.replace(TITLES, fields=(Field(field="title", rules=(rule("h2"),)),))
    save_wrapper(one.folder, changed)
    assert one.text() == write_wrapper(changed).decode()
    one.database.close()


def test_what_is_wrong_with_the_folder_is_told_once(tmp_path: Path) -> None:
    one = Shelved(tmp_path)
    assert one.text() == ""
    for name in ("b", "a"):
        save_wrapper(one.folder, msgspec.structs.replace(TITLES, wrapper=name))
    (one.folder / "broken.yaml").write_text("wrapper: broken\n")
    assert one.text() == one.text() == write_wrapper(load_wrapper(wrapper_path(one.folder, "a"))).decode()
    (note,) = one.report.notes
    assert note.startswith("Field wrappers a and b are for the same pages: a is used, by its name.")
    (error,) = one.report.errors
    assert error.endswith("broken.yaml:1:1: Missing here: scope")
    assert [path.name[:2] for path in (one.folder / "history").iterdir()] == ["a-"]
    one.database.close()


def test_a_replay_leaves_the_folder_as_it_is(tmp_path: Path) -> None:
    one = Shelved(tmp_path)
    save_wrapper(one.folder, TITLES)
    replay = WrapperShelf(one.folder, one.database, one.report, is_replay=True)
    assert replay.text_for(URL) == TEXT
    assert [path.name for path in one.folder.iterdir()] == ["bookshop.yaml"]
    one.database.close()
