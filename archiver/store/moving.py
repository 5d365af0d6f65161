"""Channels that moved, by the word of their servers, and the addresses that each was known by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from archiver.store.schema import addresses, channels
from archiver.urls import LONGEST_URL, host_of, with_credentials_of

if TYPE_CHECKING:
    from typing import Any

    from sqlalchemy import Connection, Row


def place(url: str) -> dict[str, object]:
    """Where a channel is, and the host whose patience it takes."""
    return {"url": url, "host": host_of(url)}


def move(connection: Connection, row: Row[Any], url: str) -> dict[str, object]:
    """The changes that bring a channel to another address; seeds that name that address mean this channel."""
    connection.execute(delete(addresses).where(addresses.c.url == url))
    connection.execute(insert(addresses).values(url=url, channel_id=row.id))
    return place(url) | {"moved_to": None}


def seen_again(row: Row[Any], target: str | None) -> str | None:
    """The new address, where the last poll named it as well: once may be a slip."""
    if target is None or target != row.moved_to:
        return None
    url = with_credentials_of(target, row.url)
    # What no index takes cannot be a channel's address; the redirect is followed each time.
    return url if len(url.encode("utf-8", "replace")) <= LONGEST_URL else None


def others_at(connection: Connection, row: Row[Any], url: str) -> Row[Any] | None:
    """Another channel that is polled at this address, or that one at this address was merged into."""
    found = _named(connection, url)
    if found is None:
        return None
    kept = _kept(connection, found)
    other = connection.execute(select(channels).where(channels.c.id == kept)).one()
    is_there = kept != found or other.url == url
    return other if is_there and kept != row.id else None


def known_as(connection: Connection, url: str) -> int | None:
    """The channel that a seed with this address means, also if it moved or was merged into another."""
    found = _named(connection, url)
    return None if found is None else _kept(connection, found)


def _named(connection: Connection, url: str) -> int | None:
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
