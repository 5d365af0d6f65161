"""`scrapy statistics`: figures over an archive, for people and for programs."""

from __future__ import annotations

import csv
import json
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from lxml import etree

from archiver.clock import machine_now
from archiver.documents.feeds.model import FeedDate
from archiver.inspection.statistics.model import Statistics
from archiver.store.database import Database
from tests.store.samples import add_channel, entry, poll

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere


def make_archive(folder: Path, channels: Sequence[tuple[tuple[str, ...], int]]) -> Path:
    """An archive of channels with these labels and so many entries, a day apart."""
    (folder / "warc").mkdir()
    database = Database(f"sqlite:///{folder / 'state.sqlite'}")
    now = machine_now()
    for number, (labels, count) in enumerate(channels):
        url = f"http://me:hunter2@example.org/{number}"
        channel = add_channel(database, url, labels=labels)
        dates = [FeedDate(text="then", utc=now - timedelta(days=days)) for days in range(count)]
        found = [entry(f"{number}-{days}", published=date) for days, date in enumerate(dates)]
        poll(database, channel, *found, now=now)
    database.close()
    return folder


@pytest.fixture
def small(tmp_path: Path) -> Path:
    return make_archive(tmp_path, [(("news",), 31), (("news", "art"), 3), ((), 0)])


def test_the_archive_of_the_sample_web(crawled: Crawled, run_here: RunHere, tmp_path: Path) -> None:
    archive = crawled.archived.folder
    files = {name: tmp_path / f"out.{name}" for name in ("json", "html", "csv")}
    options = [word for name, path in files.items() for word in (f"--{name}", str(path))]
    done = run_here("statistics", archive, *options)
    assert (done.exit_code, done.told) == (0, "")
    found = msgspec.json.decode(files["json"].read_bytes(), type=Statistics)
    rows = crawled.archived.rows("SELECT format, (SELECT count(*) FROM entries WHERE channel_id = c.id) AS n"
                                 " FROM channels AS c WHERE format IS NOT NULL")  # fmt: skip
    assert found.feeds == len([row for row in rows if row["n"]]) > 5
    assert found.entries.entries == sum(row["n"] for row in rows)
    assert {one.type for one in found.types} >= {"Atom", "JSON Feed", "RSS 2.0"}
    assert found.total.with_intervals > 5
    told = done.out.decode()
    assert f"{found.entries.entries} " in told.replace("\n", " ")
    assert "\x1b" not in told
    assert all(channel.shown is not None for channel in found.channels)
    etree.fromstring(files["html"].read_bytes())
    cells = list(csv.DictReader(files["csv"].read_text("utf-8").splitlines()))
    assert sum(cell["table"] == "channels" and cell["column"] == "url" for cell in cells) == found.feeds


def test_labels_channels_and_times_choose(small: Path, run_here: RunHere, tmp_path: Path) -> None:
    def entries(*words: str) -> list[int]:
        done = run_here("statistics", small, "--json", str(tmp_path / "out.json"), *words)
        assert done.exit_code == 0, done
        return [one["entries"] for one in json.loads((tmp_path / "out.json").read_bytes())["channels"]]

    assert entries() == [31, 3]
    assert entries("--label", "art") == entries("--channel", "2") == [3]
    assert entries("--label", "art", "news", "--channel", "http://me:hunter2@example.org/0", "2") == [31, 3]
    day = machine_now() - timedelta(days=10.5)
    assert entries("--until", f"{day:%Y%m%d%H%M%S}") == [20]
    assert entries("--since", f"{day:%Y-%m-%dT%H:%M:%SZ}") == [11, 3]


def test_one_channel_tells_its_rhythm_and_no_secrets(small: Path, run_here: RunHere) -> None:
    done = run_here("statistics", small, "--channel", "http://me:hunter2@example.org/0")
    told = done.out.decode()
    assert "about one a day, mostly " in told
    assert "of channel http://***@example.org/0." in told
    assert "hunter2" not in told


def test_an_archive_without_entries_says_so(tmp_path: Path, run_here: RunHere) -> None:
    archive = make_archive(tmp_path, [])
    out = tmp_path / "tables"
    done = run_here("statistics", archive, "--csv", str(out))
    assert done.exit_code == 0
    assert "No feed with entries was found" in done.out.decode()
    assert (out / "channels.csv").read_text("utf-8").count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--channel", "99"], 1, "No channel is called 99"),
        (["--label", "nobody"], 1, "No such channel has the label nobody"),
        (["--since", "soon"], 2, "'soon' is not a time"),
        (["--since", "2026-03-02", "--until", "2026-03-01"], 2, "--since is later than --until"),
        (["extra"], 2, "Unknown argument extra"),
        (["--json", "/nowhere/at/all.json"], 2, "there is no such folder"),
        (["--html", "."], 2, "--html . is a folder"),
        (["--csv", "scrapy.cfg"], 2, "is a file, and its name does not end in .csv"),
    ],
)
def test_mistakes_are_told(small: Path, run_here: RunHere, words: list[str], code: int, told: str) -> None:
    done = run_here("statistics", small, *words)
    assert done.exit_code == code
    assert told in done.told + done.out.decode()


def test_an_archive_that_is_not_there_is_wrong_usage(tmp_path: Path, run_here: RunHere) -> None:
    assert run_here("statistics", tmp_path / "nothing").exit_code == 2
