"""`scrapy search` and `scrapy articles`: found, listed, and the index made anew."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from archiver.search.building import build
from archiver.store.reading import reading
from tests.history.made import DAY, START
from tests.search.made import searched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

HOSTILE = "Ferry <b>&amp; \x1b[2J \u202e turned"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("search") / "archive"
    with searched(folder) as new:
        shore = new.channel("http://example.org/feed")
        new.label(shore, "islands")
        new.add("ferry", "The ferry leaves the harbour.", channel=shore, title="The ferry", authors=("Jane",))
        new.add("hostile", f"The harbour. {HOSTILE}", channel=shore, title=HOSTILE, at=START + DAY)
    return folder


@pytest.fixture(scope="module")
def built(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = shutil.copytree(archive, tmp_path_factory.mktemp("built") / "archive")
    with reading(f"sqlite:///{folder / 'state.sqlite'}") as state:
        build(folder, state, lambda *_: None)
    return folder


@pytest.mark.parametrize("command", [("search", "ferry"), ("articles",)])
def test_an_archive_of_before_says_how_to_build_its_index(
    archive: Path, run_here: RunHere, command: tuple[str, ...]
) -> None:
    done = run_here(command[0], archive, *command[1:])
    assert done.exit_code == 1
    assert "has no search index yet: run `scrapy search --build`" in " ".join(done.told.split())


def test_the_index_is_built_and_then_words_are_found(
    archive: Path, tmp_path: Path, run_here: RunHere
) -> None:
    copied = shutil.copytree(archive, tmp_path / "archive")
    done = run_here("search", copied, "--build")
    assert (done.exit_code, done.text) == (0, "The search index has 2 versions of articles.\n")
    done = run_here("search", copied, "ferry -turned")
    assert (done.exit_code, done.told) == (0, "")
    assert done.text == (
        "2026-03-02 07:00  The ferry\n"
        "                  http://example.org/ferry  (1  http://example.org/feed)\n"
        "                  The ferry leaves the harbour.\n"
        "1 found. All times are UTC.\n"
    )


def test_hits_as_json(built: Path, run_here: RunHere) -> None:
    done = run_here("search", built, "harbour", "--label", "islands", "--limit", "1", "--json")
    found = json.loads(done.out)
    assert (found["total"], found["total_is_exact"], len(found["hits"])) == (2, True, 1)
    assert found["hits"][0]["url"] == "http://example.org/hostile"
    assert {"text": "harbour", "marked": True} in found["hits"][0]["snippet"]
    done = run_here("search", built, "harbour", "--after", found["next"], "--json")
    assert [hit["url"] for hit in json.loads(done.out)["hits"]] == ["http://example.org/ferry"]


def test_a_terminal_is_not_steered_by_what_is_found(built: Path, run_here: RunHere) -> None:
    done = run_here("search", built, "harbour turned")
    assert "Ferry <b>" in done.text
    assert "\x1b" not in done.text
    assert "\u202e" not in done.text


def test_articles_are_listed_the_newest_first(built: Path, run_here: RunHere) -> None:
    done = run_here("articles", built, "--author", "jane")
    assert "The ferry\n" in done.text
    assert done.text.endswith("1 found. All times are UTC.\n")
    done = run_here("articles", built, "--limit", "1")
    assert "Next page: --after" in done.text
    assert "2 found, 1 shown." in done.text


def test_wrong_usage_is_told(built: Path, run_here: RunHere) -> None:
    for words in (
        ("search",),
        ("search", "x", "--limit", "0"),
        ("articles", "x"),
        ("search", "--build", "x"),
    ):
        assert run_here(words[0], built, *words[1:]).exit_code == 2
    done = run_here("search", built, "x", "--channel", "99")
    assert (done.exit_code, "No channel is called 99" in done.told) == (1, True)
