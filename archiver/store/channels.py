"""Channels: which are due, what a poll changed, what an operator wants."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import case, delete, func, insert, select, true, update

from archiver.items import Validators
from archiver.seeds import Seed
from archiver.store.schema import channels, listings, validators
from archiver.urls import LONGEST_URL

# The source of channels that were added by hand.
BY_HAND = "scrapy channels add"
_MOST_DIGITS = 19  # of a number that every database takes

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row, Select

    from archiver.feeds.discover import DiscoveredFeed
    from archiver.polling.schedule import NextPoll


@dataclass(frozen=True, slots=True, kw_only=True)
class DueChannel:
    """What a poll needs to know."""

    id: int
    url: str
    kind: str
    validators: dict[str, Validators]


def due_channels(
    connection: Connection,
    now: datetime,
    *,
    limit: int,
    busy: Collection[int],
    sources: Sequence[str] | None,
    not_since: datetime | None,
) -> list[DueChannel]:
    """The channels whose time has come and that were not polled since, the longest waiting first."""
    query = select(channels.c.id, channels.c.url, channels.c.kind).where(
        channels.c.status == "active", channels.c.next_poll <= now, _listed_in(sources)
    )
    if not_since is not None:
        query = query.where(channels.c.last_poll.is_(None) | (channels.c.last_poll < not_since))
    query = query.order_by(channels.c.next_poll, channels.c.id).limit(limit + len(busy))
    rows = [row for row in connection.execute(query) if row.id not in busy][:limit]
    known = _validators_of(connection, [row.id for row in rows])
    return [
        DueChannel(id=row.id, url=row.url, kind=row.kind, validators=known.get(row.id, {})) for row in rows
    ]


def _validators_of(connection: Connection, ids: list[int]) -> dict[int, dict[str, Validators]]:
    found: dict[int, dict[str, Validators]] = {}
    for row in connection.execute(select(validators).where(validators.c.channel_id.in_(ids))):
        known = Validators(etag=row.etag, last_modified=row.last_modified, capture=row.capture)
        found.setdefault(row.channel_id, {})[row.url] = known
    return found


def pollable_channels(connection: Connection) -> list[DueChannel]:
    """Every channel, due or not."""
    rows = connection.execute(select(channels.c.id, channels.c.url, channels.c.kind).order_by(channels.c.id))
    return [DueChannel(id=row.id, url=row.url, kind=row.kind, validators={}) for row in rows]


def seeds_of(connection: Connection) -> list[Seed]:
    """The channels as somebody named them, without those that were discovered on sites."""
    rows = connection.execute(select(channels).where(channels.c.site_id.is_(None)).order_by(channels.c.id))
    return [
        Seed(url=row.seed_url, labels=row.labels, every=every_of(row), source="replay", line=row.id)
        for row in rows
    ]


def next_due(connection: Connection, sources: Sequence[str] | None) -> datetime | None:
    """When the next channel falls due."""
    query = select(channels.c.next_poll).where(channels.c.status == "active", _listed_in(sources))
    return connection.execute(query.order_by(channels.c.next_poll).limit(1)).scalar()


def channels_of(sources: Sequence[str]) -> Select[int]:
    return select(listings.c.channel_id).where(listings.c.source.in_(sources))


def _listed_in(sources: Sequence[str] | None) -> ColumnElement[bool]:
    """Only the channels that these seeds files name, and the feeds found on their sites."""
    if sources is None:
        return true()
    mine = channels_of(sources)
    return channels.c.id.in_(mine) | channels.c.site_id.in_(mine)


def channel_row(connection: Connection, channel_id: int) -> Row[Any]:
    return connection.execute(select(channels).where(channels.c.id == channel_id)).one()


def save_poll(
    connection: Connection, channel_id: int, decision: NextPoll, now: datetime, **changes: object
) -> None:
    """Write what the poll changed: the schedule's decision and whatever the document said."""
    if decision.retired:
        changes["status"] = "retired"
    if decision.failures == 0:
        changes["last_success"] = now
    connection.execute(
        update(channels)
        .where(channels.c.id == channel_id)
        .values(
            last_poll=now,
            next_poll=decision.at,
            why=decision.why,
            failures=decision.failures,
            polls=channels.c.polls + 1,
            **changes,
        )
    )


