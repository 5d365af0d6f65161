"""`scrapy wacz` where something is in the way: said plainly, and nothing is written over."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

import pytest

from archiver.inspection.wacz.plan import SortedLines
from tests.commands.damage import warcs
from tests.commands.packages import Wacz
from tests.crawl.running import finish, read_records, start_scrapy

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")

# ── What goes wrong ──────────────────────────────────────────────────────────────────────────────────────


def test_a_file_is_replaced_only_when_asked_and_when_the_new_one_is_whole(
    crawled: Crawled, run_here: RunHere, written: Path
) -> None:
    written.write_bytes(b"precious")
    outcome = run_here("wacz", crawled.archived.folder, "-o", str(written))
    assert (outcome.exit_code, written.read_bytes()) == (2, b"precious")
    assert f"{written} exists: --force writes over it" in outcome.told
    outcome = run_here(
        "wacz", crawled.archived.folder, "-o", str(written), "--force", "--until", "1999-01-01"
    )
    assert (outcome.exit_code, written.read_bytes()) == (1, b"precious")
    assert "Nothing in the archive fits" in outcome.told
    outcome = run_here("wacz", crawled.archived.folder, "-o", str(written), "--force", "--channel", "1")
    assert outcome.exit_code == 0
    assert zipfile.is_zipfile(written)
    assert [path.name for path in written.parent.glob("*.tmp")] == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name the file to write: -o FILE.wacz"),
        (("-o", "part.zip"), "part.zip: the name of a WACZ file ends in .wacz"),
        (("-o", "nowhere/part.wacz"), "there is no such folder"),
        (("-o", "part.wacz", "--since", "then"), "'then' is not a time"),
        (("-o", "part.wacz", "more"), "Unknown argument more"),
    ],
)
def test_wrong_usage_gives_the_exit_code_2(
    crawled: Crawled, run_here: RunHere, words: tuple[str, ...], told: str
) -> None:
    outcome = run_here("wacz", crawled.archived.folder, *words)
    assert outcome.exit_code == 2
    assert told in outcome.told


def test_an_unknown_channel_is_told(crawled: Crawled, run_here: RunHere, written: Path) -> None:
    outcome = run_here("wacz", crawled.archived.folder, "-o", str(written), "--channel", "999")
    assert (outcome.exit_code, written.exists()) == (1, False)
    assert "No channel is called 999: `scrapy channels` lists them" in outcome.told


def test_a_full_disk_leaves_nothing_behind(crawled: Crawled, written: Path) -> None:
    words = ["wacz", "-o", str(written), "-s", f"ARCHIVE_DIR={crawled.archived.folder}"]
    run = finish(start_scrapy(words, largest_file=100 * 1024), crawled.archived.folder)
    assert run.exit_code == 1
    assert run.stderr == f"scrapy wacz: error: {written} could not be written: File too large\n"
    assert list(written.parent.iterdir()) == []


def test_a_lost_state_store_is_not_made_anew(archive: Path, run_here: RunHere, written: Path) -> None:
    for path in archive.glob("state.sqlite*"):
        path.unlink()
    outcome = run_here("wacz", archive, "-o", str(written))
    assert outcome.exit_code == 1
    assert "There is no state store at " in outcome.told
    assert not list(archive.glob("state.sqlite*"))


def test_what_a_lost_file_held_is_told_and_the_rest_is_written(
    archive: Path, run_here: RunHere, written: Path
) -> None:
    lost, kept = warcs(archive)
    lost.unlink()
    outcome = run_here("wacz", archive, "-o", str(written))
    assert outcome.exit_code == 1
    assert f"scrapy wacz: missing: {lost.name} is not in {archive / 'warc'}" in outcome.told
    assert {record.id for record in read_records(kept)} <= {record.id for record in Wacz(written).records}


def test_many_lines_are_sorted_on_disk() -> None:
    lines = [b"%d\n" % (number * 7919 % 1000) for number in range(3000)]
    some = SortedLines(in_memory=500)
    for line in lines:
        some.add(line)
    assert list(some) == sorted(set(lines))
    some.close()
