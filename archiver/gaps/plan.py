"""What to ask for next to fill a gap, and which entries of an answer were missing: pure functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from archiver.digests import name_digest
from archiver.gaps.addresses import (
    listing_pages,
    own_links,
    robots_of,
    same_site,
    usual_sitemaps,
    with_page,
)
from archiver.gaps.detect import Shown, moment_of, overlaps
from archiver.gaps.model import FEED_WAYS, SECOND, Ask, Plan, Seen, Way
from archiver.urls import LONGEST_URL, is_web, request_url, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from archiver.feeds.model import FeedEntry, ParsedFeed
    from archiver.gaps.model import ArchivePage, Bounds, Candidate, SitemapLink

# Of an index, so many sitemaps are asked for that do not say how old they are.
_MOST_UNDATED = 3
# With more other articles among the feed's own, for each of these, a list is that of a larger whole.
_MOST_OTHERS = 0.5
# In sitemaps, articles that were edited since stand among newer ones.
_MOST_EDITED = 1.0
# Of five articles in a row, so many that were known are no chance.
_IN_A_ROW, _MOSTLY = 5, 3
_LIKELY = ("news", "post", "article", "story", "artikel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What an answer came to."""

    plan: Plan
    found: tuple[FeedEntry, ...] = ()
    # What was known before was met again, or what is older than that: nothing is missing any more.
    met: bool = False


def begin(feed: ParsedFeed, url: str, examples: Sequence[str], newest: Sequence[str] = ()) -> Plan:
    """Everything that may be worth asking, the surest first.

    `examples` are links of the channel, `newest` those of the newest entries before the gap.
    """
    paging = feed.info.paging
    asks = [Ask(way=Way.ARCHIVE, url=paging["prev-archive"])] if "prev-archive" in paging else []
    asks += [Ask(way=Way.NEXT, url=paging["next"])] if "next" in paging else []
    asks.append(Ask(way=Way.PAGED, url=with_page(url, "paged", 2)))
    asks.append(Ask(way=Way.PAGE, url=with_page(url, "page", 1), number=1))
    # Where a feed tells of other sites, as aggregators do, their lists are not its own.
    if own := own_links(examples, url, feed.info.link):
        asks += [Ask(way=Way.LISTING, url=page) for page in listing_pages(feed.info.link, own)]
        asks.append(Ask(way=Way.ROBOTS, url=robots_of(own[0])))
    edge = tuple(same_page_key(link) for link in newest if is_web(link))
    return _queued(Plan(asked=(request_url(url),), first=digest_of(feed.entries), edge=edge), asks)


def digest_of(entries: Iterable[FeedEntry]) -> str:
    """Equal for documents that show the same entries, whatever their order."""
    return name_digest("\n".join(sorted({f"{one.id} {one.link} {one.title}" for one in entries})))


def advance(plan: Plan, page: ArchivePage | None, candidates: Sequence[Candidate], bounds: Bounds) -> Step:
    """Take the answer to the first ask: what was missing, and what to ask next. None: there was no answer."""
    ask = plan.waiting[0]
    rest = replace(plan, waiting=plan.waiting[1:], asked=(*plan.asked, request_url(ask.url)))
    if page is None:
        rest = _queued(rest, _without_answer(ask))
        return Step(plan=rest, met=_is_complete(rest))
    if ask.way in FEED_WAYS:
        return _feed_page(rest, ask, page, candidates, bounds)
    if ask.way is Way.LISTING:
        return _listing_page(rest, ask, page, candidates, bounds)
    return _sitemap(rest, ask, page, candidates, bounds)


def _without_answer(ask: Ask) -> list[Ask]:
    if ask.way is not Way.ROBOTS:
        return []
    return [Ask(way=Way.SITEMAP, url=url) for url in usual_sitemaps(ask.url)]


# ── Older pages of the feed ──────────────────────────────────────────────────────────────────────────────


