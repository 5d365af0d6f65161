"""A gap as a poll shows it: its edges, and what is to be asked first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.channels.gaps.detect import Shown, is_gap, moment_of, overlaps, words_of
from archiver.acquisition.channels.gaps.plan import begin
from archiver.documents.lists.model import GapState, Plan

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from archiver.acquisition.channels.polls import Arrival, BeforePoll, KnownChannel
    from archiver.acquisition.items import ChannelPoll
    from archiver.documents.feeds.entries import EntryChanges, IdentifiedEntry
    from archiver.documents.feeds.model import FeedEntry, ParsedFeed

# Of the links of a channel, so many tell how its addresses look.
EXAMPLES = 60
# Any of so many may have been taken down since.
_NEWEST_BEFORE = 3
# Where a site gave nothing, it is not asked at each gap anew.
_PATIENCE = timedelta(days=7)


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierEntry:
    """An entry of the channel that was known before; later ones have higher ids."""

    id: int
    entry: FeedEntry


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGap:
    """A gap as it is noted: each field is a column of that name."""

    after_entry: int
    after_key: str
    after: datetime | None
    floor: datetime | None
    before_key: str
    before: datetime | None
    state: GapState
    how: str = ""
    plan: Plan = Plan()  # noqa: RUF009 - it is frozen
    ended: datetime | None = None


def may_show_gap(channel: KnownChannel, poll: ChannelPoll, changes: EntryChanges) -> bool:
    """Whether a document does not go back to what was known: worth a look at the channel's entries."""
    feed = poll.feed
    # A delta has only what is new, and another address may be another feed.
    if feed is None or poll.partial or (poll.moved_to is not None and poll.moved_to != channel.moved_to):
        return False
    new = _new_places(feed, changes.new)
    shown = [Shown(known=place not in new, at=moment_of(one)) for place, one in enumerate(feed.entries)]
    return bool(new) and not overlaps(shown)


def new_gap(before: BeforePoll, poll: ChannelPoll, arrival: Arrival, *, fill: bool) -> NewGap | None:
    """The gap before the entries of this poll, if `before` has entries that make it one."""
    channel, known, feed = before.channel, before.newest, poll.feed
    if feed is None or not known:
        return None
    new = _new_places(feed, before.entries.new)
    words = {words_of(one.entry) for one in known}
    if not is_gap(feed.entries, new, known_words=words, shown_before=channel.shown_before):
        return None
    oldest = min((feed.entries[place] for place in new), key=_age, default=feed.entries[-1])
    dated = _by_age(channel, known)
    plan, why = _first_plan(before, feed, poll.url, [one for _, one in dated], arrival.recorded, fill=fill)
    # Stored in the order of the document, which has its newest first, as a rule.
    newest = dated[0][1] if dated else known[: channel.shown_before or 1][-1]
    moments = [at for at in (dated[0][0] if dated else None, channel.last_success) if at is not None]
    return NewGap(
        after_entry=max(before.last_entry, known[0].id),
        after_key=_name(newest.entry),
        # A date in the future would hide everything that is missing.
        after=min(moments, default=None),
        floor=min(dated[-1][0], *moments) if dated else None,
        before_key=_name(oldest),
        before=moment_of(oldest),
        state=GapState.UNFILLABLE if why else GapState.OPEN,
        how=why,
        plan=plan,
        ended=arrival.recorded if why else None,
    )


def _new_places(feed: ParsedFeed, new: Sequence[IdentifiedEntry]) -> set[int]:
    """Where the new entries stand in the document, with those that repeat them."""
    ids = {one.entry.id for one in new} - {None}
    links = {one.entry.link for one in new} - {None}
    own = {id(one.entry) for one in new}
    return {
        place
        for place, entry in enumerate(feed.entries)
        if id(entry) in own or entry.id in ids or entry.link in links
    }


def _age(entry: FeedEntry) -> float:
    at = moment_of(entry)
    return at.timestamp() if at else float("inf")


def _name(entry: FeedEntry) -> str:
    return entry.link or entry.id or entry.title or ""


def _by_age(channel: KnownChannel, known: Sequence[EarlierEntry]) -> list[tuple[datetime, EarlierEntry]]:
    """The dated entries of the last document before the gap, the newest first."""
    last = known[: channel.shown_before or len(known)]
    dated = [(at, one) for one in last if (at := moment_of(one.entry)) is not None]
    return sorted(dated, key=lambda pair: (pair[0], pair[1].id), reverse=True)


def _first_plan(
    before: BeforePoll,
    feed: ParsedFeed,
    url: str,
    newest: Sequence[EarlierEntry],
    recorded: datetime,
    *,
    fill: bool,
) -> tuple[Plan, str]:
    """What is to be asked; or why nothing is, where that would be in vain."""
    if not fill:
        return Plan(), "not asked for: GAP_PAGES is 0"
    last = before.searched_in_vain
    if last is not None and recorded - last < _PATIENCE:
        return Plan(), f"not asked for: nothing was found less than {_PATIENCE.days} days ago"
    links = [one.link for one in (*feed.entries, *(one.entry for one in before.newest)) if one.link]
    edge = [one.entry.link for one in newest[:_NEWEST_BEFORE] if one.entry.link]
    plan = begin(feed, url, links[:EXAMPLES], edge)
    return plan, "" if plan.waiting else "nothing to ask"
