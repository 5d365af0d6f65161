"""Whatever is wrong with the folder or the archive, every command says it in a sentence."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest

from archiver.command_line.listing import COMMANDS
from tests.command_line.running import ARCHIVER, STRANGER, URL, is_a_sentence, needs_a_stranger, run
from tests.warc.cdxj_samples import record

if TYPE_CHECKING:
    from collections.abc import Iterator

EVERY = Path(__file__).with_name("every.py")
# How each command is called. These need no archive: init, fetch, settings, knowledge, import.
WORDS = {
    "channels": [],
    "site": [],
    "browse": ["--no-open", "--port", "0"],
    "mark": [URL, "--no-open"],
    "search": ["ferry"],
    "articles": [],
    "captures": [URL],
    "runs": [],
    "terms": [],
    "sparql": ["ASK {?s ?p ?o}"],
    "rdf": [],
    "campaign": ["list"],
    "layout": [URL],
    "train": ["visual"],
    "forms": ["status"],
    "induce": ["books", "--url", URL, "price=1"],
    "fields": [],
    "withhold": ["--list"],
    "history": [URL],
    "diff": [URL],
    "changes": [],
    "rebuild": ["1", "--at", "2026-01-01", "-o", "-"],
    "statistics": [],
    "simulate": [],
    "verify": [],
    "recover": [],
    "extract-record": [URL],
    "timemap": [URL],
    "wacz": ["-o", "part.wacz"],
    "explain": [URL],
    "wrappers": [],
    "reextract": [],
    "export": ["--jsonl", "out"],
    "records": [URL],
    "store": [],
    "workers": [],
}
# These have a reactor, which a process starts once.
APART = {"crawl": [], "fetch": [URL]}
WITHOUT = {"init", "settings", "knowledge", "import"}


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user can reach: those of pytest are closed to all but one."""
    with TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def outcomes(folder: Path, *, before: list[str] | None = None) -> list[dict[str, Any]]:
    done = subprocess.run(
        [*(before or []), sys.executable, str(EVERY)],
        cwd=folder,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder / "none"), "PYTHONPATH": str(EVERY.parents[2])},
        input=json.dumps([[name, *words] for name, words in WORDS.items()]),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found: list[dict[str, Any]] = json.loads(done.stdout)
    assert len(found) == len(WORDS)
    return found


def assert_sentences(
    found: list[dict[str, Any]], told: str, *, may_work: frozenset[str] = frozenset()
) -> None:
    for one in found:
        if one["words"][0] in may_work and one["code"] == 0:
            continue
        assert one["code"] in {1, 2}, one
        said = one["stdout"] + one["stderr"]
        assert told in said, one
        assert "Traceback" not in said, one
        assert "[SQL" not in said, one


def test_no_command_is_forgotten_here() -> None:
    assert {*WORDS, *APART, *WITHOUT} == set(COMMANDS)


def test_in_an_empty_folder(folder: Path) -> None:
    assert_sentences(outcomes(folder), "There is no ")
    assert list(folder.iterdir()) == []


def a_begun_archive(folder: Path) -> Path:
    assert run(folder, "channels", "add", URL).returncode == 0
    (folder / "archive" / "warc").mkdir()
    return folder / "archive"


# They read the index, WARC files, reports of runs and orders, and need no state store.
INDEX_ALONE = frozenset(
    {"captures", "explain", "extract-record", "runs", "site", "timemap", "verify", "withhold"}
)


def test_on_a_state_store_that_is_not_a_database(folder: Path) -> None:
    state = a_begun_archive(folder) / "state.sqlite"
    state.write_bytes(b"no database at all" * 100)
    before = state.read_bytes()
    assert_sentences(outcomes(folder), "", may_work=INDEX_ALONE)
    done = run(folder, "crawl", "--nolog")
    assert (done.returncode, is_a_sentence(done)) == (1, True), done
    assert "not a database" in done.stderr
    assert state.read_bytes() == before


