"""A budget is kept over days of simulated polls, whatever the channels publish."""

from __future__ import annotations

import heapq
import random
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.channels.polling.decide import Aim
from archiver.acquisition.channels.polling.price import USUAL_PRICE
from archiver.acquisition.channels.polling.schedule import PollPolicy
from archiver.acquisition.channels.polls import PollRules
from archiver.acquisition.items import Validators
from archiver.documents.feeds.model import FeedDate, FeedEntry
from archiver.store.schema import channels
from tests.store.samples import NOW, add_channel, poll, row_of

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.store.database import Database

DAY = timedelta(days=1)
# Entries a day.
RATES = (0.2, 1, 3, 8, 20, 50)
WINDOW = 20
BUDGET = 12.0
RULES = PollRules(
    policy=PollPolicy(aim=Aim(price=USUAL_PRICE, shortest=1800.0)), pages_at_once=500, budget=BUDGET
)


def published(rate: float, seed: int) -> list[datetime]:
    """Ten days of before and five to come, mostly by day."""
    chance, at, found = random.Random(seed), NOW - 10 * DAY, []
    while at < NOW + 5 * DAY:
        at += chance.expovariate(rate) * DAY
        if 6 <= at.hour < 20 or chance.random() < 0.3:
            found.append(at)
    return found


def shown(channel: int, told: list[datetime], now: datetime) -> list[FeedEntry]:
    newest = [(number, at) for number, at in enumerate(told) if at <= now][-WINDOW:]
    return [
        FeedEntry(id=f"{channel}-{number}", published=FeedDate(text=at.isoformat(), utc=at))
        for number, at in reversed(newest)
    ]


# Thousands of transactions: with a server they take ten times as long.
@pytest.mark.parametrize(
    "store_url", ["sqlite", pytest.param("postgresql", marks=pytest.mark.zoo)], indirect=True
)
def test_the_budget_is_kept_within_a_tenth_and_nothing_is_lost(database: Database) -> None:
    told = {}
    for number, rate in enumerate(RATES):
        channel = add_channel(database, url=f"http://{number}.example.org/feed")
        told[channel] = published(rate, number)
    due = [(NOW, channel) for channel in told]
    polls = dict.fromkeys(range(5), 0)
    while due[0][0] < NOW + 5 * DAY:
        now, channel = heapq.heappop(due)
        polls[(now - NOW).days] += 1
        found = shown(channel, told[channel], now)
        result = poll(database, channel, *found, now=now, rules=RULES, validators=Validators(etag='"1"'))
        assert result.gap is None
        row = row_of(database, channels, id=channel)
        assert row.next_poll >= now + timedelta(minutes=30)
        heapq.heappush(due, (row.next_poll, channel))
    # The first day begins with a guess.
    steady = sum(polls[day] for day in range(1, 5)) / (4 * BUDGET * len(told))
    assert 0.9 < steady < 1.1
