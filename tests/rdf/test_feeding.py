"""The store follows the objects files: never ahead of them, and never with what they no longer say."""

from __future__ import annotations

import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import delete, select, update

from archiver.archive.objects.writer import ObjectWriter
from archiver.articles.objects.model import Twin, article_id
from archiver.articles.objects.schema import ArticleKind
from archiver.documents.pages.model import Link
from archiver.errors import ArchiveError, ArchiveLocked
from archiver.inspection.rdf import feeding
from archiver.inspection.rdf.opening import FOLDER, STORE, open_to_ask, open_to_feed
from archiver.store.schema import articles, object_files, versions
from archiver.urls import same_page_key
from tests.history.made import DAY, HOUR, START
from tests.rdf.made import RdfArchive, archive_of_rdf, comment, withheld

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = "SELECT ?t {?v schema:text ?t} ORDER BY ?t"
ONE = "http://example.org/one"


def anew(archive: RdfArchive) -> set[str]:
    """What a store has that was made now."""
    shutil.rmtree(archive.folder / FOLDER)
    archive.feed_rdf()
    return archive.statements()


def test_only_what_is_new_is_fed(archive: RdfArchive) -> None:
    archive.add("one", "ferry")
    assert archive.feed_rdf().fed == 1
    assert archive.feed_rdf().fed == 0
    archive.add("two", "boat", at=START + DAY)  # in the file of another day
    archive.comment("one", comment("c1", "First!"))
    assert archive.feed_rdf().fed == 2
    assert archive.texts() == ["First!", "boat", "ferry"]
    assert archive.statements() == anew(archive)


def test_lines_that_are_not_settled_are_not_fed(archive: RdfArchive) -> None:
    archive.add("one", "ferry")
    archive.change(update(object_files).values(length=0))
    assert archive.feed_rdf().fed == 0
    assert archive.texts() == []


def test_many_lines_take_several_steps(archive: RdfArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feeding, "AT_ONCE", 2)
    monkeypatch.setattr(feeding, "_IN_BULK", 60)
    for number in range(5):
        archive.add(f"n{number}", f"ferry {number}", authors=("Ann",))
    assert archive.feed_rdf().fed == 5
    assert len(archive.texts()) == 5


def test_an_end_that_was_cut_off_is_forgotten_and_what_comes_there_is_told(archive: RdfArchive) -> None:
    """As a power cut leaves it, which undoes commits of the state store."""
    number = archive.add("one", "the first ferry", authors=("Ann",))
    archive.feed_rdf()
    before = archive.statements()
    place = archive.say(number, "the second ferry", at=START + HOUR, authors=("Bo",))
    archive.feed_rdf()
    archive.change(delete(versions).where(versions.c.version == 2))
    archive.change(update(articles).values(version=1))
    archive.change(update(object_files).values(length=place.offset))
    assert archive.feed_rdf().unreadable == 0
    # The account of the second version is no longer the article's either.
    assert archive.statements() == before
    with (archive.folder / "objects" / place.file).open("r+b") as file:
        file.truncate(place.offset)
    archive.objects.close()
    archive.say(number, "another second ferry", at=START + HOUR)
    archive.feed_rdf()
    assert archive.texts() == ["another second ferry", "the first ferry"]
    assert archive.statements() == anew(archive)


def test_a_file_that_was_written_anew_is_told_anew(archive: RdfArchive) -> None:
    archive.add("one", "ferry")
    archive.feed_rdf()
    archive.change(update(versions).values(object_digest="sha256:another"))
    assert archive.feed_rdf().fed == 1
    assert archive.statements() == anew(archive)


def _read_anew(archive: RdfArchive, number: int, text: str, **fields: Any) -> None:
    """The first of two versions, as `scrapy reextract` does it."""
    other = ObjectWriter(archive.folder / "objects", [ArticleKind()], mark=".reextracted")
    archive.objects, kept = other, archive.objects
    archive.change(delete(versions).filter_by(version=1, article_id=number))
    archive.change(update(articles).filter_by(id=number).values(version=0))
    archive.say(number, text, **fields)
    archive.change(update(articles).filter_by(id=number).values(version=2))
    archive.objects = kept
    other.close()
    row = archive.run(select(versions).filter_by(version=1, article_id=number))[0]
    assert row.object_file.endswith(".reextracted.jsonl")


