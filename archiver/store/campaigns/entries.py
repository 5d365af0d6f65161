"""What the feeds of a campaign announce: their entries wait in its queue, the most relevant first."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, exists, select, update

from archiver.acquisition.campaigns.feeds import campaigns_among
from archiver.acquisition.campaigns.model import FoundBy, WayThere, found_link
from archiver.acquisition.pages import EntryOutcome
from archiver.batches import batches
from archiver.documents.pages.text import plain
from archiver.store.campaigns.definitions import known_campaigns
from archiver.store.campaigns.feeds import end_if_over
from archiver.store.campaigns.queue import UNSCORED, add_candidates
from archiver.store.schema import channels, entries, host_yields, leads, listings, pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign

    _Announced = Row[Any, Any, Any, Any]

# Characters of a summary that count as the words around a link.
_LONGEST_SUMMARY = 500


def take_entries(connection: Connection, channel_id: int, recorded: datetime, now: datetime) -> int:
    """Put what a channel announces into the queues of the campaigns that poll it; how many entries.

    A channel that a seeds file or a person names is none of theirs: its pages are fetched as those of others.
    """
    takers = known_campaigns(connection, _named_by(connection, channel_id))
    for campaign in takers:
        end_if_over(connection, campaign, now)
    rows = _waiting(connection, channel_id) if takers else ()
    if not rows:
        return 0
    for campaign in takers:
        _queue(connection, campaign, channel_id, rows, now)
    _leave(connection, rows, recorded)
    return len(rows)


def wait_again(connection: Connection, page_id: int) -> None:
    """Have entries wait for a page that the campaign has fetched: what they say of its article counts."""
    mine = (entries.c.page_id == page_id) & (entries.c.outcome == EntryOutcome.QUEUED)
    connection.execute(update(entries).where(mine).values(pending=True, outcome=None, settled=None))


def _named_by(connection: Connection, channel_id: int) -> tuple[str, ...]:
    """The campaigns that alone name a channel, or the site on which it was found."""
    return campaigns_among(connection.execute(_NAMED_BY, {"channel": channel_id}).scalars().all())


# Asked at every poll that brings something: made once.
_SITE = select(channels.c.site_id).where(channels.c.id == bindparam("channel")).scalar_subquery()
_NAMED_BY = select(listings.c.source).where(
    (listings.c.channel_id == bindparam("channel")) | (listings.c.channel_id == _SITE)
)


def _waiting(connection: Connection, channel_id: int) -> Sequence[_Announced]:
    query = (
        select(entries.c.id, entries.c.entry, entries.c.page_id, pages.c.url)
        .join(pages, pages.c.id == entries.c.page_id)
        .where(entries.c.channel_id == channel_id, entries.c.pending, pages.c.state == "pending")
    )
    return connection.execute(query.order_by(entries.c.id)).all()


def _queue(
    connection: Connection, campaign: Campaign, channel_id: int, rows: Sequence[_Announced], now: datetime
) -> None:
    language = campaign.definition.languages[0] if campaign.definition.languages else None
    links = [
        found_link(row.url, row.entry.title or "", _summary(row), row.entry.language or language)
        for row in rows
    ]
    usual = _usual(connection, campaign.id, channel_id)
    way = WayThere(found_by=FoundBy.FEED, relevance=usual)
    unscored = replace(campaign, revision=UNSCORED)
    add_candidates(connection, unscored, links, now, score=lambda _: usual, way=way)


def _summary(row: _Announced) -> str:
    return plain((row.entry.summary or row.entry.content or "")[: 4 * _LONGEST_SUMMARY])[:_LONGEST_SUMMARY]


def _usual(connection: Connection, campaign_id: int, channel_id: int) -> float:
    """How relevant the pages of a channel's host are."""
    host = select(channels.c.host).where(channels.c.id == channel_id).scalar_subquery()
    mine = (host_yields.c.campaign_id == campaign_id) & (host_yields.c.host == host)
    row = connection.execute(select(host_yields).where(mine)).first()
    return (row.relevance + 0.5) / (row.fetched + 1) if row else 0.5


def _leave(connection: Connection, rows: Sequence[_Announced], recorded: datetime) -> None:
    """Nothing waits for these pages any more, unless others do."""
    ended = {"pending": False, "outcome": EntryOutcome.QUEUED, "settled": recorded}
    for some in batches([row.id for row in rows]):
        connection.execute(update(entries).where(entries.c.id.in_(some)).values(**ended))
    announced = exists().where(entries.c.page_id == pages.c.id, entries.c.pending)
    led = exists().where(leads.c.page_id == pages.c.id, leads.c.pending)
    for some in batches([row.page_id for row in rows]):
        mine = pages.c.id.in_(some) & (pages.c.state == "pending") & ~announced & ~led
        connection.execute(update(pages).where(mine).values(state="settled"))