@pytest.mark.zoo
def test_on_a_database_of_another_program(folder: Path) -> None:
    state = folder / "archive" / "state.sqlite"
    (folder / "archive" / "warc").mkdir(parents=True)
    with closing(sqlite3.connect(state)) as foreign:
        foreign.execute("CREATE TABLE bookmarks (id INTEGER)")
    before = state.read_bytes()
    assert_sentences(outcomes(folder), "", may_work=INDEX_ALONE)
    assert state.read_bytes() == before


@pytest.mark.zoo
def test_on_a_state_store_of_a_newer_archiver(folder: Path) -> None:
    state = a_begun_archive(folder) / "state.sqlite"
    with closing(sqlite3.connect(state)) as newer, newer:
        newer.execute("UPDATE schema_version SET version = 999")
    assert_sentences(outcomes(folder), "", may_work=INDEX_ALONE)
    done = run(folder, "crawl", "--nolog")
    assert (done.returncode, is_a_sentence(done)) == (1, True), done
    assert "999" in done.stderr
    assert "newer archiver" in done.stderr


@needs_a_stranger
def test_on_an_archive_that_may_not_be_read(folder: Path) -> None:
    a_begun_archive(folder).chmod(0o700)
    assert_sentences(outcomes(folder, before=STRANGER), "Permission denied")
    done = run(folder, "crawl", "--nolog", program=[*STRANGER, *ARCHIVER])
    assert (done.returncode, is_a_sentence(done)) == (1, True), done
    assert "Permission denied" in done.stderr


@needs_a_stranger
def test_a_folder_that_may_not_be_read_is_not_taken_for_an_empty_one(folder: Path) -> None:
    archive = a_begun_archive(folder)
    for name in ("warc", "index", "objects"):
        (archive / name).mkdir(exist_ok=True)
    for path in (archive, *archive.iterdir()):
        path.chmod(0o755)
    (archive / "index").chmod(0o700)
    done = run(folder, "wacz", "-o", "part.wacz", program=[*STRANGER, *ARCHIVER])
    assert (done.returncode, is_a_sentence(done)) == (1, True), done
    assert "index: Permission denied: run as the user who owns it" in done.stderr


@needs_a_stranger
def test_a_crawl_that_may_not_write_says_what_to_do(folder: Path) -> None:
    done = run(folder, "crawl", URL, "--nolog", program=[*STRANGER, *ARCHIVER])
    assert (done.returncode, is_a_sentence(done)) == (1, True), done
    assert "cannot be made: Permission denied: run as the user who owns it" in done.stderr


def test_an_archive_is_not_begun_among_other_files(folder: Path) -> None:
    (folder / "photos").mkdir()
    (folder / "photos" / "cat.jpg").touch()
    (folder / "photos" / ".hidden").touch()
    for words in (["crawl", URL, "--nolog"], ["channels", "add", URL]):
        done = run(folder, *words, "-s", "ARCHIVE_DIR=photos")
        assert (done.returncode, is_a_sentence(done)) == (1, True), done
        assert "photos has other files, such as cat.jpg, and no archive: set ARCHIVE_DIR" in done.stderr
    assert sorted(path.name for path in (folder / "photos").iterdir()) == [".hidden", "cat.jpg"]


def test_ctrl_c_ends_a_command_with_a_sentence_and_130(tmp_path: Path) -> None:
    """As a terminal does it: every process of the command gets the signal."""
    big = tmp_path / "big.warc.gz"
    # A minute of reading in a few megabytes.
    answer = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (8 << 20)
    big.write_bytes(record("response", "http://example.org/", answer) * 1000)
    with subprocess.Popen(
        [*ARCHIVER, "verify", str(big)],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Processes of pytest that run beside each other ignore it, and so would those that they start.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 - no threads here
    ) as process:
        wait_for_children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        told = process.communicate(timeout=30)
    assert (process.returncode, told[1]) == (130, "archiver verify: error: not all was read: interrupted\n")


def wait_for_children(pid: int) -> None:
    """The workers that read are there, and have begun."""
    until = time.monotonic() + 60
    while not Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
        assert time.monotonic() < until
        time.sleep(0.05)
    time.sleep(0.5)
