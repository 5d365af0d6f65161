"""After a crash: whole records stay, torn bytes are set aside, and no byte is lost."""

from __future__ import annotations

import gzip
import os
import random
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from archiver.archive.warc.reader import read_response
from archiver.archive.warc.repair import Repair, repair_file, repair_folder
from archiver.archive.warc.writer import gzip_member
from archiver.errors import ArchiveError
from tests.warc.samples import RECEIVED, check, exchange, member_ends, writer

if TYPE_CHECKING:
    from collections.abc import Iterator

NAME = "test-1.warc.gz"
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def left_open(received: list[bytes]) -> bytes:
    """What a killed run leaves behind."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        keeper = writer(Path(folder))
        keeper.write([exchange(one) for one in received])
        (path,) = Path(folder).iterdir()
        data = path.read_bytes()
        keeper.close()
    return data


def repaired(folder: Path, data: bytes) -> tuple[Repair, bytes, bytes]:
    """What a repair makes of these bytes: the file, and what was set aside."""
    path = folder / f"{NAME}.open"
    path.write_bytes(data)
    repair = repair_file(path)
    assert not path.exists()
    final, torn = folder / NAME, folder / f"{NAME}.torn"
    found = [one.read_bytes() if one.exists() else b"" for one in (final, torn)]
    for one in (final, torn):
        one.unlink(missing_ok=True)
    assert not list(folder.iterdir())
    assert repair.torn_bytes == len(found[1])
    return repair, found[0], found[1]


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory, where there is such a place: a repair waits for the disk, and here are thousands of them."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as path:
        yield Path(path)


@pytest.fixture(scope="module")
def whole() -> bytes:
    return left_open([RECEIVED, RECEIVED + b"</p>"])


def test_a_whole_file_is_only_given_its_name(folder: Path, whole: bytes) -> None:
    repair, kept, torn = repaired(folder, whole)
    assert repair == Repair(file=NAME, records=7, torn_bytes=0)
    assert (kept, torn) == (whole, b"")


def test_cut_anywhere_whole_records_stay_and_the_rest_is_set_aside(folder: Path, whole: bytes) -> None:
    ends = member_ends(whole)
    for end in ends:
        check(whole[:end])  # what is kept below is one of these
    for cut in range(ends[-3], len(whole)):
        repair, kept, torn = repaired(folder, whole[:cut])
        last = max(end for end in ends if end <= cut)
        assert kept == whole[:last]
        assert torn == whole[last:cut]
        assert repair.records == ends.index(last) + 1


def test_a_file_cut_in_its_first_record_is_all_set_aside(folder: Path, whole: bytes) -> None:
    for cut in range(member_ends(whole)[0]):
        repair, kept, torn = repaired(folder, whole[:cut])
        assert (repair.records, kept, torn) == (0, b"", whole[:cut])


def test_a_flipped_byte_never_stays_among_the_records(folder: Path, whole: bytes) -> None:
    ends = member_ends(whole)
    for position in range(ends[-3], len(whole)):
        damaged = bytearray(whole)
        damaged[position] ^= 0xFF
        repair, kept, torn = repaired(folder, bytes(damaged))
        assert kept + torn == damaged
        check(kept)
        # What is still whole says what it said: some bytes of a gzip header mean nothing.
        assert gzip.decompress(whole).startswith(gzip.decompress(kept))
        assert repair.records >= len([end for end in ends if end <= position])


def test_zeros_after_a_power_cut_are_set_aside(folder: Path, whole: bytes) -> None:
    repair, kept, torn = repaired(folder, whole + bytes(4096))
    assert (repair.records, kept, torn) == (7, whole, bytes(4096))


@pytest.mark.parametrize(
    "block",
    [
        b"",
        b"hello",
        b"WARC/1.1\r\nContent-Length: 5\r\n\r\nabc\r\n\r\n",
        b"WARC/1.1\r\nContent-Length: 3\r\n\r\nabc\r\n",
        b"WARC/1.1\r\nContent-Length: 3\r\n\r\nabcdef\r\n\r\n",
        b"WARC/1.1\r\nContent-Type: x\r\n\r\nabc\r\n\r\n",
    ],
)
def test_a_whole_member_without_a_whole_record_is_set_aside(folder: Path, whole: bytes, block: bytes) -> None:
    member = gzip_member(block, 6)
    repair, kept, torn = repaired(folder, whole + member)
    assert (repair.records, kept, torn) == (7, whole, member)


@pytest.mark.parametrize("size", [65_000, 65_535, 65_536, 65_537, 131_072, 300_000])
def test_records_larger_than_a_piece_are_read_to_their_end(folder: Path, size: int) -> None:
    data = left_open([RECEIVED + random.Random(size).randbytes(size), RECEIVED])
    ends = member_ends(data)
    for cut in (ends[1] - 1, ends[1], ends[1] + 1, len(data) - 1, len(data)):
        _, kept, torn = repaired(folder, data[:cut])
        assert kept == data[: max(end for end in ends if end <= cut)]
        assert kept + torn == data[:cut]


def test_members_that_end_with_a_piece_are_found(folder: Path) -> None:
    """The next member begins exactly where the next piece is read."""
    sizes = []
    for size in range(65_440, 65_480):
        record = b"WARC/1.1\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (size, b"x" * size)
        member = gzip_member(record, 0)
        sizes.append(len(member))
        repair, kept, _ = repaired(folder, member * 3)
        assert (repair.records, kept) == (3, member * 3)
    assert 65_536 in sizes


@settings(max_examples=60)
@given(
    st.lists(st.binary(max_size=3000), min_size=1, max_size=5),
    st.floats(0, 1),
    st.binary(max_size=200),
)
def test_no_byte_is_lost_whatever_a_crash_leaves(bodies: list[bytes], share: float, garbage: bytes) -> None:
    data = left_open([b"HTTP/1.1 200 OK\r\n\r\n" + body for body in bodies])
    damaged = data[: int(len(data) * share)] + garbage
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        repair, kept, torn = repaired(Path(folder), damaged)
    assert kept + torn == damaged
    assert len(check(kept)) == repair.records if kept else repair.records == 0


def test_captures_lead_to_their_records_after_a_repair(folder: Path) -> None:
    keeper = writer(folder)
    captures = keeper.write([exchange(RECEIVED + b"%d" % number) for number in range(5)])
    with (folder / f"{keeper.files[0]}.open").open("ab") as file:
        file.write(b"\x1f\x8b\x08torn")
    (repair,) = repair_folder(folder)
    assert repair == Repair(file=keeper.files[0], records=16, torn_bytes=7)
    for number, capture in enumerate(captures):
        assert capture is not None
        stored = read_response(folder, capture.file, capture.offset)
        assert stored.content == b"<p>Hello%d" % number
    keeper._file.close()  # type: ignore[union-attr] # the run that was killed


def test_a_repair_that_was_itself_killed_is_done_again(folder: Path, whole: bytes) -> None:
    torn = folder / f"{NAME}.torn"
    torn.write_bytes(b"half of i")
    (folder / f"{NAME}.open").write_bytes(whole + b"half of it")
    assert repair_folder(folder) == [Repair(file=NAME, records=7, torn_bytes=10)]
    assert torn.read_bytes() == b"half of it"
    assert repair_folder(folder) == []


def test_every_open_file_is_repaired_and_no_other_is_touched(folder: Path, whole: bytes) -> None:
    for name in ("a.warc.gz.open", "b.warc.gz.open", "c.warc.gz", "notes.open"):
        (folder / name).write_bytes(whole)
    os.utime(folder / "c.warc.gz", (1, 1))
    assert [repair.file for repair in repair_folder(folder)] == ["a.warc.gz", "b.warc.gz"]
    assert sorted(path.name for path in folder.iterdir()) == [
        "a.warc.gz",
        "b.warc.gz",
        "c.warc.gz",
        "notes.open",
    ]
    assert (folder / "c.warc.gz").stat().st_mtime == 1


def test_a_folder_that_is_not_there_needs_no_repair(folder: Path) -> None:
    assert repair_folder(folder / "warc") == []


def test_a_repair_never_writes_over_a_file(folder: Path, whole: bytes) -> None:
    (folder / NAME).write_bytes(b"precious")
    (folder / f"{NAME}.open").write_bytes(whole)
    with pytest.raises(ArchiveError, match="both exist"):
        repair_folder(folder)
    assert (folder / NAME).read_bytes() == b"precious"
    assert (folder / f"{NAME}.open").read_bytes() == whole
