"""Histories: what was published before the first poll of a channel, kept as a gap with nothing before it."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select, update

from archiver.acquisition.channels.gaps.history import ChannelHistory
from archiver.acquisition.channels.gaps.notice import EXAMPLES
from archiver.acquisition.channels.gaps.plan import begin_history
from archiver.documents.lists.model import GapState
from archiver.store.polling.gaps import BEFORE_ALL, IS_HISTORY, newest_entries
from archiver.store.schema import channels, gaps

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

_HISTORY = select(*(gaps.c[one.name] for one in fields(ChannelHistory)))


def ask_for_history(
    connection: Connection,
    channel: Row[Any],
    *,
    since: datetime | None,
    most: int | None,
    recorded: datetime,
    now: datetime,
) -> None:
    """Note what a channel published before its first poll as wanted: the next run asks for it."""
    known = newest_entries(connection, channel.id)
    shown = channel.hints.shown if channel.hints else len(known)
    links = [one.entry.page_link for one in known[: max(shown, 1)] if one.entry.page_link]
    paging = channel.hints.paging if channel.hints else {}
    plan = begin_history(paging, channel.url, channel.link, links[:EXAMPLES], most=most)
    connection.execute(
        insert(gaps).values(
            channel_id=channel.id,
            seen=recorded,
            after_entry=BEFORE_ALL,
            after_key="",
            after=since,
            floor=since,
            before_key=links[-1] if links else "",
            state=GapState.OPEN,
            how="",
            plan=plan,
            next_try=now,
        )
    )


def last_history(connection: Connection, channel_id: int) -> ChannelHistory | None:
    """What came of the last time that a channel's history was asked for."""
    query = _HISTORY.where(gaps.c.channel_id == channel_id, IS_HISTORY)
    row = connection.execute(query.order_by(gaps.c.id.desc()).limit(1)).first()
    return ChannelHistory(**row._mapping) if row is not None else None  # noqa: SLF001 - public API in spite of its name


def last_histories(connection: Connection) -> dict[int, ChannelHistory]:
    """The same for all channels that have one."""
    last = select(func.max(gaps.c.id)).where(IS_HISTORY).group_by(gaps.c.channel_id)
    query = _HISTORY.add_columns(gaps.c.channel_id).where(gaps.c.id.in_(last))
    found: dict[int, ChannelHistory] = {}
    for row in connection.execute(query):
        values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001 - likewise
        channel_id = values.pop("channel_id")
        found[channel_id] = ChannelHistory(**values)
    return found


def stop_history(connection: Connection, channel_id: int, recorded: datetime) -> None:
    """Ask for nothing more of it; pages that were found are fetched."""
    mine = (gaps.c.channel_id == channel_id) & IS_HISTORY & (gaps.c.state == GapState.OPEN)
    connection.execute(update(gaps).where(mine).values(state=GapState.PARTLY, ended=recorded))


def count_open_histories(connection: Connection) -> int:
    query = select(func.count()).where(gaps.c.state == GapState.OPEN, IS_HISTORY)
    return connection.execute(query).scalar_one()


# ── In a replay ──────────────────────────────────────────────────────────────────────────────────────────


def wished_histories(connection: Connection) -> dict[str, list[ChannelHistory]]:
    """All that were ever asked for, the first one first, by the addresses of seeds."""
    query = _HISTORY.add_columns(channels.c.seed_url).join(channels, channels.c.id == gaps.c.channel_id)
    found: dict[str, list[ChannelHistory]] = {}
    for row in connection.execute(query.where(IS_HISTORY).order_by(gaps.c.id)):
        values: dict[str, Any] = dict(row._mapping)  # noqa: SLF001 - likewise
        seed = values.pop("seed_url")
        found.setdefault(seed, []).append(ChannelHistory(**values))
    return found


def ask_again(connection: Connection, wished: Mapping[str, Sequence[ChannelHistory]], now: datetime) -> None:
    """Ask for what was asked for in the archive that is played again, each once its channel was polled."""
    asked = select(gaps.c.channel_id, gaps.c.state).where(IS_HISTORY)
    states: dict[int, list[str]] = {}
    for row in connection.execute(asked):
        states.setdefault(row.channel_id, []).append(row.state)
    polled = select(channels).where(channels.c.seed_url.in_(wished), channels.c.hints.is_not(None))
    for channel in connection.execute(polled):
        known, wishes = states.get(channel.id, []), wished[channel.seed_url]
        if len(known) < len(wishes) and GapState.OPEN not in known:
            wish = wishes[len(known)]
            most = wish.plan.most
            ask_for_history(connection, channel, since=wish.floor, most=most, recorded=now, now=now)
