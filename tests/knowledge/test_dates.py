"""Dates as applications write them: certain, or left as they are."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from archiver.acquisition.sites.knowledge.dates import form_flaw, read_date
from archiver.documents.feeds.dates import written_day
from archiver.documents.feeds.model import FeedDate

AMERICAN, BRITISH = "%m/%d/%Y %I:%M %p", "%d/%m/%Y %I:%M %p"


@pytest.mark.parametrize(
    ("text", "forms", "days", "told"),
    [
        ("Last edited on 7 May 2026, at 14:33.", ["%d %B %Y, at %H:%M"], [], "2026-05-07 14:33"),
        ("a.txt · Last modified: 2026/05/07 04:03 by Ada", ["%Y/%m/%d %H:%M"], [], "2026-05-07 04:03"),
        ("07 May 2026", ["%d %B %Y"], [], "2026-05-07"),
        ("05/17/2026 02:08 PM", [AMERICAN], [], "2026-05-17 14:08"),
        ("05/17/2026 02:08 PM", ["%m/%d/%Y %H:%M", AMERICAN], [], "2026-05-17 14:08"),
        # Only one of the two can be meant.
        ("05/17/2026 02:08 AM", [AMERICAN, BRITISH], [], "2026-05-17 02:08"),
        # Both can, and the day decides.
        ("04/11/2026 02:08 AM", [AMERICAN, BRITISH], ["/activity?from=2026-11-04"], "2026-11-04 02:08"),
        ("04/11/2026 02:08 AM", [AMERICAN, BRITISH], ["/activity?from=2026-04-11"], "2026-04-11 02:08"),
        # A comment may name another date before the one of its signature.
        (
            "Not 09:00, 1 May 2026 (UTC) but now. Ada 10:30, 2 May 2026 (UTC)",
            ["%H:%M, %d %B %Y"],
            [],
            "2026-05-02 10:30",
        ),
    ],
)
def test_a_date_is_found_by_its_form(text: str, forms: list[str], days: list[str], told: str) -> None:
    assert read_date(text, forms, days) == FeedDate(text=told)


@pytest.mark.parametrize(
    ("text", "forms", "days"),
    [
        ("04/11/2026 02:08 AM", [AMERICAN, BRITISH], []),
        ("04/11/2026 02:08 AM", [AMERICAN, BRITISH], ["/activity?from=2026-12-24"]),
        # In another form than those of the application.
        ("May 7, 2026", ["%d. %B %Y"], []),
        ("2026-05-07", ["%d. %B %Y"], []),
        ("05/17/2026 02:08 PM", ["%m/%d/%Y %H:%M"], []),
    ],
)
def test_what_is_not_certain_is_left_as_it_is(text: str, forms: list[str], days: list[str]) -> None:
    assert read_date(text, forms, days) == FeedDate(text=text)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("31/31/2026 02:08 AM", AMERICAN),
        ("105/17/2026 02:08 AM", AMERICAN),
        ("2026/05/170", "%Y/%m/%d"),
        ("yesterday", "%d %B %Y"),
        ("A comment of 7 May that is not signed", "%d %B %Y"),
        (" ", "%d %B %Y"),
    ],
)
def test_a_text_without_a_date_is_not_a_date(text: str, form: str) -> None:
    assert read_date(text, [form]) is None


def test_a_zone_that_is_named_makes_a_moment() -> None:
    read = read_date("Ada (talk) 10:30, 2 May 2026 (UTC)", ["%H:%M, %d %B %Y (%Z)"])
    assert read is not None
    assert read.utc == datetime(2026, 5, 2, 10, 30, tzinfo=UTC)


def test_a_date_for_machines_needs_no_form() -> None:
    read = read_date("2026-05-02T10:30:00+02:00")
    assert read is not None
    assert read.utc == datetime(2026, 5, 2, 8, 30, tzinfo=UTC)


def test_the_day_of_what_was_read_is_known() -> None:
    read = read_date("04/11/2026 02:08 AM", [AMERICAN])
    assert read is not None
    assert str(written_day(read.text)) == "2026-04-11"


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("%d %B %Y", ""),
        ("%d %Q %Y", "%Q is not known"),
        ("%d %B", "does not name"),
        ("soon", "does not name"),
    ],
)
def test_forms_are_checked(form: str, reason: str) -> None:
    assert reason in form_flaw(form) if reason else not form_flaw(form)
