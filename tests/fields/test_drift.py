"""Fields that stop working are noticed soon, and others seldom suspected."""

from __future__ import annotations

import random
from datetime import UTC, datetime, timedelta

import pytest

from archiver.fields.drift import FieldWatch, RateChart, begun_again, charted, missed, watched
from archiver.fields.model import FieldReading, FieldValue

START = datetime(2026, 11, 10, 8, tzinfo=UTC)
NOTHING = FieldReading()
MISTYPED = FieldReading(mistyped=True)


def value(text: str) -> FieldReading:
    return FieldReading(values=(FieldValue(value=text, text=text),), rule=1)


def after(watch: FieldWatch, *readings: FieldReading) -> FieldWatch:
    for number, reading in enumerate(readings):
        watch = watched(watch, reading, START + timedelta(minutes=number))
    return watch


KNOWN = after(FieldWatch(), *(value(str(number)) for number in range(30)))


@pytest.mark.parametrize("rate", [1.0, 0.95, 0.9, 0.8, 0.5, 0.3])
def test_at_most_one_alarm_in_three_thousand_pages_is_false(rate: float) -> None:
    """A field has three charts, of which each may raise one."""
    chance, alarms, pages = random.Random(17), 0, 0
    for _ in range(40):
        chart = RateChart()
        for _ in range(1000):
            chart = charted(chart, is_good=chance.random() < rate, at=START)
            pages += 1
            if chart.is_alarmed:
                alarms += 1
                break
    assert alarms <= pages / 9_000


@pytest.mark.parametrize(("rate", "most"), [(1.0, 5), (0.95, 6), (0.9, 8), (0.85, 11)])
def test_a_total_failure_is_noticed_soon(rate: float, most: int) -> None:
    chance, waited = random.Random(4), []
    for _ in range(100):
        chart = RateChart()
        for _ in range(100):
            chart = charted(chart, is_good=chance.random() < rate, at=START)
        count = 0
        while not chart.is_alarmed:
            chart, count = charted(chart, is_good=False, at=START), count + 1
        waited.append(count)
    assert sorted(waited)[94] <= most, "19 of 20 times"


def test_values_that_are_missing_raise_an_alarm_that_says_since_when() -> None:
    watch = after(KNOWN, value("a"), NOTHING, NOTHING, NOTHING, NOTHING, NOTHING)
    assert watch.alarm is not None
    assert (watch.alarm.kind, watch.alarm.since) == ("filled", START + timedelta(minutes=1))


def test_texts_of_another_type_raise_an_alarm_of_their_own() -> None:
    watch = after(KNOWN, *[value("1"), MISTYPED] * 20)
    assert watch.alarm is not None
    assert watch.typed.is_alarmed


def test_one_value_on_all_pages_raises_an_alarm() -> None:
    watch = after(KNOWN, *[value("Add to basket")] * 8)
    assert watch.alarm is not None
    assert watch.alarm.kind == "varied"


def test_values_that_repeat_by_nature_raise_none() -> None:
    courts = random.Random(2).choices(["High Court", "Court of Appeal"], k=60)
    watch = after(FieldWatch(), *(value(court) for court in courts), *[value("High Court")] * 30)
    assert watch.alarm is None


def test_a_new_wrapper_raises_no_alarm_before_anything_is_known_of_it() -> None:
    assert after(FieldWatch(), *[NOTHING] * 9).alarm is None


def test_a_known_value_that_no_rule_finds_on_two_pages_is_an_alarm_at_once() -> None:
    watch = missed(FieldWatch(), is_found=False, at=START)
    assert watch.alarm is None
    watch = missed(watch, is_found=False, at=START + timedelta(hours=1))
    assert watch.alarm is not None
    assert (watch.alarm.kind, watch.alarm.since) == ("missed", START)
    assert missed(watch, is_found=True, at=START).alarm is None


def test_the_alarm_ends_when_values_come_again() -> None:
    failing = after(KNOWN, *[NOTHING] * 40)
    assert failing.alarm is not None
    assert after(failing, *(value(f"b{number}") for number in range(30))).alarm is None


def test_other_rules_are_watched_from_the_first_page_by_what_the_old_ones_gave() -> None:
    repaired = begun_again(after(KNOWN, *[NOTHING] * 6))
    assert repaired.alarm is None
    assert after(repaired, *[NOTHING] * 6).alarm is not None
