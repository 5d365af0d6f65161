"""Merged channels, looked at now and then: are they still one feed? Those that are not are parted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.digests import name_digest
from archiver.domains import same_owner
from archiver.store.entries import find_changes
from archiver.store.schema import channels, listings
from archiver.urls import redact

if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.items import ChannelPoll

# A guess: one request a week, and a feed that goes its own way is noticed within that.
CHECK_EVERY = timedelta(days=7)
# An entry that the other channel still does not have after this is not on its way there.
CONFIRM_AFTER = timedelta(days=1)
_NAME_LENGTH = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What a look at a merged channel came to."""

    wait: timedelta
    # Entries that the other channel lacks: short names, for the next look.
    lacking: tuple[str, ...] = ()
    parted: str | None = None  # why, where it was


def check_merged(
    connection: Connection, row: Row[Any], poll: ChannelPoll, *, recorded: datetime, now: datetime
) -> tuple[str, ...]:
    """Note what a poll of a merged channel shows, and part it where it is another feed; what to tell."""
    kept = _kept(connection, row)
    look = _look(connection, row, kept, poll)
    values: dict[str, object] = {
        "last_poll": recorded,
        "polls": channels.c.polls + 1,
        "next_poll": now + look.wait,
        "shown": look.lacking,
    }
    if look.parted is not None:
        why = f"parted from channel {kept.id}, {redact(kept.url)}: {look.parted}"
        values |= {"status": "active", "merged_into": None, "apart": True, "next_poll": now, "why": why}
        values |= {"failures": 0, "failing_since": None, "shown": ()}
        _list_again(connection, row, kept.id)
    connection.execute(update(channels).where(channels.c.id == row.id).values(**values))
    return (f"{redact(row.seed_url)} {values['why']}",) if look.parted is not None else ()


def _look(connection: Connection, row: Row[Any], kept: Row[Any], poll: ChannelPoll) -> _Look:
    if poll.feed is None or poll.partial:
        # An address that fails, or became a page, has no entries that could be lost.
        return _Look(wait=CHECK_EVERY)
    if not any(same_owner(url, kept.url) for url in (row.url, poll.url)):
        return _Look(wait=CHECK_EVERY, parted="it is of another domain, and does not redirect there")
    lacking = _lacking(connection, row, kept, poll)
    if not lacking:
        return _Look(wait=CHECK_EVERY)
    # Since the last look the other one was polled, and had its chance to show them.
    had_its_chance = row.last_poll and kept.last_success and kept.last_success > row.last_poll
    if had_its_chance and set(row.shown or ()) & set(lacking):
        return _Look(wait=CHECK_EVERY, parted="it shows entries that the other does not")
    before = tuple(name for name in row.shown or () if name in lacking)
    return _Look(wait=CONFIRM_AFTER, lacking=before or lacking)


def _lacking(connection: Connection, row: Row[Any], kept: Row[Any], poll: ChannelPoll) -> tuple[str, ...]:
    """What came since they were merged, and is not among the entries of the channel that is polled."""
    shown = poll.feed.entries if poll.feed else ()
    # What it showed before it was merged was no reason to keep it apart: windows differ in size.
    new = {entry.key for entry in find_changes(connection, row.id, shown).new}
    missing = [entry.key for entry in find_changes(connection, kept.id, shown).new if entry.key in new]
    return tuple(name_digest(key, _NAME_LENGTH) for key in missing)


def _kept(connection: Connection, row: Row[Any]) -> Row[Any]:
    """The channel that it is in, also where that was merged itself."""
    while row.status == "merged" and row.merged_into is not None:
        row = connection.execute(select(channels).where(channels.c.id == row.merged_into)).one()
    return row


def _list_again(connection: Connection, row: Row[Any], kept: int) -> None:
    """Have the sources of the other list it as well: the next import takes out those that do not name it."""
    if row.site_id is not None:
        return
    sources = {
        number: set(connection.execute(select(listings.c.source).filter_by(channel_id=number)).scalars())
        for number in (row.id, kept)
    }
    rows = [{"channel_id": row.id, "source": source} for source in sources[kept] - sources[row.id]]
    if rows:
        connection.execute(insert(listings), rows)
