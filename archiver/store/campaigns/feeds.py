"""The feeds of relevant pages, by the share of relevant pages on their hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from archiver.store.schema import campaign_feeds, host_yields

if TYPE_CHECKING:
    from sqlalchemy import Connection


class FoundFeed(msgspec.Struct, frozen=True, kw_only=True):
    """A feed that a relevant page names."""

    url: str
    title: str
    host: str
    share: float  # how relevant the pages of its host are
    pages: int


def feeds_of(connection: Connection, number: int) -> list[FoundFeed]:
    same = (host_yields.c.campaign_id == campaign_feeds.c.campaign_id) & (
        host_yields.c.host == campaign_feeds.c.host
    )
    query = (
        select(campaign_feeds, host_yields.c.fetched, host_yields.c.relevance)
        .join(host_yields, same, isouter=True)
        .where(campaign_feeds.c.campaign_id == number)
    )
    found = [
        FoundFeed(
            url=row.url,
            title=row.title,
            host=row.host,
            share=(row.relevance or 0.0) / max(1, row.fetched or 0),
            pages=row.fetched or 0,
        )
        for row in connection.execute(query)
    ]
    return sorted(found, key=lambda one: (-one.share, one.url))
