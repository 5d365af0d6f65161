"""One run at a time: the lock holds between processes and falls with its holder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from archiver.archive.lock import ArchiveLock, hold_state
from archiver.errors import ArchiveError, ArchiveLocked

if TYPE_CHECKING:
    from pathlib import Path

HOLD = """
import pathlib, sys
from archiver.archive.lock import hold_state, ArchiveLock
with ArchiveLock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def holder(folder: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", HOLD, str(folder)]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"held\n"
    return process


def test_a_second_run_is_told_who_holds_the_archive(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        with pytest.raises(ArchiveLocked, match=rf"process {first.pid}\) is working on {tmp_path}"):
            ArchiveLock(tmp_path).__enter__()
        first.communicate()


def test_within_one_process_the_lock_holds_as_well(tmp_path: Path) -> None:
    with ArchiveLock(tmp_path), pytest.raises(ArchiveLocked, match=f"process {os.getpid()}"):
        ArchiveLock(tmp_path).__enter__()


def test_a_killed_holder_leaves_no_lock(tmp_path: Path) -> None:
    with holder(tmp_path) as first:
        first.send_signal(signal.SIGKILL)
        first.wait()
        with ArchiveLock(tmp_path):
            pass


def test_a_child_of_the_holder_does_not_keep_the_lock(tmp_path: Path) -> None:
    with ArchiveLock(tmp_path):
        child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    with child, ArchiveLock(tmp_path):
        child.kill()


def test_the_lock_can_be_taken_again_and_again(tmp_path: Path) -> None:
    lock = ArchiveLock(tmp_path / "new" / "archive")
    for _ in range(3):
        with lock:
            assert (tmp_path / "new" / "archive" / "lock").read_text() == f"{os.getpid()}\n"


def test_an_archive_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ArchiveError, match="file/lock cannot be written"):
        ArchiveLock(tmp_path / "file").__enter__()


def test_one_run_at_a_time_has_a_state_store_of_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "shared" / "state.sqlite"
    with hold_state(path), pytest.raises(ArchiveLocked, match=rf"working with the state store {path}"):
        hold_state(path).__enter__()
    with hold_state(path):
        pass
