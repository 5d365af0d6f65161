"""Where to go next on a site: a pure function of what is known of it and what a document of it says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urljoin

import msgspec

from archiver.acquisition.sites.model import Strategy, VisitReading, WantedVisit
from archiver.acquisition.sites.traps.forms import Rank

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from archiver.acquisition.sites.model import Followed, NamedList, PendingVisit, Site, VisitRead

# The action by which the first document of a site is asked for.
ENTRY = "entry"
# The action by which a link is followed of which nothing is known.
LINK = "link"
# Ranks: what leads to much is asked for before what is only itself.
LISTS, SERIES, PAGES, LAST = Rank.LISTS, Rank.SERIES, Rank.PAGES, Rank.LAST
# Pairs of words of a teaser by which it is known whether a page contains it.
_MOST_OF_TEASER, _LEAST_OF_TEASER = 16, 3
# Where sites that name no sitemap in robots.txt often have one.
_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml", "/sitemap.xml.gz", "/wp-sitemap.xml")


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitStep:
    """What a visit changes."""

    way: str
    type: str
    wanted: tuple[WantedVisit, ...] = ()
    held: tuple[WantedVisit, ...] = ()
    # What was held is asked for (True), or no longer needed (False); None: it stays held.
    releases: bool | None = None
    # A list has further pages if this one shows something new: what was held is not needed then, else it is.
    is_whole_if_new: bool = False
    is_content: bool = False


def first(url: str) -> WantedVisit:
    """What is asked for first of all."""
    return WantedVisit(url=url, via=url, action=ENTRY)


def is_list(visit: PendingVisit) -> bool:
    """Whether a document was asked for because it lists pages of the site."""
    return visit.reading is not VisitReading.PAGE or visit.action.startswith("list ")


def after_visit(site: Site, visit: PendingVisit, url: str, read: VisitRead) -> VisitStep:
    """What to do after a document was read; `url` is the address that answered."""
    if visit.action == ENTRY:
        return _after_entry(site, visit, url, read)
    teasers = _teasers(read)
    wanted = tuple(
        _wanted(one, visit, url, read, teasers) for one in read.follow if not _is_back(one, visit, read)
    )
    if is_list(visit):
        is_empty = not read.follow and not read.lists
        listed = _of_lists(read.lists, visit, url)
        more = _next_list(site, visit) if is_empty else _Next()
        return VisitStep(
            way=site.way,
            type=site.type,
            wanted=(*listed, *wanted, *more.wanted),
            releases=_release_after(visit, read, more),
            is_whole_if_new=visit.reading is VisitReading.FEED and visit.depth > 0,
        )
    return VisitStep(way=site.way, type=site.type, wanted=wanted, is_content=_is_content(visit, read))


def _release_after(visit: PendingVisit, read: VisitRead, more: _Next) -> bool | None:
    """Whether a list that was read makes other ways superfluous: of a feed, only its second page tells."""
    if visit.reading is VisitReading.FEED and read.follow:
        return None
    return False if read.follow else more.releases


def after_failure(site: Site, visit: PendingVisit) -> VisitStep:
    """What to do where a document was given up."""
    more = _next_list(site, visit) if is_list(visit) else _Next()
    return VisitStep(way=site.way, type=site.type, wanted=more.wanted, releases=more.releases)


def unchanged(site: Site) -> VisitStep:
    """What to do where a document is as it was: all that it leads to is known."""
    return VisitStep(way=site.way, type=site.type)


def _after_entry(site: Site, visit: PendingVisit, url: str, read: VisitRead) -> VisitStep:
    strategy = site.strategy
    teasers = _teasers(read)
    wanted = tuple(_wanted(one, visit, url, read, teasers) for one in read.follow)
    is_content = _is_content(visit, read)
    if read.type and strategy in {Strategy.AUTO, Strategy.KNOWN}:
        lists = _lists_of_type(read, url)
        wanted += tuple(_wanted(one, visit, url, read, teasers) for one in read.otherwise)
        # The first list is asked for; the others, and the site's own links, only where it gives nothing.
        held, asked = ((*lists[1:], *wanted), lists[:1]) if lists else ((), wanted)
        way = Strategy.KNOWN
        if lists or not read.otherwise:
            return VisitStep(way=way, type=read.type, wanted=asked, held=held, is_content=is_content)
    lists = _named_in_robots(read, url) or (_usual(site, 0),)
    if strategy in {Strategy.AUTO, Strategy.LEARNED}:
        # A sitemap is one of the ways to its pages: which of them pay is learned.
        both = (*lists, *wanted)
        return VisitStep(way=Strategy.LEARNED, type=read.type, wanted=both, is_content=is_content)
    if strategy is Strategy.SITEMAP:
        return VisitStep(way=Strategy.SITEMAP, type=read.type, wanted=lists, is_content=is_content)
    return VisitStep(way=Strategy.BLIND, type="", wanted=wanted, is_content=is_content)


def _is_content(visit: PendingVisit, read: VisitRead) -> bool:
    return read.is_content and visit.whole is None and read.canonical is None


def _is_back(link: Followed, visit: PendingVisit, read: VisitRead) -> bool:
    """Whether a further page of an item leads to where it was reached from: it goes on by one action."""
    is_further = visit.whole is not None and read.is_content and link.is_repeat
    return is_further and link.action != visit.action


def _teasers(read: VisitRead) -> dict[str, tuple[int, ...]]:
    """What the page says of others, as far as it takes to know whether they contain it."""
    found = read.shown.teasers if read.shown is not None else ()
    return {one.url: one.pairs[:_MOST_OF_TEASER] for one in found if len(one.pairs) >= _LEAST_OF_TEASER}


def _wanted(
    link: Followed, visit: PendingVisit, url: str, read: VisitRead, teasers: Mapping[str, tuple[int, ...]]
) -> WantedVisit:
    is_series = link.is_repeat or bool(link.to and not link.is_item)
    rank = LAST if link.is_last else SERIES if is_series else PAGES
    # A further page of an item: its text is of the item, and no article of its own.
    whole = (visit.whole or url) if link.is_repeat and read.is_content else None
    return WantedVisit(
        url=link.url,
        via=url,
        action=link.action,
        level=link.to,
        whole=whole,
        depth=visit.depth + 1,
        rank=rank,
        is_further=link.is_repeat,
        path=link.path,
        teaser=teasers.get(link.url, ()),
        is_next=link.is_next,
        is_last=link.is_last,
    )


def _lists_of_type(read: VisitRead, url: str) -> tuple[WantedVisit, ...]:
    return tuple(
        WantedVisit(
            url=one.url,
            via=url,
            action=f"list {number}",
            reading=one.reading,
            level=one.to,
            only=one.only,
            rank=LISTS,
        )
        for number, one in enumerate(_with_robots(read))
    )


def _with_robots(read: VisitRead) -> Iterator[NamedList]:
    """The lists of a type; where it says that robots.txt names one, or leads nowhere, those that it names."""
    for one in read.lists:
        if one.url:
            yield one
        else:
            yield from (msgspec.structs.replace(one, url=named.url) for named in read.sitemaps)
    if read.otherwise:
        yield from read.sitemaps


def _named_in_robots(read: VisitRead, url: str) -> tuple[WantedVisit, ...]:
    return tuple(
        WantedVisit(url=one.url, via=url, action="robots.txt", reading=VisitReading.SITEMAP, rank=LISTS)
        for one in read.sitemaps
    )


def _of_lists(lists: Sequence[NamedList], visit: PendingVisit, url: str) -> tuple[WantedVisit, ...]:
    """The sitemaps that an index or robots.txt names."""
    return tuple(
        WantedVisit(
            url=one.url,
            via=url,
            action=visit.action,
            reading=one.reading,
            level=visit.level,
            only=visit.only,
            depth=visit.depth + 1,
            rank=LISTS,
            # Many feeds show the same, whatever page of them is asked for.
            if_new=one.reading is VisitReading.FEED,
        )
        for one in lists
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Next:
    wanted: tuple[WantedVisit, ...] = ()
    releases: bool | None = None


def _next_list(site: Site, visit: PendingVisit) -> _Next:
    """What is asked for where a list gave nothing: the next usual place, or what was held."""
    if visit.reading is VisitReading.FEED and visit.depth == 1:
        return _Next(releases=True)  # it has no further pages: what it shows may not be all
    if visit.depth:  # one of several that an index names
        return _Next()
    tried = visit.action.removeprefix("sitemap ")
    if visit.action == "robots.txt":
        return _Next(wanted=(_usual(site, 0),))
    if site.way == Strategy.LEARNED:
        return _Next()  # its links are followed meanwhile
    if visit.action.startswith("sitemap ") and int(tried) + 1 < len(_SITEMAPS):
        return _Next(wanted=(_usual(site, int(tried) + 1),))
    return _Next(releases=True)


def _usual(site: Site, number: int) -> WantedVisit:
    url = urljoin(site.url, _SITEMAPS[number])
    return WantedVisit(
        url=url, via=site.url, action=f"sitemap {number}", reading=VisitReading.SITEMAP, rank=LISTS
    )
