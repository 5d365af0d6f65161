"""What is expected of a channel by how long its last entry is ago."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.channels.polling.forecast import Forecast
from archiver.acquisition.channels.polling.rhythm import _LAST_FORM, DAY, rates, unknown, unpacked
from tests.polling.samples import HOUR, START, even, polled, steady

if TYPE_CHECKING:
    from archiver.acquisition.channels.polling.rhythm import Rhythms


def expected(rhythms: Rhythms, now: float, days: float = 0.25) -> float:
    edges = np.linspace(0.0, days * DAY, 25)[None, :]
    return float(Forecast(rhythms, np.array([now])).entries(edges).sum())


def weekly() -> Rhythms:
    """Half a year with an entry a week, the last one six days before the first look."""
    return polled(unknown(1), START, START - DAY * (6 + 7.0 * np.arange(26)))


def test_an_entry_of_a_rare_channel_promises_no_other_one() -> None:
    now = START + 3 * DAY
    silent, came = polled(weekly(), now, []), polled(weekly(), now, [now - HOUR])
    assert expected(came, now) < 0.5 * expected(silent, now)


def test_one_entry_hardly_raises_the_pace_of_a_rare_channel() -> None:
    now = START + DAY
    slow, middle, fast = rates(polled(weekly(), now, [now - HOUR]))
    assert middle[0] < 1.5 * slow[0]
    assert fast[0] < 1.5 * middle[0]


def test_a_channel_teaches_how_its_entries_follow_each_other() -> None:
    # Pairs: a second entry comes three hours after each first one, four days apart.
    pairs = known = polled(unknown(1), START, even(0.5, 60))
    for day in range(1, 121):
        now = START + day * DAY
        paired = [now - 6 * HOUR, now - 3 * HOUR] if day % 4 == 0 else []
        for hour in range(0, 24, 3):
            moment = now - DAY + (hour + 3) * HOUR
            pairs = polled(pairs, moment, [one for one in paired if moment - 3 * HOUR <= one < moment])
            known = polled(known, moment, paired if hour == 21 and paired else [])
    now = START + 120 * DAY + 18.5 * HOUR
    assert expected(polled(pairs, now, [now - HOUR]), now) > expected(polled(known, now, [now - HOUR]), now)


def test_a_channel_that_was_never_polled_has_no_last_entry() -> None:
    assert abs(expected(unknown(1), START, days=1.0) - 2.0) < 0.05


def test_a_rhythm_from_before_ages_were_counted_is_still_known() -> None:
    known = steady(24)
    older = np.zeros(1, _LAST_FORM)
    for name in older.dtype.names:
        older[name] = known[name]
    again = unpacked(older.tobytes())
    assert again["minutes"].tolist() == known["minutes"].tolist()
    assert again["long"].tolist() == known["slow"].tolist()
    # Its last entry is as long ago as one takes: neither just come nor overdue.
    assert abs(float(again["since"][0]) * float(rates(again)[0][0]) - 1) < 1e-6
    assert polled(again, START + DAY, [])["since"][0] > again["since"][0]
