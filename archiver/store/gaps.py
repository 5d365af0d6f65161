"""Gaps: noted when a poll shows them, asked for one document at a time, ended."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import and_, func, insert, select, update

from archiver.acquisition.channels.gaps.detect import Shown, is_gap, moment_of, overlaps, words_of
from archiver.acquisition.channels.gaps.plan import begin
from archiver.acquisition.targets import GapAsk
from archiver.documents.lists.addresses import own_links
from archiver.documents.lists.model import Bounds, GapState, Plan, Way
from archiver.store.schema import channels, entries, gaps

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row, Select

    from archiver.acquisition.items import ChannelPoll
    from archiver.documents.feeds.entries import EntryChanges, IdentifiedEntry
    from archiver.documents.feeds.model import FeedEntry, ParsedFeed
    from archiver.store.entries import Arrival

# Of the entries of a channel, so many tell whether words come again and how its addresses look.
_LOOKED_AT = 200
_EXAMPLES = 60
# Any of so many may have been taken down since.
_NEWEST_BEFORE = 3
# Where a site gave nothing, it is not asked at each gap anew.
_PATIENCE = timedelta(days=7)


# ── Noticing ─────────────────────────────────────────────────────────────────────────────────────────────


def note_gap(
    connection: Connection,
    row: Row[Any],
    poll: ChannelPoll,
    changes: EntryChanges,
    arrival: Arrival,
    *,
    fill: bool,
) -> GapState | None:
    """Note that entries are missing before those of this poll; to be called before these are stored."""
    feed = poll.feed
    # A delta has only what is new, and another address may be another feed.
    if feed is None or poll.partial or (poll.moved_to is not None and poll.moved_to != row.moved_to):
        return None
    new = _new_places(feed, changes.new)
    if not new or overlaps(
        [Shown(known=place not in new, at=moment_of(one)) for place, one in enumerate(feed.entries)]
    ):
        return None
    known = _newest(connection, row.id)
    words = {words_of(one.entry) for one in known}
    if not is_gap(feed.entries, new, known_words=words, shown_before=_shown_before(row)):
        return None
    oldest = min((feed.entries[place] for place in new), key=_age, default=feed.entries[-1])
    beginning = _beginning(connection, row, poll.url, feed, known, arrival, fill=fill)
    connection.execute(
        insert(gaps).values(
            channel_id=row.id,
            seen=arrival.recorded,
            before_key=_name(oldest),
            before=moment_of(oldest),
            next_try=arrival.now,
            **_edge(row, known),
            **beginning,
        )
    )
    connection.execute(update(channels).where(channels.c.id == row.id).values(last_gap=arrival.now))
    return GapState(str(beginning["state"]))


def _shown_before(row: Row[Any]) -> int | None:
    """How many entries the last whole document had."""
    return row.hints.shown if row.hints else None


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


def _newest(connection: Connection, channel_id: int, limit: int = _LOOKED_AT) -> Sequence[Row[Any]]:
    query: Select[Any] = select(entries.c.id, entries.c.key, entries.c.entry)
    query = query.where(entries.c.channel_id == channel_id)
    return connection.execute(query.order_by(entries.c.id.desc()).limit(limit)).all()


def _age(entry: FeedEntry) -> float:
    at = moment_of(entry)
    return at.timestamp() if at else float("inf")


def _name(entry: FeedEntry) -> str:
    return entry.link or entry.id or entry.title or ""


def _by_age(row: Row[Any], known: Sequence[Row[Any]]) -> list[tuple[datetime, Row[Any]]]:
    """The dated entries of the last document before the gap, the newest first."""
    last = known[: _shown_before(row) or len(known)]
    dated = [(at, one) for one in last if (at := moment_of(one.entry)) is not None]
    return sorted(dated, key=lambda pair: (pair[0], pair[1].id), reverse=True)


def _edge(row: Row[Any], known: Sequence[Row[Any]]) -> dict[str, object]:
    """The last document before the gap: its newest entry, and how far back it went."""
    dated = _by_age(row, known)
    # Stored in the order of the document, which has its newest first, as a rule.
    newest = dated[0][1] if dated else known[: _shown_before(row) or 1][-1]
    moments = [at for at in (dated[0][0] if dated else None, row.last_success) if at is not None]
    return {
        "after_entry": known[0].id,
        "after_key": _name(newest.entry),
        # A date in the future would hide everything that is missing.
        "after": min(moments, default=None),
        "floor": min(dated[-1][0], *moments) if dated else None,
    }


def _beginning(
    connection: Connection,
    row: Row[Any],
    url: str,
    feed: ParsedFeed,
    known: Sequence[Row[Any]],
    arrival: Arrival,
    *,
    fill: bool,
) -> dict[str, object]:
    """What is to be asked; nothing, where that would be in vain."""
    why = "" if fill else "not asked for: GAP_PAGES is 0"
    if fill and _was_in_vain(connection, row.id, arrival.recorded):
        why = f"not asked for: nothing was found less than {_PATIENCE.days} days ago"
    if why:
        ended = arrival.recorded
        return {"state": GapState.UNFILLABLE, "how": why, "plan": Plan(), "ended": ended}
    links = [one.link for one in (*feed.entries, *(one.entry for one in known)) if one.link]
    newest = [one.entry.link for _, one in _by_age(row, known)[:_NEWEST_BEFORE] if one.entry.link]
    plan = begin(feed, url, links[:_EXAMPLES], newest)
    if not plan.waiting:
        return {
            "state": GapState.UNFILLABLE,
            "how": "nothing to ask",
            "plan": plan,
            "ended": arrival.recorded,
        }
    return {"state": GapState.OPEN, "how": "", "plan": plan}


def _was_in_vain(connection: Connection, channel_id: int, now: datetime) -> bool:
    """True if the site was asked lately and gave nothing."""
    query = select(gaps.c.state, gaps.c.seen).where(gaps.c.channel_id == channel_id, gaps.c.documents > 0)
    last = connection.execute(query.order_by(gaps.c.id.desc()).limit(1)).first()
    return last is not None and last.state == GapState.UNFILLABLE and now - last.seen < _PATIENCE


# ── Asking ───────────────────────────────────────────────────────────────────────────────────────────────


# Of a channel's open gaps the newest: what is found there lies above the others, and must be known for them.
_NEWEST = select(func.max(gaps.c.id)).where(gaps.c.state == GapState.OPEN).group_by(gaps.c.channel_id)
# A channel that the operator stopped is left alone; one whose feed is gone may still have an archive.
_FILLABLE = and_(gaps.c.id.in_(_NEWEST), channels.c.status.in_(("active", "retired")))


def pending_gaps(
    connection: Connection, now: datetime | None, *, limit: int, busy: Collection[int]
) -> list[GapAsk]:
    """The next document of each open gap, the longest waiting first; with no `now`, due or not."""
    query = (
        select(gaps, channels.c.url, channels.c.link)
        .join(channels, channels.c.id == gaps.c.channel_id)
        .where(_FILLABLE)
    )
    if now is not None:
        query = query.where(gaps.c.next_try <= now)
    query = query.order_by(gaps.c.next_try, gaps.c.id).limit(limit + len(busy))
    rows = [row for row in connection.execute(query) if row.id not in busy][:limit]
    return [_gap_ask(connection, row) for row in rows]


def _gap_ask(connection: Connection, row: Row[Any]) -> GapAsk:
    ask = row.plan.waiting[0]
    examples: tuple[str, ...] = ()
    if ask.way in {Way.LISTING, Way.SITEMAP}:
        links = [one.entry.link for one in _newest(connection, row.channel_id) if one.entry.link]
        examples = tuple(own_links(links, row.url, row.link)[:_EXAMPLES])
    return GapAsk(
        id=row.id,
        channel_id=row.channel_id,
        channel_url=row.url,
        ask=ask,
        tries=row.tries,
        examples=examples,
        since=row.after,
    )


def next_gap_try(connection: Connection) -> datetime | None:
    """When the next document of a gap may be asked for."""
    query = select(gaps.c.next_try).join(channels, channels.c.id == gaps.c.channel_id).where(_FILLABLE)
    return connection.execute(query.order_by(gaps.c.next_try).limit(1)).scalar()


def open_gap(connection: Connection, gap_id: int) -> Row[Any] | None:
    query = select(gaps).where(gaps.c.id == gap_id, gaps.c.state == GapState.OPEN)
    return connection.execute(query).first()


def bounds_of(row: Row[Any]) -> Bounds:
    return Bounds(after=row.after, floor=row.floor)


def save_gap(connection: Connection, gap_id: int, **values: object) -> None:
    connection.execute(update(gaps).where(gaps.c.id == gap_id).values(**values))


# ── Telling ──────────────────────────────────────────────────────────────────────────────────────────────


def count_open_gaps(connection: Connection) -> int:
    return connection.execute(select(func.count()).where(gaps.c.state == GapState.OPEN)).scalar_one()


def gaps_by_channel(connection: Connection) -> dict[int, dict[str, int]]:
    """How many gaps of each state every channel has had."""
    query = select(gaps.c.channel_id, gaps.c.state, func.count()).group_by(gaps.c.channel_id, gaps.c.state)
    found: dict[int, dict[str, int]] = {}
    for channel_id, state, count in connection.execute(query):
        found.setdefault(channel_id, {})[state] = count
    return found
