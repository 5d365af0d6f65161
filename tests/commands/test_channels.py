"""`scrapy channels`: what is listed, and in which form."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from archiver.acquisition.seeds import read_seeds
from archiver.clock import machine_now
from archiver.store.database import Database
from archiver.store.schema import channels
from tests.crawl.running import ROOT
from tests.store.samples import add_channel
from tests.terminals import Terminal

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

LABELS = {"alpha": ("news", "arts, culture"), "beta": ("news",), "gamma": ("letters",), "delta": ()}


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with four channels, one that fails and one that nobody wants any more."""
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    for name, labels in LABELS.items():
        add_channel(database, f"http://me:hunter2@example.org/{name}", labels=labels)
    now = machine_now()
    failing = {"failures": 2, "failing_since": now, "outcome": "dns", "last_poll": now}
    for number, values in ((2, failing), (4, {"status": "unlisted"})):
        query = update(channels).where(channels.c.id == number).values(**values)
        database.run(lambda connection, query=query: connection.execute(query))
    database.close()
    return tmp_path


def numbers(told: str) -> list[str]:
    return [line.split()[0] for line in told.splitlines()[1:]]


def test_the_list_is_narrowed_down(archive: Path, run_here: RunHere) -> None:
    assert numbers(run_here("channels", archive).text) == ["1", "2", "3", "4"]
    assert numbers(run_here("channels", archive, "list", "--failing").text) == ["2"]
    assert numbers(run_here("channels", archive, "--label", "news").text) == ["1", "2"]
    both = ("--label", "letters", "--label", "arts, culture")
    assert numbers(run_here("channels", archive, *both).text) == ["1", "3"]
    assert numbers(run_here("channels", archive, "--status", "unlisted").text) == ["4"]
    nothing = run_here("channels", archive, "--label", "letters", "--failing")
    assert (nothing.exit_code, nothing.text.split(":")[0]) == (0, "No channel is like that")
    unknown = run_here("channels", archive, "--label", "nwes")
    assert (unknown.exit_code, unknown.text) == (1, "")
    assert "No channel has the label nwes" in unknown.told


def test_programs_get_json_without_secrets(archive: Path, run_here: RunHere) -> None:
    done = run_here("channels", archive, "--failing", "--json")
    (found,) = json.loads(done.out)
    assert (found["id"], found["outcome"], found["labels"]) == (2, "dns", ["news"])
    assert "hunter2" not in done.text
    assert json.loads(run_here("channels", archive, "--status", "merged", "--json").out) == []


def test_opml_is_a_seeds_file_with_the_same_labels(archive: Path, run_here: RunHere) -> None:
    path = archive / "exported.opml"
    path.write_bytes(run_here("channels", archive, "--opml").out)
    found = read_seeds([path])
    assert found.problems == ()
    wanted = {f"http://me:hunter2@example.org/{name}": labels for name, labels in LABELS.items()}
    del wanted["http://me:hunter2@example.org/delta"]
    assert {seed.url: seed.labels for seed in found.seeds} == wanted


def test_wrong_usage_is_told(archive: Path, run_here: RunHere) -> None:
    assert run_here("channels", archive, "--json", "--opml").exit_code == 2
    assert run_here("channels", archive, "show").exit_code == 2
    by_label = run_here("channels", archive, "poll", "--label", "news")
    assert (by_label.exit_code, "poll takes numbers, URLs or labels" in by_label.told) == (2, True)
    unknown = run_here("channels", archive, "show", "77")
    assert (unknown.exit_code, unknown.text) == (1, "")
    assert "No channel is called 77" in unknown.told


@pytest.mark.parametrize("words", [("pause", "1"), ("poll", "--all"), ("show", "1"), ()])
def test_an_archive_that_is_not_there_is_not_begun_by_a_typo(
    tmp_path: Path, run_here: RunHere, words: tuple[str, ...]
) -> None:
    done = run_here("channels", tmp_path, *words)
    assert (done.exit_code, done.text) == (2, "")
    assert "There is no archive in" in done.told
    assert list(tmp_path.iterdir()) == []


def test_at_a_terminal_the_table_is_coloured_and_as_wide_as_the_window(archive: Path) -> None:
    command = [sys.executable, "-m", "scrapy", "channels", "-s", f"ARCHIVE_DIR={archive}"]
    with Terminal(command, folder=ROOT, columns=60) as terminal:
        assert terminal.wait() == 0
    assert "\x1b[31mhost name not …\x1b[0m" in terminal.written
    assert len(terminal.screen) == 6  # the last one is empty
    assert all(len(line) <= 60 for line in terminal.screen)
    # Into a pipe whose reader has seen enough.
    shell = f"{' '.join(command)} | head -1"
    done = subprocess.run(shell, shell=True, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("No.")
    assert (done.stderr, "\x1b" in done.stdout) == ("", False)
