"""The sample web's gazette without a crawl: each event's page before and after, judged by the core alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from changes_crawl import expected_of
from changes_pairs import Pair
from changes_reading import Site, judged
from changes_real import outcome_of
from extraction_sets import Page

from sample.gazette.history import absence_on, history, story_on
from sample.gazette.model import plain
from sample.gazette.stories import SECTIONS, published
from sample.messages import Request
from sample.server import make_sites
from sample.sites.gazette import Gazette

if TYPE_CHECKING:
    from collections.abc import Iterator

    from changes_score import Outcome

    from sample.gazette.model import TrueChange

# Nobody listens: pages are asked for directly.
_PORT = 8931


def measure(days: int) -> list[Outcome]:
    site = make_sites(_PORT)[Gazette.name]
    sites = [_site(site, section, day) for section in SECTIONS for day in range(1, days + 1)]
    return [
        outcome_of(pair, found)
        for one in sites
        if one.pairs
        for pair, found in zip(one.pairs, judged(one), strict=True)
    ]


def _site(site: object, section: str, day: int) -> Site:
    """The section's pages of the day before, and what happened to some of them."""
    assert isinstance(site, Gazette)
    names = [one.name for one in published().values() if one.section == section and one.day < day]
    there = [name for name in names if absence_on(name, day - 1) is None]
    pages = tuple(_page(site, name, day - 1) for name in there)
    pairs = (pair for name in there if absence_on(name, day) is None for pair in _pairs(site, name, day))
    return Site(pages=pages, pairs=tuple(pairs))


def _pairs(site: Gazette, name: str, day: int) -> Iterator[Pair]:
    for change in history(name, day, site.base).changes:
        if change.day == day:
            yield _pair(site, name, change)


def _pair(site: Gazette, name: str, change: TrueChange) -> Pair:
    before, after = (_body(site, name, day) for day in (change.day - 1, change.day))
    return Pair(
        page=name,
        url=f"{name} on day {change.day}",
        title=story_on(name, change.day).title,
        kind=change.kind,
        beside=(),
        expected=expected_of(change),
        before=before,
        after=after,
        encoding="iso-8859-1" if change.kind == "encoding" else "utf-8",
    )


def _page(site: Gazette, name: str, day: int) -> Page:
    story = story_on(name, day)
    first = next(plain(block.text) for block in story.blocks if block.kind == "p")
    return Page(
        id=name,
        site=published()[name].section,
        gold="",
        # The charset is in the page itself where it is another one.
        html=_body(site, name, day).decode("utf-8", "replace"),
        url=site.base + published()[name].path,
        title=story.title,
        description=first[:130],
    )


def _body(site: Gazette, name: str, day: int) -> bytes:
    path = published()[name].path
    return site.respond(Request(method="GET", path=path, headers={}, day=day, serial=97 * day)).body
