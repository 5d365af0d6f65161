"""Channels under several addresses: where each is known to be, merged with another, and parted again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select

from archiver.acquisition.channels.merging import look_at_merged
from archiver.digests import name_digest
from archiver.store.polling.channels import change, found_at, known_channel, known_of
from archiver.store.polling.entries import find_changes
from archiver.store.schema import addresses, channels, listings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.channels.merging import Merge
    from archiver.acquisition.channels.polls import Arrival, KnownChannel
    from archiver.acquisition.items import ChannelPoll

_NAME_LENGTH = 8


def take_address(connection: Connection, channel_id: int, url: str) -> None:
    """Seeds that name this address mean this channel from now on."""
    connection.execute(delete(addresses).where(addresses.c.url == url))
    connection.execute(insert(addresses).values(url=url, channel_id=channel_id))


def other_at(connection: Connection, channel: KnownChannel, url: str) -> KnownChannel | None:
    """Another channel that is polled at this address, or that one at this address was merged into."""
    found = found_at(connection, url)
    if found is None:
        return None
    other = _kept(connection, known_channel(connection, found))
    is_there = other.id != found or other.url == url
    return other if is_there and other.id != channel.id else None


def merged_into(connection: Connection, channel_id: int) -> list[KnownChannel]:
    query = select(channels).where(channels.c.merged_into == channel_id, channels.c.status == "merged")
    return [known_of(row) for row in connection.execute(query.order_by(channels.c.id))]


def claimants(connection: Connection, channel_id: int, identity: str | None) -> list[KnownChannel]:
    """The other channels that are well and claim to be this feed."""
    if identity is None:
        return []
    claims = (channels.c.identity == identity) & (channels.c.id != channel_id)
    well = (channels.c.status == "active") & (channels.c.failures == 0) & ~channels.c.apart
    query = select(channels).where(claims, well).order_by(channels.c.id)
    return [known_of(row) for row in connection.execute(query)]


def listed(connection: Connection, channel_ids: Sequence[int]) -> set[int]:
    """Those of these channels that a seeds file names."""
    query = select(listings.c.channel_id).where(listings.c.channel_id.in_(channel_ids))
    return set(connection.execute(query).scalars())


def store_merge(connection: Connection, merge: Merge) -> None:
    every = merge.every.total_seconds() if merge.every else None
    change(connection, merge.older, labels=merge.labels, every=every)
    _list_as(connection, merge.younger, merge.older)
    connection.execute(delete(listings).where(listings.c.channel_id == merge.younger))
    later = {"next_poll": merge.next_poll, "shown": ()}
    change(connection, merge.younger, status="merged", merged_into=merge.older, why=merge.why, **later)


def store_look(
    connection: Connection, channel: KnownChannel, poll: ChannelPoll, arrival: Arrival
) -> tuple[str, ...]:
    """Note what a poll of a merged channel shows, and part it where it is another feed; what to tell."""
    kept = _kept(connection, channel)
    lacking = _lacking(connection, channel.id, kept.id, poll)
    look = look_at_merged(channel, kept, poll, lacking, arrival.now)
    if look.is_parted and channel.site_id is None:
        # The next import would take it out where no source of the other names it.
        _list_as(connection, kept.id, channel.id)
    polled = {"last_poll": arrival.recorded, "polls": channels.c.polls + 1}
    change(connection, channel.id, **polled, **look.fields)
    return look.notes


def _lacking(connection: Connection, channel_id: int, kept: int, poll: ChannelPoll) -> tuple[str, ...]:
    """What came since they were merged, and is not among the entries of the channel that is polled."""
    if poll.feed is None or poll.partial:
        return ()
    shown = poll.feed.entries
    # What it showed before it was merged was no reason to keep it apart: windows differ in size.
    new = {entry.key for entry in find_changes(connection, channel_id, shown).new}
    missing = [entry.key for entry in find_changes(connection, kept, shown).new if entry.key in new]
    return tuple(name_digest(key, _NAME_LENGTH) for key in missing)


def _kept(connection: Connection, channel: KnownChannel) -> KnownChannel:
    """The channel that it is in, also where that was merged itself."""
    while channel.status == "merged" and channel.merged_into is not None:
        channel = known_channel(connection, channel.merged_into)
    return channel


def _list_as(connection: Connection, named: int, also: int) -> None:
    """Have each source that names one channel name the other as well."""
    sources = {
        number: set(connection.execute(select(listings.c.source).filter_by(channel_id=number)).scalars())
        for number in (named, also)
    }
    rows = [{"channel_id": also, "source": source} for source in sources[named] - sources[also]]
    if rows:
        connection.execute(insert(listings), rows)
