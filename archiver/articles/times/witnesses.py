"""What speaks for or against a date without stating one: our own sight, other entries, the file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.times.bounds import against
from archiver.articles.times.choice import Witness, in_order
from archiver.documents.times.agreement import (
    SLACK,
    Relation,
    compare_bracket,
    compare_written,
    latest,
)
from archiver.documents.times.model import Against, Bracket, Evidence, Source, Stamp, Trust, What, Why

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime


def written(told: Evidence) -> Witness:
    """A page that was written then confirms a date; one that was last written before speaks against it."""
    return Witness(
        source=told.source,
        relation=lambda said: compare_written(said, told),
        told=lambda _: against(told, Why.BEFORE),
    )


def sight(seen: Bracket) -> Witness:
    """What was not in the feed yet came later; but feeds lag, so that an earlier date is no contradiction."""

    def relation(said: Evidence) -> Relation:
        found = compare_bracket(said, seen)
        return found if found is Relation.AGREES else Relation.SILENT

    told = Against(what=What.PUBLISHED, source=Source.FIRST_SEEN, why=Why.FUTURE, at=seen.before)
    return Witness(source=Source.FIRST_SEEN, relation=relation, told=lambda _: told)


def neighbourhood(bracket: Bracket) -> Witness:
    """A feed lists its entries in the order of their dates: what is out of order is doubtful."""

    def relation(said: Evidence) -> Relation:
        found = compare_bracket(said, bracket)
        # Sorted by its own dates, a feed does not confirm them.
        is_own = said.source is Source.FEED and found is Relation.AGREES
        return Relation.SILENT if is_own else found

    def told(said: Evidence) -> Against:
        is_early = bracket.after is not None and latest(said) < bracket.after
        at = bracket.after if is_early else bracket.before
        return Against(what=What.PUBLISHED, source=Source.NEIGHBOURS, why=Why.ORDER, at=at)

    return Witness(source=Source.NEIGHBOURS, relation=relation, told=told)


def unseen(unchanged_until: datetime) -> Witness:
    """A change that is stated for a time at which the article was still as before is not the last one."""
    told = Against(what=What.MODIFIED, source=Source.CAPTURE, why=Why.UNSEEN, at=unchanged_until)
    return Witness(
        source=Source.CAPTURE,
        relation=lambda said: Relation.APART if latest(said) < unchanged_until - SLACK else Relation.SILENT,
        told=lambda _: told,
    )


def bounded(
    seen: Bracket, neighbours: Bracket, changes: Sequence[Evidence], refused: Sequence[Against]
) -> Stamp:
    """Nobody states it: not after it was seen, nor after what the feed lists as newer, nor after a change."""
    ends = [(seen.before, Source.FIRST_SEEN), (neighbours.before, Source.NEIGHBOURS)]
    ends += [(latest(one), Source.CHANGE) for one in changes]
    at, source = min(((end, by) for end, by in ends if end is not None), key=lambda pair: pair[0])
    starts = [start for start in (seen.after, neighbours.after) if start is not None and start <= at]
    return Stamp(
        at=at,
        after=max(starts, default=None),
        source=source,
        trust=Trust.WEAK,
        contradicted_by=in_order(refused),
    )
