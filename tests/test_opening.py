"""An archive that is opened for a run: settings that were changed hold from then on."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import Connection, update

from archiver.acquisition.rechecks.schedule import RecheckPolicy
from archiver.acquisition.rechecks.watching import RecheckRules
from archiver.running.archive import Archive, ArchiveConfig
from archiver.store.schema import pages
from tests.store.samples import RULES, add_channel, entry, poll, row_of

if TYPE_CHECKING:
    from pathlib import Path

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def opened_with(config: ArchiveConfig, rechecks: RecheckRules) -> datetime:
    """When the article of the archive is due, in a run with these rules."""
    archive = Archive(replace(config, rechecks=rechecks))
    due: datetime = row_of(archive.database, pages).recheck
    archive.close()
    return due


def test_a_new_interval_of_rechecks_holds_from_the_next_run_on(tmp_path: Path) -> None:
    config = ArchiveConfig(
        folder=tmp_path,
        warc_folder=tmp_path / "warc",
        index_folder=tmp_path / "index",
        state_url=f"sqlite:///{tmp_path / 'state.sqlite'}",
        polls=RULES,
    )
    looked = datetime.now(UTC) - HOUR
    first = Archive(config)
    poll(first.database, add_channel(first.database), entry("a"), now=looked)
    watched = {"state": "settled", "born": looked, "looked": looked, "recheck": looked + 9 * DAY}
    first.database.run(Connection.execute, update(pages).values(watched))
    first.close()
    rules = RecheckRules(policy=RecheckPolicy(interval=6 * HOUR), share=0.5)
    # A run without rechecks plans none.
    assert opened_with(config, replace(rules, share=0.0)) == looked + 9 * DAY
    assert opened_with(config, rules) == looked + 6 * HOUR
