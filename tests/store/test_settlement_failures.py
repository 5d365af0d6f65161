"""A settlement that fails is none: what it wrote is taken back, and the page still waits."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from archiver.errors import ArchiveError, ArchiveFull
from archiver.running.archive import Archive, ArchiveConfig
from archiver.running.reading.repairing import FieldRepairs
from archiver.running.reading.settling import Settling
from archiver.store.content.settlement import settle_findings
from archiver.store.content.wrappers import Lessons
from archiver.store.object_files import lines_settled, object_lengths
from archiver.store.schema import articles, wrappers
from tests.objects.test_writer import article
from tests.objects.writers import object_writer
from tests.store.samples import (
    NOW,
    RULES,
    add_channel,
    all_entries,
    entry,
    poll,
    row_of,
    rows_of,
)
from tests.store.settling import FILE, finding, lines, settle
from tests.store.settling import RULES as SETTLING
from tests.store.test_wrappers import wrapper

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database


def test_what_pages_taught_is_settled_with_them(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    lessons = Lessons(scope=channel, extractor="article/1", learned=(wrapper(),), used=("w",))

    def crash(connection: Connection) -> None:
        settle_findings(connection, [found], objects, SETTLING, recorded=NOW, now=NOW, lessons=[lessons])
        raise KeyboardInterrupt

    found = finding(database)
    with pytest.raises(KeyboardInterrupt):
        database.run(crash)
    assert rows_of(database, wrappers) == []
    objects.close()
    objects.recover(database.run(object_lengths))
    database.run(settle_findings, [found], objects, SETTLING, recorded=NOW, now=NOW, lessons=[lessons])
    assert row_of(database, wrappers).pages == 1


def test_a_commit_that_fails_after_the_flush_is_mended_at_the_next_start(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"), entry("b"))
    settle(database, objects, finding(database))
    settled = (tmp_path / "objects" / FILE).read_bytes()

    def crash(connection: Connection) -> None:
        settle_findings(connection, [later], objects, SETTLING, recorded=NOW, now=NOW)
        raise KeyboardInterrupt

    later = finding(database, 2, "Other words", url="http://example.org/b")
    with pytest.raises(KeyboardInterrupt):
        database.run(crash)
    objects.close()
    assert len(lines(tmp_path)) == 2
    assert all_entries(database)["b"].pending

    recovered = object_writer(tmp_path / "objects")
    assert recovered.recover(database.run(object_lengths)) == []
    assert (tmp_path / "objects" / FILE).read_bytes() == settled
    assert settle(database, recovered, finding(database, 2, "Other words", url="http://example.org/b")) == [
        "stored"
    ]
    recovered.close()
    assert [line["text"] for line in lines(tmp_path)] == ["Many words", "Other words"]


def test_a_full_disk_settles_nothing(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    (tmp_path / "objects").mkdir()
    (tmp_path / "objects" / FILE).symlink_to("/dev/full")  # the disk that is always full
    with pytest.raises(ArchiveFull):
        settle(database, objects, finding(database))
    assert all_entries(database)["a"].pending
    assert database.run(object_lengths) == {}
    assert rows_of(database, articles) == []


def test_after_a_failure_nothing_more_is_settled_in_this_run(tmp_path: Path) -> None:
    """Otherwise the lines that were written without a commit would be settled with the next ones."""
    config = ArchiveConfig(
        folder=tmp_path,
        warc_folder=tmp_path / "warc",
        index_folder=tmp_path / "index",
        state_url=f"sqlite:///{tmp_path / 'state.sqlite'}",
        polls=RULES,
    )
    archive = Archive(config)
    database = archive.database
    channel = add_channel(database)
    poll(database, channel, entry("a"), entry("b"))
    first, second = finding(database), finding(database, 2, url="http://example.org/b")
    refuse = "CREATE TRIGGER refuse BEFORE UPDATE ON pages BEGIN SELECT RAISE(ABORT, 'broken'); END"

    async def run() -> None:
        settling = Settling(archive, on_asked=lambda: None, repairs=FieldRepairs(archive))
        database.run(lambda connection: connection.execute(text(refuse)))
        with pytest.raises(ArchiveError, match="broken"):
            await settling.settle(first)
        database.run(lambda connection: connection.execute(text("DROP TRIGGER refuse")))
        with pytest.raises(ArchiveError, match="has lines that the state store does not know: run again"):
            await settling.settle(second)

    asyncio.run(run())
    assert all(row.pending for row in all_entries(database).values())
    assert database.run(object_lengths) == {}
    archive.close()


def test_what_a_failed_transaction_staged_is_not_written_by_the_next(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    def fail(connection: Connection) -> None:
        with lines_settled(connection, objects):
            objects.stage(article("Of no version"), NOW)
            raise ArchiveError("before anything was written")

    poll(database, channel, entry("a"))
    with pytest.raises(ArchiveError, match="before anything"):
        database.run(fail)
    assert settle(database, objects, finding(database)) == ["stored"]
    assert [line["text"] for line in lines(tmp_path)] == ["Many words"]
