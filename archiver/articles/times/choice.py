"""Which of several statements is followed, and how far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.times.bounds import against
from archiver.documents.times.agreement import Relation, compare, earliest, is_moment
from archiver.documents.times.model import Stamp, Trust, Why
from archiver.documents.times.sources import RANK, family, is_strong

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from datetime import date

    from archiver.documents.times.model import Against, Evidence, Source

# A single voice is outvoted by so many that do not copy from each other.
_OUTVOTES = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """A source whose word counts for or against a statement, without being a statement to be followed."""

    source: Source
    relation: Callable[[Evidence], Relation]
    # What is told of it where it contradicts this.
    told: Callable[[Evidence], Against]


def choose(claims: Sequence[Evidence], witnesses: Sequence[Witness], refused: Iterable[Against]) -> Stamp:
    """The statement to follow, out of at least one that can be true."""
    everybody = (*witnesses, *map(_as_witness, claims))
    chosen = _precise(_followed(claims, everybody), claims, everybody)
    agrees = _with(Relation.AGREES, chosen, everybody)
    apart = _with(Relation.APART, chosen, everybody)
    return Stamp(
        at=chosen.at,
        day=chosen.day or _day_for(chosen, claims),
        only_day=not is_moment(chosen),
        source=chosen.source,
        trust=_trust(chosen, is_supported=_is_supported(chosen, everybody), is_opposed=bool(apart)),
        agrees=_sources(agrees, chosen),
        other_zone=_sources(_with(Relation.OTHER_ZONE, chosen, everybody), chosen),
        contradicted_by=in_order([*(witness.told(chosen) for witness in apart), *refused]),
    )


def _trust(chosen: Evidence, *, is_supported: bool, is_opposed: bool) -> Trust:
    steps = (Trust.WEAK, Trust.LIKELY, Trust.SURE)
    return steps[max(0, is_strong(chosen) + is_supported - is_opposed)]


def order(one: Evidence) -> tuple[object, ...]:
    """First the source that is asked first, and of one source the more exact and the earlier statement."""
    return (RANK[one.source], not is_moment(one), earliest(one), one.at is None, repr(one))


def _as_witness(claim: Evidence) -> Witness:
    return Witness(
        source=claim.source,
        relation=lambda said: compare(said, claim),
        told=lambda _: against(claim, Why.APART),
    )


def _followed(claims: Sequence[Evidence], everybody: Sequence[Witness]) -> Evidence:
    """The first in order, unless it stands alone against two that do not copy from each other."""
    ordered = sorted(claims, key=order)
    first = ordered[0]
    if _is_supported(first, everybody):
        return first
    others = (one for one in ordered if compare(first, one) is not Relation.AGREES)
    return next((one for one in others if _outvotes(one, first, everybody)), first)


def _outvotes(one: Evidence, first: Evidence, everybody: Sequence[Witness]) -> bool:
    voices = _families(_with(Relation.AGREES, one, everybody)) | {family(one.source)}
    return len(voices - {family(first.source)}) >= _OUTVOTES


def _precise(followed: Evidence, claims: Sequence[Evidence], everybody: Sequence[Witness]) -> Evidence:
    """Of those that agree with a day, the one that names the moment."""
    if is_moment(followed):
        return followed
    agreeing = [one for one in claims if is_moment(one) and compare(followed, one) is Relation.AGREES]
    supported = [one for one in agreeing if _is_supported(one, everybody)]
    return min(supported or agreeing, key=order, default=followed)


def _day_for(chosen: Evidence, claims: Sequence[Evidence]) -> date | None:
    """The publisher's day of a moment that was written without one, such as seconds since 1970."""
    dated = [one for one in claims if one.day and compare(chosen, one) is Relation.AGREES]
    return min(dated, key=order).day if dated else None


def _is_supported(one: Evidence, everybody: Sequence[Witness]) -> bool:
    return bool(_families(_with(Relation.AGREES, one, everybody)) - {family(one.source)})


def _with(relation: Relation, one: Evidence, everybody: Sequence[Witness]) -> list[Witness]:
    return [witness for witness in everybody if witness.relation(one) is relation]


def _families(witnesses: Iterable[Witness]) -> set[str]:
    return {family(witness.source) for witness in witnesses}


def _sources(witnesses: Iterable[Witness], chosen: Evidence) -> tuple[Source, ...]:
    sources = {witness.source for witness in witnesses} - {chosen.source}
    return tuple(sorted(sources, key=RANK.__getitem__))


def in_order(told: Iterable[Against]) -> tuple[Against, ...]:
    return tuple(sorted(set(told), key=lambda one: (RANK[one.source], one.what, one.why, repr(one))))
