"""`scrapy wrappers`: what a person is told of what was learned."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from sqlalchemy import update

from archiver.articles.model import Wrapper
from archiver.clock import machine_now
from archiver.store.content.wrappers import Lessons, remember
from archiver.store.database import Database
from archiver.store.schema import channels
from tests.store.samples import add_channel
from tests.store.test_wrappers import wrapper

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """An archive with three channels, two of which taught something."""
    (tmp_path / "warc").mkdir()
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    now = machine_now()
    for number, learned in enumerate([(wrapper("old"), wrapper("body")), (wrapper("text"),), ()]):
        labels = ("news",) if number else ()
        channel = add_channel(database, f"http://me:hunter2@example.org/{number}", labels=labels)
        lessons = Lessons(scope=channel, extractor="learning/1", learned=learned, used=("body",) * 3)
        database.run(remember, [lessons], now - timedelta(days=3))
    database.run(remember, [Lessons(scope=1, extractor="learning/1", outdated=("old",))], now)
    database.close()
    return tmp_path


def test_each_channel_has_a_line(archive: Path, run_here: RunHere, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    done = run_here("wrappers", archive)
    assert done.exit_code == 0
    assert done.text.splitlines() == [
        "No.  Channel            In use  Outdated  Pages  Learned     Article at",
        "  1  ***@example.org/0       1         1      3  3 days ago  //div[@class='body']",
        "  2  ***@example.org/1       1         0      0  3 days ago  //div[@class='text']",
    ]
    monkeypatch.setenv("COLUMNS", "60")
    narrow = run_here("wrappers", archive).text.splitlines()
    assert len(narrow) == 3
    assert all(len(line) <= 60 for line in narrow)


def test_channels_are_chosen_by_label_and_by_wrappers_that_no_longer_fit(
    archive: Path, run_here: RunHere
) -> None:
    assert len(run_here("wrappers", archive, "--label", "news").text.splitlines()) == 2
    assert run_here("wrappers", archive, "--failing").text.startswith("No channel with wrappers is like that")
    database = Database(f"sqlite:///{archive / 'state.sqlite'}")
    database.run(remember, [Lessons(scope=2, extractor="learning/1", outdated=("text",))], machine_now())
    database.close()
    failing = json.loads(run_here("wrappers", archive, "--failing", "--json").out)
    assert [one["channel"] for one in failing] == [2]


def test_one_channel_shows_all_that_is_known(archive: Path, run_here: RunHere) -> None:
    told = run_here("wrappers", archive, "1").text
    assert told.startswith("Channel 1: http://***@example.org/0\n")
    assert told.index("//div[@class='body']") < told.index("//div[@class='old']")
    for words in ("in use; 3 pages served, learned from 1", "3 days ago (", "confidence 0.50", "learning/1"):
        assert words in told
    assert "outdated since" in told


def test_what_others_wrote_gives_no_orders_to_a_terminal(archive: Path, run_here: RunHere) -> None:
    database = Database(f"sqlite:///{archive / 'state.sqlite'}")
    titled = update(channels).values(title="Harbour\x1b[31m \u202eGazette")
    database.run(lambda connection: connection.execute(titled))
    lessons = Lessons(scope=1, extractor="learning/1", learned=(wrapper("red\x1b[31m\u202e"),))
    database.run(remember, [lessons], machine_now())
    database.close()
    for words in ((), ("1",)):
        lines = run_here("wrappers", archive, *words).text.splitlines()
        assert len(lines) >= 3
        assert [line for line in lines if not line.isprintable()] == []


def test_one_channel_by_number_or_address(archive: Path, run_here: RunHere) -> None:
    for name in ("2", "http://me:hunter2@example.org/1"):
        told = run_here("wrappers", archive, name).out.decode()
        assert "//div[@class='text']" in told
        assert "body" not in told


def test_programs_get_json(archive: Path, run_here: RunHere) -> None:
    found = json.loads(run_here("wrappers", archive, "1", "--json").out)
    assert [one["id"] for one in found] == ["body", "old"]
    assert msgspec.convert(found[0], Wrapper) == wrapper("body")
    told = {name: found[0][name] for name in ("channel", "url", "extractor", "pages", "outdated")}
    assert told == {
        "channel": 1,
        "url": "http://***@example.org/0",
        "extractor": "learning/1",
        "pages": 3,
        "outdated": None,
    }
    assert found[1]["outdated"] > found[1]["learned"]
    for moment in (found[0]["learned"], found[0]["last_used"], found[1]["outdated"]):
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z", moment)
    assert json.loads(run_here("wrappers", archive, "3", "--json").out) == []


def test_where_nothing_was_learned_it_says_so(archive: Path, run_here: RunHere) -> None:
    done = run_here("wrappers", archive, "3")
    assert (done.exit_code, done.out.decode().split(":")[0]) == (0, "No wrappers were learned for 3 yet")


def test_an_unknown_channel_is_an_error_and_a_typo_is_wrong_usage(archive: Path, run_here: RunHere) -> None:
    done = run_here("wrappers", archive, "77")
    assert (done.exit_code, done.out) == (1, b"")
    assert "No channel is called 77: `scrapy channels` lists them" in done.told
    assert run_here("wrappers", archive, "1", "2").exit_code == 2
    assert run_here("wrappers", archive.parent / "none").exit_code == 2
