"""Channels: as the store has them, found by name, discovered on sites, changed by hand."""

from __future__ import annotations

from dataclasses import fields
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, case, delete, func, insert, literal, select, update

from archiver.acquisition.channels.merging import place
from archiver.acquisition.channels.polls import KnownChannel
from archiver.acquisition.items import Validators
from archiver.acquisition.seeds import Seed
from archiver.acquisition.seeds.model import BY_HAND
from archiver.store.schema import addresses, channels, listings, runs, validators
from archiver.urls import LONGEST_URL

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.documents.feeds.discovered import DiscoveredFeed

_REMOVED = "removed by hand"
_MOST_DIGITS = 19  # of a number that every database takes
_FIELDS = tuple(field.name for field in fields(KnownChannel))


def known_of(row: Row[Any]) -> KnownChannel:
    return KnownChannel(**{name: getattr(row, name) for name in _FIELDS} | {"every": every_of(row)})


def known_channel(connection: Connection, channel_id: int) -> KnownChannel:
    return known_of(channel_row(connection, channel_id))


def validators_of(connection: Connection, ids: list[int]) -> Mapping[int, Mapping[str, Validators]]:
    found: dict[int, dict[str, Validators]] = {}
    for row in connection.execute(_VALIDATORS, {"ids": ids}):
        known = Validators(etag=row.etag, last_modified=row.last_modified, capture=row.capture)
        found.setdefault(row.channel_id, {})[row.url] = known
    return found


# Asked at every poll, as some others below: to put them together each time takes longer than to answer them.
_VALIDATORS = select(validators).where(validators.c.channel_id.in_(bindparam("ids", expanding=True)))


def seeds_of(connection: Connection) -> list[Seed]:
    """The channels as seeds name them, without those that were discovered on sites."""
    rows = connection.execute(select(channels).where(channels.c.site_id.is_(None)).order_by(channels.c.id))
    return [
        Seed(url=row.seed_url, labels=row.labels, every=every_of(row), source="replay", line=row.id)
        for row in rows
    ]


def soonest(now: datetime) -> ColumnElement[datetime]:
    """Now, or when a server that asked for rest has had it: Retry-After gives way to nothing."""
    moment = literal(now, channels.c.next_poll.type)
    return case((channels.c.not_before > now, channels.c.not_before), else_=moment)


def known_as(connection: Connection, url: str) -> int | None:
    """The channel that a seed with this address means, also if it moved or was merged into another."""
    found = found_at(connection, url)
    return None if found is None else _kept(connection, found)


def found_at(connection: Connection, url: str) -> int | None:
    """The channel that was named with this address, or that moved to it."""
    named = select(channels.c.id).where(channels.c.seed_url == url)
    moved = select(addresses.c.channel_id).where(addresses.c.url == url)
    found: int | None = connection.execute(named).scalar() or connection.execute(moved).scalar()
    return found


def _kept(connection: Connection, channel_id: int) -> int:
    """The channel itself, or the one that it was merged into."""
    merged = select(channels.c.merged_into).where(channels.c.status == "merged")
    while (into := connection.execute(merged.where(channels.c.id == channel_id)).scalar()) is not None:
        channel_id = int(into)
    return channel_id


def channel_row(connection: Connection, channel_id: int) -> Row[Any]:
    return connection.execute(_ROW, {"channel": channel_id}).one()


_ROW = select(channels).where(channels.c.id == bindparam("channel"))


def add_discovered(
    connection: Connection, site: KnownChannel, found: Iterable[DiscoveredFeed], now: datetime, *, most: int
) -> int:
    """Make channels of the feeds that a site names; they take its labels and interval.

    A site has at most so many: a page may name thousands, and others each time.
    """
    added = 0
    room = most - _count_of_site(connection, site.id)
    for feed in found:
        if added >= room:
            break
        if len(feed.url) > LONGEST_URL:
            continue
        known = known_as(connection, feed.url)
        if known is not None:
            added += _taken_back(connection, known, site.id, now)
            continue
        connection.execute(
            insert(channels).values(
                seed_url=feed.url,
                kind="feed",
                site_id=site.id,
                status="active",
                labels=site.labels,
                every=site.every.total_seconds() if site.every else None,
                added=now,
                next_poll=now,
                why="never polled",
                title=feed.title,
                **place(feed.url),
            )
        )
        added += 1
    return added


