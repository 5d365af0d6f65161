"""`scrapy workers`: who shares the state store, and what each holds."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.inspection.workers import held_domains, list_workers
from archiver.store.database import Database
from archiver.store.schema import leases, page_holders, pages, workers
from tests.store.samples import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


def test_on_sqlite_it_says_what_several_workers_need(crawled: Crawled, run_here: RunHere) -> None:
    run = run_here("workers", crawled.archived.folder)
    assert run.text.startswith("The state store is SQLite, which serves one run at a time")
    assert json.loads(run_here("workers", crawled.archived.folder, "--json").out) == {
        "is_shared": False,
        "workers": [],
    }


def test_a_name_that_is_not_there_is_told(crawled: Crawled, run_here: RunHere) -> None:
    run = run_here("workers", crawled.archived.folder, "nobody")
    assert run.exit_code == 1
    assert "There is no worker nobody: `scrapy workers` lists them" in run.told


def test_each_has_its_state_its_domains_and_what_it_has_to_read(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    database.run(_fill)
    found = {one.name: one for one in database.run(list_workers, NOW).workers}
    assert {name: one.state for name, one in found.items()} == {
        "w1": "alive", "w2": "silent", "w3": "dead", "w4": "finished"
    }  # fmt: skip
    assert (found["w1"].domains, found["w1"].unread, found["w3"].unread) == (2, 0, 1)
    assert database.run(held_domains, "w1") == ["a.org", "b.org"]
    database.close()


def _fill(connection: Connection) -> None:
    ends = ((None, None, 1), (None, None, 61), (NOW, "silent", 90), (NOW, "finished", 1))
    for number, (ended, end, silence) in enumerate(ends, 1):
        values = {"host": "h", "process": 1, "folder": "/", "started": NOW, "patience": 60.0, "backend": 1}
        beat = NOW - timedelta(seconds=silence)
        row = {"id": number, "name": f"w{number}", "beat": beat, "ended": ended, "end": end}
        connection.execute(workers.insert().values(**values, **row))
    for domain, held in (("a.org", True), ("b.org", True), ("c.org", False)):
        row = {"domain": domain, "worker_id": 1, "held": held, "since": NOW, "turn": 0, "free_at": NOW}
        connection.execute(leases.insert().values(**row))
    page = {
        "id": 1,
        "key": "k",
        "url": "http://a.org/",
        "host": "a.org",
        "state": "captured",
        "next_try": NOW,
    }
    connection.execute(pages.insert().values(**page))
    connection.execute(page_holders.insert().values(page_id=1, writer="w3"))
