"""What is seen of validators, and which of them are sent: decisions of values and moments."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from archiver.acquisition.reliability.validators import (
    CHECKED_AFTER,
    CHECKED_AFTER_AT_FIRST,
    UNSENT_FOR,
    Given,
    Validator,
    ValidatorLook,
    ValidatorRecord,
    after_look,
    after_not_modified,
    is_check_due,
    is_sent,
    looks_of,
)

NOW = datetime(2026, 11, 17, 12, tzinfo=UTC)
LIE = ValidatorLook(is_moved=False, is_same=False, is_edited=True)


@pytest.mark.parametrize(
    ("look", "counted"),
    [
        (ValidatorLook(is_moved=True, is_same=False, is_edited=True), "agreed"),
        (ValidatorLook(is_moved=True, is_same=False, is_edited=False), "agreed"),
        (ValidatorLook(is_moved=False, is_same=True, is_edited=False), "agreed"),
        (ValidatorLook(is_moved=True, is_same=True, is_edited=False), "moved"),
        (ValidatorLook(is_moved=False, is_same=False, is_edited=False), "noise"),
        (LIE, "stood"),
    ],
)
def test_each_look_counts_once(look: ValidatorLook, counted: str) -> None:
    after = after_look(ValidatorRecord(), look, NOW)
    counts = {name: getattr(after, name) for name in ("agreed", "moved", "noise", "stood")}
    assert counts == dict.fromkeys(counts, 0) | {counted: 1}


def test_two_lies_within_a_month_end_it_for_a_month() -> None:
    once = after_look(ValidatorRecord(), LIE, NOW)
    assert is_sent(once, NOW)
    twice = after_look(once, LIE, NOW + timedelta(days=29))
    assert not is_sent(twice, NOW + timedelta(days=29))
    assert is_sent(twice, NOW + timedelta(days=29) + UNSENT_FOR)


def test_two_lies_that_are_far_apart_do_not() -> None:
    once = after_look(ValidatorRecord(), LIE, NOW)
    assert is_sent(after_look(once, LIE, NOW + timedelta(days=31)), NOW + timedelta(days=31))


def test_it_is_begun_anew_after_the_month() -> None:
    record = after_look(after_look(ValidatorRecord(), LIE, NOW), LIE, NOW)
    later = NOW + UNSENT_FOR + timedelta(days=1)
    assert is_sent(after_look(record, LIE, later), later)


def test_answers_of_304_are_checked_sooner_on_a_host_that_is_little_known() -> None:
    record = after_not_modified(ValidatorRecord(), CHECKED_AFTER_AT_FIRST)
    assert is_check_due(record)
    assert not is_check_due(replace(record, checks=10))
    assert is_check_due(replace(record, checks=10, unchecked=CHECKED_AFTER))
    assert is_check_due(replace(record, lies=1, unchecked=2))


def test_a_whole_answer_ends_the_wait_and_a_check_that_finds_nothing_counts() -> None:
    waiting = after_not_modified(ValidatorRecord(), 16)
    fine = ValidatorLook(is_moved=False, is_same=True, is_edited=False, is_vouched=True)
    after = after_look(waiting, fine, NOW)
    assert (after.unchecked, after.checks, after.hid) == (0, 1, 0)
    hidden = after_look(waiting, replace(LIE, is_vouched=True), NOW)
    assert (hidden.unchecked, hidden.checks, hidden.hid) == (16, 0, 1)


def said(before: Given, now: Given) -> dict[Validator, bool]:
    looks = looks_of(before, now, is_same=False, is_edited=True)
    return {one: look.is_moved for one, look in looks.items()}


def test_validators_are_compared_where_both_answers_have_them() -> None:
    found = said(Given(etag="a", last_modified="x"), Given(etag="a", last_modified="y"))
    assert found == {Validator.ETAG: False, Validator.LAST_MODIFIED: True, Validator.CLAUSEN_GETS: True}


@pytest.mark.parametrize(
    ("before", "now", "rule"),
    [
        (Given(last_modified="x"), Given(last_modified="x"), Validator.CLAUSEN_GETS),
        (Given(etag="a", last_modified="x"), Given(etag="b", last_modified="x"), Validator.CLAUSEN_KEEPS),
        (Given(etag="a", last_modified="x"), Given(etag="b", last_modified="y"), Validator.CLAUSEN_GETS),
        (Given(), Given(), Validator.CLAUSEN_GETS),
    ],
)
def test_clausens_rule_downloads_without_an_etag_and_else_by_last_modified(
    before: Given, now: Given, rule: Validator
) -> None:
    assert rule in said(before, now)
