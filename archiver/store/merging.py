"""One channel under two addresses: the younger is merged into the older, and can be taken out again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import delete, insert, select, update

from archiver.documents.feeds.sameness import show_the_same
from archiver.domains import same_owner
from archiver.store.moving import place
from archiver.store.parting import CHECK_EVERY
from archiver.store.schema import channels, listings
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

# A channel that failed so often in a row is asked at the address of one that was merged into it.
_TRIES_ELSEWHERE = 3


def find_twin(
    connection: Connection, row: Row[Any], identity: str | None, shown: Sequence[str]
) -> Row[Any] | None:
    """Another channel that claims to be this feed and shows the same entries."""
    if identity is None or not shown or row.apart:
        return None
    claims = (channels.c.identity == identity) & (channels.c.id != row.id)
    well = (channels.c.status == "active") & (channels.c.failures == 0) & ~channels.c.apart
    query = select(channels).where(claims, well).order_by(channels.c.id)
    same = (one for one in connection.execute(query) if show_the_same(one.shown or (), shown))
    return next((one for one in same if _may_be_one(connection, row, one)), None)


def may_merge(one: Row[Any], other: Row[Any]) -> bool:
    """Whether nobody said that these are to be kept apart, or not to be polled."""
    polled = {"active", "retired"}
    return not (one.apart or other.apart) and one.status in polled and other.status in polled


def merge(connection: Connection, one: Row[Any], other: Row[Any], reason: str, now: datetime) -> str:
    """Merge the younger into the older; what to tell the operator."""
    older, younger = sorted((one, other), key=lambda row: int(row.id))
    labels = tuple(dict.fromkeys((*older.labels, *younger.labels)))
    _change(connection, older.id, labels=labels, every=older.every or younger.every)
    _move_listings(connection, younger.id, older.id)
    why = f"merged into channel {older.id}, {redact(older.url)}: {reason}"
    later = {"next_poll": now + CHECK_EVERY, "shown": ()}
    _change(connection, younger.id, status="merged", merged_into=older.id, why=why, **later)
    return f"{redact(younger.seed_url)} {why}"


def elsewhere(connection: Connection, row: Row[Any], failures: int) -> dict[str, object]:
    """A failing channel changes places with one that was merged into it, in turn where there are several."""
    if failures % _TRIES_ELSEWHERE:
        return {}
    query = select(channels).where(channels.c.merged_into == row.id, channels.c.status == "merged")
    # Who once redirected here could otherwise answer for a feed that is down.
    found = connection.execute(query.order_by(channels.c.id))
    merged = [other for other in found if same_owner(other.url, row.url)]
    if not merged:
        return {}
    other = merged[(failures // _TRIES_ELSEWHERE - 1) % len(merged)]
    _change(connection, other.id, **place(row.url))
    return place(other.url)


def _may_be_one(connection: Connection, one: Row[Any], other: Row[Any]) -> bool:
    """Feeds of two domains are never one by their own word: one could silence the other.

    Feeds that were found on two sites stay with them: if one site goes, the other's feed must stay.
    So does a feed that is asked for with a password or a token: it may be another one some day.
    """
    if any(redact(row.url) != row.url for row in (one, other)) or not same_owner(one.url, other.url):
        return False
    if one.site_id == other.site_id:
        return True
    listed = select(listings.c.channel_id).where(listings.c.channel_id.in_((one.id, other.id)))
    return connection.execute(listed).first() is not None


def _move_listings(connection: Connection, younger: int, older: int) -> None:
    """Whoever lists the younger lists the older from now on."""
    sources = {
        number: set(
            connection.execute(select(listings.c.source).where(listings.c.channel_id == number)).scalars()
        )
        for number in (younger, older)
    }
    connection.execute(delete(listings).where(listings.c.channel_id == younger))
    rows = [{"channel_id": older, "source": source} for source in sources[younger] - sources[older]]
    if rows:
        connection.execute(insert(listings), rows)


def _change(connection: Connection, channel_id: int, **values: object) -> None:
    connection.execute(update(channels).where(channels.c.id == channel_id).values(**values))
