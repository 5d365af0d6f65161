"""Candidates and pages that were scored by an older revision of a definition, scored again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select, update

from archiver.acquisition.campaigns.queue import FIRST, band_of, is_out_of_scope, rank_of, score_of
from archiver.batches import batches
from archiver.store.campaigns.queue import LEAST_MOVE, evidence_of, note_hosts
from archiver.store.schema import candidates, relevances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Connection

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.acquisition.campaigns.signals import Signals
    from archiver.store.campaigns.queue import Score


# What is known of an address stays as it is: it need not be written again.
_MOVE = (
    update(candidates)
    .where(candidates.c.id == bindparam("row"))
    .values(rank=bindparam("to"), band=bindparam("into"), revision=bindparam("by"))
)


_SCORE = (
    update(relevances)
    .where(relevances.c.candidate_id == bindparam("row"))
    .values(score=bindparam("to"), signals=bindparam("told"), revision=bindparam("by"))
)


def rescore(connection: Connection, campaign: Campaign, score: Score, most: int) -> int:
    """Score waiting candidates of older revisions again, and drop what is denied now; how many these were."""
    columns = (candidates.c.id, candidates.c.url, candidates.c.host, candidates.c.rank, candidates.c.evidence)
    rows = connection.execute(select(*columns).where(_is_stale(campaign)).limit(most)).all()
    said = campaign.definition
    denied = {row.id for row in rows if is_out_of_scope(row.url, row.host, said)}
    for some in batches(sorted(denied)):
        connection.execute(update(candidates).where(candidates.c.id.in_(some)).values(state="dropped"))
    kept = [row for row in rows if row.id not in denied]
    places = [_place(row.rank, row.evidence, score) for row in kept]
    if kept:
        values = [
            {"row": row.id, "to": place, "into": band_of(score_of(place)), "by": campaign.revision}
            for row, place in zip(kept, places, strict=True)
        ]
        connection.execute(_MOVE, values)
        hosts = (row.host for row in kept)
        note_hosts(connection, campaign.id, zip(hosts, places, strict=True))
    return len(rows)


def bring_back(connection: Connection, campaign: Campaign) -> None:
    """Let wait again what an older revision denied, and this one does not."""
    mine = (candidates.c.campaign_id == campaign.id) & (candidates.c.revision < campaign.revision)
    denied = (candidates.c.state == "dropped") & candidates.c.outcome.is_(None)
    columns = (candidates.c.id, candidates.c.url, candidates.c.host, candidates.c.rank)
    rows = connection.execute(select(*columns).where(mine, denied)).all()
    wanted = [row for row in rows if not is_out_of_scope(row.url, row.host, campaign.definition)]
    # What stays denied is not looked at again before the next revision; the rest is scored again.
    for some in batches([row.id for row in rows]):
        kept = update(candidates).where(candidates.c.id.in_(some))
        connection.execute(kept.values(revision=campaign.revision))
    for some in batches([row.id for row in wanted]):
        connection.execute(
            update(candidates).where(candidates.c.id.in_(some)).values(state="waiting", revision=0)
        )
    note_hosts(connection, campaign.id, ((row.host, row.rank) for row in wanted))


def _place(rank: int, evidence: bytes, score: Score) -> int:
    """The rank by what is known now; one that hardly moves stays where it is."""
    place = FIRST if rank == FIRST else rank_of(score(evidence_of(evidence)))
    return rank if abs(place - rank) < LEAST_MOVE else place


def _is_stale(campaign: Campaign) -> ColumnElement[bool]:
    waiting = (candidates.c.campaign_id == campaign.id) & (candidates.c.state == "waiting")
    return waiting & (candidates.c.revision < campaign.revision)


def keep_scores(connection: Connection, found: Sequence[tuple[int, int, float, Signals]]) -> None:
    """Give pages other scores: of each, the number of its candidate, the revision, score and signals."""
    values = [
        {"row": number, "by": revision, "to": score, "told": signals}
        for number, revision, score, signals in found
    ]
    if values:
        connection.execute(_SCORE, values)


def judgements(connection: Connection, campaign_id: int) -> tuple[int, int]:
    """How many pages people have judged, and how many of them they call relevant."""
    query = select(func.count(relevances.c.judged), func.coalesce(func.sum(relevances.c.judged), 0))
    count, relevant = connection.execute(query.where(relevances.c.campaign_id == campaign_id)).one()
    return int(count), int(relevant)
