"""A sitemap is believed as far as its dates come true, and not at all where they lie."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest

from archiver.acquisition.rechecks.lastmods import (
    FALSE_ALARMS,
    Lie,
    SitemapTrust,
    Telling,
    first_telling,
    is_build_time,
    is_untold,
    telling,
)

NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_trust_takes_twenty_edits_that_were_told_of_in_a_row() -> None:
    trust = SitemapTrust()
    for _ in range(20):
        assert not trust.is_full
        trust = trust.after_true()
    assert trust.is_full
    assert not trust.after_false_alarm().is_full
    assert trust.after_false_alarm().after_true() == SitemapTrust(told_true=1)


def test_alarms_in_a_row_that_were_none_are_a_lie() -> None:
    trust = SitemapTrust(told_true=5)
    for _ in range(FALSE_ALARMS):
        assert trust.lie is None
        trust = trust.after_false_alarm()
    assert trust.lie is Lie.FALSE_ALARMS
    assert trust.after_true().lie is None


@pytest.mark.parametrize(
    ("before", "lastmod", "looked", "told"),
    [
        (None, NOW - HOUR, None, Telling.FIRST),
        (NOW - HOUR, NOW - HOUR, NOW - DAY, Telling.SAME),
        (NOW - HOUR, NOW - DAY, NOW - DAY, Telling.SAME),  # set back
        (NOW - DAY, NOW - HOUR, NOW - 2 * HOUR, Telling.MOVED),
        (NOW - DAY, NOW - HOUR, None, Telling.MOVED),
        (NOW - DAY, NOW - 2 * HOUR, NOW - HOUR, Telling.SEEN),
        (NOW - DAY, NOW + 12 * HOUR, NOW - HOUR, Telling.MOVED),  # the end of today
        (NOW - DAY, NOW + 9 * DAY, NOW - HOUR, Telling.SAME),  # no clock differs by that much
    ],
)
def test_a_date_is_compared_with_the_one_before_and_with_our_last_look(
    before: datetime | None, lastmod: datetime, looked: datetime | None, told: Telling
) -> None:
    assert telling(before, lastmod, looked, NOW) is told


def test_dates_that_move_together_are_those_of_the_sitemap() -> None:
    together = [NOW + timedelta(seconds=number) for number in range(40)]
    assert is_build_time(together, known=50)
    assert is_build_time([*together, NOW - 9 * DAY, NOW - 3 * DAY], known=50)
    assert not is_build_time(together, known=90)  # half of the site was not touched
    assert not is_build_time(together[:9], known=9)  # too few to tell
    assert not is_build_time([NOW - number * HOUR for number in range(20)], known=24)  # a busy newsroom


def test_an_edit_is_untold_only_where_it_must_have_come_after_the_date() -> None:
    assert is_untold(NOW - DAY, looked_before=NOW - HOUR)
    assert not is_untold(NOW + 8 * HOUR, looked_before=NOW - HOUR)  # some time today
    assert not is_untold(NOW - HOUR, looked_before=NOW - DAY)
    assert not is_untold(NOW - DAY, looked_before=None)


@pytest.mark.parametrize(
    ("lastmod", "told"),
    [
        (NOW - 5 * HOUR, True),  # between the look before and the one that found it
        (NOW - 7 * HOUR, False),
        (NOW - 2 * HOUR, None),  # another edit, or the time at which the sitemap was made
    ],
)
def test_the_first_date_of_an_article_that_was_edited_is_held_against_the_edit(
    lastmod: datetime, told: object
) -> None:
    assert first_telling(lastmod, NOW - 6 * HOUR, NOW - 4 * HOUR, NOW) is told
    assert first_telling(lastmod, None, None, NOW) is None
    # A sitemap may be an hour old.
    assert first_telling(lastmod - 9 * HOUR, NOW - HOUR, NOW, NOW) is None


def test_a_day_tells_of_the_edit_that_was_found_on_it() -> None:
    """A moment does not: there may be another edit after the one that was found."""
    found = looked = NOW - 3 * HOUR
    day, moment = datetime.combine(NOW, time.max, tzinfo=UTC), NOW - HOUR
    assert telling(NOW - DAY, day, looked, NOW, found) is Telling.SEEN
    assert telling(NOW - DAY, day, looked, NOW, found - DAY) is Telling.MOVED
    assert telling(NOW - DAY, moment, looked, NOW, found) is Telling.MOVED
