"""`scrapy runs`: what each run did, and what failed in it and why."""

from __future__ import annotations

import json
import os
import sqlite3
from typing import TYPE_CHECKING

import pytest

from archiver.archive.withheld import NOTHING_WITHHELD
from archiver.inspection.runs import list_runs, run_details
from tests.commands.conftest import DAYS

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


def test_runs_are_listed_the_newest_first(crawled: Crawled, run_here: RunHere) -> None:
    found = json.loads(run_here("runs", crawled.archived.folder, "--json").out)
    reports = crawled.archived.reports[::-1]
    assert [one["entries_new"] for one in found["runs"]] == [one["entries_new"] for one in reports]
    assert [one["polls"] for one in found["runs"]] == [sum(one["polls"].values()) for one in reports]
    assert [one["articles_new"] for one in found["runs"]] == [one["outcomes"]["stored"] for one in reports]
    assert [one["bytes_kept"] for one in found["runs"]] == [one["warc_bytes"] for one in reports]
    assert {one["state"] for one in found["runs"]} == {"finished"}
    second, first = found["runs"]
    assert first["not_modified_share"] == 0
    assert 0 < second["not_modified_share"] < 1
    assert found["next"] is None
    lines = run_here("runs", crawled.archived.folder).text.splitlines()
    assert len(lines) == 1 + DAYS
    assert second["name"] in lines[1]


def test_one_is_told_in_words(crawled: Crawled, run_here: RunHere) -> None:
    folder = crawled.archived.folder
    name = json.loads(run_here("runs", folder, "--json").out)["runs"][-1]["name"]
    found = json.loads(run_here("runs", folder, name, "--json").out)
    report = crawled.archived.reports[0]
    assert [one["url"] for one in found["failed_channels"]] == [
        one["url"] for one in report["channel_problems"]
    ]
    assert found["failures"]
    assert all(one["words"] and one["count"] for one in found["failures"])
    assert (found["errors"], found["notes"]) == (report["errors"], report["notes"])
    text = run_here("runs", folder, name[:18]).text
    assert f"Run of {report['started'][:10]}" in text
    assert " polled: " in text
    for one in found["failed_channels"]:
        assert f"Channel failing: {one['url']}: {one['words']}" in text


def test_a_name_that_is_not_there_is_told(crawled: Crawled, run_here: RunHere) -> None:
    done = run_here("runs", crawled.archived.folder, "1999")
    assert (done.exit_code, done.out) == (1, b"")
    assert "No run is called 1999: `scrapy runs` lists them" in done.told
    assert "begins the names of 2 runs" in run_here("runs", crawled.archived.folder, "20").told


def test_more_are_asked_for_by_the_last(crawled: Crawled, run_here: RunHere) -> None:
    folder = crawled.archived.folder
    first = json.loads(run_here("runs", folder, "--limit", "1", "--json").out)
    rest = json.loads(run_here("runs", folder, "--before", first["next"], "--json").out)
    assert len(first["runs"]) == len(rest["runs"]) == 1
    assert first["runs"][0]["started"] > rest["runs"][0]["started"]


def test_runs_that_were_killed_and_reports_that_are_damaged_are_named(
    archive: Path, run_here: RunHere
) -> None:
    newest, oldest = sorted((archive / "runs").glob("*.json"), reverse=True)
    oldest.write_bytes(b'{"started": 7, "polls": []}')
    newest.unlink()
    with sqlite3.connect(archive / "state.sqlite") as state:
        state.execute("UPDATE runs SET ended = NULL WHERE id = (SELECT max(id) FROM runs)")
    state.close()
    found = json.loads(run_here("runs", archive, "--json").out)["runs"]
    assert [one["state"] for one in found] == ["no report", "unreadable"]
    (archive / "lock").write_text(f"{os.getpid()}\n")
    assert list_runs(archive, None).runs[0].state == "unreadable"
    found = json.loads(run_here("runs", archive, "--json").out)["runs"]
    assert [one["state"] for one in found] == ["going on", "unreadable"]
    assert run_here("runs", archive, found[0]["name"]).text.endswith(": going on\n")
    assert run_here("runs", archive, found[1]["name"]).text == "Run of unknown: unreadable\n"
    assert run_details(archive, None, found[1]["name"], NOTHING_WITHHELD).errors == ()


def test_thousands_of_runs_are_listed_quickly(tmp_path: Path, crawled: Crawled) -> None:
    report = next((crawled.archived.folder / "runs").glob("*.json")).read_bytes()
    (tmp_path / "runs").mkdir()
    for number in range(3000):
        (tmp_path / "runs" / f"run-20260302T07{number:08d}Z.json").write_bytes(report)
    found = list_runs(tmp_path, None, limit=10)
    assert len(found.runs) == 10
    assert found.next == "20260302T0700002990Z"