def _taken_back(connection: Connection, channel_id: int, site_id: int, now: datetime) -> bool:
    """A feed that a seeds file dropped comes back with a site that names it; one removed by hand does not."""
    dropped = (channels.c.status == "unlisted") & func.coalesce(channels.c.why, "").not_like(f"{_REMOVED}%")
    values = {"status": "active", "site_id": site_id, "next_poll": soonest(now), "why": "found on a site"}
    done = connection.execute(update(channels).where(channels.c.id == channel_id, dropped).values(**values))
    return done.rowcount > 0


def was_removed(connection: Connection, channel_id: int) -> bool:
    """Whether a person removed a channel: only a person brings it back."""
    row = channel_row(connection, channel_id)
    return row.status == "unlisted" and (row.why or "").startswith(_REMOVED)


def _count_of_site(connection: Connection, site_id: int) -> int:
    query = select(func.count()).select_from(channels).where(channels.c.site_id == site_id)
    return int(connection.execute(query).scalar_one())


def has_channels(connection: Connection) -> bool:
    return connection.execute(select(channels.c.id).limit(1)).first() is not None


def was_ever_used(connection: Connection) -> bool:
    """Whether a run was: channels alone may have been added to a store that took a lost one's place."""
    # Older archivers noted polls, and not runs.
    polled = select(channels.c.id).where(channels.c.last_poll.is_not(None))
    return any(connection.execute(query.limit(1)).first() for query in (polled, select(runs.c.id)))


def find_channel(connection: Connection, name: str) -> Row[Any] | None:
    """A channel by its number or URL."""
    by_url = (channels.c.seed_url == name) | (channels.c.url == name)
    wanted = channels.c.id == int(name) if name.isdecimal() and len(name) < _MOST_DIGITS else by_url
    return connection.execute(select(channels).where(wanted)).first()


def list_channels(connection: Connection) -> Sequence[Row[Any]]:
    return connection.execute(select(channels).order_by(channels.c.id)).all()


def pause(connection: Connection, channel_id: int, now: datetime) -> None:
    """Not polled until it is resumed."""
    change(connection, channel_id, status="paused", why=f"paused by hand on {now:%Y-%m-%d}")


def resume(connection: Connection, channel_id: int, now: datetime) -> None:
    """Due as soon as its server allows, whatever stopped it, also where no seeds file names it any more."""
    listed = select(listings.c.source).where(listings.c.channel_id == channel_id)
    if connection.execute(listed).first() is None:
        connection.execute(insert(listings).values(channel_id=channel_id, source=BY_HAND))
    # Taken out of another, it is wanted apart; it would be merged again at its next poll.
    merged = select(channels.c.merged_into).where(channels.c.id == channel_id)
    if connection.execute(merged).scalar() is not None:
        change(connection, channel_id, merged_into=None, apart=True)
    again = {"failures": 0, "failing_since": None, "why": "resumed by hand"}
    change(connection, channel_id, status="active", next_poll=soonest(now), **again)


def sources_of(connection: Connection, channel_id: int) -> list[str]:
    """What names a channel."""
    query = select(listings.c.source).where(listings.c.channel_id == channel_id)
    return list(connection.execute(query).scalars())


def sources_by_channel(connection: Connection) -> dict[int, list[str]]:
    """What names each channel."""
    found: dict[int, list[str]] = {}
    query = select(listings.c.channel_id, listings.c.source).order_by(listings.c.source)
    for row in connection.execute(query):
        found.setdefault(row.channel_id, []).append(row.source)
    return found


def remove(connection: Connection, channel_id: int, now: datetime) -> None:
    """Not polled any more, nor its feeds if it is a site; everything that was kept stays."""
    connection.execute(delete(listings).where(listings.c.channel_id == channel_id))
    why = f"{_REMOVED} on {now:%Y-%m-%d}"
    family = (channels.c.id == channel_id) | (channels.c.site_id == channel_id)
    connection.execute(update(channels).where(family).values(status="unlisted", why=why))
    # With a site of its own it would come back at the next import.
    change(connection, channel_id, site_id=None)


def change(connection: Connection, channel_id: int, **values: object) -> None:
    connection.execute(update(channels).where(channels.c.id == channel_id).values(**values))


def every_of(row: Row[Any]) -> timedelta | None:
    return timedelta(seconds=row.every) if row.every else None
