"""A new version only where the article changed, and not only the way in which it is read."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import update

from archiver.acquisition.findings import Judged
from archiver.articles.versions.model import Change, Judgement
from archiver.digests import first_digest
from archiver.store.schema import articles, versions
from tests.store.samples import (
    HOUR,
    NOW,
    all_entries,
    article,
    capture,
    entry,
    poll,
    row_of,
    rows_of,
)
from tests.store.settling import finding, lines, settle

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database


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
        assert (line["version"], line["change"]["kinds"]) == (number + 2, kinds)
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
    ("change", "outcome"), [(None, "unchanged"), (Change(kinds=("text",), added=1), "stored")]
)
def test_what_a_comparison_says_counts_more_than_digests(
    database: Database, channel: int, objects: ObjectWriter, change: Change | None, outcome: str
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database, extractor="sigfeed/1"))
    poll(database, channel, entry("a", title="Changed"), now=NOW + HOUR)
    judged = Judged(version=1, judgement=Judgement(change=change))
    later = finding(database, words="Better words", date=NOW + 2 * HOUR, judged=judged, extractor="article/1")
    assert settle(database, objects, later) == [outcome]


def test_what_was_read_of_an_older_version_does_not_count(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database))
    poll(database, channel, entry("a", title="Changed"), now=NOW + HOUR)
    judged = Judged(version=7, judgement=Judgement(change=None))
    later = finding(database, words="Better words", date=NOW + 2 * HOUR, judged=judged)
    assert settle(database, objects, later) == ["stored"]


def test_a_page_that_returns_to_an_earlier_text_is_a_version_again(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    for number, words in enumerate(["One", "Two", "One"]):
        moment = NOW + HOUR * number
        poll(database, channel, entry("a", title=words + str(number)), now=moment)
        settle(database, objects, finding(database, words=words, date=moment + timedelta(seconds=1)))
    assert [line["text"] for line in lines(tmp_path)] == ["One", "Two", "One"]


def test_two_different_captures_of_one_article_in_one_batch_are_two_versions(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("x"), entry("y"), entry("z"))
    findings = [finding(database, page, text) for page, text in ((1, "One"), (2, "Two"), (3, "Two"))]
    assert settle(database, objects, *findings) == ["stored", "stored", "unchanged"]
    assert [(line["version"], line["text"]) for line in lines(tmp_path)] == [(1, "One"), (2, "Two")]


@pytest.mark.parametrize(("words", "outcome"), [("Many words", "unchanged"), ("Others", "stored")])
def test_digests_of_an_older_form_are_compared_as_they_were_made(
    database: Database, channel: int, objects: ObjectWriter, words: str, outcome: str
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database))
    old = {"title_digest": first_digest("Title"), "text_digest": first_digest("Many words")}
    database.run(lambda connection: connection.execute(update(versions).values(**old)))
    poll(database, channel, entry("a", title="Changed"), now=NOW + HOUR)
    assert settle(database, objects, finding(database, words=words, date=NOW + 2 * HOUR)) == [outcome]
