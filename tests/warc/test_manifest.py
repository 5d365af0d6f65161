"""The manifest: every whole file in it, as `sha256sum -c` reads it, whatever a crash did."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
from typing import TYPE_CHECKING

import pytest

from archiver.archive.warc import writer as writer_module
from archiver.archive.warc.manifest import NAME as UNNAMED
from archiver.archive.warc.manifest import (
    add_to_manifest,
    complete_manifest,
    lost_files,
    manifests,
    read_manifest,
)
from archiver.archive.warc.repair import repair_folder
from archiver.archive.writers import Writer
from tests.warc.samples import exchange, warcs, writer

if TYPE_CHECKING:
    from pathlib import Path

# Of the files that `writer` writes.
NAME = "manifest-sha256-archiver.txt"


def some_files(folder: Path, count: int = 3) -> list[str]:
    keeper = writer(folder, max_bytes=1)
    keeper.write([exchange(url=f"http://example.org/{number}") for number in range(count)])
    keeper.close()
    return keeper.files


def agrees(folder: Path) -> bool:
    """What `sha256sum --strict -c` says: also about lines that it cannot read."""
    command = ["sha256sum", "--strict", "--status", "-c", *(path.name for path in manifests(folder))]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True).returncode == 0


def test_every_whole_file_is_in_the_manifest(tmp_path: Path) -> None:
    files = some_files(tmp_path)
    assert list(read_manifest(tmp_path)) == files
    for name, digest in read_manifest(tmp_path).items():
        assert hashlib.sha256((tmp_path / name).read_bytes()).hexdigest() == digest
    assert agrees(tmp_path)


def test_a_file_that_is_still_open_is_not(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    keeper.write([exchange()])
    assert read_manifest(tmp_path) == {}
    keeper.close()
    assert list(read_manifest(tmp_path)) == keeper.files


def test_runs_add_to_it(tmp_path: Path) -> None:
    files = some_files(tmp_path) + some_files(tmp_path)
    assert list(read_manifest(tmp_path)) == files
    assert agrees(tmp_path)


def test_a_changed_byte_is_noticed(tmp_path: Path) -> None:
    files = some_files(tmp_path)
    path = tmp_path / files[1]
    path.write_bytes(path.read_bytes()[:-1] + b"x")
    assert not agrees(tmp_path)


def test_what_a_full_disk_took_back_is_not_in_the_digest(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    keeper.write([exchange()])
    file, keeper._file = keeper._file, _Broken(keeper._file)  # type: ignore[assignment] # a disk that fails
    with pytest.raises(writer_module.ArchiveFull):
        keeper.write([exchange()])
    keeper._file = file
    keeper.write([exchange()])
    keeper.close()
    assert agrees(tmp_path)


class _Broken:
    """A file on a disk that is full."""

    def __init__(self, file: object) -> None:
        self._file = file

    def write(self, _data: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


def test_a_crash_before_the_manifest_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = some_files(tmp_path, 2)

    def crash(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writer_module, "add_to_manifest", crash)
    keeper = writer(tmp_path)
    keeper.write([exchange()])
    with pytest.raises(KeyboardInterrupt):
        keeper.close()
    assert (tmp_path / keeper.files[0]).exists()
    assert list(read_manifest(tmp_path)) == files
    assert complete_manifest(tmp_path) == keeper.files
    assert complete_manifest(tmp_path) == []
    assert list(read_manifest(tmp_path)) == files + keeper.files
    assert agrees(tmp_path)


def test_a_file_that_was_repaired_is_added(tmp_path: Path) -> None:
    keeper = writer(tmp_path)
    keeper.write([exchange()])
    keeper._file.close()  # type: ignore[union-attr] # as a crash would
    with (tmp_path / f"{keeper.files[0]}.open").open("ab") as file:
        file.write(b"\x1f\x8b\x08torn")
    repair_folder(tmp_path)
    assert complete_manifest(tmp_path) == keeper.files
    assert agrees(tmp_path)


def test_a_line_cut_anywhere_is_written_again(tmp_path: Path) -> None:
    files = some_files(tmp_path)
    path = tmp_path / NAME
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for cut in range(last, len(whole)):
        path.write_bytes(whole[:cut])
        assert list(read_manifest(tmp_path)) == files[:-1]
        assert complete_manifest(tmp_path) == files[-1:]
        assert path.read_bytes() == whole
    assert agrees(tmp_path)


@pytest.mark.parametrize("tail", [b"0123abc", b"0" * 64 + b"  test-2026", b"\0" * 100])
def test_a_torn_line_never_runs_into_the_next(tmp_path: Path, tail: bytes) -> None:
    files = some_files(tmp_path)
    with (tmp_path / NAME).open("ab") as file:
        file.write(tail)
    # The same run goes on, as after a disk that was full for a while.
    more = some_files(tmp_path, 1)
    assert list(read_manifest(tmp_path)) == files + more
    assert agrees(tmp_path)


def test_a_torn_line_about_a_file_that_is_gone_is_dropped(tmp_path: Path) -> None:
    some_files(tmp_path)
    with (tmp_path / NAME).open("ab") as file:
        file.write(b"0" * 64 + b"  gone.wa")
    assert complete_manifest(tmp_path) == []
    assert agrees(tmp_path)


def test_what_is_no_warc_is_not_added(tmp_path: Path) -> None:
    files = some_files(tmp_path, 1)
    for name in ("notes.txt", "a.warc.gz.open", "a.warc.gz.torn"):
        (tmp_path / name).write_bytes(b"x")
    assert complete_manifest(tmp_path) == []
    assert list(read_manifest(tmp_path)) == files


def test_a_manifest_that_was_lost_is_made_again(tmp_path: Path) -> None:
    files = some_files(tmp_path)
    (tmp_path / NAME).unlink()
    assert complete_manifest(tmp_path) == files == [path.name for path in warcs(tmp_path)]
    assert agrees(tmp_path)


def test_no_folder_no_manifest(tmp_path: Path) -> None:
    assert complete_manifest(tmp_path / "warc") == []
    assert not (tmp_path / "warc").exists()


def test_lines_that_are_none_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / UNNAMED).write_bytes(b"# a note\n\xff\xfe\n\n" + b"0" * 64 + b"  page.html\n")
    add_to_manifest(tmp_path, "a.warc.gz", "1" * 64)
    assert read_manifest(tmp_path) == {"a.warc.gz": "1" * 64}


def test_each_writer_has_a_manifest_of_its_own(tmp_path: Path) -> None:
    """Files of several writers are gathered in one folder, where none completes what another wrote."""
    files = some_files(tmp_path, 1)
    other = "test-20260302070509123-00001-other.warc.gz"
    (tmp_path / other).write_bytes(b"copied")
    mine = Writer(name="archiver")
    assert complete_manifest(tmp_path, writer=mine) == []
    assert complete_manifest(tmp_path) == [other]
    assert sorted(path.name for path in manifests(tmp_path)) == [NAME, "manifest-sha256-other.txt"]
    assert agrees(tmp_path)
    (tmp_path / other).unlink()
    assert lost_files(tmp_path, mine) == []
    assert lost_files(tmp_path) == [other]
    # Of an older archive, the manifest has no name, and no line is written twice.
    (tmp_path / NAME).rename(tmp_path / UNNAMED)
    assert complete_manifest(tmp_path, writer=mine) == []
    assert list(read_manifest(tmp_path)) == [other, *files]
