"""`scrapy verify`: a sound archive passes, and whatever is done to it is told with its place."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.files import index_files
from archiver.archive.cdxj.tiers import merge
from archiver.archive.lock import ArchiveLock
from archiver.inspection.verification.model import RESTORE_OBJECTS
from tests.commands.damage import (
    MANIFEST,
    edit_line,
    edit_object,
    first,
    flip,
    last,
    problems,
    warcs,
)
from tests.crawl.running import ROOT, scrapy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

# One process crawls for all commands.
pytestmark = pytest.mark.xdist_group("commands")


# ── The command ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_sound_archive_passes_and_stays_as_it_is(crawled: Crawled) -> None:
    folder = crawled.archived.folder
    # Where somebody has read the store before, SQLite keeps there who reads, and touches it each time.
    files = [path for path in folder.rglob("*") if not path.name.endswith(("-shm", "-wal"))]
    before = {path: path.stat().st_mtime_ns for path in files}
    run = scrapy(folder, "verify")
    assert (run.exit_code, run.stderr) == (0, "")
    records, objects = len(crawled.archived.records), len(crawled.archived.objects)
    assert run.stdout.startswith(f"2 WARC files, {records} records, ")
    assert run.stdout.endswith(f" index lines; {objects} objects: all is well\n")
    assert {path: path.stat().st_mtime_ns for path in before} == before


def test_a_problem_is_printed_with_its_place_and_makes_the_exit_code_1(archive: Path) -> None:
    path = warcs(archive)[0]
    offset = first(path, "response").offset
    flip(path, offset + 20)
    run = scrapy(archive, "verify")
    assert run.exit_code == 1
    assert run.stdout.startswith(f"{path}:{offset}: the compressed bytes of this record are damaged, ")
    assert run.stdout.rstrip().endswith(" problems")


def test_files_from_anywhere_are_checked_by_themselves(crawled: Crawled, tmp_path: Path) -> None:
    folder = crawled.archived.folder
    sound, damaged = (tmp_path / name for name in ("sound.warc.gz", "damaged.warc.gz"))
    # Its originals are in another file.
    sound.write_bytes(warcs(folder)[1].read_bytes())
    damaged.write_bytes(sound.read_bytes()[:-3])
    run = scrapy(folder, "verify", str(sound))
    assert (run.exit_code, run.stdout.count("\n")) == (0, 1), run
    run = scrapy(folder, "verify", str(sound), str(damaged))
    assert run.exit_code == 1
    assert run.stdout.startswith(
        f"{damaged}:{last(sound, 'metadata').offset}: the file ends within this record"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--fast",), "--fast is not an option"),
        (("nowhere.warc.gz",), "nowhere.warc.gz: there is no such file"),
        (("-s", "ARCHIVE_DIR=/nonexistent"), "There is no archive in /nonexistent"),
    ],
)
def test_wrong_usage_gives_the_exit_code_2(
    crawled: Crawled, run_here: RunHere, words: tuple[str, ...], told: str
) -> None:
    run = run_here("verify", crawled.archived.folder, *words)
    assert run.exit_code == 2
    assert told in run.told


def test_progress_is_shown_at_a_terminal(crawled: Crawled) -> None:
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "scrapy", "verify", "-s", f"ARCHIVE_DIR={crawled.archived.folder}"]
    subprocess.run(command, cwd=ROOT, stderr=terminal, stdout=subprocess.DEVNULL, check=True)
    os.close(terminal)
    shown = os.read(controller, 10_000).decode()
    os.close(controller)
    assert " of " in shown
    assert "%)" in shown
    assert shown.endswith("\r\x1b[K")


# ── Manifest ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_digest_that_was_changed_in_the_manifest_is_told(archive: Path) -> None:
    edit_line(archive / "warc" / MANIFEST, 0, lambda line: b"0" * 8 + line[8:])
    (text,) = problems(archive)
    assert text.startswith(f"{warcs(archive)[0]}:0: its SHA-256 is ")


def test_a_file_that_is_not_in_the_manifest_is_told(archive: Path) -> None:
    edit_line(archive / "warc" / MANIFEST, 1, lambda _: b"")
    assert problems(archive) == [
        f"{warcs(archive)[1]}:0: it is not in {MANIFEST}: the next `scrapy crawl feeds` adds it"
    ]


# ── Index ────────────────────────────────────────────────────────────────────────────────────────────────


def index_file(archive: Path) -> Path:
    return min((archive / "index").glob("*.cdxj"))


def test_a_lost_index_file_is_told(archive: Path) -> None:
    index_file(archive).unlink()
    told = "it is in no index: the next `scrapy crawl feeds` adds it"
    assert problems(archive) == [f"{warcs(archive)[0]}:0: {told}"]


def test_a_changed_line_is_told_with_its_place(archive: Path) -> None:
    offset = edit_line(index_file(archive), 3, lambda line: line.replace(b'"status": "', b'"status": "5'))
    (text,) = problems(archive)
    assert text.startswith(
        f"{index_file(archive)}:{offset}: this line is not what {warcs(archive)[0].name} has"
    )


def test_a_lost_line_is_told_with_its_record(archive: Path) -> None:
    edit_line(index_file(archive), 0, lambda _: b"")
    (text,) = problems(archive)
    assert text.startswith(f"{index_file(archive)}:0: it lacks 1 of the lines of {warcs(archive)[0].name}")


def test_nonsense_and_disorder_in_the_index_are_told(archive: Path) -> None:
    path = index_file(archive)
    offset = edit_line(path, 2, lambda _: b"!!! nonsense\n")
    found = problems(archive)
    assert found[0].startswith(f"{path}:{offset}: this is not a line of an index")
    assert found[1].startswith(f"{path}:{offset}: this line does not come after the one before it")


def test_a_merged_index_is_held_against_all_its_files(archive: Path) -> None:
    merged = merge(archive / "index", index_files(archive / "index"))
    assert problems(archive) == []
    edit_line(merged.path, 0, lambda _: b"")
    (text,) = problems(archive)
    assert text.startswith(f"{merged.path}:0: it lacks 1 of the lines of ")


# ── Objects ──────────────────────────────────────────────────────────────────────────────────────────────


def test_a_pointer_to_another_place_is_told(archive: Path) -> None:
    path = warcs(archive)[0]
    request = first(path, "request")
    place = edit_object(archive, 2, lambda value: value["warc"].update(file=path.name, offset=request.offset))
    (text,) = problems(archive)
    assert text.startswith(f"{place}: this object points to {path.name}:{request.offset} for <urn:uuid:")


def test_a_pointer_into_the_middle_of_a_record_is_told(archive: Path) -> None:
    place = edit_object(archive, 2, lambda value: value["warc"].update(offset=value["warc"]["offset"] + 1))
    (text,) = problems(archive)
    assert text.startswith(f"{place}: this object points to ")
    assert "where no whole record is" in text


@pytest.mark.parametrize(
    ("field", "told"), [("record_id", "but <urn:uuid:"), ("capture_id", "the capture <x>")]
)
def test_an_id_that_no_record_has_is_told(archive: Path, field: str, told: str) -> None:
    place = edit_object(archive, 0, lambda value: value["warc"].update({field: "<x>"}))
    (text,) = problems(archive)
    assert text.startswith(f"{place}: ")
    assert told in text


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda value: value.pop("digest"), "missing required field `digest`"),
        (lambda value: value.update(version="two"), "Expected `int`, got `str` - at `$.version`"),
        (lambda value: value.update(captured="today"), "Invalid RFC3339 encoded datetime - at `$.captured`"),
        (lambda value: value.update(schema="article/9"), "says schema 'article/9'"),
        (lambda value: value.update(text=value["text"] + "!"), "do not have the digest t2:"),
        (lambda value: value.update(title="Fake"), "do not have the digest t2:"),
    ],
)
def test_an_object_that_does_not_fit_the_schema_is_told(archive: Path, change: object, told: str) -> None:
    place = edit_object(archive, 1, change)  # type: ignore[arg-type] # one of the functions above
    (text,) = problems(archive)
    assert text.startswith(f"{place}: ")
    assert told in text


def test_lines_of_an_earlier_schema_are_well(archive: Path) -> None:
    edit_object(archive, 1, lambda value: value.update(schema="article/1"))
    assert not [text for text in problems(archive) if "schema" in text]


def test_a_line_that_ends_too_early_is_told(archive: Path) -> None:
    (path,) = (archive / "objects").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:-20])
    (text,) = problems(archive)
    assert text.startswith(f"{path}:")
    assert "this line is not an object" in text


def test_a_lost_objects_file_is_known_to_the_state_store(archive: Path) -> None:
    (path,) = (archive / "objects").glob("*.jsonl")
    size, objects = path.stat().st_size, path.read_bytes().count(b"\n")
    path.unlink()
    run = scrapy(archive, "verify")
    assert run.exit_code == 1
    told = f"{path}:0: it has 0 bytes where the state store knows of {size}: run `scrapy recover`, or bring"
    lines = run.stdout.splitlines()
    assert [line.startswith(told) for line in lines].count(True) == 1
    # Each of its objects is named.
    assert [": the object of version " in line for line in lines].count(True) == objects


def test_a_line_that_was_deleted_is_told_once_and_those_behind_it_as_one(
    archive: Path, run_here: RunHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    (path,) = (archive / "objects").glob("*.jsonl")
    first, second, *others = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + b"".join(others))
    lines = run_here("verify", archive).text.splitlines()
    url = json.loads(second)["url"]
    assert [line for line in lines if "is not here" in line] == [
        f"{path}:{len(first)}: the object of version 1 of {url} is not here: {RESTORE_OBJECTS}"
    ]
    (moved,) = [line for line in lines if "at other places" in line]
    place = f"{path}:{len(first) + len(second)}"
    assert moved.startswith(f"{place}: {len(others)} lines that were written from here on are whole")
    assert lines[-1].endswith(": 3 problems")  # the third: how long the file is


def test_a_lost_state_store_is_told_and_the_rest_verified(archive: Path, run_here: RunHere) -> None:
    for path in archive.glob("state.sqlite*"):
        path.unlink()
    run = run_here("verify", archive)
    assert (run.exit_code, run.text.count("\n")) == (1, 2)
    place = archive / "state.sqlite"
    assert run.text.startswith(f"{place}:0: There is no state store at {place}: ")
    assert "bring the state store back from a backup" in run.text
    assert not list(archive.glob("state.sqlite*"))


@pytest.mark.parametrize("offset", [0, 100, 40_000])
def test_a_garbled_state_store_is_told(archive: Path, run_here: RunHere, offset: int) -> None:
    path = archive / "state.sqlite"
    data = bytearray(path.read_bytes())
    data[offset : offset + 4096] = b"\xa5" * 4096
    path.write_bytes(data)
    run = run_here("verify", archive)
    assert run.exit_code == 1
    assert run.text.startswith(f"{path}:0: ")
    assert "bring the state store back from a backup" in run.text


# ── Run reports ──────────────────────────────────────────────────────────────────────────────────────────


def test_a_lost_or_changed_run_report_is_told(archive: Path) -> None:
    first, second = sorted((archive / "runs").glob("run-*.json"))
    first.unlink()
    second.write_bytes(second.read_bytes()[:-20])
    told = problems(archive)
    assert [text.split(": ")[0] for text in told] == [f"{second}:0", f"{archive / 'runs' / MANIFEST}:0"]
    assert "its SHA-256 is " in told[0]
    assert f"{first.name} is in the manifest" in told[1]


# ── Runs ─────────────────────────────────────────────────────────────────────────────────────────────────


def leave_open(archive: Path) -> Path:
    """As if the last run were still writing, or had died while it was."""
    path = warcs(archive)[1]
    data = path.read_bytes()
    path.unlink()
    opened = path.with_name(path.name + ".open")
    opened.write_bytes(data[:-5])
    edit_line(archive / "warc" / MANIFEST, 1, lambda _: b"")
    max((archive / "index").glob("*.cdxj")).unlink()
    return opened


def test_what_a_crash_left_open_is_told(archive: Path) -> None:
    opened = leave_open(archive)
    told = "it was left open by a crash: the next `scrapy crawl feeds` closes it, without a torn record"
    assert problems(archive) == [f"{opened}:0: {told}"]


def test_what_a_run_is_writing_is_no_problem(archive: Path) -> None:
    leave_open(archive)
    (path,) = (archive / "objects").glob("*.jsonl")
    with path.open("ab") as file:
        file.write(b'{"schema": "arti')
    with ArchiveLock(archive):
        assert problems(archive) == []