def _feed_page(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    shown = digest_of(one.entry for one in candidates)
    if page.feed is None or not candidates:
        return Step(plan=plan)
    if shown in {plan.first, plan.last}:
        # Where pages count from 1, the first one is what we had; else the server does not know the parameter.
        again = [_following_page(ask)] if ask.way is Way.PAGE and ask.number == 1 else []
        return Step(plan=_queued(plan, again, first=True))
    met = _reaches_back(candidates, bounds)
    further = [] if met else _older_pages(ask, page.feed)
    return Step(
        plan=_queued(replace(plan, last=shown), further, first=True),
        found=tuple(_missing(candidates, bounds)),
        met=met,
    )


def _reaches_back(candidates: Sequence[Candidate], bounds: Bounds) -> bool:
    document = [Shown(known=one.seen is Seen.BEFORE, at=moment_of(one.entry)) for one in candidates]
    if overlaps(document):
        return True
    dates = [one.at for one in document if one.at is not None]
    return bool(dates) and is_too_old(max(dates), bounds.floor)


def _missing(candidates: Sequence[Candidate], bounds: Bounds) -> Iterable[FeedEntry]:
    """New entries, without those from before our time: older than what is known, or standing below it."""
    known = [place for place, one in enumerate(candidates) if one.seen is Seen.BEFORE]
    dates = [at for place in known if (at := moment_of(candidates[place].entry)) is not None]
    # An entry of long ago that is pinned to a feed makes its floor too low: what is known here tells better.
    floor = max(filter(None, (bounds.floor, min(dates, default=None))), default=None)
    for place, one in enumerate(candidates):
        at = moment_of(one.entry)
        is_below = at is None and bool(known) and place > known[-1]
        if one.seen is Seen.NEW and not is_below and not is_too_old(at, floor):
            yield one.entry


def is_too_old(at: datetime | None, floor: datetime | None) -> bool:
    return at is not None and floor is not None and at < floor


def _older_pages(ask: Ask, feed: ParsedFeed) -> list[Ask]:
    if ask.way is Way.ARCHIVE or ask.way is Way.NEXT:
        rel = "prev-archive" if ask.way is Way.ARCHIVE else "next"
        older = feed.info.paging.get(rel)
        return [Ask(way=ask.way, url=older, number=ask.number + 1)] if older else []
    return [_following_page(ask)]


def _following_page(ask: Ask) -> Ask:
    number = ask.number + 1
    return Ask(way=ask.way, url=with_page(ask.url, ask.way, number), number=number)


# ── The site's own list ──────────────────────────────────────────────────────────────────────────────────


def _listing_page(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    """A list is in the order of publication: missing is what stands between what the feed has and had."""
    shown = digest_of(one.entry for one in candidates)
    start = 0
    if ask.number == SECOND:
        # A list that shows nothing of what the feed shows is a list of something else.
        places = [place for place, one in enumerate(candidates) if one.seen is Seen.SINCE]
        is_its_own = places and not _is_larger(_stretch(candidates, places), _MOST_OTHERS)
        start = places[0] if is_its_own else len(candidates)
    between = candidates[start:]
    if not between or shown == plan.last:
        return Step(plan=plan)
    end = next((place for place in range(len(between)) if _is_end(between, place, plan.edge)), None)
    new = [one.entry for one in between[:end] if one.seen is Seen.NEW]
    found = tuple(entry for entry in new if not is_too_old(moment_of(entry), bounds.floor))
    met = end is not None or (bool(new) and not found)
    further = []
    if not met and page.following and same_site(page.following, [ask.url]):
        further = [Ask(way=Way.LISTING, url=page.following, number=ask.number + 1)]
    return Step(plan=_queued(replace(plan, last=shown), further, first=True), found=found, met=met)


def _is_end(listed: Sequence[Candidate], place: int, edge: Sequence[str]) -> bool:
    """True for an entry of before in its turn; a single one of long ago is told of beside the list."""
    if listed[place].seen is not Seen.BEFORE:
        return False
    row = listed[place : place + _IN_A_ROW]
    return (
        not edge
        or same_page_key(listed[place].entry.link or "") in edge
        or sum(one.seen is Seen.BEFORE for one in row) >= _MOSTLY
    )


def _stretch(candidates: Sequence[Candidate], places: Sequence[int]) -> Sequence[Candidate]:
    return candidates[places[0] : places[-1] + 1] if places else ()


def _is_larger(stretch: Sequence[Candidate], most: float) -> bool:
    """True if, where the feed's own entries stand, there are many that it does not have: other sections."""
    others = sum(one.seen is Seen.NEW for one in stretch)
    return others > most * sum(one.seen is Seen.SINCE for one in stretch)


# ── Sitemaps ─────────────────────────────────────────────────────────────────────────────────────────────


def _sitemap(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    named = [one for one in page.sitemaps if same_site(one.url, [ask.url])]
    if ask.way is Way.ROBOTS and not named:
        return Step(plan=_queued(plan, _without_answer(ask)))
    if _is_larger(_stretch_of_sitemap(candidates), _MOST_EDITED):
        candidates = ()
    shown = {one.seen for one in candidates} if _is_in_order(candidates) else set()
    plan = replace(
        _queued(plan, _further_sitemaps(ask, named), first=True), sides=tuple(sorted({*plan.sides, *shown}))
    )
    found = tuple(_missing_in_sitemap(candidates, bounds))
    # What has both ends of the gap has what is between them.
    return Step(plan=plan, found=found, met=_has_both(shown) or _is_complete(plan))


def _stretch_of_sitemap(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """What is as old as the entries of the feed, with these; sitemaps may be in any order."""
    dates = [at for one in candidates if one.seen is Seen.SINCE and (at := moment_of(one.entry))]
    if not dates:
        places = [place for place, one in enumerate(candidates) if one.seen is Seen.SINCE]
        return _stretch(candidates, places) if _span(candidates) != (0, 0) else ()
    first, last = min(dates), max(dates)
    # Those of the same moment, or day, tell nothing.
    return [
        one
        for one in candidates
        if one.seen is Seen.SINCE or ((at := moment_of(one.entry)) is not None and first < at < last)
    ]


def _is_complete(plan: Plan) -> bool:
    """True if sitemaps that have the ends of the gap between them were all asked."""
    return not plan.waiting and _has_both(plan.sides)


def _has_both(seen: Iterable[Seen]) -> bool:
    return {Seen.BEFORE, Seen.SINCE} <= set(seen)


def _is_in_order(candidates: Sequence[Candidate]) -> bool:
    return _span(candidates) != (0, 0) or all(moment_of(one.entry) for one in candidates)


def _further_sitemaps(ask: Ask, named: Sequence[SitemapLink]) -> list[Ask]:
    """The newest first; of a numbered series the last, and those first whose names promise articles."""
    ages = {one.url: one.modified for one in named if one.modified is not None}
    dated = sorted(ages, key=lambda url: ages[url], reverse=True)
    undated = sorted((one.url for one in reversed(named) if one.modified is None), key=_is_unlikely)
    if ask.way is Way.SITEMAP:
        undated = undated[:_MOST_UNDATED]
    return [Ask(way=Way.SITEMAP, url=url) for url in (*sorted(dated, key=_is_unlikely), *undated)]


def _is_unlikely(url: str) -> bool:
    return not any(word in url.lower() for word in _LIKELY)


def _missing_in_sitemap(candidates: Sequence[Candidate], bounds: Bounds) -> Iterable[FeedEntry]:
    """What is dated within the gap; without dates, what stands between what the feed has and had."""
    first, last = _span(candidates)
    for place, one in enumerate(candidates):
        at = moment_of(one.entry)
        is_within = first < place < last if at is None else not is_too_old(at, bounds.after)
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


def _queued(plan: Plan, asks: Sequence[Ask], *, first: bool = False) -> Plan:
    """The plan with these asks, each address once and never again."""
    known = {*plan.asked, *(one.url for one in plan.waiting)}
    new: dict[str, Ask] = {}
    for ask in asks:
        url = request_url(ask.url) if is_web(ask.url) else ""
        if url and url not in known and len(url) <= LONGEST_URL:
            new.setdefault(url, replace(ask, url=url))
    added = tuple(new.values())
    return replace(plan, waiting=(*added, *plan.waiting) if first else (*plan.waiting, *added))
