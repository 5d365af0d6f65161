"""What to ask for next to fill a gap, and which entries of an answer were missing: pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.gaps.detect import Shown, is_too_old, moment_of, overlaps
from archiver.acquisition.channels.gaps.walk import digest_of, is_larger, listing_page, queued, stretch
from archiver.documents.lists.addresses import (
    listing_pages,
    own_links,
    robots_of,
    same_site,
    usual_sitemaps,
    with_page,
)
from archiver.documents.lists.model import FEED_WAYS, Ask, Plan, Seen, Step, Way
from archiver.urls import is_web, request_url, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.documents.feeds.model import FeedEntry, ParsedFeed
    from archiver.documents.lists.model import ArchivePage, Bounds, Candidate, SitemapLink

# Of an index, so many sitemaps are asked for that do not say how old they are.
_MOST_UNDATED = 3
# In sitemaps, articles that were edited since stand among newer ones.
_MOST_EDITED = 1.0
# Of so many known articles, more than this share are not edited all at once.
_SOME, _MOST_LATE = 3, 0.5
_LIKELY = ("news", "post", "article", "story", "artikel")


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
    shown = own_links([one.link for one in feed.entries if one.link], url, feed.info.link)
    plan = Plan(
        asked=(request_url(url),), first=digest_of(feed.entries), edge=_keys(newest), feed=_keys(shown)
    )
    return queued(plan, asks)


def _keys(links: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(same_page_key(link) for link in links if is_web(link)))


def advance(plan: Plan, page: ArchivePage | None, candidates: Sequence[Candidate], bounds: Bounds) -> Step:
    """Take the answer to the first ask: what was missing, and what to ask next. None: there was no answer."""
    ask = plan.waiting[0]
    rest = replace(plan, waiting=plan.waiting[1:], asked=(*plan.asked, request_url(ask.url)))
    if page is None:
        rest = queued(rest, _without_answer(ask))
        return Step(plan=rest, met=_is_complete(rest))
    if ask.way in FEED_WAYS:
        return _feed_page(rest, ask, page, candidates, bounds)
    if ask.way is Way.LISTING:
        return listing_page(rest, ask, page, candidates, bounds)
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
        return Step(plan=queued(plan, again, first=True))
    met = _reaches_back(candidates, bounds)
    further = [] if met else _older_pages(ask, page.feed)
    return Step(
        plan=queued(replace(plan, last=shown), further, first=True),
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


def _older_pages(ask: Ask, feed: ParsedFeed) -> list[Ask]:
    if ask.way is Way.ARCHIVE or ask.way is Way.NEXT:
        rel = "prev-archive" if ask.way is Way.ARCHIVE else "next"
        older = feed.info.paging.get(rel)
        return [Ask(way=ask.way, url=older, number=ask.number + 1)] if older else []
    return [_following_page(ask)]


def _following_page(ask: Ask) -> Ask:
    number = ask.number + 1
    return Ask(way=ask.way, url=with_page(ask.url, ask.way, number), number=number)


# ── Sitemaps ─────────────────────────────────────────────────────────────────────────────────────────────


def _sitemap(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    named = [one for one in page.sitemaps if same_site(one.url, [ask.url])]
    if ask.way is Way.ROBOTS and not named:
        return Step(plan=queued(plan, _without_answer(ask)))
    if not _dates_tell(candidates):
        candidates = [
            replace(one, entry=replace(one.entry, published=None, updated=None)) for one in candidates
        ]
    if is_larger(_stretch_of_sitemap(candidates), _MOST_EDITED):
        candidates = ()
    shown = {one.seen for one in candidates} if _is_in_order(candidates) else set()
    plan = replace(
        queued(plan, _further_sitemaps(ask, named), first=True), sides=tuple(sorted({*plan.sides, *shown}))
    )
    found = tuple(_missing_in_sitemap(candidates, bounds))
    # What has both ends of the gap has what is between them.
    return Step(plan=plan, found=found, met=_has_both(shown) or _is_complete(plan))


def _dates_tell(candidates: Sequence[Candidate]) -> bool:
    """False where what was known long ago is dated like what is new: the day on which the site was made."""
    since = [at for one in candidates if one.seen is Seen.SINCE and (at := moment_of(one.entry))]
    before = [at for one in candidates if one.seen is Seen.BEFORE and (at := moment_of(one.entry))]
    late = sum(at >= min(since, default=at) for at in before)
    return len(before) < _SOME or not since or late <= len(before) * _MOST_LATE


def _stretch_of_sitemap(candidates: Sequence[Candidate]) -> Sequence[Candidate]:
    """What is as old as the entries of the feed, with these; sitemaps may be in any order."""
    dates = [at for one in candidates if one.seen is Seen.SINCE and (at := moment_of(one.entry))]
    if not dates:
        places = [place for place, one in enumerate(candidates) if one.seen is Seen.SINCE]
        return stretch(candidates, places) if _span(candidates) != (0, 0) else ()
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
