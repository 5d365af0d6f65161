"""Subscriptions to hubs: what a poll, a hub and an operator change in them."""

from __future__ import annotations

from dataclasses import asdict, replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update

from archiver.acquisition.channels.websub.subscription import (
    BETWEEN_PINGS,
    State,
    Subscription,
    after_answer,
    after_question,
    asking,
    is_signed,
    lapsed,
)
from archiver.store.polling.channels import soonest
from archiver.store.schema import channels, subscriptions

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime, timedelta
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Row


class Call(Enum):
    """What became of what a hub sent."""

    HEARD = auto()
    IGNORED = auto()
    UNKNOWN = auto()


def keep(connection: Connection, subscription: Subscription) -> None:
    """Write what holds with a channel's hub after a poll; a new path forgets what was agreed on before."""
    known = of_channel(connection, subscription.channel_id)
    if known is not None and known.path == subscription.path:
        if known != subscription:
            save(connection, subscription)
        return
    forget(connection, subscription.channel_id)
    connection.execute(insert(subscriptions).values(**asdict(subscription)))


def due_steps(connection: Connection, now: datetime, limit: int) -> list[Subscription]:
    """Hubs that are to be asked for something now, those first that waited longest."""
    _leave_channels_that_are_not_polled(connection, now)
    query = select(subscriptions).where(subscriptions.c.next_step <= now)
    rows = connection.execute(query.order_by(subscriptions.c.next_step).limit(limit))
    return [_subscription(row) for row in rows]


def _leave_channels_that_are_not_polled(connection: Connection, now: datetime) -> None:
    stopped = select(channels.c.id).where(channels.c.status != "active")
    connection.execute(
        update(subscriptions)
        .where(subscriptions.c.state != State.LEAVING, subscriptions.c.channel_id.in_(stopped))
        .values(state=State.LEAVING, next_step=now, tries=0, trusted=False)
    )


def ask(connection: Connection, subscription: Subscription, now: datetime) -> Subscription:
    """Note that the hub is being asked, from a lease that may have lapsed."""
    current = lapsed(subscription, now)
    asked = asking(current, now)
    _change(connection, subscription, asked, now)
    return asked


def answered(connection: Connection, path: str, status: int | None, now: datetime) -> None:
    """Note what the hub answered, unless it has asked back in the meantime."""
    known = of_path(connection, path)
    if known is not None:
        _change(connection, known, after_answer(known, status, now), now)


def question(
    connection: Connection, path: str, query: Mapping[str, str], *, lease: timedelta, now: datetime
) -> str | None:
    """What to answer a hub that asks back; None: that we want nothing of it."""
    known = of_path(connection, path)
    if known is None:
        return None
    verified = after_question(known, query, lease=lease, now=now)
    _change(connection, known, verified.subscription, now)
    return verified.challenge


def called(connection: Connection, path: str, body: bytes, signature: str, now: datetime) -> Call:
    """A hub says that the feed changed: the channel is due, but no more often than a hub may make it."""
    known = of_path(connection, path)
    if known is None:
        return Call.UNKNOWN
    row = connection.execute(select(channels).where(channels.c.id == known.channel_id)).one()
    is_wanted = row.status == "active" and known.is_alive(now)
    if not is_wanted or not is_signed(known.secret, body, signature):
        return Call.IGNORED
    save(connection, replace(known, pinged=now, trusted=True))
    poll_soon(connection, row.id, now)
    return Call.HEARD


def poll_soon(connection: Connection, channel_id: int, now: datetime) -> None:
    """A hub says that something is new: as soon as its server and we ourselves allow it."""
    row = connection.execute(select(channels).where(channels.c.id == channel_id)).one()
    last = row.wishes.at if row.wishes else None
    wait = max(BETWEEN_PINGS, (row.wishes.retry_after if row.wishes else None) or BETWEEN_PINGS)
    at = max(now if last is None else max(now, last + wait), row.not_before or now)
    if row.next_poll > at:
        _make_due(connection, row.id, at, "its hub says that something is new")


def _change(connection: Connection, before: Subscription, after: Subscription | None, now: datetime) -> None:
    """Write what became of a subscription; a channel whose hub is lost is polled as any other."""
    if after is None:
        forget(connection, before.channel_id)
    else:
        save(connection, after)
    if before.trusted and (after is None or not after.trusted):
        _make_due(connection, before.channel_id, soonest(now), "its hub no longer tells us what is new")


def distrust_hubs(connection: Connection, now: datetime) -> None:
    """A run begins: what hubs said between runs is lost, so poll all channels that rely on them."""
    trusted = select(subscriptions.c.channel_id).where(subscriptions.c.trusted)
    late = (channels.c.id.in_(trusted)) & (channels.c.next_poll > now)
    why = "its hub may have called while no run was listening"
    connection.execute(update(channels).where(late).values(next_poll=soonest(now), why=why))
    connection.execute(update(subscriptions).where(subscriptions.c.trusted).values(trusted=False))


def of_channel(connection: Connection, channel_id: int) -> Subscription | None:
    row = connection.execute(select(subscriptions).where(subscriptions.c.channel_id == channel_id)).first()
    return _subscription(row) if row is not None else None


def of_path(connection: Connection, path: str) -> Subscription | None:
    row = connection.execute(select(subscriptions).where(subscriptions.c.path == path)).first()
    return _subscription(row) if row is not None else None


def save(connection: Connection, subscription: Subscription) -> None:
    values = asdict(subscription)
    mine = subscriptions.c.channel_id == values.pop("channel_id")
    connection.execute(update(subscriptions).where(mine).values(**values))


def forget(connection: Connection, channel_id: int) -> None:
    connection.execute(delete(subscriptions).where(subscriptions.c.channel_id == channel_id))


def _make_due(
    connection: Connection, channel_id: int, at: datetime | ColumnElement[datetime], why: str
) -> None:
    values = {"next_poll": at, "why": why}
    connection.execute(update(channels).where(channels.c.id == channel_id).values(**values))


def _subscription(row: Row[Any]) -> Subscription:
    values = dict(row._mapping)  # noqa: SLF001 - public API in spite of its name
    return Subscription(**values | {"state": State(row.state)})
