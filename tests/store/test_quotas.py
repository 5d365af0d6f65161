"""Quotas: what a host or a channel gives beyond a day's limit waits for the next day, and nothing is lost."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from archiver.acquisition.channels.gaps.plan import Plan
from archiver.acquisition.items import ChannelPoll
from archiver.acquisition.targets import WantedRequisite
from archiver.documents.lists.model import GapState
from archiver.store.content import pages as page_store
from archiver.store.content.pages import FreshCapture
from archiver.store.content.requisites import pending_requisites, settle_requisite, try_requisite_again, want
from archiver.store.looks.rechecks import next_recheck_due
from archiver.store.polling.due import due_channels
from archiver.store.polling.polls import store_poll
from archiver.store.quotas import Quotas, count_other, hold_back
from archiver.store.schema import channels, day_uses, gaps, pages
from tests.store.samples import HOUR, NOW, RULES, add_channel, capture, entry, poll, row_of

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.store.database import Database

MB = 1 << 20
TOMORROW = NOW.replace(hour=0) + timedelta(days=1)
ALL = {"limit": 100, "per_host": 100, "busy": frozenset[int]()}


def pending(database: Database, now: datetime = NOW) -> list[str]:
    return [page.url for page in database.run(page_store.pending_pages, now, **ALL)]


def captured(database: Database, *ids: int, size: int = 10, now: datetime = NOW) -> None:
    fresh = [FreshCapture(page_id=number, capture=capture(number), size=size) for number in ids]
    database.run(page_store.mark_captured, fresh, now)


def told(database: Database, now: datetime = NOW, **limits: int) -> list[str]:
    return [one.told for one in database.run(hold_back, Quotas(**limits), now).reached]


def uses(database: Database) -> dict[str, Any]:
    rows = database.run(lambda connection: connection.execute(select(day_uses)).all())
    return {row.name: (row.pages, row.bytes) for row in rows}


def links(host: str, number: int = 4) -> list[str]:
    return [f"http://{host}/{one}" for one in range(number)]


def announce(database: Database, channel: int, addresses: list[str], now: datetime = NOW) -> None:
    poll(database, channel, *(entry(link, link=link) for link in addresses), now=now)


def test_pages_of_a_host_beyond_the_limit_wait_for_the_next_day(database: Database) -> None:
    channel = add_channel(database)
    announce(database, channel, [*links("large.example"), "http://small.example/"])
    captured(database, 1, 2)
    assert told(database, host_pages=3) == []
    captured(database, 3)
    assert told(database, host_pages=3) == [
        "large.example has reached HOST_PAGES_PER_DAY = 3: what is left waits until 2026-03-03 00:00 UTC"
    ]
    assert pending(database) == ["http://small.example/"]
    assert database.run(page_store.next_try) == NOW
    assert pending(database, TOMORROW) == ["http://small.example/", links("large.example")[3]]


def test_what_is_announced_after_the_limit_waits_as_well(database: Database) -> None:
    channel = add_channel(database)
    announce(database, channel, links("large.example", 2))
    captured(database, 1)
    told(database, host_pages=1)
    announce(database, channel, ["http://large.example/new"], now=NOW + HOUR)
    told(database, NOW + HOUR, host_pages=1)
    assert pending(database, NOW + HOUR) == []
    assert len(pending(database, TOMORROW)) == 2


def test_a_channel_beyond_its_limit_leaves_its_host_to_others(database: Database) -> None:
    first = add_channel(database, "http://one.example/feed")
    second = add_channel(database, "http://two.example/feed")
    announce(database, first, links("shared.example", 3))
    announce(database, second, ["http://shared.example/other"])
    captured(database, 1, 2)
    assert told(database, channel_pages=2)[0].startswith("http://one.example/feed has reached CHANNEL_PAGES")
    assert pending(database) == ["http://shared.example/other"]


def test_bytes_hold_back_polls_too_and_pages_do_not(database: Database) -> None:
    channel = add_channel(database, "http://large.example/feed")
    add_channel(database, "http://small.example/feed")
    announce(database, channel, links("large.example", 2))
    captured(database, 1, size=2 * MB)
    due = NOW + HOUR * 12
    asked: dict[str, Any] = {"limit": 9, "busy": frozenset(), "sources": None, "not_since": None}
    told(database, due, host_pages=1)
    assert len(database.run(due_channels, due, **asked)) == 2
    assert "HOST_MB_PER_DAY = 2" in told(database, due, host_pages=1, host_mb=2)[0]
    assert [one.url for one in database.run(due_channels, due, **asked)] == ["http://small.example/feed"]
    row = row_of(database, channels, id=channel)
    assert (row.next_poll, row.why) == (TOMORROW, "HOST_MB_PER_DAY = 2 is reached for this host")
    assert len(database.run(due_channels, TOMORROW, **asked)) == 2


def test_bytes_of_a_channel_hold_back_its_own_pages_and_polls_alone(database: Database) -> None:
    first = add_channel(database, "http://shared.example/one")
    second = add_channel(database, "http://shared.example/two")
    announce(database, first, links("shared.example", 2))
    announce(database, second, ["http://shared.example/other"])
    captured(database, 1, size=2 * MB)
    due = NOW + HOUR * 12
    (reached,) = told(database, due, channel_mb=2)
    assert reached.startswith("http://shared.example/one has reached CHANNEL_MB_PER_DAY = 2: what is left")
    assert pending(database, due) == ["http://shared.example/other"]
    asked: dict[str, Any] = {"limit": 9, "busy": frozenset(), "sources": None, "not_since": None}
    assert [one.id for one in database.run(due_channels, due, **asked)] == [second]
    row = row_of(database, channels, id=first)
    assert (row.next_poll, row.why) == (TOMORROW, "CHANNEL_MB_PER_DAY = 2 is reached for this channel")


def test_polls_requisites_gaps_and_errors_are_counted(database: Database) -> None:
    channel = add_channel(database, "http://news.example/feed")
    announce(database, channel, links("news.example", 1))
    done = ChannelPoll(channel_id=channel, url="http://news.example/feed", size=7)
    database.run(store_poll, done, rules=RULES, recorded=NOW, now=NOW)
    assert uses(database) == {"news.example": (0, 7), str(channel): (0, 7), "others": (2, 7)}
    database.run(count_other, 1, 30, NOW)
    assert uses(database) == {"news.example": (1, 37), str(channel): (1, 37), "others": (3, 37)}
    wanted = WantedRequisite(url="http://news.example/style", kind="style", via="http://news.example/0")
    database.run(want, [wanted], now=NOW, max_age=HOUR)
    database.run(settle_requisite, 1, "stored", now=NOW, max_age=HOUR, size=100)
    assert uses(database)["news.example"] == (2, 137)
    # Of the share of requisites, only those count that pages ask for; a failed try does, too.
    assert uses(database)["requisites"] == (1, 100)
    database.run(try_requisite_again, 1, HOUR, NOW)
    assert uses(database)["requisites"] == (2, 100)
    assert uses(database)["news.example"] == (2, 137)
    home = WantedRequisite(url="http://news.example/", kind="home", via="http://news.example/feed")
    database.run(want, [home], now=NOW, max_age=HOUR)
    database.run(settle_requisite, 2, "stored", now=NOW, max_age=HOUR, size=50)
    assert (uses(database)["requisites"], uses(database)["others"]) == ((2, 100), (4, 87))


def test_requisites_gaps_and_rechecks_wait_too(database: Database) -> None:
    channel = add_channel(database, "http://news.example/feed")
    announce(database, channel, links("news.example", 1))
    captured(database, 1)
    values: dict[str, Any] = {"channel_id": channel, "seen": NOW, "after_entry": 1, "after_key": "a"}
    values |= {"before_key": "b", "state": GapState.OPEN, "how": "", "plan": Plan(), "next_try": NOW}
    recheck = pages.update().values(state="settled", recheck=NOW)
    database.run(lambda connection: connection.execute(insert(gaps), values) and connection.execute(recheck))
    wanted = WantedRequisite(url="http://news.example/style", kind="style", via="http://news.example/0")
    database.run(want, [wanted], now=NOW, max_age=HOUR)
    told(database, host_pages=1)
    assert database.run(pending_requisites, NOW, ["style"], **ALL) == []
    assert len(database.run(pending_requisites, TOMORROW, ["style"], **ALL)) == 1
    assert row_of(database, gaps, id=1).next_try == TOMORROW
    assert database.run(next_recheck_due) == TOMORROW


def test_a_new_day_begins_anew_and_forgets_the_last_one(database: Database) -> None:
    channel = add_channel(database)
    announce(database, channel, links("large.example", 3))
    captured(database, 1)
    assert told(database, host_pages=1)
    assert told(database, TOMORROW, host_pages=1) == []
    captured(database, 2, now=TOMORROW)
    assert uses(database) == {"large.example": (1, 10), str(channel): (1, 10), "others": (1, 10)}


def test_without_limits_nothing_waits(database: Database) -> None:
    announce(database, add_channel(database), links("large.example", 2))
    captured(database, 1, size=MB)
    assert not Quotas().are_set
    assert told(database) == []
    assert len(pending(database)) == 1
