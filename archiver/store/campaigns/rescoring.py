"""Candidates that were scored by an older revision of a definition, scored again, some at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from archiver.acquisition.campaigns.queue import FIRST, is_denied, rank_of
from archiver.batches import batches
from archiver.store.campaigns.queue import evidence_of, move
from archiver.store.schema import candidates, relevances

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Connection

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.store.campaigns.queue import Score


def rescore(connection: Connection, campaign: Campaign, score: Score, most: int) -> int:
    """Score waiting candidates of older revisions again, and drop what is denied now; how many these were."""
    rows = connection.execute(select(candidates).where(_is_stale(campaign)).limit(most)).all()
    denied = [row for row in rows if is_denied(row.url, campaign.definition)]
    for some in batches([row.id for row in denied]):
        connection.execute(update(candidates).where(candidates.c.id.in_(some)).values(state="dropped"))
    moved = []
    for row in rows:
        if row not in denied:
            evidence = evidence_of(row.evidence)
            moved.append((row, evidence, FIRST if row.rank == FIRST else rank_of(score(evidence))))
    move(connection, campaign, moved)
    return len(rows)


def _is_stale(campaign: Campaign) -> ColumnElement[bool]:
    waiting = (candidates.c.campaign_id == campaign.id) & (candidates.c.state == "waiting")
    return waiting & (candidates.c.revision < campaign.revision)


def judgements(connection: Connection, campaign_id: int) -> tuple[int, int]:
    """How many pages people have judged, and how many of them they call relevant."""
    query = select(func.count(relevances.c.judged), func.coalesce(func.sum(relevances.c.judged), 0))
    count, relevant = connection.execute(query.where(relevances.c.campaign_id == campaign_id)).one()
    return int(count), int(relevant)
