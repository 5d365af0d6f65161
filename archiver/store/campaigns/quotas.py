"""How many pages hosts may give: what follows from what they gave, and from what the file allows now."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from archiver.acquisition.campaigns.queue import quota_after
from archiver.batches import batches
from archiver.store.schema import candidates, host_yields

if TYPE_CHECKING:
    from collections.abc import Collection
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.acquisition.campaigns.model import Campaign


def gives_more(campaign: Campaign) -> ColumnElement[bool]:
    """The candidates of hosts that have not given as many pages as the file allows of any."""
    table = host_yields.c
    full = (table.campaign_id == campaign.id) & (table.fetched >= campaign.definition.scope.per_host)
    return candidates.c.host.not_in(select(table.host).where(full))


def has_full_hosts(connection: Connection, campaign: Campaign) -> bool:
    table = host_yields.c
    full = (table.campaign_id == campaign.id) & (table.fetched >= campaign.definition.scope.per_host)
    return connection.execute(select(table.host).where(full).limit(1)).first() is not None


def about_to_be_full(connection: Connection, campaign: Campaign, under_way: Collection[int]) -> set[str]:
    """The hosts that give no more pages once those come that are under way."""
    counts: Counter[str] = Counter()
    for some in batches(list(under_way)):
        counts.update(
            connection.execute(select(candidates.c.host).where(candidates.c.id.in_(some))).scalars()
        )
    found, most = set(), campaign.definition.scope.per_host
    for hosts in batches(list(counts)):
        here = (host_yields.c.campaign_id == campaign.id) & host_yields.c.host.in_(hosts)
        for row in connection.execute(select(host_yields.c.host, host_yields.c.fetched).where(here)):
            if row.fetched + counts[row.host] >= most:
                found.add(row.host)
    return found


def agree_quota(connection: Connection, campaign: Campaign, row: Row[Any]) -> None:
    """Let a host give more or less, by what it has given."""
    _agree(connection, campaign, row, _usual(connection, campaign.id))


def widen_quotas(connection: Connection, campaign: Campaign) -> None:
    """Let hosts give more that have given all that they might, where the file allows more now."""
    most, table = campaign.definition.scope.per_host, host_yields.c
    closed = (table.campaign_id == campaign.id) & (table.fetched >= table.quota) & (table.quota < most)
    rows = connection.execute(select(host_yields).where(closed)).all()
    usual = _usual(connection, campaign.id) if rows else 0.0
    for row in rows:
        _agree(connection, campaign, row, usual)


def _agree(connection: Connection, campaign: Campaign, row: Row[Any], usual: float) -> None:
    mean, most = row.relevance / max(1, row.fetched), campaign.definition.scope.per_host
    quota = quota_after(row.quota, row.fetched, row.fresh, mean, usual, most)
    if quota != row.quota:
        here = (host_yields.c.campaign_id == campaign.id) & (host_yields.c.host == row.host)
        connection.execute(update(host_yields).where(here).values(quota=quota))


def _usual(connection: Connection, campaign_id: int) -> float:
    """How relevant a page of the campaign is on average."""
    total = select(func.sum(host_yields.c.relevance), func.sum(host_yields.c.fetched))
    relevance, fetched = connection.execute(total.where(host_yields.c.campaign_id == campaign_id)).one()
    return float(relevance or 0.0) / max(1, fetched or 0)
