"""What field wrappers read is counted by day, and a field that fails is known from then on."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.fields.model import FieldReading, FieldsRead, FieldValue
from archiver.store.field_values import fields as field_store
from archiver.store.field_values.fields import (
    MOST_PAGES,
    PageFields,
    failing_fields,
    note_missed,
    note_repair,
    note_stop,
    suspended_wrappers,
    tally_fields,
)
from archiver.store.schema import field_days, field_pages
from tests.store.samples import NOW, capture, row_of, rows_of

if TYPE_CHECKING:
    import pytest

    from archiver.store.database import Database

DAY = timedelta(days=1)
NOTHING = FieldReading()


def value(text: object) -> FieldReading:
    return FieldReading(values=(FieldValue(value=str(text), text=str(text)),), rule=1)


def page(number: int, digest: str = "1", **readings: FieldReading) -> PageFields:
    read = FieldsRead(wrapper=f"bookshop/{digest}", readings=readings)
    return PageFields(page_id=number, url=f"http://example.org/{number}", capture=capture(number), read=read)


def test_values_are_counted_by_field_and_day(database: Database) -> None:
    read = [page(1, price=value(1), isbn=NOTHING), page(2, price=FieldReading(mistyped=True), isbn=NOTHING)]
    database.run(tally_fields, read, NOW)
    database.run(tally_fields, [page(3, price=value(3), isbn=value("x"))], NOW)
    database.run(tally_fields, [page(4, price=value(3), isbn=value("x"))], NOW + DAY)
    found = {
        (row.field, row.day): (row.pages, row.filled, row.mistyped) for row in rows_of(database, field_days)
    }
    first = min(day for _, day in found)
    assert found[("price", first)] == (3, 2, 1)
    assert found[("isbn", first)] == (3, 1, 0)
    assert found[("price", first + 1)] == (1, 1, 0)


def test_a_field_that_fails_is_known_since_its_first_page(database: Database) -> None:
    good = [page(number, price=value(number), isbn=value(number)) for number in range(30)]
    database.run(tally_fields, good, NOW)
    assert database.run(failing_fields) == []
    for number in range(6):
        bad = page(100 + number, price=NOTHING, isbn=value(number))
        database.run(tally_fields, [bad], NOW + number * DAY)
    (failing,) = database.run(failing_fields)
    assert (failing.wrapper, failing.digest, failing.field) == ("bookshop", "1", "price")
    assert (failing.alarm.kind, failing.alarm.since) == ("filled", NOW)
    assert row_of(database, field_pages, page_id=103).missing == ("price",)


def test_another_text_of_the_wrapper_begins_without_an_alarm(database: Database) -> None:
    good = [page(number, price=value(number)) for number in range(30)]
    database.run(tally_fields, [*good, *(page(100 + number, price=NOTHING) for number in range(6))], NOW)
    assert database.run(failing_fields)
    database.run(tally_fields, [page(200, "2", price=value(200))], NOW)
    assert database.run(failing_fields) == []


def test_known_values_that_no_rule_finds_are_an_alarm(database: Database) -> None:
    database.run(tally_fields, [page(1, price=NOTHING)], NOW)
    database.run(note_missed, "bookshop", [("price", False, NOW)])
    assert database.run(failing_fields) == []
    database.run(note_missed, "bookshop", [("price", False, NOW - DAY), ("no_such", False, NOW)])
    (failing,) = database.run(failing_fields)
    assert (failing.alarm.kind, failing.alarm.since) == ("missed", NOW - DAY)


def test_a_repair_of_one_field_leaves_the_alarms_of_others(database: Database) -> None:
    database.run(tally_fields, [page(1, price=NOTHING, isbn=NOTHING)], NOW)
    missed = [("price", False, NOW), ("isbn", False, NOW)]
    database.run(note_missed, "bookshop", [*missed, *missed])
    database.run(note_repair, "bookshop", "2", ["price"])
    database.run(tally_fields, [page(2, "2", price=value(2), isbn=NOTHING)], NOW + DAY)
    assert [(one.field, one.digest) for one in database.run(failing_fields)] == [("isbn", "2")]


def test_of_its_pages_a_wrapper_keeps_the_newest(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(field_store, "_SLACK", 10)
    for number in range(0, MOST_PAGES + 40, 10):
        read = [page(number + one, price=NOTHING) for one in range(10)]
        database.run(tally_fields, read, NOW + number * DAY)
    kept = database.run(
        lambda connection: connection.execute(select(func.count(), func.min(field_pages.c.page_id))).one()
    )
    assert MOST_PAGES <= kept[0] <= MOST_PAGES + 20
    assert kept[1] >= 20


def test_a_wrapper_that_stops_two_pages_is_suspended_until_it_is_changed(database: Database) -> None:
    assert not database.run(note_stop, "bookshop/1", "price: too slow", NOW)
    assert not database.run(suspended_wrappers)
    assert database.run(note_stop, "bookshop/1", "price: too slow", NOW)
    assert database.run(suspended_wrappers) == {"bookshop/1": "price: too slow"}
    assert not database.run(note_stop, "bookshop/1", "price: too slow", NOW), "told once"
