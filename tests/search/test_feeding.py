"""The index follows the objects files: never ahead of them, and never with what they no longer say."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, update

from archiver.archive.objects.writer import ObjectWriter
from archiver.articles.objects.schema import ArticleKind
from archiver.search.building import build
from archiver.search.feeding import Feeder
from archiver.search.opening import open_store
from archiver.store.object_files import save_object_length
from archiver.store.reading import reading
from archiver.store.schema import articles, object_files, versions
from tests.history.made import DAY, HOUR, START
from tests.search.made import searched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.search.made import SearchedArchive

DAY_FILE = "articles-2026-03-02.jsonl"


@pytest.fixture
def archive(store_url: str, tmp_path: Path) -> Iterator[SearchedArchive]:
    with searched(tmp_path / "archive", store_url) as made:
        yield made


def test_only_what_is_new_is_fed_again(archive: SearchedArchive) -> None:
    archive.add("one", "ferry")
    assert archive.feed().fed == 1
    assert archive.feed().fed == 0
    archive.add("two", "ferry")
    archive.add("three", "ferry", at=START + DAY)  # in the file of another day
    assert archive.search("ferry").behind > 0
    assert archive.feed().fed == 2
    assert archive.search("ferry").behind == 0
    assert set(archive.found("ferry")) == {"one", "two", "three"}


def test_lines_that_are_not_settled_are_not_fed(archive: SearchedArchive) -> None:
    archive.add("one", "ferry")
    archive.change(update(object_files).values(length=0))
    assert archive.feed().fed == 0
    assert archive.found("ferry") == []


def test_many_lines_take_several_transactions(
    archive: SearchedArchive, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.search.feeding.AT_ONCE", 2)
    for number in range(5):
        archive.add(f"n{number}", "ferry", at=START + number * HOUR)
    with open_store(archive.folder, archive.url) as store, reading(archive.url) as state:
        feeder = Feeder(store, state, archive.folder / "objects")
        seen = list(feeder.steps())
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1][0] == seen[-1][1]
    assert len(seen) == 3
    assert archive.search("ferry").total == 5


def test_an_end_that_was_cut_off_is_forgotten_and_what_comes_there_is_found(archive: SearchedArchive) -> None:
    """As a power cut leaves it, which undoes commits of the state store."""
    number = archive.add("one", "the first ferry")
    place = archive.say(number, "the second ferry", at=START + HOUR, published=START)
    archive.feed()
    assert archive.found("second") == ["one"]
    archive.change(delete(versions).where(versions.c.version == 2))
    archive.change(update(articles).values(version=1))
    archive.change(update(object_files).values(length=place.offset))
    assert archive.feed().fed == 0
    assert archive.found("second") == []
    assert archive.found("first") == ["one"]  # the newest again
    archive.objects.close()
    os.truncate(archive.folder / "objects" / place.file, place.offset)
    archive.say(number, "another ferry", at=START + HOUR, published=START)
    assert archive.feed().fed == 1
    assert archive.found("ferry") == ["one"]
    assert archive.found("second", all_versions=True) == []


def test_a_file_that_was_cut_off_is_noticed_when_it_is_written_anew(archive: SearchedArchive) -> None:
    number = archive.add("one", "the first ferry")
    place = archive.say(number, "the second ferry", at=START + HOUR, published=START)
    archive.feed()
    archive.change(delete(versions).where(versions.c.version == 2))
    archive.change(update(articles).values(version=1))
    archive.change(update(object_files).values(length=place.offset))
    archive.feed()
    # As where the state store was made again: the same place has another line.
    archive.change(update(versions).values(object_digest="0" * 64))
    assert archive.feed().fed == 1


def test_a_file_that_was_written_anew_under_its_name_is_fed_anew(archive: SearchedArchive) -> None:
    archive.add("one", "a long text about the ferry")
    archive.feed()
    archive.change(delete(versions))
    archive.change(delete(object_files))
    archive.objects.close()
    (archive.folder / "objects" / DAY_FILE).unlink()
    archive.change(update(articles).values(version=0))
    archive.say(1, "and now a text about the harbour, which is longer", at=START)
    assert archive.feed().fed == 1
    assert archive.found("ferry") == []
    assert archive.found("harbour") == ["one"]


def test_a_version_that_was_read_anew_takes_its_own_place(archive: SearchedArchive) -> None:
    """As `scrapy reextract` and `scrapy recover` do it: the version is at another place from then on."""
    archive.add("one", "the ferry and its menu")
    archive.add("two", "the ferry alone")
    archive.feed()
    archive.objects.close()
    archive.objects = ObjectWriter(archive.folder / "objects", [ArticleKind()], mark=".reextracted")
    archive.change(delete(versions).where(versions.c.article_id == 1))
    archive.change(update(articles).filter_by(id=1).values(version=0))
    place = archive.say(1, "the ferry", at=START)
    assert "reextracted" in place.file
    assert archive.feed().fed >= 1
    assert archive.found("menu", all_versions=True) == []
    assert set(archive.found("ferry")) == {"one", "two"}
    assert archive.search("ferry", all_versions=True).total == 2


def test_a_file_that_went_is_forgotten(archive: SearchedArchive) -> None:
    place = archive.say(archive.article("http://example.org/one"), "ferry")
    archive.feed()
    archive.objects.close()
    old = archive.folder / "objects" / place.file
    new = old.with_name("articles-2026-03-02.recovered-1.jsonl")
    old.rename(new)
    archive.change(update(versions).values(object_file=new.name))
    archive.change(delete(object_files))
    archive.database.run(save_object_length, new.name, new.stat().st_size)
    archive.feed()
    assert archive.found("ferry") == ["one"]
    assert archive.search("ferry", all_versions=True).total == 1
    assert archive.search("ferry").hits[0].file == new.name


def test_a_line_that_cannot_be_read_is_counted_and_the_others_are_fed(archive: SearchedArchive) -> None:
    archive.add("one", "ferry one")
    place = archive.say(archive.article("http://example.org/two"), "ferry two")
    archive.add("three", "ferry three")
    with (archive.folder / "objects" / place.file).open("r+b") as file:
        file.seek(place.offset)
        file.write(b"not JSON")
    feeder = archive.feed()
    assert (feeder.fed, feeder.unreadable) == (2, 1)
    assert set(archive.found("ferry")) == {"one", "three"}


def test_a_file_that_is_not_in_this_folder_is_fed_where_it_is(archive: SearchedArchive) -> None:
    """As where several folders share one state store; or it was lost, and comes back from a backup."""
    place = archive.say(archive.article("http://example.org/one"), "ferry")
    path = archive.folder / "objects" / place.file
    elsewhere = path.rename(archive.folder / place.file)
    assert archive.feed().fed == 0
    assert archive.search("ferry").behind == 0
    elsewhere.rename(path)
    assert archive.search("ferry").behind > 0
    assert archive.feed().fed == 1


def test_a_hit_whose_object_was_lost_is_shown_by_what_the_state_store_knows(archive: SearchedArchive) -> None:
    place = archive.say(archive.article("http://example.org/one?token=hunter2"), "ferry", title="The ferry")
    archive.feed()
    (archive.folder / "objects" / place.file).unlink()
    hit = archive.search("ferry").hits[0]
    assert (hit.title, hit.version, hit.snippet) == ("The ferry", 1, ())
    assert "hunter2" not in hit.url


def test_building_anew_gives_the_same_as_feeding(archive: SearchedArchive) -> None:
    number = archive.add("one", "the first ferry")
    archive.add("two", "the other ferry", at=START + HOUR)
    archive.feed()
    archive.say(number, "the second ferry", at=START + DAY, published=START)
    archive.feed()
    before = archive.search("ferry", all_versions=True).hits
    shown = []
    with reading(archive.url) as state:
        feeder = build(archive.folder, state, lambda done, total: shown.append((done, total)))
    assert feeder.fed == 3
    assert shown[-1][0] == shown[-1][1]
    after = archive.search("ferry", all_versions=True).hits
    assert {(hit.url, hit.version, hit.newest) for hit in after} == {
        (hit.url, hit.version, hit.newest) for hit in before
    }
