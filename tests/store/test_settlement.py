"""Where pages end: the object on disk first, then the commit; a new version only where something changed."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import text

from archiver.archive import Archive, ArchiveConfig
from archiver.errors import ArchiveError, ArchiveFull
from archiver.objects.writer import ObjectWriter
from archiver.pages import EntryOutcome
from archiver.settling import Settling
from archiver.store import pages as page_store
from archiver.store.articles import object_lengths
from archiver.store.schema import articles, versions, wrappers
from archiver.store.settlement import Before, Finding, settle_findings
from archiver.store.wrappers import Lessons
from tests.store.samples import (
    HOUR,
    NOW,
    RULES,
    add_channel,
    all_entries,
    all_pages,
    article,
    capture,
    entry,
    poll,
    row_of,
    rows_of,
)
from tests.store.test_wrappers import wrapper

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.store.database import Database

FILE = "articles-2026-03-02.jsonl"
URL = "http://example.org/a"


@pytest.fixture
def channel(database: Database) -> int:
    return add_channel(database)


@pytest.fixture
def objects(tmp_path: Path) -> Iterator[ObjectWriter]:
    writer = ObjectWriter(tmp_path / "objects")
    yield writer
    writer.close()


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "objects" / FILE
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def finding(
    database: Database,
    page_id: int = 1,
    words: str | None = "Many words",
    *,
    url: str = URL,
    date: datetime = NOW,
    **other: Any,
) -> Finding:
    waiting = database.run(page_store.waiting_entries, [page_id]).get(page_id, ())
    found, digests = article(words) if words is not None else (None, None)
    values = {"capture": capture(page_id, url=url, date=date), "article": found, "fingerprint": digests}
    return Finding(page_id=page_id, url=url, waiting=waiting, known_at=date, **(values | other))


def settle(database: Database, objects: ObjectWriter, *findings: Finding, now: datetime = NOW) -> list[str]:
    return list(database.run(settle_findings, findings, objects, recorded=now, now=now))


def test_a_new_article_is_a_line_a_version_and_a_settled_entry(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    assert settle(database, objects, finding(database)) == [EntryOutcome.STORED]
    (line,) = lines(tmp_path)
    assert (line["version"], line["change"]) == (1, {"kinds": ["new"]})
    assert (line["url"], line["entry_id"], line["text"]) == (URL, "a", "Many words")
    assert line["warc"] == {
        "file": "a.warc.gz",
        "offset": 100,
        "record_id": "<urn:uuid:1>",
        "capture_id": "<urn:uuid:1>",
    }
    version = row_of(database, versions)
    assert (version.version, version.object_file, version.object_offset) == (1, FILE, 0)
    assert version.capture == capture(1)
    assert version.digest == line["digest"]
    found = all_entries(database)["a"]
    assert (found.pending, found.outcome) == (False, "stored")
    page = all_pages(database)[URL]
    assert (page.state, page.article_id) == ("settled", row_of(database, articles).id)
    size = (tmp_path / "objects" / FILE).stat().st_size
    assert database.run(object_lengths) == {FILE: size}


def test_an_unchanged_page_adds_no_version(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database))
    poll(database, channel, entry("a", title="Other title in the feed"), now=NOW + HOUR)
    later = NOW + 2 * HOUR
    assert settle(database, objects, finding(database, words="Many  words\n", date=later)) == ["unchanged"]
    assert len(lines(tmp_path)) == 1
    assert row_of(database, articles).last_captured == later
    assert all_entries(database)["a"].outcome == "unchanged"


def test_a_changed_page_adds_a_version_that_says_what_changed(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database))
    for number, (words, title, kinds) in enumerate(
        [
            ("Other words", "Title", ["text"]),
            ("Other words", "New", ["title"]),
            ("Last", "End", ["title", "text"]),
        ]
    ):
        moment = NOW + HOUR * (number + 1)
        poll(database, channel, entry("a", title=f"Change {number}"), now=moment)
        found, digests = article(words, title)
        again = finding(database, article=found, fingerprint=digests, date=moment + timedelta(seconds=1))
        assert settle(database, objects, again) == ["stored"]
        line = lines(tmp_path)[-1]
        assert (line["version"], line["change"]) == (number + 2, {"kinds": kinds})
        assert line["first_seen"] == "2026-03-02T07:00:00Z"
    assert len({line["id"] for line in lines(tmp_path)}) == 1
    assert [row.version for row in rows_of(database, versions)] == [1, 2, 3, 4]
    assert row_of(database, articles).version == 4


def test_the_same_payload_is_the_same_article_however_it_is_read(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database, extractor="sigfeed/1"))
    poll(database, channel, entry("a", title="Changed"), now=NOW + HOUR)
    later = replace(capture(1), date=NOW + 2 * HOUR)
    again = finding(database, words="Better words", capture=later, extractor="article/1", date=later.date)
    assert settle(database, objects, again) == ["unchanged"]
    assert len(lines(tmp_path)) == 1


@pytest.mark.parametrize(
    ("words_of_before", "outcome"), [("Better words", "unchanged"), ("Others", "stored")]
)
def test_a_version_is_compared_as_it_is_read_today(
    database: Database, channel: int, objects: ObjectWriter, words_of_before: str, outcome: str
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database, extractor="sigfeed/1"))
    poll(database, channel, entry("a", title="Changed"), now=NOW + HOUR)
    before = Before(version=1, fingerprint=article(words_of_before)[1])
    later = finding(database, words="Better words", date=NOW + 2 * HOUR, before=before, extractor="article/1")
    assert settle(database, objects, later) == [outcome]


def test_what_was_read_of_an_older_version_does_not_count(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database))
    poll(database, channel, entry("a", title="Changed"), now=NOW + HOUR)
    before = Before(version=7, fingerprint=article("Better words")[1])
    later = finding(database, words="Better words", date=NOW + 2 * HOUR, before=before)
    assert settle(database, objects, later) == ["stored"]


def test_what_pages_taught_is_settled_with_them(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    lessons = Lessons(channel_id=channel, extractor="article/1", learned=(wrapper(),), used=("w",))

    def crash(connection: Connection) -> None:
        settle_findings(connection, [found], objects, recorded=NOW, now=NOW, lessons=[lessons])
        raise KeyboardInterrupt

    found = finding(database)
    with pytest.raises(KeyboardInterrupt):
        database.run(crash)
    assert rows_of(database, wrappers) == []
    database.run(settle_findings, [found], objects, recorded=NOW, now=NOW, lessons=[lessons])
    assert row_of(database, wrappers).pages == 1


def test_a_page_that_returns_to_an_earlier_text_is_a_version_again(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    for number, words in enumerate(["One", "Two", "One"]):
        moment = NOW + HOUR * number
        poll(database, channel, entry("a", title=words + str(number)), now=moment)
        settle(database, objects, finding(database, words=words, date=moment + timedelta(seconds=1)))
    assert [line["text"] for line in lines(tmp_path)] == ["One", "Two", "One"]


@pytest.mark.parametrize(
    "outcome",
    [
        EntryOutcome.EMPTY,
        EntryOutcome.NOT_ARTICLE,
        EntryOutcome.NOT_HTML,
        EntryOutcome.GIVEN_UP,
        EntryOutcome.GONE,
    ],
)
def test_a_page_without_article_settles_without_a_line(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path, outcome: EntryOutcome
) -> None:
    poll(database, channel, entry("a"))
    nothing = finding(database, words=None, capture=None, outcome=outcome, detail="why")
    assert settle(database, objects, nothing) == [outcome]
    assert lines(tmp_path) == []
    assert all_entries(database)["a"].outcome == outcome
    page = all_pages(database)[URL]
    assert (page.failure, page.article_id) == ("why", None)


def test_a_page_that_once_showed_an_article_keeps_it(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database))
    poll(database, channel, entry("a", title="Changed"), now=NOW + HOUR)
    gone = finding(database, words=None, capture=None, outcome=EntryOutcome.GONE, date=NOW + 2 * HOUR)
    settle(database, objects, gone)
    assert all_pages(database)[URL].article_id == row_of(database, articles).id


def test_two_pages_that_lead_to_one_article_make_one(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    """Two links redirect to the same address: in one batch, and later."""
    poll(database, channel, entry("x"), entry("y"), entry("z"))
    outcomes = settle(database, objects, finding(database, 1), finding(database, 2))
    assert outcomes == ["stored", "unchanged"]
    assert settle(database, objects, finding(database, 3, url=f"{URL}?utm_source=feed")) == ["unchanged"]
    assert len(lines(tmp_path)) == 1
    assert {row.article_id for row in all_pages(database).values()} == {row_of(database, articles).id}


def test_two_different_captures_of_one_article_in_one_batch_are_two_versions(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("x"), entry("y"), entry("z"))
    findings = [finding(database, page, text) for page, text in ((1, "One"), (2, "Two"), (3, "Two"))]
    assert settle(database, objects, *findings) == ["stored", "stored", "unchanged"]
    assert [(line["version"], line["text"]) for line in lines(tmp_path)] == [(1, "One"), (2, "Two")]


def test_outcomes_stand_in_the_order_of_the_findings(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, *(entry(str(number)) for number in range(40)))
    findings = [
        finding(database, number, url=f"http://example.org/{number % 30}", words="W" if number % 3 else None)
        for number in range(1, 41)
    ]
    findings = [
        one if one.article else finding(database, one.page_id, None, url=one.url, outcome=EntryOutcome.EMPTY)
        for one in findings
    ]
    outcomes = settle(database, objects, *findings)
    assert len(outcomes) == 40
    for one, outcome in zip(findings, outcomes, strict=True):
        assert (outcome == "empty") == (one.article is None)
    assert len(lines(tmp_path)) == outcomes.count("stored")
    offsets = [(row.object_offset, row.capture.offset) for row in rows_of(database, versions)]
    data = (tmp_path / "objects" / FILE).read_bytes()
    for offset, captured in offsets:
        line = json.loads(data[offset:].split(b"\n", 1)[0])
        assert line["warc"]["offset"] == captured


def test_no_secret_of_a_channel_is_in_an_object(
    database: Database, objects: ObjectWriter, tmp_path: Path
) -> None:
    channel = add_channel(database, "http://me:hunter2@example.org/feed?token=hunter2")
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database, url="http://example.org/a?token=hunter2"))
    assert b"hunter2" not in (tmp_path / "objects" / FILE).read_bytes()
    assert lines(tmp_path)[0]["channel"] == "http://***@example.org/feed?token=***"


def test_a_commit_that_fails_after_the_flush_is_mended_at_the_next_start(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"), entry("b"))
    settle(database, objects, finding(database))
    settled = (tmp_path / "objects" / FILE).read_bytes()

    def crash(connection: Connection) -> None:
        settle_findings(connection, [later], objects, recorded=NOW, now=NOW)
        raise KeyboardInterrupt

    later = finding(database, 2, "Other words", url="http://example.org/b")
    with pytest.raises(KeyboardInterrupt):
        database.run(crash)
    objects.close()
    assert len(lines(tmp_path)) == 2
    assert all_entries(database)["b"].pending

    recovered = ObjectWriter(tmp_path / "objects")
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


def test_a_feeds_own_content_is_an_article_of_the_feeds_capture(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a", content="<p>All of it"))
    waiting = database.run(page_store.waiting_entries, [1])[1]
    refused = finding(database, capture=waiting[0].feed_capture, detail="robots")
    assert settle(database, objects, refused) == ["stored"]
    assert lines(tmp_path)[0]["warc"]["record_id"] == "<urn:uuid:9>"


def test_a_page_that_nobody_waits_for_any_more_is_settled_quietly(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    poll(database, channel, entry("a", link="http://example.org/elsewhere"))
    unwanted = finding(database, words=None, outcome=EntryOutcome.UNCHANGED)
    assert unwanted.waiting == ()
    assert settle(database, objects, unwanted) == ["unchanged"]
    assert all_pages(database)[URL].state == "settled"
    assert all_entries(database)["a"].pending


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
        settling = Settling(archive)
        database.run(lambda connection: connection.execute(text(refuse)))
        with pytest.raises(ArchiveError, match="broken"):
            await settling.settle(first)
        database.run(lambda connection: connection.execute(text("DROP TRIGGER refuse")))
        with pytest.raises(ArchiveError):
            await settling.settle(second)

    asyncio.run(run())
    assert all(row.pending for row in all_entries(database).values())
    assert database.run(object_lengths) == {}
    archive.close()
