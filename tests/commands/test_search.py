"""`scrapy search` and `scrapy articles`: found, listed, and the index made anew."""

from __future__ import annotations

import json
import shutil
import zipfile
from typing import TYPE_CHECKING

import feedparser
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


def test_what_was_found_is_written_as_feed_page_and_book(
    built: Path, tmp_path: Path, run_here: RunHere
) -> None:
    paths = {name: tmp_path / f"found.{name}" for name in ("atom", "html", "epub")}
    options = [word for name, path in paths.items() for word in (f"--{name}", str(path))]
    done = run_here("search", built, "harbour", *options)
    assert done.exit_code == 0
    assert done.text.startswith("Written: 2 articles to ")
    assert [entry.link for entry in feedparser.parse(paths["atom"].read_bytes()).entries] == [
        "http://example.org/hostile",
        "http://example.org/ferry",
    ]
    assert "The ferry leaves the harbour." in paths["html"].read_text()
    assert "<b>" not in paths["html"].read_text()
    assert zipfile.ZipFile(paths["epub"]).read("mimetype") == b"application/epub+zip"
    again = tmp_path / "again.atom"
    run_here("search", built, "harbour", "--atom", str(again), "--limit", "1")
    assert (
        feedparser.parse(again.read_bytes()).feed.id == feedparser.parse(paths["atom"].read_bytes()).feed.id
    )


def test_a_search_is_saved_listed_used_and_removed(built: Path, run_here: RunHere) -> None:
    assert run_here("search", built, "--saved").text == "No search is saved.\n"
    name = "Ferries / and ../ more"
    done = run_here("search", built, "ferry -turned", "--label", "islands", "--save", name)
    assert done.exit_code == 0
    assert run_here("search", built, "--saved").text == f"{name}: ferry -turned; label islands\n"
    used = run_here("search", built, "--use", name, "--json")
    assert [hit["url"] for hit in json.loads(used.out)["hits"]] == ["http://example.org/ferry"]
    assert len(list((built / "searches").iterdir())) == 1
    assert run_here("search", built, "--forget", name).exit_code == 0
    assert run_here("search", built, "--use", name).exit_code == 1
    assert run_here("search", built, "--forget", name).exit_code == 1
    assert run_here("search", built, "x", "--save", " ").exit_code == 2


def test_a_saved_search_that_cannot_be_read_is_named(built: Path, run_here: RunHere) -> None:
    path = built / "searches" / "bad.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text('{"words": 1}')
    done = run_here("search", built, "--use", "bad")
    path.unlink()
    assert (done.exit_code, "is not a saved search" in done.told) == (1, True)
