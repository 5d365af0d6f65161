"""What is fetched by chance in the place of the best: it measures what is not fetched.

Every address that waits can be drawn, whatever its host is doing, unless the host has given as many pages as
the file allows of any: such addresses are not estimated either. One whose host has no room is kept until it
has: what is drawn must not depend on which hosts are busy, since these are those with relevant pages.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.acquisition.campaigns.queue import ALL_BANDS, DICE, band_shares
from archiver.store.campaigns.granting import grant, pending_of
from archiver.store.campaigns.quotas import about_to_be_full, gives_more, has_full_hosts
from archiver.store.campaigns.repeats import drop_repeats
from archiver.store.leaving_out import none_of
from archiver.store.schema import candidates

if TYPE_CHECKING:
    import random
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection

    from archiver.acquisition.campaigns.learned import CampaignModels
    from archiver.acquisition.campaigns.model import Campaign, PendingCandidate
    from archiver.store.campaigns.granting import QueueRoom

# A long queue is counted again only after so many draws, and by a part of it, as the dice fell: to count a
# million addresses would take a tenth of a second.
_LONG_QUEUE, _COUNTED_FOR, _PARTS = 20_000, 50, 64
# A band with fewer in that part is counted whole.
_FEW = 30


@dataclass(slots=True)
class ChanceDraws:
    """What is drawn by chance in a run."""

    chance: random.Random
    made: int = 0
    # Drawn, and not come back.
    pending: dict[int, PendingCandidate] = field(default_factory=dict)
    _waiting: dict[int, int] = field(default_factory=dict)
    _since: int = 0

    def waiting(self, connection: Connection, campaign: Campaign) -> dict[int, int]:
        """How many addresses of each band wait, or did a while ago."""
        self._since += 1
        if sum(self._waiting.values()) < _LONG_QUEUE or self._since > _COUNTED_FOR:
            self._waiting, self._since = waiting_by_band(connection, campaign), 0
        return self._waiting


def choose(
    connection: Connection,
    campaign: Campaign,
    now: datetime,
    room: QueueRoom,
    models: CampaignModels,
    draws: ChanceDraws,
    spent: int,
) -> list[PendingCandidate]:
    """What is asked for next: the best, and what was drawn by chance as soon as its host has room.

    Of all requests that were `spent`, robots.txt and redirects included, a share is for what is drawn.
    """
    drop_repeats(connection, campaign, models.repeats, room.busy)
    drawn, found = draws.pending, []
    for number in drawn.keys() - _drawable(connection, campaign, drawn):
        del drawn[number]
    best = grant(connection, campaign, now, room.without(drawn), models.score)
    granted = {one.id for one in best}
    for one in best:
        if one.chosen_by == "best" and draws.made < campaign.definition.explore * spent:
            other = draw(connection, campaign, now, room.busy | drawn.keys() | granted, draws)
            if other is not None:
                drawn[other.id] = other
                draws.made += 1
                continue
        found.append(one)
    ready = [one for one in drawn.values() if one.id not in room.busy and one.host not in room.full]
    return [*ready, *found][: room.limit]


def _drawable(connection: Connection, campaign: Campaign, numbers: Collection[int]) -> set[int]:
    """Those that nothing else has settled since they were drawn, and whose hosts may still give pages."""
    if not numbers:
        return set()
    mine = candidates.c.id.in_(numbers) & (candidates.c.state == "waiting") & gives_more(campaign)
    return set(connection.execute(select(candidates.c.id).where(mine)).scalars())


def draw(
    connection: Connection, campaign: Campaign, now: datetime, taken: Collection[int], draws: ChanceDraws
) -> PendingCandidate | None:
    """One candidate by chance: a band of scores by its share, then each in it as likely as the others."""
    waiting = (candidates.c.campaign_id == campaign.id) & (candidates.c.state == "waiting")
    may = gives_more(campaign) & none_of(
        connection, candidates.c.host, about_to_be_full(connection, campaign, taken)
    )
    shares = band_shares(draws.waiting(connection, campaign))
    while shares:
        (band,) = draws.chance.choices(list(shares), list(shares.values()))
        del shares[band]
        dice = draws.chance.randrange(DICE)
        for side in (candidates.c.dice >= dice, candidates.c.dice < dice):
            query = select(candidates).where(
                waiting,
                may,
                candidates.c.band == band,
                side,
                candidates.c.next_try <= now,
                candidates.c.id.not_in(taken),
            )
            row = connection.execute(query.order_by(candidates.c.dice).limit(1)).first()
            if row is not None:
                return pending_of(row, campaign, "explore")
    return None


def draws_made(connection: Connection, campaign_id: int) -> int:
    mine = (candidates.c.campaign_id == campaign_id) & (candidates.c.chosen_by == "explore")
    return connection.execute(select(func.count()).where(mine)).scalar_one()


def waiting_by_band(connection: Connection, campaign: Campaign) -> dict[int, int]:
    """How many addresses of each band can be drawn; of a band with many, about how many."""
    can = (candidates.c.campaign_id == campaign.id) & (candidates.c.state == "waiting")
    # Mostly none is: to look at the hosts of all addresses takes longer than to count these.
    if has_full_hosts(connection, campaign):
        can &= gives_more(campaign)
    found = {band: _PARTS * _counted(connection, can, band, DICE // _PARTS) for band in ALL_BANDS}
    is_long = sum(found.values()) >= _LONG_QUEUE
    for band, count in found.items():
        if not is_long or count < _PARTS * _FEW:
            found[band] = _counted(connection, can, band, DICE)
    return {band: count for band, count in found.items() if count}


def _counted(connection: Connection, can: ColumnElement[bool], band: int, dice: int) -> int:
    """How many addresses of a band can be drawn whose number by chance is below this one."""
    mine = can & (candidates.c.band == band) & (candidates.c.dice < dice)
    return connection.execute(select(func.count()).where(mine)).scalar_one()
