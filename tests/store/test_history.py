"""What was published before the first poll is a gap with nothing before it, and no gap: on every database."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.items import GapFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.documents.lists.model import ArchivePage, Way
from archiver.store.polling.channels import find_channel
from archiver.store.polling.filling import FillRules, store_gap_fetch
from archiver.store.polling.gaps import count_open_gaps, gaps_by_channel, pending_gaps
from archiver.store.polling.history import (
    ask_for_history,
    count_open_histories,
    last_histories,
    last_history,
    stop_history,
)
from archiver.store.schema import entries, gaps, pages
from tests.store.samples import HOUR, NOW, add_channel, capture, feed_of, poll, rows_of
from tests.store.test_gaps import entry, told

if TYPE_CHECKING:
    from archiver.acquisition.channels.gaps.history import ChannelHistory
    from archiver.documents.feeds.model import FeedEntry
    from archiver.store.database import Database
    from archiver.store.polling.filling import GapResult


@pytest.fixture
def channel(database: Database) -> int:
    """Polled when it showed 20 to 18."""
    number = add_channel(database)
    poll(database, number, *told(20, 19, 18))
    return number


def wish(database: Database, channel: int, **other: Any) -> None:
    row = database.run(find_channel, str(channel))
    times = {"recorded": NOW + HOUR, "now": NOW + HOUR}
    database.run(ask_for_history, row, **{"since": None, "most": None} | times | other)


def answer(database: Database, *found: FeedEntry, **other: Any) -> GapResult:
    """Store an answer to what is asked next; none where nothing was found."""
    (gap,) = database.run(pending_gaps, NOW + 2 * HOUR, limit=10, busy=())
    values: dict[str, Any] = {"page": ArchivePage(feed=feed_of(*found), entries=found), "capture": capture(7)}
    if not found:
        values = {"page": None, "failed": Failed(failure=Failure.NOT_FOUND)}
    fetch = GapFetch(gap=gap, url=gap.ask.url, **values | other)
    rules = FillRules(documents=2, pages_at_once=1)
    return database.run(store_gap_fetch, fetch, rules=rules, recorded=NOW + HOUR, now=NOW + HOUR)


def history_of(database: Database, channel: int) -> ChannelHistory:
    found = database.run(last_history, channel)
    assert found is not None
    assert database.run(last_histories) == {channel: found}
    return found


def test_it_is_read_to_its_end_whatever_a_gap_may_cost(database: Database, channel: int) -> None:
    wish(database, channel)
    assert database.run(count_open_histories) == 1
    for numbers in ((17, 16, 15), (14, 13, 12), (11, 10, 9)):
        assert answer(database, *told(*numbers)).found == 3
    result = answer(database)
    assert result.history == history_of(database, channel)
    assert history_of(database, channel).in_words() == "complete: 9 entries found in 4 documents (paged)"
    found = [one for one in rows_of(database, entries) if one.found_by == Way.PAGED]
    assert len(found) == 9
    # All at once: it was asked for by hand.
    asked = {one.id: one.next_try for one in rows_of(database, pages)}
    assert {asked[one.page_id] for one in found} == {NOW + HOUR}


def test_it_is_no_gap(database: Database, channel: int) -> None:
    wish(database, channel)
    assert database.run(count_open_gaps) == 0
    assert database.run(gaps_by_channel) == {}


def test_a_limit_ends_it_and_is_told(database: Database, channel: int) -> None:
    wish(database, channel, most=4)
    answer(database, *told(17, 16, 15))
    assert answer(database, *told(14, 13, 12)).found == 1
    assert (
        history_of(database, channel).in_words()
        == "ended at --limit 4: 4 entries found in 2 documents (paged)"
    )
    assert database.run(count_open_histories) == 0


def test_a_limit_that_is_met_with_the_last_entry_is_not_said_to_be_everything(
    database: Database, channel: int
) -> None:
    since = entry(16).published
    assert since is not None
    wish(database, channel, most=1, since=since.utc)
    answer(database, *told(17, 16, 15))
    assert history_of(database, channel).in_words().startswith("ended at --limit 1 back to")


def test_it_can_be_stopped(database: Database, channel: int) -> None:
    wish(database, channel)
    answer(database, *told(17, 16, 15))
    database.run(stop_history, channel, NOW + 2 * HOUR)
    assert (
        history_of(database, channel).in_words() == "stopped by hand: 3 entries found in 1 document (paged)"
    )
    assert not database.run(pending_gaps, NOW + 9 * HOUR, limit=10, busy=())


def test_a_gap_that_comes_later_lies_above_what_the_feed_showed(database: Database, channel: int) -> None:
    """What the history brought came last and is older: it says nothing of where the gap begins."""
    wish(database, channel)
    answer(database, *told(3, 2, 1))
    answer(database)
    poll(database, channel, *told(29, 28, 27), now=NOW + timedelta(days=1))
    gap = rows_of(database, gaps)[-1]
    assert (gap.after_key, gap.floor) == (entry(20).link, (found := entry(18).published) and found.utc)
    assert gap.after_entry == max(one.id for one in rows_of(database, entries) if one.found_by)


def test_a_gap_does_not_wait_for_a_history(database: Database, channel: int) -> None:
    poll(database, channel, *told(29, 28, 27), now=NOW + HOUR)
    wish(database, channel)
    (first,) = database.run(pending_gaps, NOW + 2 * HOUR, limit=10, busy=())
    assert first.id == rows_of(database, gaps)[0].id
    assert rows_of(database, gaps)[0].after_entry > 0
