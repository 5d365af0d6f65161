"""Where pages end: the object on disk first, then the commit, and the entries that waited are settled."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.pages import EntryOutcome
from archiver.store.content.leads import waiting_leads
from archiver.store.object_files import object_lengths
from archiver.store.schema import articles, versions
from tests.store.samples import (
    HOUR,
    NOW,
    add_channel,
    all_entries,
    all_pages,
    capture,
    entry,
    poll,
    row_of,
    rows_of,
)
from tests.store.settling import FILE, URL, finding, lines, settle

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database


def test_a_new_article_is_a_line_a_version_and_a_settled_entry(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    assert settle(database, objects, finding(database)) == [EntryOutcome.STORED]
    (line,) = lines(tmp_path)
    assert (line["version"], line["change"]["kinds"]) == (1, ["new"])
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


def test_a_feeds_own_content_is_an_article_of_the_feeds_capture(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a", content="<p>All of it"))
    lead = database.run(waiting_leads, [1])[1][0]
    refused = finding(database, capture=lead.capture, detail="robots")
    assert settle(database, objects, refused) == ["stored"]
    assert lines(tmp_path)[0]["warc"]["record_id"] == "<urn:uuid:9>"


def test_a_page_that_nobody_waits_for_any_more_is_settled_quietly(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    poll(database, channel, entry("a", link="http://example.org/elsewhere"))
    unwanted = finding(database, words=None, outcome=EntryOutcome.UNCHANGED)
    assert unwanted.leads == ()
    assert settle(database, objects, unwanted) == ["unchanged"]
    assert all_pages(database)[URL].state == "settled"
    assert all_entries(database)["a"].pending
