"""Contributions to a page: each is written once, again where its text was edited, and noted where it went."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from sqlalchemy import select

from archiver.archive.warc.records import Capture
from archiver.articles.contributions import schema
from archiver.articles.contributions.model import ContributionPage
from archiver.articles.objects.model import article_id
from archiver.documents.contributions import (
    Contribution,
    ContributionKind,
    ReadBy,
    distinct_keys,
    stable_key,
)
from archiver.documents.feeds.dates import parse_date
from archiver.store.content.contributions import ContributionCounts, write_contributions
from archiver.store.object_files import lines_settled, object_lengths
from archiver.store.schema import articles, contributions, versions
from tests.store.samples import HOUR, NOW, capture, entry, poll, rows_of
from tests.store.settling import finding, settle

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

URL = "http://example.org/a"
KEY = capture().page_key
FILE = "contributions-2026-03-02.jsonl"


def comment(key: str = "comment-1", text: str = "First!", **other: Any) -> Contribution:
    values: dict[str, Any] = {"kind": ContributionKind.COMMENT, "author": "Ada", "html": f"<div>{text}</div>"}
    return Contribution(key=key, text=text, **(values | other))


def look(
    database: Database, objects: ObjectWriter, *found: Contribution, date: datetime = NOW, **other: Any
) -> ContributionCounts:
    taken = other.pop("shown", capture(1, url=URL, date=date))
    page = ContributionPage(key=KEY, url=URL, capture=taken)
    whole = {"is_whole": True} | other

    def work(connection: Connection) -> ContributionCounts:
        with lines_settled(connection, objects):
            return write_contributions(connection, objects, page, found, date, **whole)

    return database.run(work)


def lines(tmp_path: Path) -> list[dict[str, Any]]:
    path = tmp_path / "objects" / FILE
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def row(database: Database, key: str = "comment-1") -> Row[Any]:
    query = select(contributions).filter_by(key=key).order_by(contributions.c.version.desc()).limit(1)
    return database.run(lambda connection: connection.execute(query).one())


def test_each_contribution_is_written_once(database: Database, objects: ObjectWriter, tmp_path: Path) -> None:
    reply = comment(
        "comment-2",
        "Second",
        author="Bo",
        author_url="http://bo.example/?token=s3cret",
        parent="comment-1",
        position=1,
        published=parse_date("2026-03-01T08:00:00+01:00"),
        url=f"{URL}#comment-2",
    )
    assert look(database, objects, comment(), reply) == ContributionCounts(new=2)
    assert look(database, objects, comment(), reply, date=NOW + HOUR) == ContributionCounts(unchanged=2)
    first, second = lines(tmp_path)
    assert (first["version"], first["change"], first["parent"]) == (1, "new", None)
    assert second["article"] == article_id(KEY)
    assert (second["page_url"], second["url"]) == (URL, f"{URL}#comment-2")
    assert (second["author"], second["parent"]) == ("Bo", "comment-1")
    assert "s3cret" not in second["author_url"]
    assert second["published"] == "2026-03-01T07:00:00Z"
    assert second["published_day"] == "2026-03-01"
    assert second["warc"]["offset"] == 100
    assert row(database).last_seen == NOW + HOUR
    assert database.run(object_lengths) == {FILE: (tmp_path / "objects" / FILE).stat().st_size}


def test_lines_are_valid_against_the_schema_that_ships(
    database: Database, objects: ObjectWriter, tmp_path: Path
) -> None:
    shipped = json.loads(schema.FILE.read_bytes())
    assert shipped == schema.ContributionObjects().json_schema()
    look(database, objects, comment(published=parse_date("yesterday")))
    (line,) = lines(tmp_path)
    jsonschema.validate(line, shipped)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(line | {"schema": "contribution/9"}, shipped)


def test_an_edit_of_the_text_is_a_version_and_nothing_else_is(
    database: Database, objects: ObjectWriter, tmp_path: Path
) -> None:
    look(database, objects, comment())
    same = comment(text="First!\n", html="<p>First!</p>", author="Ada L.", position=3)
    assert look(database, objects, same, date=NOW + HOUR) == ContributionCounts(unchanged=1)
    edited = comment(text="First! Edit: second.")
    assert look(database, objects, edited, date=NOW + 2 * HOUR) == ContributionCounts(changed=1)
    last = lines(tmp_path)[-1]
    assert (last["version"], last["change"]) == (2, "text")
    assert last["first_seen"] == "2026-03-02T07:00:00Z"
    assert last["unchanged_until"] == "2026-03-02T08:00:00Z"
    assert len({line["id"] for line in lines(tmp_path)}) == 1
    assert [one.version for one in rows_of(database, contributions)] == [1, 2]


def test_texts_that_were_read_in_different_ways_are_not_compared(
    database: Database, objects: ObjectWriter
) -> None:
    of_feed = comment(text="First! :-)", read_by=ReadBy.FEED)
    look(database, objects, comment())
    assert look(database, objects, of_feed, date=NOW + HOUR, is_whole=False).changed == 0
    assert look(database, objects, comment(), date=NOW + 2 * HOUR).changed == 0
    edited = replace(of_feed, text="Edited")
    assert look(database, objects, edited, date=NOW + 3 * HOUR, is_whole=False).changed == 1
    # The page shows it too, a moment later.
    assert look(database, objects, comment(text="Edited"), date=NOW + 4 * HOUR).changed == 0


def test_what_an_older_capture_shows_is_not_news(database: Database, objects: ObjectWriter) -> None:
    look(database, objects, comment(text="Edited"), date=NOW + HOUR)
    assert look(database, objects, comment(), comment("comment-2")) == ContributionCounts(new=1)
    assert row(database).last_seen == NOW + HOUR


def test_one_that_goes_is_noted_and_one_that_comes_back_too(
    database: Database, objects: ObjectWriter, tmp_path: Path
) -> None:
    look(database, objects, comment(), comment("comment-2"))
    assert look(database, objects, comment("comment-2"), date=NOW + HOUR).gone == 1
    assert (row(database).last_seen, row(database).gone) == (NOW, NOW + HOUR)
    assert look(database, objects, comment("comment-2"), date=NOW + 2 * HOUR).gone == 0, "once"
    look(database, objects, comment(), comment("comment-2"), date=NOW + 3 * HOUR)
    assert (row(database).last_seen, row(database).gone) == (NOW + 3 * HOUR, None)
    assert len(lines(tmp_path)) == 2


def test_only_a_document_that_showed_it_tells_that_it_is_gone(
    database: Database, objects: ObjectWriter
) -> None:
    look(database, objects, comment(), comment("comment-2"))
    later = NOW + HOUR
    other_page = capture(2, url=f"{URL}/comment-page-2/", date=later)
    assert look(database, objects, comment("comment-3"), shown=other_page, date=later).gone == 0
    assert look(database, objects, comment("comment-2"), is_whole=False, date=later).gone == 0
    assert look(database, objects, date=later).gone == 0, "a page that shows nothing may be another page"
    assert row(database).gone is None


def test_two_with_one_name_are_one_line(database: Database, objects: ObjectWriter, tmp_path: Path) -> None:
    found = [comment(), comment(text="Another")]
    assert look(database, objects, *found).new == 1
    assert look(database, objects, *distinct_keys(found), date=NOW + HOUR).new == 1
    assert [line["key"] for line in lines(tmp_path)] == ["comment-1", "comment-1~2"]


def test_a_failure_leaves_nothing_behind(database: Database, objects: ObjectWriter, tmp_path: Path) -> None:
    look(database, objects, comment())
    page = ContributionPage(key=KEY, url=URL, capture=capture(date=NOW + HOUR))

    def work(connection: Connection) -> None:
        with lines_settled(connection, objects):
            write_contributions(connection, objects, page, [comment("comment-2")], NOW + HOUR)
        raise RuntimeError

    with pytest.raises(RuntimeError):
        database.run(work)
    assert len(lines(tmp_path)) == 2, "on disk, and not settled"
    objects.close()
    assert objects.recover(database.run(object_lengths)) == []
    assert [line["key"] for line in lines(tmp_path)] == ["comment-1"]
    assert look(database, objects, comment("comment-2"), date=NOW + HOUR).new == 1


def test_a_comment_makes_no_version_of_its_article(
    database: Database, channel: int, objects: ObjectWriter
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, finding(database))
    before = rows_of(database, versions), rows_of(database, articles)
    look(database, objects, comment(), date=NOW + HOUR)
    look(database, objects, comment(text="Edited"), comment("comment-2"), date=NOW + 2 * HOUR)
    assert (rows_of(database, versions), rows_of(database, articles)) == before


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        (("c-1", "Ada", "today", "a"), ("c-1", "Bo", None, "b"), True),
        ((None, "Ada", "2026-03-01T08:00:00Z", "a"), (None, "Ada", "2026-03-01T08:00:00Z", "b"), True),
        ((None, "Ada", "2026-03-01", "a"), (None, "Ada", "2026-03-01", "b"), False),
        ((None, "Ada", "2 hours ago", "a"), (None, "Ada", "3 hours ago", "a  "), True),
        ((None, "Ada", None, "a"), (None, "Bo", None, "a"), False),
    ],
)
def test_a_key_is_the_same_at_each_look(one: tuple[Any, ...], other: tuple[Any, ...], is_same: bool) -> None:
    assert (stable_key(*one) == stable_key(*other)) is is_same


def test_a_key_without_end_is_cut() -> None:
    assert len(stable_key("x" * 5000, None, None, "a")) < 300
    assert stable_key("x" * 5000, None, None, "a") != stable_key("x" * 5001, None, None, "a")


def test_a_contribution_of_a_later_line_points_at_its_own_capture(
    database: Database, objects: ObjectWriter, tmp_path: Path
) -> None:
    shown = Capture(url=URL, file="b.warc.gz", offset=7, record_id="<urn:uuid:7>", date=NOW, digest="sha1:x")
    look(database, objects, comment(), shown=shown)
    assert lines(tmp_path)[0]["warc"] == {
        "file": "b.warc.gz",
        "offset": 7,
        "record_id": "<urn:uuid:7>",
        "capture_id": "<urn:uuid:7>",
    }
