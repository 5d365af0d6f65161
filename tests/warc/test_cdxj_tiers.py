"""Index files on disk: sorted, merged in tiers, and whole again after a crash at any step."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.files import index_files, write_lines
from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.records import index_lines
from archiver.archive.cdxj.tiers import FAN_IN, merge_tiers, repair
from archiver.archive.cdxj.update import IndexUpdate, missing_indexes, update, write_index
from archiver.errors import ArchiveFull
from tests.warc.cdxj_samples import some_line, written_warc

if TYPE_CHECKING:
    from collections.abc import Callable


class Crash(BaseException):
    """What a process does not survive."""


class CrashPlan:
    """Lets the steps that reach the disk happen, and crashes before the one with this number."""

    def __init__(self, step: int) -> None:
        self._left = step

    def before(self, function: Callable[..., object]) -> Callable[..., object]:
        def step(*args: object, **kwargs: object) -> object:
            self._left -= 1
            if self._left == 0:
                raise Crash
            return function(*args, **kwargs)

        return step


def crashes_at(step: int, warcs: Path, folder: Path) -> bool:
    """Update an index up to a step. False when it has no such step."""
    plan = CrashPlan(step)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", plan.before(os.fsync))
        patch.setattr(Path, "rename", plan.before(Path.rename))
        patch.setattr(Path, "unlink", plan.before(Path.unlink))
        try:
            update(warcs, folder)
        except Crash:
            return True
    return False


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def tiers(folder: Path) -> list[int]:
    return [file.tier for file in index_files(folder)]


def numbers(folder: Path) -> list[int]:
    """The offsets of all captures, which tell them apart here."""
    return sorted(line.offset for line in Index(folder).range(""))


def add(folder: Path, count: int, start: int = 0) -> None:
    """Index files of WARCs with a line each."""
    for number in range(start, start + count):
        name = f"w{number:04d}.warc.gz"
        write_lines(folder, name, [some_line(f"http://e.example/{number % 5}", number, name, number)])


def test_the_index_of_a_warc_is_its_lines_sorted(tmp_path: Path) -> None:
    warc = written_warc(tmp_path / "warc", [f"http://{name}.example/" for name in ("c", "a", "b", "é", "a")])
    path = write_index(warc, tmp_path / "index")
    assert path == tmp_path / "index" / warc.name.replace(".warc.gz", ".cdxj")
    assert path.read_bytes().splitlines() == sorted(line.encode() for line in index_lines(warc))
    assert names(tmp_path / "index") == [path.name]


def test_a_line_given_twice_is_written_once(tmp_path: Path) -> None:
    assert write_lines(tmp_path, "a.warc.gz", [some_line(), some_line()]).read_text() == some_line() + "\n"


def test_eight_files_become_one_of_the_next_tier(tmp_path: Path) -> None:
    add(tmp_path, FAN_IN - 1)
    assert merge_tiers(tmp_path) == 0
    add(tmp_path, 1, start=FAN_IN - 1)
    assert merge_tiers(tmp_path) == 1
    assert names(tmp_path) == ["merged-01-00000001.cdxj", "merged-01-00000001.json"]
    lines = (tmp_path / "merged-01-00000001.cdxj").read_bytes().splitlines()
    assert lines == sorted(lines)
    assert numbers(tmp_path) == list(range(8))


def test_a_run_rewrites_little_however_many_there_were(tmp_path: Path) -> None:
    merges = 0
    for run in range(150):
        add(tmp_path, 1, start=run)
        merges += merge_tiers(tmp_path)
        assert all(tiers(tmp_path).count(tier) < FAN_IN for tier in range(4))
    assert tiers(tmp_path) == [0] * 6 + [1] * 2 + [2] * 2
    # Eighteen merges of eight lines and two of 64: each line was written again at most twice.
    assert merges == 20
    assert numbers(tmp_path) == list(range(150))


def test_merged_files_are_sorted_and_know_their_warcs(tmp_path: Path) -> None:
    add(tmp_path, 70)
    write_lines(tmp_path, "w0070.warc.gz", [])
    merge_tiers(tmp_path)
    covered: set[str] = set()
    for file in index_files(tmp_path):
        lines = file.path.read_bytes().splitlines()
        assert lines == sorted(lines)
        assert not covered & file.warcs()
        covered |= file.warcs()
    assert covered == {f"w{number:04d}.warc.gz" for number in range(71)}


def test_update_indexes_what_is_missing(tmp_path: Path) -> None:
    warcs, folder = tmp_path / "warc", tmp_path / "index"
    assert update(warcs, folder) == IndexUpdate()
    made = [written_warc(warcs, [f"http://example.org/{number}"]) for number in range(9)]
    (warcs / "unfinished.warc.gz.open").write_bytes(b"")
    (warcs / "broken.warc.gz.torn").write_bytes(b"")
    assert missing_indexes(warcs, folder) == made
    assert update(warcs, folder) == IndexUpdate(indexed=tuple(path.name for path in made), merges=1)
    assert tiers(folder) == [0, 1]
    assert missing_indexes(warcs, folder) == []
    assert update(warcs, folder) == IndexUpdate()
    assert len(list(Index(folder).range(""))) == 9


def test_a_warc_without_captures_is_indexed_once(tmp_path: Path) -> None:
    warcs, folder = tmp_path / "warc", tmp_path / "index"
    warcs.mkdir()
    for number in range(FAN_IN):
        (warcs / f"{number}.warc.gz").write_bytes(b"")
    assert len(update(warcs, folder).indexed) == FAN_IN
    assert update(warcs, folder) == IndexUpdate()
    assert numbers(folder) == []


def test_a_damaged_warc_is_reported_every_time_and_holds_up_no_other(tmp_path: Path) -> None:
    warcs, folder = tmp_path / "warc", tmp_path / "index"
    warcs.mkdir()
    (warcs / "a-damaged.warc.gz").write_bytes(b"damaged")
    whole = written_warc(warcs, ["http://example.org/"])
    first = update(warcs, folder)
    assert first.indexed == (whole.name,)
    assert "a-damaged.warc.gz cannot be indexed" in first.problems[0]
    assert update(warcs, folder).problems == first.problems
    assert len(Index(folder).captures("http://example.org/")) == 1


def test_a_crash_at_any_step_loses_no_line_and_doubles_none(tmp_path: Path) -> None:
    warcs, base = tmp_path / "warc", tmp_path / "base"
    # One more makes a full tier 0, which makes a full tier 1.
    add(base, FAN_IN * FAN_IN - 1)
    merge_tiers(base)
    written_warc(warcs, ["http://new.example/"])
    step = 1
    while True:
        folder = tmp_path / f"crash-{step}"
        shutil.copytree(base, folder)
        crashed = crashes_at(step, warcs, folder)
        before = [line.offset for line in Index(folder).range("example,e)")]
        assert sorted(before) == list(range(63)), step
        assert len(Index(folder).captures("http://new.example/")) <= 1
        update(warcs, folder)
        assert names(folder)[0].startswith("merged-02-"), step
        assert tiers(folder) == [2], step
        assert len(names(folder)) == 2, step
        assert len(list(Index(folder).range(""))) == 64
        if not crashed:
            break
        step += 1
    assert step > 40


def test_a_crash_during_repair_is_repaired(tmp_path: Path) -> None:
    warcs, base = tmp_path / "warc", tmp_path / "base"
    warcs.mkdir()
    add(base, FAN_IN)
    kept = tmp_path / "kept"
    shutil.copytree(base, kept)
    merge_tiers(base)
    shutil.copytree(kept, base, dirs_exist_ok=True)  # as if no input had been removed
    (base / "x.cdxj.tmp").write_bytes(b"half a li")
    (base / "merged-01-00000009.json").write_bytes(b"{}")
    for step in range(1, 14):
        folder = tmp_path / f"crash-{step}"
        shutil.copytree(base, folder)
        crashes_at(step, warcs, folder)
        assert numbers(folder) == list(range(8))
        assert repair(folder) == {f"w{number:04d}.warc.gz" for number in range(8)}
        assert names(folder) == ["merged-01-00000001.cdxj", "merged-01-00000001.json"]


@pytest.mark.parametrize("manifest", [None, b"", b'{"version": 1', b"[]"])
def test_a_lost_manifest_is_made_again_from_the_lines(tmp_path: Path, manifest: bytes | None) -> None:
    add(tmp_path, FAN_IN)
    merge_tiers(tmp_path)
    path = tmp_path / "merged-01-00000001.json"
    whole = path.read_bytes()
    path.unlink()
    if manifest is not None:
        path.write_bytes(manifest)
    assert len(repair(tmp_path)) == FAN_IN
    assert path.read_bytes() == whole


def test_a_full_disk_leaves_the_index_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add(tmp_path, FAN_IN)
    before = names(tmp_path)

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ArchiveFull, match=r"No space left on device: free some space and run again"):
        merge_tiers(tmp_path)
    assert names(tmp_path) == before
    monkeypatch.undo()
    assert merge_tiers(tmp_path) == 1
    assert numbers(tmp_path) == list(range(8))
