"""Seeds become channels: the store made to agree with the seeds files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import delete, exists, insert, select, update

from archiver.store.channels import channels_of
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
    listed = set()
    added = 0
    for seed in seeds:
        channel_id, is_new = _upsert(connection, seed, now)
        listed.add((channel_id, seed.source))
        added += is_new
    _replace_listings(connection, listed, sources)
    unlisted = stop_unlisted(connection)
    known = len({channel_id for channel_id, _ in listed}) - added
    return ImportCounts(added=added, known=known, unlisted=unlisted)


def add_seed(connection: Connection, seed: Seed, now: datetime) -> bool:
    """Add one channel to those that its source lists already; False if it was there."""
    channel_id, is_new = _upsert(connection, seed, now)
    known = connection.execute(channels_of([seed.source])).scalars()
    listed = {(one, seed.source) for one in (channel_id, *known)}
    _replace_listings(connection, listed, [seed.source])
    # A site that was removed brings its feeds back with it.
    stop_unlisted(connection)
    return is_new


def _upsert(connection: Connection, seed: Seed, now: datetime) -> tuple[int, bool]:
    every = seed.every.total_seconds() if seed.every else None
    known = select(channels.c.id, channels.c.status).where(channels.c.seed_url == seed.url)
    row = connection.execute(known).first()
    changes: dict[str, object] = {"labels": seed.labels, "every": every}
    if row is None:
        changes |= {"seed_url": seed.url, "url": seed.url, "kind": "unknown", "status": "active"}
        changes |= {"added": now, "next_poll": now, "why": "never polled"}
        inserted = connection.execute(insert(channels).values(**changes)).inserted_primary_key
        return int(inserted[0]), True  # type: ignore[index] # one row was inserted
    if row.status == "unlisted":
        changes["status"] = "active"
    connection.execute(update(channels).where(channels.c.id == row.id).values(**changes))
    return int(row.id), False


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
        .where(channels.c.site_id.is_(None), channels.c.status == "active", ~listed)
        .values(status="unlisted")
    )
    sites = channels.alias()
    site_status = select(sites.c.status).where(sites.c.id == channels.c.site_id).scalar_subquery()
    for found, wanted in (("active", "unlisted"), ("unlisted", "active")):
        connection.execute(
            update(channels)
            .where(
                channels.c.site_id.is_not(None), channels.c.status == found, ~listed, site_status == wanted
            )
            .values(status=wanted)
        )
    return own.rowcount
