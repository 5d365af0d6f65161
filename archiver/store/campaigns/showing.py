"""What is shown of a campaign: its pages in several orders, and the best of what waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import func, select

from archiver.acquisition.campaigns.relevance import RELEVANT
from archiver.store.schema import candidates, relevances

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection, Row, Select

# The best first; those that a person's word would teach most; those that a person refused.
PageOrder = Literal["best", "doubtful", "refused"]


def pages_shown(
    connection: Connection, number: int, order: PageOrder, *, most: int, after: int = 0
) -> Sequence[Row[Any]]:
    """Pages of a campaign, each text once."""
    table = relevances.c
    keys = {
        "best": (func.coalesce(table.judged, 0).desc(), table.score.desc(), table.seen),
        "doubtful": (func.abs(table.score - RELEVANT), table.seen),
        "refused": (table.score.desc(), table.seen),
    }
    query = _of(select(relevances), number, order).order_by(*keys[order], table.candidate_id)
    return connection.execute(query.limit(most).offset(after)).all()


def count_shown(connection: Connection, number: int, order: PageOrder) -> int:
    return int(connection.execute(_of(select(func.count()), number, order)).scalar_one())


def _of(query: Select[Any], number: int, order: PageOrder) -> Select[Any]:
    judged = relevances.c.judged
    wanted = {
        "best": judged.is_(None) | (judged == 1),
        "doubtful": judged.is_(None),
        "refused": judged == 0,
    }
    mine = (relevances.c.campaign_id == number) & relevances.c.same_as.is_(None)
    return query.where(mine, wanted[order])


def best_waiting(connection: Connection, number: int, most: int) -> Sequence[Row[Any]]:
    """The candidates that are asked for next, by the scores that they have now."""
    waiting = (candidates.c.campaign_id == number) & (candidates.c.state == "waiting")
    query = select(candidates).where(waiting).order_by(candidates.c.rank, candidates.c.id)
    return connection.execute(query.limit(most)).all()


def whole_harvest(connection: Connection, number: int) -> float:
    """The sum of all relevances, each text once."""
    mine = (relevances.c.campaign_id == number) & relevances.c.same_as.is_(None)
    return float(connection.execute(select(func.sum(relevances.c.score)).where(mine)).scalar() or 0.0)
