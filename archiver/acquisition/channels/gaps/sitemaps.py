"""Sitemaps of a gap: what is dated within it, or stands there; and which sitemaps to ask for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.gaps.detect import is_too_old, moment_of
from archiver.acquisition.channels.gaps.walk import is_larger, queued, stretch
from archiver.documents.lists.addresses import same_site, usual_sitemaps
from archiver.documents.lists.model import Ask, Plan, Seen, Step, Way

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.documents.feeds.model import FeedEntry
    from archiver.documents.lists.model import ArchivePage, Bounds, Candidate, SitemapLink

# Of an index, so many sitemaps are asked for that do not say how old they are.
_MOST_UNDATED = 3
# In sitemaps, articles that were edited since stand among newer ones.
_MOST_EDITED = 1.0
# Of so many known articles, more than this share are not edited all at once.
_SOME, _MOST_LATE = 3, 0.5
_LIKELY = ("news", "post", "article", "story", "artikel")


def without_answer(ask: Ask) -> list[Ask]:
    if ask.way is not Way.ROBOTS:
        return []
    return [Ask(way=Way.SITEMAP, url=url) for url in usual_sitemaps(ask.url)]


def sitemap_page(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    named = [one for one in page.sitemaps if same_site(one.url, [ask.url])]
    if ask.way is Way.ROBOTS and not named:
        return Step(plan=queued(plan, without_answer(ask)))
    if not _dates_tell(candidates):
        candidates = [
            replace(one, entry=replace(one.entry, published=None, updated=None)) for one in candidates
        ]
    if is_larger(_stretch_of_sitemap(candidates, is_history=plan.is_history), _MOST_EDITED):
        candidates = ()
    is_telling = plan.is_history or _is_in_order(candidates)
    shown = {one.seen for one in candidates} if is_telling else set()
    further = _further_sitemaps(ask, named, is_history=plan.is_history)
    plan = replace(queued(plan, further, first=True), sides=tuple(sorted({*plan.sides, *shown})))
    found = tuple(_missing_in_sitemap(candidates, bounds, is_history=plan.is_history))
    # What has both ends of the gap has what is between them.
    return Step(plan=plan, found=found, met=_has_both(shown) or is_complete(plan))


def _dates_tell(candidates: Sequence[Candidate]) -> bool:
    """False where what was known long ago is dated like what is new: the day on which the site was made."""
    since = [at for one in candidates if one.seen is Seen.SINCE and (at := moment_of(one.entry))]
    before = [at for one in candidates if one.seen is Seen.BEFORE and (at := moment_of(one.entry))]
    late = sum(at >= min(since, default=at) for at in before)
    return len(before) < _SOME or not since or late <= len(before) * _MOST_LATE


def _stretch_of_sitemap(candidates: Sequence[Candidate], *, is_history: bool) -> Sequence[Candidate]:
    """What is as old as the entries of the feed, with these; sitemaps may be in any order."""
    dates = [at for one in candidates if one.seen is Seen.SINCE and (at := moment_of(one.entry))]
    if not dates:
        places = [place for place, one in enumerate(candidates) if one.seen is Seen.SINCE]
        return stretch(candidates, places) if is_history or _span(candidates) != (0, 0) else ()
    first, last = min(dates), max(dates)
    # Those of the same moment, or day, tell nothing.
    return [
        one
        for one in candidates
        if one.seen is Seen.SINCE or ((at := moment_of(one.entry)) is not None and first < at < last)
    ]


def is_complete(plan: Plan) -> bool:
    """True if sitemaps that have the ends of the gap between them, or what the feed has, were all asked."""
    if plan.waiting:
        return False
    return Seen.SINCE in plan.sides if plan.is_history else _has_both(plan.sides)


def _has_both(seen: Iterable[Seen]) -> bool:
    return {Seen.BEFORE, Seen.SINCE} <= set(seen)


def _is_in_order(candidates: Sequence[Candidate]) -> bool:
    return _span(candidates) != (0, 0) or all(moment_of(one.entry) for one in candidates)


def _further_sitemaps(ask: Ask, named: Sequence[SitemapLink], *, is_history: bool) -> list[Ask]:
    """The newest first; of a numbered series the last, and those first whose names promise articles."""
    ages = {one.url: one.modified for one in named if one.modified is not None}
    dated = sorted(ages, key=lambda url: ages[url], reverse=True)
    undated = sorted((one.url for one in reversed(named) if one.modified is None), key=_is_unlikely)
    if ask.way is Way.SITEMAP and not is_history:
        undated = undated[:_MOST_UNDATED]
    return [Ask(way=Way.SITEMAP, url=url) for url in (*sorted(dated, key=_is_unlikely), *undated)]


def _is_unlikely(url: str) -> bool:
    return not any(word in url.lower() for word in _LIKELY)


def _missing_in_sitemap(
    candidates: Sequence[Candidate], bounds: Bounds, *, is_history: bool
) -> Iterable[FeedEntry]:
    """What is dated within the gap; without dates, what stands between what the feed has and had, or all."""
    first, last = _span(candidates)
    for place, one in enumerate(candidates):
        at = moment_of(one.entry)
        is_within = is_history or first < place < last if at is None else not is_too_old(at, bounds.after)
        if one.seen is Seen.NEW and is_within:
            yield one.entry


def _span(candidates: Sequence[Candidate]) -> tuple[int, int]:
    """Between which places the missing ones stand, newest first or last; nowhere if in no order."""
    since = [place for place, one in enumerate(candidates) if one.seen is Seen.SINCE]
    before = [place for place, one in enumerate(candidates) if one.seen is Seen.BEFORE]
    if since and before and since[-1] < before[0]:
        return since[0], before[0]
    if since and before and before[-1] < since[0]:
        return before[-1], since[-1]
    return 0, 0