def test_a_version_that_was_read_anew_is_told_as_it_is_now(archive: RdfArchive) -> None:
    """Its line is in another file then, while the file of before stays as it was."""
    number = archive.add("one", "ferry as the page had it", authors=("Ann",))
    archive.say(number, "second", at=START + HOUR)
    archive.add("two", "boat", at=START + HOUR)
    archive.feed_rdf()
    _read_anew(archive, number, "ferry", authors=("Bo",))
    archive.feed_rdf()
    assert archive.texts() == ["boat", "ferry", "second"]
    assert not any('"Ann"' in one for one in archive.statements())
    assert archive.statements() == anew(archive)


def test_what_a_crash_left_is_taken_out_again(archive: RdfArchive, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statements are in the store before it is noted how far it was fed."""
    archive.add("one", "ferry")
    archive.feed_rdf()
    before = archive.statements()
    place = archive.say(archive.add("two", "boat"), "second boat", at=START + HOUR)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(feeding, "fed_up_to", crash)
        with pytest.raises(KeyboardInterrupt):
            archive.feed_rdf()
    assert len(archive.statements()) > len(before)
    with archive_of_rdf(archive.folder) as lost:
        lost.change(delete(versions).where(versions.c.article_id == 2))
        lost.change(update(object_files).values(length=place.offset // 3))
        lost.feed_rdf()
        assert lost.statements() == before


def _crash(monkeypatch: pytest.MonkeyPatch, where: str) -> None:
    """What is to be told again is out of the store, and not back in it."""
    remove = feeding.remove_nodes

    def removed(*args: Any) -> None:
        remove(*args)
        raise KeyboardInterrupt

    def write(*_: object) -> None:
        raise KeyboardInterrupt

    if where == "removed":
        monkeypatch.setattr(feeding, "remove_nodes", removed)
    else:
        monkeypatch.setattr(feeding.RdfFeeder, "_write", write)


@pytest.mark.parametrize("where", ["removed", "written"])
def test_a_crash_while_orders_are_heeded_loses_nothing(
    archive: RdfArchive, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    archive.add("one", "ferry", authors=("Ann",))
    archive.add("two", "boat", links=(Link(url=ONE, text=""),))
    archive.feed_rdf()
    everything = archive.statements()
    with monkeypatch.context() as patch:
        _crash(patch, where)
        with pytest.raises(KeyboardInterrupt):
            archive.feed_rdf(withheld(ONE))
    assert archive.statements() != everything
    assert archive.asked(TEXTS) == [("boat",), ("ferry",)]
    assert archive.statements() == everything


@pytest.mark.parametrize("where", ["removed", "written"])
def test_a_crash_while_a_version_is_told_anew_loses_nothing(
    archive: RdfArchive, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    number = archive.add("one", "ferry")
    archive.say(number, "second", at=START + HOUR)
    archive.feed_rdf()
    _read_anew(archive, number, "ferry as it is read now")
    with monkeypatch.context() as patch:
        _crash(patch, where)
        with pytest.raises(KeyboardInterrupt):
            archive.feed_rdf()
    archive.feed_rdf()
    assert archive.texts() == ["ferry as it is read now", "second"]
    assert archive.statements() == anew(archive)


@pytest.mark.parametrize("named", [ONE, "http://example.org/feed", "example.org", "http://example.org/*"])
def test_what_is_withheld_is_taken_out_and_comes_back_when_it_is_lifted(
    archive: RdfArchive, named: str
) -> None:
    number = archive.add("one", "ferry", authors=("Ann",), comments="http://example.org/one/comments")
    archive.say(number, "second ferry", at=START + HOUR)
    like = Twin(id=article_id(same_page_key(ONE)), url=ONE, how="text", similarity=0.97)
    archive.add("two", "boat", authors=("Ann",), twins=(like,))
    archive.comment("one", comment("c1", "First!", author="Bo", url=f"{ONE}#c1"))
    archive.feed_rdf()
    everything = archive.statements()
    hidden = withheld(named)
    # A question alone is enough: it is never answered with what is withheld.
    found = archive.asked("SELECT ?s ?o {?s ?p ?o}", hidden)
    values = [str(value) for row in found for value in row]
    assert not any(hidden.hides(value) for value in values if value.startswith("http"))
    assert ("ferry" in values) == (named == "http://example.org/feed")
    told = archive.statements()
    shutil.rmtree(archive.folder / FOLDER)
    archive.feed_rdf(hidden)
    assert archive.statements() == told
    archive.feed_rdf()
    assert archive.statements() == everything


def test_a_store_that_is_damaged_or_of_another_archiver_is_made_anew(archive: RdfArchive) -> None:
    archive.add("one", "ferry")
    with pytest.raises(ArchiveError, match="no RDF store yet: run `scrapy sparql --build`"):
        archive.asked(TEXTS)
    archive.feed_rdf()
    (archive.folder / FOLDER / STORE / "CURRENT").write_bytes(b"nonsense")
    with pytest.raises(ArchiveError, match=r"cannot be read .*: run `scrapy sparql --build`"):
        archive.asked(TEXTS)
    assert archive.feed_rdf().fed == 1
    (archive.folder / FOLDER / "fed.sqlite").write_bytes(b"nonsense" * 1000)
    with pytest.raises(ArchiveError, match="cannot be read"):
        archive.asked(TEXTS)
    assert archive.feed_rdf().fed == 1
    assert archive.asked(TEXTS) == [("ferry",)]


def test_nothing_feeds_a_store_that_is_asked(archive: RdfArchive) -> None:
    archive.add("one", "ferry")
    archive.feed_rdf()
    refused = pytest.raises(ArchiveLocked, match="Another process is using")
    with open_to_ask(archive.folder), open_to_ask(archive.folder), refused:
        _feed(archive.folder)
    _feed(archive.folder)


def _feed(folder: Path) -> None:
    with open_to_feed(folder, seconds=0.1):
        pass


def test_objects_that_cannot_be_read_are_counted(archive: RdfArchive) -> None:
    place = archive.say(archive.add("one", "ferry"), "boat")
    with (archive.folder / "objects" / place.file).open("r+b") as file:
        file.seek(place.offset)
        file.write(b"#")
    feeder = archive.feed_rdf()
    assert (feeder.fed, feeder.unreadable) == (1, 1)


def test_objects_that_are_lost_are_asked_about_no_more(archive: RdfArchive) -> None:
    """When they should be told again, there is nothing to tell, and no question tries it for ever."""
    archive.add("one", "ferry")
    archive.add("two", "boat", at=START + DAY)
    archive.feed_rdf()
    (archive.folder / "objects" / "articles-2026-03-02.jsonl").unlink()
    assert archive.asked(TEXTS, withheld("http://example.org/feed")) == [("boat",)]
    with open_to_ask(archive.folder) as ledger:
        assert ledger.owners_unsure() == set()


HOT = """
import os, sqlite3, sys
ledger = sqlite3.connect(sys.argv[1], isolation_level=None)
ledger.execute("PRAGMA cache_size = 1")
ledger.execute("BEGIN IMMEDIATE")
for number in range(2000):
    ledger.execute("INSERT INTO lines VALUES ('x', ?, 'urn:archiver:article:x', 1, 0)", (number,))
os._exit(9)
"""


def test_a_ledger_that_a_kill_left_half_written_is_put_in_order(archive: RdfArchive) -> None:
    """Nothing is made anew for it, and questions are answered."""
    archive.add("one", "ferry")
    archive.feed_rdf()
    path = archive.folder / FOLDER / "fed.sqlite"
    for asks in (True, False):
        subprocess.run([sys.executable, "-c", HOT, str(path)], check=False)
        assert path.with_name("fed.sqlite-journal").stat().st_size
        if asks:
            assert archive.asked(TEXTS) == [("ferry",)]
        else:
            assert archive.feed_rdf().fed == 0
    assert archive.texts() == ["ferry"]
