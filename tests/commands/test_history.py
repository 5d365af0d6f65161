"""`scrapy history`: what a person and a program are told of an article over time."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, update

from archiver.inspection.history.spoken import MINUS
from archiver.store.schema import articles, pages, versions
from tests.history.made import DAY, HOUR, SECOND, START, URL, made

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

LINK = "http://links.example.org/r?to=ferry"


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An article with three versions that was gone for a while, with two others that are nearly the same."""
    folder: Path = tmp_path_factory.mktemp("history") / "archive"
    with made(folder) as new:
        channel = new.channel()
        ferry = new.article(link=LINK, channel=channel)
        new.version(ferry, channel_id=channel, published=START - HOUR)
        new.version(
            ferry, START + 3 * HOUR, kinds="text,title", text=SECOND, title="The ferry\x1b[31m, sometimes",
            unchanged_until=START + 2 * HOUR, added=2, removed=1, similarity=0.9876, channel_id=channel,
            published=START - HOUR, modified=START + 2 * HOUR,
        )  # fmt: skip
        new.version(ferry, START + 9 * DAY, kinds="links", unchanged_until=START + 8 * DAY, title="No ferry")
        new.absence(
            ferry,
            START + 4 * HOUR,
            START + 5 * HOUR,
            "not_found",
            back_after=START + DAY,
            back=START + 2 * DAY,
        )
        for name in ("amp/ferry", "print/ferry"):
            other = new.article(f"http://example.org/{name}")
            new.version(other)
        new.twin(ferry, 2)
        new.twin(3, ferry, "canonical", 1.0)
        new.watch(
            ferry, recheck=START + 20 * DAY, why="articles of this channel settle in a week", looks=7, edits=2
        )
    return folder


@pytest.fixture
def copied(archive: Path, tmp_path: Path) -> Path:
    """For a test that changes it."""
    return shutil.copytree(archive, tmp_path / "archive")


def test_of_many_twins_a_few_are_told_and_one_look_is_one(tmp_path: Path, run_here: RunHere) -> None:
    with made(tmp_path / "archive") as new:
        ferry = new.article()
        new.version(ferry)
        for number in range(8):
            twin = new.article(f"http://example.org/{number}")
            new.version(twin)
            new.twin(ferry, twin)
        new.watch(ferry, recheck=START + DAY, why="soon", looks=1, edits=0)
    told = " ".join(run_here("history", tmp_path / "archive", URL).text.split())
    assert told.count("nearly equal") == 5
    assert "and 3 more, which --json has" in told
    assert "1 look so far, 0 found an edit" in told
    found = json.loads(run_here("history", tmp_path / "archive", URL, "--json").text)
    assert len(found["twins"]) == 8


def test_versions_absences_and_twins_are_told_in_order(archive: Path, run_here: RunHere) -> None:
    done = run_here("history", archive, URL)
    assert (done.exit_code, done.told) == (0, "")
    told = " ".join(done.text.split())
    for words in (
        "No ferry http://example.org/ferry",
        "announced by 1 http://***@example.org/feed (The Shore)",
        "first seen 2026-03-02 07:00:00 last seen 2026-03-11 07:00:00, as version 3",
        "nearly equal http://example.org/amp/ferry (97 % alike by its text, seen before it, found 2026-03-02",
        "http://example.org/print/ferry (100 % alike by the address that it names, seen after it",
        "next look 2026-03-22 07:00:00 (articles of this channel settle in a week); 7 looks so far, 2 found",
    ):
        assert words in told, words
    story = (
        "version 1 2026-03-02 07:00:00 new title: The ferry",
        f"version 2 2026-03-02 10:00:00 text, title +2 {MINUS}1 words 98 % alike",
        "changed between 2026-03-02 09:00:00 and 2026-03-02 10:00:00",
        "says: modified 2026-03-02 09:00:00",
        "gone 2026-03-02 12:00:00 404 Not Found; went between 2026-03-02 11:00:00 and 2026-03-02 12:00:00",
        "back 2026-03-04 07:00:00 came back between 2026-03-03 07:00:00 and 2026-03-04 07:00:00",
        "version 3 2026-03-11 07:00:00 links changed between 2026-03-10 07:00:00 and 2026-03-11 07:00:00",
    )
    places = [told.find(words) for words in story]
    assert -1 not in places
    assert places == sorted(places)
    assert "\x1b" not in done.text
    assert "hunter2" not in done.text


@pytest.mark.parametrize("url", [LINK, URL + "?utm_source=mail#top", "HTTP://EXAMPLE.org:80/ferry"])
def test_any_address_that_leads_there_will_do(archive: Path, run_here: RunHere, url: str) -> None:
    assert run_here("history", archive, url).text == run_here("history", archive, URL).text != ""


