"""How a campaign stands: what it fetched, what waits, its best hosts, and what was drawn by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from archiver.acquisition.campaigns.estimate import TriedCandidate
from archiver.acquisition.campaigns.relevance import RELEVANT
from archiver.store.campaigns.quotas import gives_more
from archiver.store.schema import candidates, host_yields, relevances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign


@dataclass(frozen=True, slots=True, kw_only=True)
class CampaignTally:
    fetched: int
    relevant: int
    waiting: int
    failed: int
    twins: int


def tally(connection: Connection, number: int) -> CampaignTally:
    mine = candidates.c.campaign_id == number
    states = select(candidates.c.state, func.count()).where(mine).group_by(candidates.c.state)
    counts: dict[str, int] = dict(connection.execute(states).all())
    pages = relevances.c.campaign_id == number
    own = relevances.c.same_as.is_(None)
    relevant = select(func.count()).where(pages, own, _is_relevant())
    twins = select(func.count()).where(pages, relevances.c.same_as.is_not(None))
    return CampaignTally(
        fetched=counts.get("done", 0),
        relevant=connection.execute(relevant).scalar_one(),
        waiting=counts.get("waiting", 0),
        failed=counts.get("failed", 0),
        twins=connection.execute(twins).scalar_one(),
    )


def _is_relevant() -> Any:  # noqa: ANN401 - a clause
    """A person's word counts before the score."""
    by_hand = relevances.c.judged == 1
    return by_hand | (relevances.c.judged.is_(None) & (relevances.c.score >= RELEVANT))


def best_pages(connection: Connection, number: int, most: int, least: float = 0.0) -> Sequence[Row[Any]]:
    """The most relevant pages, each text once; what a person refused is not among them."""
    mine = (relevances.c.campaign_id == number) & relevances.c.same_as.is_(None)
    wanted = relevances.c.judged.is_(None) | (relevances.c.judged == 1)
    query = select(relevances).where(mine, wanted, relevances.c.score >= least)
    order = (func.coalesce(relevances.c.judged, 0).desc(), relevances.c.score.desc(), relevances.c.seen)
    return connection.execute(query.order_by(*order).limit(most)).all()


def best_hosts(connection: Connection, number: int, most: int = 10) -> Sequence[Row[Any]]:
    mine = (host_yields.c.campaign_id == number) & (host_yields.c.fetched > 0)
    query = select(host_yields).where(mine).order_by(host_yields.c.relevance.desc(), host_yields.c.host)
    return connection.execute(query.limit(most)).all()


def waiting_by_rank(connection: Connection, campaign: Campaign) -> dict[int, int]:
    """How many addresses wait that were never tried and can still be drawn, by their rank."""
    mine = (candidates.c.campaign_id == campaign.id) & (candidates.c.state == "waiting")
    never = mine & (candidates.c.tries == 0) & gives_more(campaign)
    query = select(candidates.c.rank, func.count()).where(never).group_by(candidates.c.rank)
    return dict(connection.execute(query).all())


def tried_candidates(connection: Connection, number: int) -> list[TriedCandidate]:
    """What was chosen by score or by chance, the oldest first; what was tried in vain is not relevant."""
    mine = (candidates.c.campaign_id == number) & candidates.c.chosen_by.in_(("best", "explore"))
    columns = (candidates.c.rank, candidates.c.chosen_by, relevances.c.score, relevances.c.same_as)
    same = relevances.c.candidate_id == candidates.c.id
    query = select(*columns).join(relevances, same, isouter=True).where(mine).order_by(relevances.c.seen)
    return [
        TriedCandidate(
            rank=row.rank,
            is_relevant=row.score is not None and row.score >= RELEVANT,
            by_chance=row.chosen_by == "explore",
            is_twin=row.same_as is not None,
        )
        for row in connection.execute(query)
    ]
