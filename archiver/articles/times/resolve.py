"""The one rule for the times of an article: docs/timestamps.md tells it in words, step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.times.bounds import Sifted, against, sift
from archiver.articles.times.choice import Witness, choose, in_order
from archiver.documents.times.agreement import (
    SLACK,
    Relation,
    compare,
    compare_bracket,
    compare_written,
    earliest,
    latest,
)
from archiver.documents.times.model import (
    Against,
    Bracket,
    Evidence,
    SeenTime,
    Source,
    Stamp,
    Times,
    Trust,
    What,
    Why,
)
from archiver.documents.times.sources import WRITTEN, family, is_strong, source_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime


def resolve(
    evidence: Iterable[Evidence],
    *,
    first_seen: datetime,
    captured: datetime,
    not_before: datetime | None = None,
    neighbours: Bracket | None = None,
    unchanged_until: datetime | None = None,
    found_by: str | None = None,
) -> Times:
    """What to make of everything that is said, whatever order it comes in.

    `not_before` is when the channel was last seen without the entry; `neighbours` are the dates of those that
    its feed lists before and after it; `unchanged_until` is when the version before was last seen as it was;
    `found_by` is the way of filling a gap that brought the entry, None for the feed.
    """
    said = tuple(dict.fromkeys(evidence))
    seen = Bracket(after=not_before, before=min(first_seen, captured))
    published = _published(said, seen, neighbours or Bracket(), captured)
    changes = _changes(said, published, captured)
    return Times(
        published=published,
        modified=_modified(changes, unchanged_until),
        first_seen=_seen(first_seen, source_of(found_by), captured),
        unchanged_until=_seen(unchanged_until, Source.CAPTURE, captured) if unchanged_until else None,
        captured=SeenTime(at=captured, source=Source.CAPTURE),
        refused=() if changes.credible else in_order(changes.refused),
    )


def _seen(at: datetime, source: Source, captured: datetime) -> SeenTime:
    """What we saw before the capture: noted as later, one of the two was noted by a clock that was wrong."""
    return SeenTime(at=at, source=source, trust=Trust.WEAK if at > captured + SLACK else Trust.SURE)


def _published(said: Sequence[Evidence], seen: Bracket, neighbours: Bracket, captured: datetime) -> Stamp:
    changes = sift(_about(What.MODIFIED, said), not_after=captured).credible
    sifted = sift(_about(What.PUBLISHED, said), not_after=seen.before or captured)
    sifted = _without_changes(sifted, changes)
    if not sifted.credible:
        return bounded(seen, neighbours, changes, sifted.refused)
    # A change that is stated says nothing of it: what is published later was often edited last before.
    files = [one for one in changes if one.source in WRITTEN]
    witnesses = [*map(written, files), sight(seen), neighbourhood(neighbours)]
    return choose(sifted.credible, witnesses, sifted.refused)


def _about(what: What, said: Sequence[Evidence]) -> list[Evidence]:
    return [one for one in said if one.what is what]


def _without_changes(sifted: Sifted, changes: Sequence[Evidence]) -> Sifted:
    """Without the dates that a source gives for the last change, and an earlier one for the publication."""
    moved = [one for one in sifted.credible if _is_change(one, sifted.credible, changes)]
    return Sifted(
        credible=tuple(one for one in sifted.credible if one not in moved),
        refused=(*sifted.refused, *(against(one, Why.CHANGE) for one in moved)),
    )


def _is_change(one: Evidence, claims: Sequence[Evidence], changes: Sequence[Evidence]) -> bool:
    tellers = {
        family(told.source)
        for told in changes
        if told.source not in WRITTEN and compare(one, told) is Relation.AGREES
    } - {family(one.source)}
    return any(
        is_strong(other)
        and family(other.source) in tellers
        and compare(one, other) is Relation.APART
        and latest(other) < earliest(one)
        for other in claims
    )


def _changes(said: Sequence[Evidence], published: Stamp, captured: datetime) -> Sifted:
    """What can be true of the last change: nothing is changed before it is published."""
    not_before = _earliest(published) if published.is_stated else None
    return sift(_about(What.MODIFIED, said), not_after=captured, not_before=not_before)


def _earliest(stamp: Stamp) -> datetime:
    said = Evidence(
        what=What.PUBLISHED, source=stamp.source, at=stamp.at, day=stamp.day, only_day=stamp.only_day
    )
    return earliest(said)


def _modified(changes: Sifted, unchanged_until: datetime | None) -> Stamp | None:
    """What is stated of the article; else when its page was written."""
    if not changes.credible:
        return None
    stated = [one for one in changes.credible if one.source not in WRITTEN]
    files = [one for one in changes.credible if one.source in WRITTEN]
    sights = [unseen(unchanged_until)] if unchanged_until else []
    if not stated:
        return choose(files, sights, changes.refused)
    return choose(stated, [*map(written, files), *sights], changes.refused)


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
    """No source states it: not after it was seen, what the feed lists as newer, or a change."""
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