def test_the_address_that_an_article_names_as_its_own_finds_it(copied: Path, run_here: RunHere) -> None:
    with made(copied) as new:
        new.change(update(articles).filter_by(id=2).values(canonical="http://example.org/proper"))
    assert "http://example.org/amp/ferry\n" in run_here("history", copied, "http://example.org/proper").text


def test_programs_get_json(archive: Path, run_here: RunHere) -> None:
    found = json.loads(run_here("history", archive, URL, "--json").out)
    assert [one["version"] for one in found["versions"]] == [1, 2, 3]
    second = found["versions"][1]
    assert second["kinds"] == ["text", "title"]
    assert (second["unchanged_until"], second["captured"]) == ("2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z")
    assert (second["added"], second["removed"], second["similarity"]) == (2, 1, 0.9876)
    line = (archive / "objects" / second["object"]["file"]).read_bytes()[second["object"]["offset"] :]
    assert json.loads(line.split(b"\n")[0])["text"] == SECOND
    assert found["absences"][0]["how"] == "not_found"
    assert [(twin["url"], twin["is_older"]) for twin in found["twins"]] == [
        ("http://example.org/amp/ferry", True),
        ("http://example.org/print/ferry", False),
    ]
    assert found["channels"] == [{"number": 1, "url": "http://***@example.org/feed", "title": "The Shore"}]
    assert found["pages"][0]["next_look"] == "2026-03-22T07:00:00Z"


def test_what_an_older_archiver_wrote_is_changed_and_not_counted(copied: Path, run_here: RunHere) -> None:
    with made(copied) as new:
        new.change(
            update(versions)
            .filter_by(article_id=1, version=2)
            .values(kinds=None, title=None, added=0, unchanged_until=None)
        )
    told = run_here("history", copied, URL).text
    line = next(line for line in told.splitlines() if line.startswith("version 2"))
    assert line.split()[4:] == ["changed", "98", "%", "alike"]
    assert "changed between 2026-03-02 07:00:00 and 2026-03-02 10:00:00" in told
    assert "title: The ferry�[31m, sometimes" in told  # read from the object
    second = json.loads(run_here("history", copied, URL, "--json").out)["versions"][1]
    assert (second["kinds"], second["added"], second["removed"]) == (["changed"], None, None)


def test_an_article_that_is_gone_says_so(copied: Path, run_here: RunHere) -> None:
    with made(copied) as new:
        new.absence(1, START + 9 * DAY, START + 10 * DAY, "front_page")
        new.watch(1, recheck=None, why=None)
    told = run_here("history", copied, URL).text
    assert "as version 3; gone since" in told
    assert "redirected to the front page" in told
    assert "none is planned" in told


def test_an_unknown_address_tells_others(archive: Path, run_here: RunHere) -> None:
    done = run_here("history", archive, "http://example.org/amp/fery?token=hunter2")
    assert (done.exit_code, done.out) == (1, b"")
    assert "The archive has no article at http://example.org/amp/fery?token=***" in done.told
    assert "like it: http://example.org/amp/ferry" in done.told
    assert "print" not in done.told
    elsewhere = run_here("history", archive, "http://example.com/ferry")
    assert (elsewhere.exit_code, "like it" in elsewhere.told) == (1, False)


def test_a_page_without_an_article_is_another_matter(copied: Path, run_here: RunHere) -> None:
    page = {"host": "example.org", "next_try": START}
    with made(copied) as new:
        for name, state, failure in (("list", "settled", None), ("slow", "pending", "timeout")):
            url = f"http://example.org/{name}"
            new.change(insert(pages).values(key=url, url=url, state=state, failure=failure, **page))
    done = run_here("history", copied, "http://example.org/list")
    assert (done.exit_code, "`scrapy explain` tells why" in done.told) == (1, True)
    assert "has not been read yet (timeout)" in run_here("history", copied, "http://example.org/slow").told


@pytest.mark.parametrize("words", [[], [URL, URL], ["ferry"], [URL, "--jsn"]])
def test_wrong_usage(archive: Path, run_here: RunHere, words: list[str]) -> None:
    assert run_here("history", archive, *words).exit_code == 2


def test_without_an_archive_or_a_store(tmp_path: Path, copied: Path, run_here: RunHere) -> None:
    assert run_here("history", tmp_path / "none", URL).exit_code == 2
    (copied / "state.sqlite").unlink()
    assert run_here("history", copied, URL).exit_code == 1