def save_validators(connection: Connection, channel_id: int, url: str, new: Validators) -> None:
    connection.execute(
        delete(validators).where(validators.c.channel_id == channel_id, validators.c.url == url)
    )
    if (new.etag or new.last_modified) and len(url) <= LONGEST_URL:
        values = {"etag": new.etag, "last_modified": new.last_modified, "capture": new.capture}
        connection.execute(insert(validators).values(channel_id=channel_id, url=url, **values))


def add_discovered(
    connection: Connection, site: Row[Any], found: Iterable[DiscoveredFeed], now: datetime
) -> int:
    """Make channels of the feeds that a site names; they take its labels and interval."""
    added = 0
    for feed in found:
        if len(feed.url) > LONGEST_URL:
            continue
        same = (channels.c.seed_url == feed.url) | (channels.c.url == feed.url)
        if connection.execute(select(channels.c.id).where(same)).first():
            continue
        connection.execute(
            insert(channels).values(
                seed_url=feed.url,
                url=feed.url,
                kind="feed",
                site_id=site.id,
                status="active",
                labels=site.labels,
                every=site.every,
                added=now,
                next_poll=now,
                why="never polled",
                title=feed.title,
            )
        )
        added += 1
    return added


def has_channels(connection: Connection) -> bool:
    return connection.execute(select(channels.c.id).limit(1)).first() is not None


def find_channel(connection: Connection, name: str) -> Row[Any] | None:
    """A channel by its number or URL."""
    by_url = (channels.c.seed_url == name) | (channels.c.url == name)
    wanted = channels.c.id == int(name) if name.isdecimal() and len(name) < _MOST_DIGITS else by_url
    return connection.execute(select(channels).where(wanted)).first()


def list_channels(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(channels).order_by(channels.c.id)).all()


def pause(connection: Connection, channel_id: int, now: datetime) -> None:
    """Not polled until it is resumed."""
    _change(connection, channel_id, status="paused", why=f"paused by hand on {now:%Y-%m-%d}")


def resume(connection: Connection, channel_id: int, now: datetime) -> None:
    """Due at once, whatever stopped it, also where no seeds file names it any more."""
    listed = select(listings.c.source).where(listings.c.channel_id == channel_id)
    if connection.execute(listed).first() is None:
        connection.execute(insert(listings).values(channel_id=channel_id, source=BY_HAND))
    _change(connection, channel_id, status="active", next_poll=now, failures=0, why="resumed by hand")


def sources_of(connection: Connection, channel_id: int) -> list[str]:
    """Who names a channel."""
    query = select(listings.c.source).where(listings.c.channel_id == channel_id)
    return list(connection.execute(query).scalars())


def remove(connection: Connection, channel_id: int, now: datetime) -> None:
    """Not polled any more, nor its feeds if it is a site; everything that was kept stays."""
    connection.execute(delete(listings).where(listings.c.channel_id == channel_id))
    why = f"removed by hand on {now:%Y-%m-%d}"
    family = (channels.c.id == channel_id) | (channels.c.site_id == channel_id)
    connection.execute(update(channels).where(family).values(status="unlisted", why=why))
    # With a site of its own it would come back at the next import.
    _change(connection, channel_id, site_id=None)


def _change(connection: Connection, channel_id: int, **values: object) -> None:
    connection.execute(update(channels).where(channels.c.id == channel_id).values(**values))


def failing_share(connection: Connection) -> float:
    """How much of what is polled fails at present."""
    failing = func.sum(case((channels.c.failures > 0, 1), else_=0))
    row = connection.execute(select(func.count(), failing).where(channels.c.status == "active")).one()
    return (row[1] or 0) / row[0] if row[0] else 0.0


def every_of(row: Row[Any]) -> timedelta | None:
    return timedelta(seconds=row.every) if row.every else None
