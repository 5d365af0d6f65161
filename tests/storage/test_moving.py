"""Closed files kept elsewhere: moved when they are whole there, and read from there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.archive import storage
from archiver.archive.cdxj.lines import parse_line
from archiver.archive.cdxj.records import index_lines
from archiver.archive.imports.copying import take_in
from archiver.archive.imports.sources import sources_of
from archiver.archive.objects.kinds import object_files, read_part
from archiver.archive.objects.writer import ObjectWriter
from archiver.archive.storage import (
    archived_files,
    archived_size,
    move_closed,
    move_files,
    open_archived,
    stored_digests,
)
from archiver.archive.warc.exchanges import kept_exchanges
from archiver.archive.warc.manifest import file_digest, lost_files
from archiver.archive.warc.reader import open_file, read_response
from archiver.archive.writers import IMPORTED, Writer
from archiver.articles.objects.schema import ArticleKind
from archiver.errors import ArchiveError, ConfigurationError, RecordError
from archiver.running.storing import closed_objects
from tests.importing.files import heritrix, story

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.storage import Moved


@pytest.fixture
def warc(tmp_path: Path) -> Path:
    """A closed file in an archive."""
    (source,) = sources_of([heritrix(tmp_path / "a.warc.gz")])
    folder = tmp_path / "archive" / "warc"
    return folder / take_in(source, folder, links=False, done=lambda _: None).file


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"file://{tmp_path}/storage"


def moved(warc: Path, url: str) -> list[Moved]:
    return list(move_closed(warc.parent, url, lambda _: True))


def test_a_file_is_moved_whole_and_noted(warc: Path, url: str, tmp_path: Path) -> None:
    digest, data = file_digest(warc), warc.read_bytes()
    assert [one.problem for one in moved(warc, url)] == [""]
    assert not warc.exists()
    assert (tmp_path / "storage" / "warc" / warc.name).read_bytes() == data
    assert stored_digests(warc.parent) == {warc.name: digest}
    assert lost_files(warc.parent, IMPORTED, stored_digests(warc.parent)) == []


def test_every_way_to_a_record_leads_to_the_storage(warc: Path, url: str) -> None:
    lines = list(index_lines(warc))
    exchanges = [one.url for one in kept_exchanges(warc)]
    moved(warc, url)
    assert list(index_lines(warc)) == lines
    assert [one.url for one in kept_exchanges(warc)] == exchanges
    assert archived_files(warc.parent) == [warc]
    place = next(
        one for one in map(parse_line, (line.encode() for line in lines)) if one.url.endswith("/bridge")
    )
    assert read_response(warc.parent, warc.name, place.offset).content == story("bridge")


def test_a_file_that_came_damaged_stays_here(
    warc: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    upload = storage._upload

    def damaging(files: object, path: Path, place: str) -> None:
        upload(files, path, place)
        there = tmp_path / "storage" / "warc" / warc.name
        there.write_bytes(there.read_bytes()[:-1] + b"x")

    monkeypatch.setattr(storage, "_upload", damaging)
    (one,) = moved(warc, url)
    assert "does not have the SHA-256 of the manifest" in one.problem
    assert warc.exists()
    assert stored_digests(warc.parent) == {}
    monkeypatch.undo()
    assert [one.problem for one in moved(warc, url)] == [""]
    assert not warc.exists()


def test_a_move_that_was_cut_off_is_finished(warc: Path, url: str) -> None:
    data = warc.read_bytes()
    moved(warc, url)
    warc.write_bytes(data)  # as if it ended before the local copy went
    assert [one.problem for one in moved(warc, url)] == [""]
    assert not warc.exists()
    assert len((warc.parent / "stored-sha256.txt").read_text().splitlines()) == 1


def test_half_a_line_of_the_list_is_nothing(warc: Path, url: str) -> None:
    (warc.parent / "stored-sha256.txt").write_bytes(b"0123456789abcdef  half")
    assert stored_digests(warc.parent) == {}
    moved(warc, url)
    assert list(stored_digests(warc.parent)) == [warc.name]


def test_a_storage_that_cannot_be_reached_is_told_and_loses_nothing(warc: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    (one,) = moved(warc, f"file://{tmp_path}/file")
    assert "could not be copied" in one.problem
    assert warc.exists()


def test_what_is_nowhere_is_told(warc: Path, url: str, tmp_path: Path) -> None:
    moved(warc, url)
    (tmp_path / "storage" / "warc" / warc.name).unlink()
    with pytest.raises(RecordError, match="cannot be read"):
        open_archived(warc)
    with pytest.raises(RecordError, match="is not in"):
        open_file(warc.parent, "other.warc.gz")


def test_another_storage_is_refused_while_files_are_in_the_first(warc: Path, url: str) -> None:
    moved(warc, url)
    with pytest.raises(ArchiveError, match="are kept at"):
        moved(warc, f"{url}-2")


def test_an_address_that_is_none_is_refused(warc: Path) -> None:
    with pytest.raises(ConfigurationError, match="is not an address"):
        moved(warc, "bucket/folder")


def test_objects_of_past_days_are_moved_when_all_their_lines_are_settled(url: str, tmp_path: Path) -> None:
    folder, writer = tmp_path / "archive" / "objects", Writer(name="here")
    folder.mkdir(parents=True)
    lengths = {}
    for name, known in (
        ("articles-2024-05-01-here.jsonl", 4),
        ("articles-2024-05-02-here.jsonl", 3),  # a line that is not settled
        ("articles-2024-05-03-there.jsonl", 4),  # of another folder
        ("articles-2024-05-04-here.jsonl", 4),  # of today
    ):
        (folder / name).write_bytes(b"{ }\n")
        lengths[name] = known
    closed = closed_objects(folder, writer, lengths, "2024-05-04")
    assert [path.name for path in closed] == ["articles-2024-05-01-here.jsonl"]
    assert [one.problem for one in move_files(folder, url, {path.name: "" for path in closed})] == [""]
    assert not closed[0].exists()
    assert object_files(folder, ["articles"])[0] == closed[0]
    assert archived_size(closed[0]) == 4
    assert read_part(folder, closed[0].name, 0, dict) == {}
    assert closed_objects(folder, writer, lengths, "2024-05-04") == []
    # Nothing is missing, and nothing is written behind what is elsewhere.
    objects = ObjectWriter(folder, [ArticleKind()], writer)
    assert objects.line_at(closed[0].name, 0) == b"{ }\n", "as a record is read that gets a version"
    assert not [told for told in objects.recover(lengths) if closed[0].name in told]
    assert objects._sound(closed[0].name) == "articles-2024-05-01-here.later-1.jsonl"
