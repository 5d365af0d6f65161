"""Which sitemaps of a host to ask for in a day's round, and what they list: pure functions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta  # msgspec reads the annotations at run time
from heapq import nsmallest
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.acquisition.pages import PageValidators  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.archive.warc.records import Capture  # noqa: TC001 - as above
from archiver.documents.lists.addresses import robots_of, same_site
from archiver.documents.lists.model import SitemapLink
from archiver.documents.lists.sitemap import MAX_SITEMAPS, listed, sitemaps_in_robots
from archiver.urls import LONGEST_URL, host_of, is_web, request_url, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable

# Articles under watch from which on a host's sitemaps are worth asking for.
ENOUGH_ARTICLES = 50
ROUND = timedelta(days=1)
# Where sitemaps are is asked anew this often, also where there were none.
SEARCH_AGAIN = timedelta(days=30)
_USUAL = "/sitemap.xml"
# Sitemaps that are remembered, those that were asked for last. More are never asked for in a day.
MOST_FILES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPage:
    """A page that a sitemap lists with the day or moment of its last change."""

    key: str  # as pages are known by
    lastmod: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapRead:
    """What a sitemap, or a robots.txt, says."""

    pages: tuple[ListedPage, ...] = ()
    sitemaps: tuple[SitemapLink, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFile:
    """A sitemap that was fetched before, with what makes the next request for it conditional."""

    url: str
    via: str = ""  # the index that names it
    modified: datetime | None = None  # as that says
    validators: PageValidators | None = None
    capture: Capture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapPlan:
    """What is left of a round, and what was learned by earlier ones."""

    waiting: tuple[SitemapFile, ...] = ()
    asked: tuple[str, ...] = ()  # in this round
    # Where sitemaps were found, and when they were last searched for.
    roots: tuple[str, ...] = ()
    searched: datetime | None = None
    files: tuple[SitemapFile, ...] = ()

    def file(self, url: str) -> SitemapFile | None:
        return next((one for one in self.files if one.url == url), None)


def read_sitemap_of(body: bytes, *, url: str, host: str) -> SitemapRead:
    """Pages of a host with their `lastmod`, and the sitemaps that a sitemap or a robots.txt names."""
    if is_robots(url):
        return SitemapRead(sitemaps=sitemaps_in_robots(body, url=url))
    pages: dict[str, ListedPage] = {}
    sitemaps: list[SitemapLink] = []
    for one in listed(body, url):
        if one.is_sitemap:
            sitemaps.append(SitemapLink(url=one.url, modified=one.lastmod))
        elif one.lastmod is not None and host_of(one.url) == host:
            key = same_page_key(one.url)
            pages[key] = ListedPage(key=key, lastmod=one.lastmod)
    newest = nsmallest(MAX_SITEMAPS, sitemaps, key=_age)
    return SitemapRead(pages=tuple(pages.values()), sitemaps=tuple(newest))


def is_robots(url: str) -> bool:
    return url == robots_of(url)


def begin_round(plan: SitemapPlan, origin: str, now: datetime) -> SitemapPlan:
    """Ask for the sitemaps that are known; from time to time, and at first, for where they are."""
    begun = replace(plan, asked=())
    is_known = plan.roots and plan.searched is not None and now - plan.searched < SEARCH_AGAIN
    if is_known:
        return replace(begun, waiting=tuple(plan.file(url) or SitemapFile(url=url) for url in plan.roots))
    return replace(begun, waiting=(SitemapFile(url=robots_of(origin)),), roots=(), searched=now)


def after_robots(plan: SitemapPlan, origin: str, named: Iterable[SitemapLink], most: int) -> SitemapPlan:
    """Go on with the sitemaps that robots.txt names, or with the usual one."""
    urls = [one.url for one in named if same_site(one.url, [origin])] or [urljoin(origin, _USUAL)]
    plan = _asked(plan)
    wanted = [plan.file(url) or SitemapFile(url=url) for url in _fit(urls)]
    plan = _queued(plan, wanted, most)
    return replace(plan, roots=tuple(one.url for one in plan.waiting))


def after_sitemap(
    plan: SitemapPlan, had: SitemapFile, named: Iterable[SitemapLink], most: int
) -> tuple[SitemapPlan, tuple[str, ...]]:
    """Go on with what an index names and has moved, the newest first; and which of them had not moved.

    Of those without a date, the ones that were never fetched come first, then those fetched longest ago.
    """
    plan = _remembered(_asked(plan), had)
    wanted: list[SitemapFile] = []
    still: list[str] = []
    for link in sorted(named, key=_age):
        url = next(iter(_fit([link.url])), "")
        if not url or not same_site(url, [had.url]):
            continue
        known = plan.file(url)
        if known is not None and known.modified is not None and known.modified == link.modified:
            still.append(url)
        else:
            wanted.append(replace(known or SitemapFile(url=url), via=had.url, modified=link.modified))
    turns = {one.url: turn for turn, one in enumerate(plan.files)}
    wanted.sort(key=lambda one: turns.get(one.url, -1) if one.modified is None else -2)
    return _queued(plan, wanted, most), tuple(still)


def after_not_modified(plan: SitemapPlan, had: SitemapFile) -> tuple[SitemapPlan, tuple[str, ...]]:
    """Nothing of this sitemap moved; and which others it names, which have not moved either."""
    below = tuple(one.url for one in plan.files if one.via == had.url)
    return _remembered(_asked(plan), had), below


def after_failure(plan: SitemapPlan, *, is_final: bool) -> SitemapPlan:
    """Go on without it; what is not there, or of no use, is not asked for again."""
    failed = plan.waiting[0].url
    plan = _asked(plan)
    if not is_final:
        return plan
    files = tuple(one for one in plan.files if one.url != failed)
    return replace(plan, files=files, roots=tuple(url for url in plan.roots if url != failed))


def _asked(plan: SitemapPlan) -> SitemapPlan:
    return replace(plan, waiting=plan.waiting[1:], asked=(*plan.asked, plan.waiting[0].url))


def _remembered(plan: SitemapPlan, had: SitemapFile) -> SitemapPlan:
    others = [one for one in plan.files if one.url != had.url]
    return replace(plan, files=(*others, had)[-MOST_FILES:])


def _queued(plan: SitemapPlan, wanted: Iterable[SitemapFile], most: int) -> SitemapPlan:
    """The plan with these, each once in a round; what does not fit waits for another one."""
    known = {*plan.asked, *(one.url for one in plan.waiting)}
    new = {one.url: one for one in wanted if one.url not in known}
    room = max(most - len(plan.asked) - len(plan.waiting), 0)
    return replace(plan, waiting=(*plan.waiting, *list(new.values())[:room]))


def _fit(urls: Iterable[str]) -> list[str]:
    asked = [request_url(url) for url in urls if is_web(url)]
    return [url for url in dict.fromkeys(asked) if len(url) <= LONGEST_URL]


def _age(link: SitemapLink) -> float:
    """The newest first, then those that do not say."""
    return -link.modified.timestamp() if link.modified else float("inf")
