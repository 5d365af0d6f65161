"""Files of others, taken into a folder: records stay as they are, and what is broken is told."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.lines import parse_line
from archiver.archive.cdxj.records import index_lines
from archiver.archive.imports.copying import remove_unfinished, take_in
from archiver.archive.imports.sources import sources_of
from archiver.archive.warc.manifest import file_digest, read_manifest
from archiver.archive.warc.members import members
from archiver.archive.warc.reader import read_response
from archiver.archive.writers import is_imported
from archiver.errors import ArchiveError, ConfigurationError
from archiver.inspection.verification.warc import WarcTask, check_warc
from tests.importing.files import Made, browsertrix, heritrix, story

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.imports.copying import TakenIn


def taken(path: Path, folder: Path, *, links: bool = False) -> list[TakenIn]:
    return [take_in(one, folder, links=links, done=lambda _: None) for one in sources_of([path])]


def records(path: Path) -> list[bytes]:
    with path.open("rb") as file:
        return [content.read() for _, content in members(file)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "warc"


def test_a_compressed_file_is_copied_byte_for_byte_and_noted(tmp_path: Path, folder: Path) -> None:
    path = heritrix(tmp_path / "IAH-2019.warc.gz")
    (one,) = taken(path, folder)
    copy = folder / one.file
    assert copy.read_bytes() == path.read_bytes()
    assert read_manifest(folder) == {one.file: file_digest(path)}
    assert is_imported(one.file)
    assert one.file.startswith("IAH-2019-")
    assert check_warc(WarcTask(path=copy, number=0), lambda _: None).problems == ()


def test_the_same_bytes_are_not_copied_twice(tmp_path: Path, folder: Path) -> None:
    first = taken(heritrix(tmp_path / "a.warc.gz"), folder)
    again = taken(tmp_path / "a.warc.gz", folder)
    assert [one.is_known for one in (*first, *again)] == [False, True]
    assert len(list(folder.glob("*.warc.gz"))) == 1


@pytest.mark.parametrize("as_a_whole", [False, True], ids=["plain", "compressed as a whole"])
def test_records_of_other_files_become_members_of_their_own(
    tmp_path: Path, folder: Path, *, as_a_whole: bool
) -> None:
    made = Made(gzip=False)
    made.info("Wget/1.21")
    made.page("http://a.example/1", story("one"), "2020-01-01T00:00:00Z")
    made.page("http://a.example/2", story("two"), "2020-01-01T00:00:01Z")
    data = gzip.compress(made.data) if as_a_whole else made.data
    path = tmp_path / "plain.warc"
    path.write_bytes(data)
    (one,) = taken(path, folder)
    assert b"".join(records(folder / one.file)) == made.data
    assert len(records(folder / one.file)) == one.records == 3


def test_a_torn_end_is_left_out_and_told(tmp_path: Path, folder: Path) -> None:
    path = heritrix(tmp_path / "torn.warc.gz")
    whole = records(path)
    path.write_bytes(path.read_bytes()[:-40])
    (one,) = taken(path, folder)
    assert records(folder / one.file) == whole[:-1]
    assert len(one.flaws) == 1
    assert "the file ends within this record" in one.flaws[0]


def test_a_damaged_record_is_left_out_and_those_behind_it_kept(tmp_path: Path, folder: Path) -> None:
    path = heritrix(tmp_path / "damaged.warc.gz")
    whole, data = records(path), bytearray(path.read_bytes())
    offsets = [0]
    with path.open("rb") as file:
        for member, content in members(file):
            content.read()
            offsets.append(member.offset + member.length)
    data[offsets[3] + 60] ^= 0xFF
    path.write_bytes(bytes(data))
    (one,) = taken(path, folder)
    assert records(folder / one.file) == [*whole[:3], *whole[4:]]
    assert f":{offsets[3]}: " in one.flaws[0]


def test_a_plain_file_that_breaks_off_keeps_its_whole_records(tmp_path: Path, folder: Path) -> None:
    made = Made(gzip=False)
    made.info("Wget/1.21")
    made.page("http://a.example/1", story("one"), "2020-01-01T00:00:00Z")
    path = tmp_path / "plain.warc"
    path.write_bytes(made.data[:-100])
    (one,) = taken(path, folder)
    assert one.records == 1
    assert "ends within a record" in one.flaws[0]


def test_a_file_without_a_whole_record_is_not_kept(tmp_path: Path, folder: Path) -> None:
    path = tmp_path / "none.warc.gz"
    path.write_bytes(b"\x1f\x8b\x08 and nothing else")
    (one,) = taken(path, folder)
    assert one.file == ""
    assert not list(folder.glob("*"))


def test_links_share_their_bytes_with_the_original(tmp_path: Path, folder: Path) -> None:
    path = heritrix(tmp_path / "a.warc.gz")
    folder.mkdir()
    (one,) = taken(path, folder, links=True)
    assert (folder / one.file).samefile(path)


def test_a_wacz_file_gives_its_warc_files(tmp_path: Path, folder: Path) -> None:
    path = browsertrix(tmp_path / "crawl.wacz")
    (source,) = sources_of([path])
    assert source.pages == {"https://new.example/ferry"}
    (one,) = taken(path, folder)
    lines = [parse_line(line.encode()) for line in index_lines(folder / one.file)]
    page = next(line for line in lines if line.url == "https://new.example/ferry")
    assert read_response(folder, one.file, page.offset).content == story("ferry")
    assert check_warc(WarcTask(path=folder / one.file, number=0), lambda _: None).problems == ()


def test_a_wacz_file_whose_digest_is_another_is_refused(tmp_path: Path, folder: Path) -> None:
    path = browsertrix(tmp_path / "crawl.wacz", damage=lambda data: data[:-3] + b"abc")
    with pytest.raises(ArchiveError, match="its WACZ file states"):
        taken(path, folder)
    assert not folder.exists()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"filedesc://a.arc 0.0.0.0 2001 text/plain 76\n", "is an ARC file"),
        (b"<html>", "neither a WARC nor a WACZ file"),
        (b"PK\x03\x04 half of a zip file", "not a whole WACZ file"),
    ],
)
def test_other_files_are_refused_in_words(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(ConfigurationError, match=told):
        sources_of([path])


def test_a_folder_stands_for_its_files(tmp_path: Path) -> None:
    heritrix(tmp_path / "b.warc.gz")
    browsertrix(tmp_path / "a.wacz")
    (tmp_path / "notes.txt").write_text("not one of them")
    assert [one.path.name for one in sources_of([tmp_path])] == ["a.wacz", "b.warc.gz"]


def test_what_a_crash_left_of_a_copy_is_removed(tmp_path: Path, folder: Path) -> None:
    (one,) = taken(heritrix(tmp_path / "a.warc.gz"), folder)
    (folder / f"{one.file}.tmp").write_bytes(b"half")
    remove_unfinished(folder)
    assert {path.name for path in folder.glob("*.warc.gz*")} == {one.file}
