"""What to ask for next to fill a gap, and which entries of an answer were missing: pure functions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.gaps.detect import Shown, is_too_old, moment_of, overlaps
from archiver.acquisition.channels.gaps.sitemaps import is_complete, sitemap_page, without_answer
from archiver.acquisition.channels.gaps.walk import (
    digest_of,
    is_end_of_list,
    is_larger,
    listing_page,
    queued,
    stretch,
)
from archiver.documents.lists.addresses import (
    listing_pages,
    own_links,
    robots_of,
    with_page,
)
from archiver.documents.lists.model import SECOND, Ask, Plan, Seen, Step, Way
from archiver.urls import is_web, request_url, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from archiver.documents.feeds.model import FeedEntry, ParsedFeed
    from archiver.documents.lists.model import ArchivePage, Bounds, Candidate

# With more other articles among the feed's own, for each of these, a list is that of a larger whole.
_MOST_OTHERS = 0.5
# With fewer dates, a page does not tell how far it reaches.
_FEWEST_DATES = 3
# So many addresses that were asked for are remembered: a list that leads in a circle is shorter.
_REMEMBERED = 1000
# With more of what the feed shows than this share, an older page is the feed again. A guess.
_MOST_AGAIN = 0.5


def begin(feed: ParsedFeed, url: str, examples: Sequence[str], newest: Sequence[str] = ()) -> Plan:
    """Everything that may be worth asking, the surest first.

    `examples` are links of the channel, `newest` those of the newest entries before the gap.
    """
    shown = own_links([one.link for one in feed.entries if one.link], url, feed.info.link)
    plan = Plan(
        asked=(request_url(url),), first=digest_of(feed.entries), edge=_keys(newest), feed=_keys(shown)
    )
    return queued(plan, _first_asks(feed.info.paging, url, feed.info.link, examples))


def begin_history(
    paging: Mapping[str, str], url: str, home: str | None, links: Sequence[str], *, most: int | None = None
) -> Plan:
    """Everything that may list what was published before the first poll; `links` are those of the feed."""
    plan = Plan(asked=(request_url(url),), feed=_keys(links), is_history=True, most=most)
    return queued(plan, _first_asks(paging, url, home, links))


def _first_asks(paging: Mapping[str, str], url: str, home: str | None, examples: Sequence[str]) -> list[Ask]:
    asks = [Ask(way=Way.ARCHIVE, url=paging["prev-archive"])] if "prev-archive" in paging else []
    asks += [Ask(way=Way.NEXT, url=paging["next"])] if "next" in paging else []
    asks.append(Ask(way=Way.PAGED, url=with_page(url, "paged", 2)))
    asks.append(Ask(way=Way.PAGE, url=with_page(url, "page", 1), number=1))
    # Where a feed tells of other sites, as aggregators do, their lists are not its own.
    if own := own_links(examples, url, home):
        asks += [Ask(way=Way.LISTING, url=page) for page in listing_pages(home, own)]
        asks.append(Ask(way=Way.ROBOTS, url=robots_of(own[0])))
    return asks


def _keys(links: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(same_page_key(link) for link in links if is_web(link)))


def advance(
    plan: Plan,
    page: ArchivePage | None,
    candidates: Sequence[Candidate],
    bounds: Bounds,
    *,
    is_missing: bool = False,
) -> Step:
    """Take the answer to the first ask: what was missing, and what to ask next.

    None: there was no answer, or, where it `is_missing`, there is no such document.
    """
    ask = plan.waiting[0]
    asked = (*plan.asked, request_url(ask.url))[-_REMEMBERED:]
    rest = replace(plan, waiting=plan.waiting[1:], asked=asked)
    if page is None:
        is_over = is_missing and (_is_end_of_feed(rest, ask) or is_end_of_list(rest, ask))
        rest = queued(rest, without_answer(ask))
        return Step(plan=rest, met=is_over or is_complete(rest))
    read = _READERS.get(ask.way, _feed_page)
    step = read(rest, ask, page, candidates, bounds)
    # One answer of the site's software has what many pages of a feed or a list have.
    if page.known and not step.met and not plan.is_history and _is_far(candidates, bounds):
        return replace(step, plan=queued(step.plan, page.known, first=True))
    return step


def _is_far(candidates: Sequence[Candidate], bounds: Bounds) -> bool:
    """Whether what is known lies more than another page such as this one below it, by their dates."""
    dates = [at for one in candidates if (at := moment_of(one.entry)) is not None]
    if len(dates) < _FEWEST_DATES or bounds.after is None:
        return False
    return min(dates) - bounds.after > max(dates) - min(dates)


# ── Older pages of the feed ──────────────────────────────────────────────────────────────────────────────


def _feed_page(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    shown = digest_of(one.entry for one in candidates)
    if page.feed is None or not candidates:
        return Step(plan=plan, met=_is_end_of_feed(plan, ask))
    if shown in {plan.first, plan.last} or _is_feed_itself(plan, ask, candidates):
        if _is_end_of_feed(plan, ask):
            return Step(plan=plan, met=True)
        # Where pages count from 1, the first one is what we had; else the server does not know the parameter.
        again = [_following_page(ask)] if ask.way is Way.PAGE and ask.number == 1 else []
        return Step(plan=queued(plan, again, first=True))
    met = _reaches_back(candidates, bounds)
    further = [] if met else _older_pages(ask, page.feed)
    return Step(
        plan=queued(replace(plan, last=shown, older=ask.way), further, first=True),
        found=tuple(_missing(candidates, bounds)),
        # Where a feed names its older pages, the one that names none is the last.
        met=met or (plan.is_history and not further),
    )


def _is_end_of_feed(plan: Plan, ask: Ask) -> bool:
    """Whether all older pages of the feed were read, where this one has nothing more."""
    return plan.is_history and plan.older is ask.way


def _is_feed_itself(plan: Plan, ask: Ask, candidates: Sequence[Candidate]) -> bool:
    """Whether a server that does not know a parameter shows the feed, in which something may be new."""
    if not plan.is_history or ask.way not in {Way.PAGED, Way.PAGE}:
        return False
    again = sum(same_page_key(one.entry.page_link or "") in plan.feed for one in candidates)
    return again > _MOST_AGAIN * len(candidates)


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


# ── Lists of known software ──────────────────────────────────────────────────────────────────────────────


def _site_page(
    plan: Plan, ask: Ask, page: ArchivePage, candidates: Sequence[Candidate], bounds: Bounds
) -> Step:
    """Take an answer that has the newest first, and nothing that is older than what was asked for."""
    places = [place for place, one in enumerate(candidates) if one.seen is Seen.SINCE]
    is_first = ask.number == SECOND
    # What the feed shows must be in it, with little else: other sections have lists of their own.
    if not candidates or (is_first and (not places or is_larger(stretch(candidates, places), _MOST_OTHERS))):
        return Step(plan=plan, met=not is_first and not candidates)
    met = _reaches_back(candidates, bounds) or not page.following
    further = [replace(ask, url=page.following, number=ask.number + 1)] if page.following and not met else []
    found = tuple(_missing(candidates, bounds))
    return Step(plan=queued(plan, further, first=True), found=found, met=met)


_READERS = {
    Way.SITE: _site_page,
    Way.LISTING: listing_page,
    Way.ROBOTS: sitemap_page,
    Way.SITEMAP: sitemap_page,
}
