"""`scrapy recover`: whatever happens to an objects file, its lines are rebuilt or named as lost."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest

from archiver.archive.lock import ArchiveLock
from tests.crawl.documents import publish, stories
from tests.crawl.killing import RECOVER_BOUNDARIES
from tests.crawl.running import ROOT, crawl, scrapy
from tests.crawl.site import Site
from tests.zoo.damage import GarbledObjects, GluedObjects, LostObjects, LostState, TornObjects

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

# One process crawls for all commands.
pytestmark = pytest.mark.xdist_group("commands")


# Of an object that is read anew, only how sure it is and what its entry says may be otherwise.
LASTING = (
    "id", "url", "version", "channel", "entry_id", "title", "text", "html", "links", "images", "digest",
    "first_seen", "unchanged_until", "captured", "change", "extractor", "warc", "twins",
)  # fmt: skip


def objects_file(archive: Path) -> Path:
    """The one of the first day; runs around midnight have two."""
    return min((archive / "objects").glob("articles-*.jsonl"))


def lines_of(archive: Path) -> list[bytes]:
    paths = sorted((archive / "objects").glob("articles-*.jsonl"))
    return sorted(line for path in paths for line in path.read_bytes().splitlines(keepends=True))


def as_read(lines: list[bytes]) -> list[dict[str, Any]]:
    """What must be the same also where an object is read anew."""
    values = sorted(map(json.loads, lines), key=lambda value: (value["id"], value["version"]))
    return [{name: value[name] for name in LASTING} for value in values]


def lost_in(told: str) -> int:
    """How many objects were missing, by the summary."""
    found = re.search(r"(\d+) (?:was|were) missing", told)
    return int(found[1]) if found else 0


@pytest.mark.parametrize(
    "fault",
    [
        TornObjects(),
        pytest.param(GarbledObjects(), marks=pytest.mark.zoo),
        pytest.param(LostObjects(), marks=pytest.mark.zoo),
        pytest.param(GluedObjects(), marks=pytest.mark.zoo),
    ],
    ids=lambda fault: type(fault).__name__,
)
def test_lost_lines_are_rebuilt(
    archive: Path, run_here: RunHere, fault: TornObjects | GarbledObjects | LostObjects | GluedObjects
) -> None:
    before = lines_of(archive)
    path = objects_file(archive)
    fault.strike(path)
    lost = len(set(before) - set(lines_of(archive)))
    assert lost
    found = run_here("verify", archive)
    assert found.exit_code == 1
    assert len([line for line in found.text.splitlines() if line.startswith(f"{path}:")]) >= lost
    run = run_here("recover", archive)
    assert run.exit_code == 0, run
    assert 1 <= lost_in(run.text) <= lost
    after = lines_of(archive)
    assert as_read(after) == as_read(before)
    modes = {one.name: one.stat().st_mode & 0o777 for one in (archive / "objects").iterdir()}
    assert set(modes.values()) == {0o640}, modes
    # Only what its feed changed since cannot be had byte for byte, and says so.
    others = [json.loads(line) for line in set(after) - set(before)]
    assert len(others) <= max(1, lost // 10)
    assert all(one["reextracted"] for one in others)
    found = run_here("verify", archive)
    assert (found.exit_code, found.text.count("\n")) == (0, 1), found
    again = run_here("recover", archive)
    assert (again.exit_code, again.text) == (0, f"{again.text.split(':')[0]}: every object is there\n")
    assert lines_of(archive) == after


@pytest.mark.zoo
def test_pages_are_read_again_with_those_that_they_were_read_with(tmp_path: Path) -> None:
    """However their groups were cut: by settings, or by what had come in by then."""
    archive = tmp_path / "archive"
    with Site() as site:
        run = crawl(archive, [publish(site, stories(12))], EXTRACTION_GROUP_PAGES=4)
    assert [len(one["siblings"]) for one in run.objects].count(3) == 4
    before = lines_of(archive)
    LostObjects().strike(objects_file(archive))
    recovered = scrapy(archive, "recover")
    assert "12 were missing, 12 are rebuilt byte for byte" in recovered.stdout
    assert lines_of(archive) == before


def test_what_cannot_be_rebuilt_is_named_and_comes_back_with_the_backup(
    archive: Path, run_here: RunHere
) -> None:
    before = lines_of(archive)
    path = objects_file(archive)
    backup = path.read_bytes()
    TornObjects().strike(path)
    lost = [json.loads(line) for line in backup.splitlines()[-3:]]
    gone = archive / "warc" / lost[-1]["warc"]["file"]
    gone.rename(gone.with_suffix(".away"))
    run = run_here("recover", archive)
    assert run.exit_code == 1
    named = [line for line in run.text.splitlines() if line.startswith("Lost ")]
    assert any(
        f"version {lost[-1]['version']} of {lost[-1]['url']}: {gone.name} is not in" in line for line in named
    )
    # A second time nothing more is lost, and nothing doubled.
    again = run_here("recover", archive)
    assert [line for line in again.text.splitlines() if line.startswith("Lost ")] == named
    assert len(lines_of(archive)) == len(before) - len(named)
    gone.with_suffix(".away").rename(gone)
    assert run_here("recover", archive).exit_code == 0
    assert as_read(lines_of(archive)) == as_read(before)


@pytest.mark.zoo
@pytest.mark.parametrize("boundary", RECOVER_BOUNDARIES)
def test_killed_at_a_write_boundary_it_is_completed_by_the_next(
    archive: Path, run_here: RunHere, boundary: str
) -> None:
    before = lines_of(archive)
    TornObjects().strike(objects_file(archive))
    command = [
        sys.executable,
        "-m",
        "tests.crawl.killing",
        boundary,
        "1",
        "recover",
        "-s",
        f"ARCHIVE_DIR={archive}",
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    assert run_here("recover", archive).exit_code == 0
    assert as_read(lines_of(archive)) == as_read(before)
    assert run_here("verify", archive).exit_code == 0


def test_an_archive_in_use_is_left_alone(archive: Path, run_here: RunHere) -> None:
    path = objects_file(archive)
    TornObjects().strike(path)
    left = path.read_bytes()
    with ArchiveLock(archive):
        run = run_here("recover", archive)
    assert run.exit_code == 1
    assert "is working on" in run.told
    assert path.read_bytes() == left


def test_without_a_state_store_it_is_made_again_first(archive: Path, run_here: RunHere) -> None:
    """tests/commands/test_restore.py holds what it knows then against what it knew."""
    before = lines_of(archive)
    LostState().strike(archive)
    (archive / "state.sqlite.restoring").write_bytes(b"left by a run that was ended")
    run = run_here("recover", archive)
    assert run.exit_code == 0, run.told
    assert "State      made again: " in run.text
    assert [path.name for path in archive.glob("state.sqlite*")] == ["state.sqlite"]
    assert lines_of(archive) == before
    assert run_here("verify", archive).exit_code == 0


@pytest.mark.zoo
def test_runs_exit_1_until_a_damaged_file_is_restored(archive: Path, run_here: RunHere) -> None:
    path = objects_file(archive)
    backup = path.read_bytes()
    TornObjects().strike(path)
    left = path.read_bytes()
    for _ in range(2):
        run = crawl(archive, None)
        assert run.exit_code == 1
        assert f"{path} has {len(left)} bytes where {len(backup)} were settled" in run.stdout
        assert path.read_bytes() == left
    path.write_bytes(backup)
    assert crawl(archive, None).exit_code == 0
    assert run_here("verify", archive).exit_code == 0
