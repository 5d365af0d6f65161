"""What answers say of validators, dates and sources of labels is counted, and acted on."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import select

from archiver.acquisition.items import Validators
from archiver.acquisition.pages import PageValidators
from archiver.acquisition.reliability.software import Software
from archiver.acquisition.reliability.validators import Validator
from archiver.articles.labels.model import BlockLabels, LabelledPage, LabelSource
from archiver.articles.labels.reliability import channel_trust, pooled, usual_trusts
from archiver.documents.times.model import Evidence, Source, What
from archiver.inspection.reliability.queries import gather_reliability
from archiver.inspection.reliability.tables import label_tables, time_tables
from archiver.store.content.leads import past_leads
from archiver.store.content.pages import ASKED, FreshCapture, asked_page, mark_captured
from archiver.store.polling.due import due_channels
from archiver.store.reliability.labels import label_records, labelled_counts, note_labels
from archiver.store.reliability.validators import records_of, with_trusted
from archiver.store.schema import date_verdicts, host_software, pages
from tests.store.samples import FEED, NOW, article, capture, entry, poll
from tests.store.settling import URL, finding, settle

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.reliability.validators import ValidatorRecord
    from archiver.acquisition.targets import PendingPage
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

DAY = timedelta(days=1)
HOST = "example.org"


def looked(
    database: Database,
    objects: ObjectWriter,
    number: int,
    words: str,
    etag: str | None,
    dates: dict[Source, datetime] | None = None,
) -> None:
    """A whole answer for the page, on this day."""
    at = NOW + number * DAY
    came = capture(number + 1, url=URL, date=at)
    validators = PageValidators(url=URL, etag=etag) if etag else None
    database.run(mark_captured, [FreshCapture(page_id=1, capture=came, validators=validators)])
    found, digests = article(words)
    said = tuple(Evidence(what=What.MODIFIED, source=one, at=when) for one, when in (dates or {}).items())
    made = finding(
        database,
        date=at,
        capture=came,
        article=replace(found, dated=said),
        fingerprint=digests,
        article_id=1 if number else None,
        is_recheck=number > 0,
        software=Software(server="nginx", generator="Hugo"),
    )
    if not made.leads:
        made = replace(made, leads=database.run(past_leads, [1])[1])
    settle(database, objects, made, now=at)


def answered_304(database: Database, objects: ObjectWriter, number: int) -> None:
    at = NOW + number * DAY
    came = capture(90 + number, url=URL, date=at)
    same = finding(database, words=None, date=at, capture=came, is_same=True, article_id=1)
    settle(database, objects, same, now=at)


def etag_of(database: Database) -> ValidatorRecord:
    return database.run(records_of, [HOST])[HOST, Validator.ETAG]


def asked(database: Database, at: datetime) -> PendingPage:
    """The page as it would be asked for."""

    def query(connection: Connection) -> PendingPage:
        row = connection.execute(select(*ASKED).where(pages.c.id == 1)).one()
        return with_trusted(connection, [asked_page(row)], at)[0]

    return database.run(query)


@pytest.fixture
def page(database: Database, channel: int, objects: ObjectWriter) -> Database:
    poll(database, channel, entry("a"))
    looked(database, objects, 0, "Many words", '"1"', {Source.META: NOW})
    return database


def test_an_etag_that_stands_over_two_edits_is_not_sent_for_a_month(
    page: Database, objects: ObjectWriter
) -> None:
    looked(page, objects, 1, "Other words", '"1"')
    assert asked(page, NOW + DAY).validators is not None
    looked(page, objects, 2, "Still other words", '"1"')
    assert (etag_of(page).stood, etag_of(page).hid) == (2, 0)
    assert asked(page, NOW + 3 * DAY).validators is None
    assert asked(page, NOW + 33 * DAY).validators is not None


def test_a_304_that_hid_an_edit_is_told_apart(page: Database, objects: ObjectWriter) -> None:
    answered_304(page, objects, 1)
    looked(page, objects, 2, "Other words", '"1"')
    record = etag_of(page)
    assert (record.not_modified, record.stood, record.hid, record.unchecked) == (1, 1, 1, 1)


def test_after_sixteen_304s_one_page_is_asked_for_whole(page: Database, objects: ObjectWriter) -> None:
    for number in range(1, 17):
        assert asked(page, NOW).validators is not None
        answered_304(page, objects, number)
    assert asked(page, NOW).validators is None


def test_a_capture_that_is_read_anew_is_counted_once(page: Database, objects: ObjectWriter) -> None:
    looked(page, objects, 0, "Other words", '"1"')
    assert page.run(records_of, [HOST]) == {}


def test_dates_of_change_are_held_against_edits(page: Database, objects: ObjectWriter) -> None:
    looked(page, objects, 1, "Other words", '"2"', {Source.META: NOW})
    looked(page, objects, 2, "Other words", '"2"', {Source.META: NOW + DAY})
    row = page.run(
        lambda connection: connection.execute(
            select(date_verdicts).where(date_verdicts.c.source == "meta", date_verdicts.c.what == "modified")
        ).one()
    )
    assert (row.host, row.stood, row.moved) == (HOST, 1, 1)


def test_the_software_of_a_host_is_what_it_said_last(page: Database) -> None:
    (row,) = page.run(lambda connection: connection.execute(select(host_software)).all())
    assert (row.host, row.server, row.generator) == (HOST, "nginx", "Hugo")


def test_feeds_of_a_host_that_lied_are_asked_for_without_the_validator(
    database: Database, channel: int
) -> None:
    for number, names in enumerate(("a", "ab", "abc")):
        at = NOW + number * DAY
        given = Validators(etag='"1"', last_modified=f"day {number}", capture=capture(1, url=FEED, date=at))
        poll(database, channel, *map(entry, names), validators=given, now=at)
    limits: dict[str, Any] = {"limit": 9, "busy": (), "sources": None, "not_since": None}
    (due,) = database.run(due_channels, NOW + 9 * DAY, **limits)
    (sent,) = due.validators.values()
    assert (sent.etag, sent.last_modified) == (None, "day 2")


def labelled(feed: tuple[int, ...]) -> LabelledPage:
    both = ((LabelSource.FEED, feed), (LabelSource.STATEMENT, (0, 1, 2)), (LabelSource.CONSENSUS, (0, 1, 2)))
    labels = tuple(BlockLabels(source=source, blocks=blocks) for source, blocks in both)
    return LabelledPage(url="", site="", channel=1, words=(50,) * 5, labels=labels)


def test_sources_of_labels_are_learned_page_by_page(database: Database) -> None:
    for number in range(20):
        database.run(note_labels, [labelled((0,))], NOW + number * DAY)
    records = database.run(label_records)
    usual = usual_trusts(pooled(records))
    assert channel_trust(LabelSource.FEED, 1, records, usual).soundness < 0.7
    assert channel_trust(LabelSource.CONSENSUS, 1, records, usual).soundness > 0.9
    assert database.run(labelled_counts)[1] == pytest.approx(20)


def test_everything_that_was_counted_is_in_the_tables(page: Database, objects: ObjectWriter) -> None:
    looked(page, objects, 1, "Other words", '"1"')
    page.run(note_labels, [labelled((0, 1, 2))], NOW)
    found = page.run(gather_reliability, NOW + DAY)
    tables = {table.name: table.rows for table in (*time_tables(found), *label_tables(found))}
    assert ("nginx", "ETag", 0, 0, 0, 1, 0, 0, 0) in tables["validators_by_server"]
    assert tables["clausen"][0][1] == 1
    assert [row[0] for row in tables["sources"]] == ["consensus", "feed", "statement"]
