"""`scrapy terms`: lists at a terminal and as JSON."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from tests.terms.made import archive_of_terms, half_a_year

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("terms") / "archive"
    with archive_of_terms(folder) as made:
        for name in "abcd":
            made.channel(f"http://example.org/{name}")
        made.label(2, "shore")
        made.publish(half_a_year(random.Random(7)))
    return folder


def test_lists_are_printed(archive: Path, run_here: RunHere) -> None:
    done = run_here("terms", archive)
    assert (done.exit_code, done.told) == (0, "")
    head, *lines = done.text.splitlines()
    assert head == "80 articles of 2026-02-23 to 2026-03-08, against 400 articles since 2025-08-25"
    assert [line for line in lines if line in {"New", "Rising", "Falling"}] == ["New", "Rising", "Falling"]
    rising = lines[lines.index("Rising") : lines.index("Falling")]
    assert [line.split("  ")[0] for line in rising[2:4]] == ["volcano", "lava flow"]
    assert lines[-1].startswith("harvest")


def test_new_ones_alone(archive: Path, run_here: RunHere) -> None:
    text = run_here("terms", archive, "--new").text
    assert "lava flow" in text
    assert "volcano" not in text
    found = json.loads(run_here("terms", archive, "--new", "--json").out)
    assert (found["rising"], [one["term"] for one in found["new"]]) == ([], ["lava flow"])


def test_channels_and_labels_choose(archive: Path, run_here: RunHere) -> None:
    by_label = json.loads(run_here("terms", archive, "--label", "shore", "--json").out)
    by_number = json.loads(run_here("terms", archive, "--channel", "2", "--json").out)
    assert by_label == by_number
    assert by_label["articles"] == 20


def test_what_is_withheld_is_not_told(archive: Path, run_here: RunHere) -> None:
    assert run_here("withhold", archive, "example.org", "--reason", "order 7").exit_code == 0
    try:
        found = json.loads(run_here("terms", archive, "--json").out)
        assert (found["articles"], found["rising"], found["new"]) == (0, [], [])
    finally:
        assert run_here("withhold", archive, "example.org", "--lift").exit_code == 0
    assert json.loads(run_here("terms", archive, "--json").out)["articles"] == 80


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (("--label", "nonesuch"), 1, "No channel has the label nonesuch: `scrapy channels` shows the labels"),
        (("--channel", "99"), 1, "No channel is called 99: `scrapy channels` lists them"),
        (("--limit", "0"), 2, "--limit: write a number from 1 on"),
        (("--since", "then"), 2, "--since: 'then' is not a time"),
        (("ferry",), 2, "Unknown argument ferry"),
    ],
)
def test_what_is_refused(
    words: tuple[str, ...], code: int, told: str, archive: Path, run_here: RunHere
) -> None:
    done = run_here("terms", archive, *words)
    assert done.exit_code == code
    assert told in done.text + done.told
