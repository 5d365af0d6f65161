"""SIGKILL at any moment of writing: after the repair every validator passes, and what was kept is there."""

from __future__ import annotations

import gzip
import hashlib
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.archive.cdxj.index import Index
from archiver.archive.warc.manifest import read_manifest
from archiver.archive.warc.reader import read_response
from tests.acceptance.tools import ROOT, check_files
from tests.acceptance.writing import REPAIR_BOUNDARIES, WRITE_BOUNDARIES, Kept, body, repair_archive

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.zoo

# RANDOM_KILLS=100 for a longer try.
KILLS = int(os.environ.get("RANDOM_KILLS", "40"))
AT_ONCE = 10
# Long enough for some files to be closed and others to be begun.
LONGEST = 0.15
# A seed whose files are closed often.
SMALL = 0


def start(task: str, folder: Path, seed: int, *boundary: str) -> subprocess.Popen[bytes]:
    """Begin to write, or to repair; what was kept is noted beside it."""
    folder.mkdir(exist_ok=True)
    with (folder / "kept.jsonl").open("ab") as kept:
        return subprocess.Popen(
            [sys.executable, "-m", "tests.acceptance.writing", task, folder, str(seed), *boundary],
            cwd=ROOT,
            stdout=kept,
            stderr=subprocess.PIPE,
        )


def kill_after(seconds: float, folder: Path, seed: int) -> None:
    with start("write", folder, seed) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == b"ready\n"
        time.sleep(seconds)
        process.kill()
    assert process.returncode == -signal.SIGKILL


def kill_at(boundary: str, number: int, task: str, folder: Path, seed: int) -> None:
    with start(task, folder, seed, boundary, str(number)) as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL, f"{boundary} was never reached: {said.decode()}"


def check_archive(folder: Path, seed: int) -> int:
    """Every capture opens with its payload and is in the index; how many there are."""
    assert not list((folder / "warc").glob("*.open"))
    digests = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in warcs(folder)}
    assert read_manifest(folder / "warc") == digests
    lines = (folder / "kept.jsonl").read_bytes().splitlines(keepends=True)
    found = [msgspec.json.decode(line, type=Kept) for line in lines if line.endswith(b"\n")]
    index = Index(folder / "index")
    indexed = {(line.filename, line.offset) for line in index.range("org,example)/")}
    ids = {record_id.decode() for path in warcs(folder) for record_id in record_ids(path)}
    for kept in found:
        capture = kept.capture
        stored = read_response(folder / "warc", capture.file, capture.offset)
        assert stored.content == body(seed, kept.number)
        assert (capture.file, capture.offset) in indexed
        assert capture.capture_id in ids
    return len(found)


def warcs(*folders: Path) -> list[Path]:
    return [path for folder in folders for path in (folder / "warc").glob("*.warc.gz")]


def record_ids(path: Path) -> list[bytes]:
    return re.findall(rb"\r\nWARC-Record-ID: (\S+)\r\n", gzip.decompress(path.read_bytes()))


@pytest.mark.parametrize("first", range(0, KILLS, AT_ONCE))
def test_killed_at_a_random_moment(first: int, tmp_path: Path) -> None:
    captures = torn = 0
    folders = {seed: tmp_path / str(seed) for seed in range(first, min(first + AT_ONCE, KILLS))}
    for seed, folder in folders.items():
        kill_after(random.Random(seed).uniform(0, LONGEST), folder, seed)
        repair_archive(folder)
        captures += check_archive(folder, seed)
        torn += len(list((folder / "warc").glob("*.torn")))
    check_files(warcs(*folders.values()))
    assert captures
    print(f"{AT_ONCE} kills: {captures} captures, {torn} torn records")


@pytest.mark.parametrize("boundary", WRITE_BOUNDARIES)
def test_killed_at_a_boundary_of_writing(boundary: str, tmp_path: Path) -> None:
    folders = {number: tmp_path / str(number) for number in (1, 2, 9)}
    for number, folder in folders.items():
        kill_at(boundary, number, "write", folder, SMALL)
        repair_archive(folder)
        check_archive(folder, SMALL)
    check_files(warcs(*folders.values()))


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A torn record, and more files than the index has room for in one tier."""
    folder = tmp_path_factory.mktemp("killed")
    kill_at("within-a-record", 400, "write", folder, SMALL)
    assert len(warcs(folder)) >= 8
    return folder


@pytest.mark.xdist_group("repair")
@pytest.mark.parametrize("boundary", REPAIR_BOUNDARIES)
def test_killed_at_a_boundary_of_the_repair(boundary: str, killed: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(killed, tmp_path / "archive")
    kill_at(boundary, 1, "repair", folder, SMALL)
    repair_archive(folder)
    assert check_archive(folder, SMALL)
    check_files(warcs(folder))
    assert list((folder / "warc").glob("*.torn"))
