"""What was asked for to fill a gap becomes state: entries and what to ask next, in one transaction."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import update

from archiver.acquisition.channels.gaps.history import MOST_ENTRIES, ChannelHistory
from archiver.acquisition.channels.gaps.plan import advance
from archiver.acquisition.channels.polls import Arrival, PageStagger
from archiver.acquisition.outcomes import PASSING, Failure
from archiver.acquisition.pages import Ended, PagePolicy, after_failure
from archiver.documents.feeds.entries import EntryChanges, identify
from archiver.documents.lists.model import FEED_WAYS, Candidate, GapState, Seen, Step
from archiver.store.polling.entries import find_changes, known_entries, store_changes
from archiver.store.polling.gaps import bounds_of, open_gap, save_gap
from archiver.store.polling.history import last_history
from archiver.store.polling.sightings import note_missed
from archiver.store.quotas import Use, count
from archiver.store.schema import channels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.items import GapFetch
    from archiver.documents.feeds.model import FeedEntry

# A document of the past will not be another one tomorrow: it is not asked for as long as a page.
_POLICY = PagePolicy(tries=3)
# A document past the last one, as servers say it.
_NOT_THERE = frozenset({Failure.NOT_FOUND, Failure.GONE, Failure.CLIENT_ERROR, Failure.EMPTY})
# A gap of more entries than this is a site taken over anew, not a gap.
_MOST_ENTRIES = 5000
# Of many entries at once, pages are asked for in portions so far apart.
_PORTIONS = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class FillRules:
    """What the operator set."""

    documents: int = 20  # asked for to fill one gap, at most
    pages_at_once: int = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class GapResult:
    """What an answer came to; the gap's state is open as long as something is left to ask."""

    channel_url: str
    found: int = 0
    filled: int = 0  # by all answers together
    state: GapState = GapState.OPEN
    after: str = ""
    before: str = ""
    # Where all that was published before the first poll was asked for: how far that has come.
    history: ChannelHistory | None = None


def store_gap_fetch(
    connection: Connection, fetch: GapFetch, *, rules: FillRules, recorded: datetime, now: datetime
) -> GapResult:
    """Write everything that this answer changed."""
    row = open_gap(connection, fetch.gap.id)
    url = fetch.gap.channel_url
    count(connection, [Use(host=fetch.gap.host, channel_id=fetch.gap.channel_id, size=fetch.size)], now)
    if row is None or row.plan.waiting[0] != fetch.gap.ask:
        return GapResult(channel_url=url)
    if fetch.failed is not None and fetch.failed.failure in PASSING:
        verdict = after_failure(fetch.url, fetch.failed, row.tries + 1, _POLICY)
        if not isinstance(verdict, Ended):
            save_gap(connection, row.id, tries=row.tries + 1, next_try=now + verdict.wait)
            return GapResult(channel_url=url)
    candidates = _candidates(connection, row, fetch)
    is_missing = fetch.failed is not None and fetch.failed.failure in _NOT_THERE
    step = advance(row.plan, fetch.page, candidates, bounds_of(row), is_missing=is_missing)
    arrival = Arrival(recorded=recorded, now=now, capture=fetch.capture, found_by=fetch.gap.ask.way)
    found = _store_entries(connection, row, step.found, arrival, rules)
    return replace(_save(connection, row, fetch, step, found, rules, arrival), channel_url=url)


def _candidates(connection: Connection, row: Row[Any], fetch: GapFetch) -> list[Candidate]:
    if fetch.page is None:
        return []
    is_feed = fetch.gap.ask.way in FEED_WAYS
    shown = fetch.page.feed.entries if is_feed and fetch.page.feed else fetch.page.entries
    current = identify(shown)
    known = known_entries(connection, row.channel_id, current)
    by_key = {one.key: one.id for one in known.values()}
    by_link: dict[str, int] = {}
    for one in known.values():
        if one.link_key:
            by_link[one.link_key] = min(one.id, by_link.get(one.link_key, one.id))
    new = {entry.key for entry in find_changes(connection, row.channel_id, shown).new} if is_feed else set()
    found = []
    for entry in current:
        number = by_key.get(entry.key) or by_link.get(entry.link_key or "")
        # A link that several entries share tells none of them, in a feed; a list of links has nothing else.
        seen = Seen.NEW if number is None or entry.key in new else _seen(number, row.after_entry)
        found.append(Candidate(entry=entry.entry, seen=seen))
    return found


def _seen(number: int, last_before: int) -> Seen:
    return Seen.BEFORE if number <= last_before else Seen.SINCE


def _store_entries(
    connection: Connection, row: Row[Any], found: Sequence[FeedEntry], arrival: Arrival, rules: FillRules
) -> int:
    """What was missing waits for its pages like all entries; what is known stays as it is."""
    most = (row.plan.most or MOST_ENTRIES) if row.plan.is_history else _MOST_ENTRIES
    new = find_changes(connection, row.channel_id, found).new[: max(0, most - row.filled)]
    # A history was asked for by hand, as it is.
    at_once = 0 if row.plan.is_history else rules.pages_at_once
    turns = PageStagger(at_once=at_once, interval=_PORTIONS)
    # An archive may hold an old state of what is known: that is no change.
    store_changes(connection, row.channel_id, EntryChanges(new=new, changed=(), renamed=()), arrival, turns)
    note_missed(connection, row.channel_id, [entry.key for entry in new], row.seen)
    counted = update(channels).where(channels.c.id == row.channel_id)
    connection.execute(counted.values(entries=channels.c.entries + len(new)))
    return len(new)


def _save(
    connection: Connection,
    row: Row[Any],
    fetch: GapFetch,
    step: Step,
    found: int,
    rules: FillRules,
    arrival: Arrival,
) -> GapResult:
    documents, filled = row.documents + 1, row.filled + found
    state = _state(row, step, documents, filled, rules)
    ways = dict.fromkeys(
        [*filter(None, row.how.split(", ")), *([fetch.gap.ask.way] if found or step.met else [])]
    )
    save_gap(
        connection,
        row.id,
        state=state,
        how=", ".join(ways),
        filled=filled,
        documents=documents,
        plan=step.plan,
        tries=0,
        next_try=arrival.now,
        ended=None if state is GapState.OPEN else arrival.recorded,
    )
    return GapResult(
        channel_url="",
        found=found,
        filled=filled,
        state=state,
        after=row.after_key,
        before=row.before_key,
        history=last_history(connection, row.channel_id) if row.plan.is_history else None,
    )


def _state(row: Row[Any], step: Step, documents: int, filled: int, rules: FillRules) -> GapState:
    if row.plan.is_history:
        history = ChannelHistory(
            state=row.state, seen=row.seen, filled=filled, documents=documents, plan=row.plan
        )
        is_over = history.has_enough
    else:
        is_over = documents >= rules.documents or filled >= _MOST_ENTRIES
    # What was left out for a limit is not there, whatever its list says.
    if step.met and not (row.plan.is_history and is_over):
        return GapState.FILLED
    if step.plan.waiting and not is_over:
        return GapState.OPEN
    return GapState.PARTLY if filled else GapState.UNFILLABLE
