"""What became of the sites of a run, in words, and what its operator must know of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.outcome_words import failure_in_words
from archiver.acquisition.outcomes import PASSING, Failure
from archiver.acquisition.sites.model import SiteState, Strategy
from archiver.display.tables import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.outcomes import Failed
    from archiver.running.site_run import SiteRun
    from archiver.store.whole_sites.tallies import SiteTally

_PRIVATE = (
    "private addresses are not fetched: ALLOW_PRIVATE_ADDRESSES = true in archiver.toml,"
    " or -s ALLOW_PRIVATE_ADDRESSES=1, allows it"
)
_ROBOTS = "the archiver obeys robots.txt: ask the site owner for permission"
_UNKNOWN = "the knowledge base does not know its software, so all links were followed"
_NO_SITEMAP = "no sitemap was found: `scrapy crawl site -a url={url} -a strategy=blind` follows all links"
_ONE_PAGE = "only its first page was found: the site may need JavaScript, which the archiver does not run"
_LATER = "`scrapy crawl site` retries later"
_CHECK = "check the address; `scrapy fetch {url}` shows what it answers"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitesTold:
    """What is told of the sites of a run at its end."""

    sites: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left: int = 0
    next: str = ""  # what to type


def sites_told(tallies: Sequence[SiteTally], run: SiteRun) -> SitesTold:
    left = sum(one.waiting for one in tallies if one.site.state is SiteState.OPEN)
    return SitesTold(
        sites=tuple(f"{one.site.url}: {_ending(one, run)}" for one in tallies),
        errors=tuple(_unreadable(one, run.failures.get(one.site.id)) for one in tallies if not one.read),
        notes=tuple(note for one in tallies if (note := _note(one))),
        left=left,
        next=_next(tallies, left),
    )


def _ending(tally: SiteTally, run: SiteRun) -> str:
    if not tally.read:
        return "nothing could be read"
    told = f"{tally.visited} of {tally.known} visited"
    match tally.site.state:
        case SiteState.DONE:
            return f"done, {many(tally.visited, 'document')} visited"
        case SiteState.PAUSED | SiteState.STOPPED:
            why = f": {tally.why}" if tally.why else ""
            return f"{tally.site.state}, {told}{why}"
    return f"{told}: {_why_open(run)}" if tally.waiting else told


def _why_open(run: SiteRun) -> str:
    if run.limit is not None and run.counted >= run.limit:
        return f"the limit of {many(run.limit, 'request')} is reached"
    if run.is_over:
        return "the time limit is reached"
    return "the rest waits for the next run"


def _unreadable(tally: SiteTally, failed: Failed | None) -> str:
    """Nothing of the site could be read: its first page is where an operator looks."""
    url = tally.site.url
    if failed is None:
        return f"{url}: its first page could not be read: {_CHECK.format(url=url)}"
    if failed.failure is Failure.ADDRESS:
        return f"{url} could not be read: {_PRIVATE}"
    told = f"{url} could not be read: {failure_in_words(failed.failure, failed.detail.rstrip('.'))}"
    if failed.failure is Failure.ROBOTS:
        return f"{told}: {_ROBOTS}"
    advice = _CHECK.format(url=url)
    return f"{told}. {_LATER}; {advice}" if failed.failure in PASSING else f"{told}: {advice}"


def _note(tally: SiteTally) -> str:
    """What was found is less than the operator may think."""
    site = tally.site
    if site.strategy is Strategy.KNOWN and site.way == Strategy.BLIND:
        return f"{site.url}: {_UNKNOWN}"
    if site.state is not SiteState.DONE or not tally.read or tally.leads_on:
        return ""
    if site.strategy is Strategy.SITEMAP:
        return f"{site.url}: {_NO_SITEMAP.format(url=site.url)}"
    return f"{site.url}: {_ONE_PAGE}"


def _next(tallies: Sequence[SiteTally], left: int) -> str:
    """What an operator is likely to type now."""
    (one, *others) = tallies or (None,)
    if one is None:
        return ""
    status = "`scrapy site status`" if others else f"`scrapy site status {one.site.url}`"
    paused = [tally.site for tally in tallies if tally.site.state is SiteState.PAUSED]
    if not any(tally.read for tally in tallies):
        return ""
    if left:
        return f"`scrapy crawl site` continues; {status} shows how far it is"
    if paused:
        return f"`scrapy site resume {paused[0].url}` continues it; {status} shows how far it is"
    return f"{status} shows what was found; `scrapy browse` opens it in a browser"
