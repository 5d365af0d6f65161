"""Seeds become channels: the store made to agree with the seeds files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import case, delete, exists, insert, select, update

from archiver.store.channels import channels_of
from archiver.store.moving import known_as, place
from archiver.store.schema import channels, listings

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.seeds import Seed


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    added: int = 0
    known: int = 0
    unlisted: int = 0


def import_seeds(
    connection: Connection, seeds: Sequence[Seed], sources: Sequence[str], now: datetime
) -> ImportCounts:
    """Make the store agree with these files; importing them again changes nothing."""
    named: dict[int, list[Seed]] = {}
    added = 0
    for seed in seeds:
        channel_id, is_new = _channel_of(connection, seed, now)
        named.setdefault(channel_id, []).append(seed)
        added += is_new
    for channel_id, its_seeds in named.items():
        _agree(connection, channel_id, its_seeds)
    listed = {(channel_id, seed.source) for channel_id, its_seeds in named.items() for seed in its_seeds}
    _replace_listings(connection, listed, sources)
    unlisted = stop_unlisted(connection)
    known = len(named) - added
    return ImportCounts(added=added, known=known, unlisted=unlisted)


def add_seed(connection: Connection, seed: Seed, now: datetime) -> bool:
    """Add one channel to those that its source lists already; False if it was there."""
    channel_id, is_new = _channel_of(connection, seed, now)
    _agree(connection, channel_id, [seed])
    known = connection.execute(channels_of([seed.source])).scalars()
    listed = {(one, seed.source) for one in (channel_id, *known)}
    _replace_listings(connection, listed, [seed.source])
    # A site that was removed brings its feeds back with it.
    stop_unlisted(connection)
    return is_new


def _channel_of(connection: Connection, seed: Seed, now: datetime) -> tuple[int, bool]:
    """The number of the channel that a seed means, and whether it is new."""
    known = known_as(connection, seed.url)
    if known is not None:
        return known, False
    values: dict[str, object] = {"seed_url": seed.url, "kind": "unknown", "status": "active"}
    values |= {"added": now, "next_poll": now, "why": "never polled", "labels": ()}
    inserted = connection.execute(insert(channels).values(**values, **place(seed.url))).inserted_primary_key
    return int(inserted[0]), True  # type: ignore[index] # one row was inserted


def _agree(connection: Connection, channel_id: int, seeds: Sequence[Seed]) -> None:
    """Make a channel what its seeds say; several are seeds of one that moved, or that had a twin."""
    labels = tuple(dict.fromkeys(label for seed in seeds for label in seed.labels))
    every = next((seed.every.total_seconds() for seed in seeds if seed.every), None)
    returned = case((channels.c.status == "unlisted", "active"), else_=channels.c.status)
    values = {"labels": labels, "every": every, "status": returned}
    connection.execute(update(channels).where(channels.c.id == channel_id).values(**values))


def _replace_listings(
    connection: Connection, listed: Collection[tuple[int, str]], sources: Sequence[str]
) -> None:
    connection.execute(delete(listings).where(listings.c.source.in_(sources)))
    if listed:
        rows = [{"channel_id": channel_id, "source": source} for channel_id, source in listed]
        connection.execute(insert(listings), rows)


def stop_unlisted(connection: Connection) -> int:
    """A channel that nobody lists any more is not polled; feeds found on a site follow the site."""
    listed = exists().where(listings.c.channel_id == channels.c.id)
    own = connection.execute(
        update(channels)
        .where(channels.c.site_id.is_(None), channels.c.status.in_(("active", "retired")), ~listed)
        .values(status="unlisted")
    )
    sites = channels.alias()
    site_status = select(sites.c.status).where(sites.c.id == channels.c.site_id).scalar_subquery()
    for found, wanted in (("active", "unlisted"), ("retired", "unlisted"), ("unlisted", "active")):
        connection.execute(
            update(channels)
            .where(
                channels.c.site_id.is_not(None), channels.c.status == found, ~listed, site_status == wanted
            )
            .values(status=wanted)
        )
    return own.rowcount
