"""What waits although it is known to repeat what was fetched: it is dropped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select, update

from archiver.acquisition.campaigns.model import FoundBy
from archiver.batches import batches
from archiver.store.campaigns.queue import UNSCORED, known_candidates
from archiver.store.schema import candidates

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.acquisition.campaigns.repeats import RepeatedAddresses


def drop_repeats(
    connection: Connection, campaign: Campaign, repeats: RepeatedAddresses, busy: Collection[int] = ()
) -> int:
    """Look through what waits of hosts of which something was learned; how many addresses were dropped.

    Of several addresses of one page, one that is under way is the one to keep.
    """
    hosts = sorted(repeats.take_unswept())
    dropped = sum(_sweep(connection, campaign.id, repeats, host, busy) for host in hosts)
    return dropped + _drop_known_entries(connection, campaign.id, repeats)


def _drop_known_entries(connection: Connection, campaign_id: int, repeats: RepeatedAddresses) -> int:
    """Give entries of feeds their keys; how many are other addresses of known pages, and are dropped.

    Polls note entries with the ids of sessions in them, also where no run fetches for the campaign.
    """
    waiting = (candidates.c.campaign_id == campaign_id) & (candidates.c.state == "waiting")
    new = waiting & (candidates.c.revision == UNSCORED) & (candidates.c.found_by == FoundBy.FEED)
    dropped: list[int] = []
    for hosts in batches(repeats.session_hosts):
        query = select(candidates.c.id, candidates.c.url, candidates.c.key).where(new)
        rows = connection.execute(query.where(candidates.c.host.in_(hosts)).order_by(candidates.c.id)).all()
        moved = {row.id: key for row in rows if (key := repeats.key(row.url)) != row.key}
        taken = set(known_candidates(connection, campaign_id, list(moved.values())))
        for number, key in moved.items():
            if key in taken:
                dropped.append(number)
            else:
                connection.execute(update(candidates).where(candidates.c.id == number).values(key=key))
                taken.add(key)
    _drop(connection, dropped)
    return len(dropped)


def _sweep(
    connection: Connection, campaign_id: int, repeats: RepeatedAddresses, host: str, busy: Collection[int]
) -> int:
    here = (candidates.c.campaign_id == campaign_id) & (candidates.c.host == host)
    columns = (candidates.c.id, candidates.c.url, candidates.c.key, candidates.c.state)
    taken = set(connection.execute(select(candidates.c.key).where(here)).scalars())
    known: set[str] = set()
    dropped: list[int] = []
    # What was fetched comes first, and where its redirects led: what waits is another address of it.
    is_same = (candidates.c.state == "dropped") & (candidates.c.outcome == "same")
    done, failed, waiting = (candidates.c.state == state for state in ("done", "failed", "waiting"))
    for some_of in (done, failed, is_same, waiting):
        query = select(*columns).where(here, some_of).order_by(candidates.c.rank)
        for row in sorted(connection.execute(query).all(), key=lambda one: one.id not in busy):
            key = repeats.key(row.url)
            if row.state == "waiting" and (key in known or repeats.is_stale(row.url)):
                dropped.append(row.id)
            elif key not in taken:
                connection.execute(update(candidates).where(candidates.c.id == row.id).values(key=key))
                taken.add(key)
            known.add(key)
    _drop(connection, dropped)
    return len(dropped)


def _drop(connection: Connection, numbers: Sequence[int]) -> None:
    for some in batches(numbers):
        values = {"state": "dropped", "outcome": "repeats"}
        connection.execute(update(candidates).where(candidates.c.id.in_(some)).values(**values))
