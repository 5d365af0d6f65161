"""Where a page of a campaign leads, and what it says of the links beside those that led to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from archiver.acquisition.campaigns.links import NEIGHBOURS, nearness
from archiver.acquisition.campaigns.model import WayThere
from archiver.acquisition.campaigns.queue import rank_of
from archiver.acquisition.campaigns.relevance import RELEVANT
from archiver.store.campaigns.queue import add_candidates, evidence_of, move
from archiver.store.schema import candidates, inlinks

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.learned import CampaignModels
    from archiver.acquisition.campaigns.links import LinkEvidence
    from archiver.acquisition.campaigns.model import Campaign, CandidateFetch, CandidateRead


def follow_links(
    connection: Connection,
    campaign: Campaign,
    fetch: CandidateFetch,
    read: CandidateRead,
    evidence: LinkEvidence,
    value: float,
    models: CampaignModels,
    now: datetime,
) -> int:
    """Note where a page leads, unless too many pages on the way there were not relevant."""
    hops = 0 if value >= RELEVANT else evidence.hops + 1
    if hops > campaign.definition.scope.depth_off_topic:
        return 0
    return add_candidates(
        connection,
        campaign,
        read.links,
        now,
        score=models.score,
        repeats=models.repeats,
        way=WayThere(relevance=value, hops=hops, page_id=fetch.candidate.id),
    )


def tell_neighbours(
    connection: Connection,
    campaign: Campaign,
    number: int,
    value: float,
    score: Callable[[LinkEvidence], float],
) -> None:
    """What a link led to says something of the links beside it, on each page that has it."""
    query = select(inlinks.c.page_id, inlinks.c.place).where(inlinks.c.candidate_id == number)
    told: dict[int, tuple[Row[Any], LinkEvidence]] = {}
    for stands in connection.execute(query).all():
        places = inlinks.c.place.between(stands.place - NEIGHBOURS, stands.place + NEIGHBOURS)
        beside = (
            select(candidates, inlinks.c.place)
            .join(inlinks, inlinks.c.candidate_id == candidates.c.id)
            .where(inlinks.c.page_id == stands.page_id, places, candidates.c.state == "waiting")
        )
        for row in connection.execute(beside).all():
            evidence = told.setdefault(row.id, (row, evidence_of(row.evidence)))[1]
            evidence.add_neighbour(value, nearness(abs(row.place - stands.place)))
    move(
        connection,
        campaign,
        [
            (row, evidence, rank_of(score(evidence)) if row.rank else row.rank)
            for row, evidence in told.values()
        ],
    )
