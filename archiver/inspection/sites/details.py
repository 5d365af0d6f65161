"""All that is known of one site: its levels, what is not there, what was expected and not found, its text."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, inspect, select

from archiver.acquisition.outcome_words import FAILURES, in_words
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.seeds.address import web_address
from archiver.acquisition.sites.model import VisitState
from archiver.acquisition.sites.plan import ENTRY
from archiver.acquisition.sites.scope import site_url
from archiver.archive.lock import is_locked
from archiver.errors import ArchiveError
from archiver.inspection.sites.listing import SKIPS, site_notes, with_orders
from archiver.inspection.sites.model import (
    AdaptedAction,
    BrokenLink,
    FailedAction,
    LevelCount,
    SiteDetails,
    SkippedKind,
    TextPoint,
    VisitNote,
)
from archiver.inspection.sites.patterns import pattern_notes
from archiver.store.schema import failed_actions, learned_actions, sites, visits
from archiver.store.whole_sites.families import skipped_of
from archiver.store.whole_sites.learned_actions import learned_action
from archiver.store.whole_sites.referrers import MOST, referrers_of
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.archive.withheld import Withheld

# How many of each are listed; the broken links of a page more.
_NEWEST = 20
_BROKEN = 100
_KINDS = 20
_PATTERNS = 50
# That a site asks not to be crawled there is no fault of its links.
_NOT_BROKEN = frozenset({Failure.ROBOTS, Failure.ADDRESS, Failure.INTERNAL})
_LISTED = "`scrapy site status` lists all"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitePlaces:
    """What a site is read from."""

    state: Connection
    folder: Path
    withheld: Withheld


def site_number(state: Connection, name: str) -> int:
    """The site of an address or a number. Raises ArchiveError where there is none."""
    if inspect(state).has_table(sites.name):
        # More digits than that no number has.
        is_number = name.isdecimal() and len(name) < 16
        mine = sites.c.id == int(name) if is_number else sites.c.url.in_(_spellings(name))
        number: int | None = state.execute(select(sites.c.id).where(mine)).scalar()
        if number is not None:
            return number
    raise ArchiveError(
        f"No site is called {redact(name)}: {_LISTED}, `scrapy crawl site -a url=URL` begins one"
    )


def _spellings(name: str) -> list[str]:
    """The addresses that may be meant: a host alone is typed often."""
    given = [web_address(name)] if "://" in name else [f"https://{name}", f"http://{name}"]
    return [name, *map(site_url, given)]


def known_number(state: Connection, number: int) -> Row[Any]:
    """The row of a site. Raises ArchiveError where there is none."""
    known = inspect(state).has_table(sites.name)
    row = state.execute(select(sites).where(sites.c.id == number)).first() if known else None
    if row is None:
        raise ArchiveError(f"The archive has no site {number}: {_LISTED}")
    return row


def read_site(places: SitePlaces, number: int, now: datetime) -> SiteDetails:
    """Raises ArchiveError where there is no such site, WithheldError where it is withheld."""
    state = places.state
    row = known_number(state, number)
    places.withheld.refuse(row.url)
    (note,) = with_orders(site_notes(state, [number]), places.folder)
    return SiteDetails(
        site=note,
        levels=tuple(_levels(state, number)),
        broken=tuple(_broken(places, number)),
        broken_total=_count_broken(state, number),
        skipped=tuple(_skipped(places, number)),
        actions=tuple(_actions(places, number)),
        adapted=tuple(_adapted(places, number)),
        patterns=tuple(one for one in pattern_notes(places, row) if one.is_worth_it)[:_PATTERNS],
        curve=tuple(TextPoint(requests=requests, text=text) for requests, text in row.curve or ()),
        newest=tuple(_newest(places, number)),
        is_running=is_locked(places.folder),
        now=now,
    )


def _levels(state: Connection, number: int) -> Iterator[LevelCount]:
    # In the order of the index, which has them sorted.
    columns = (visits.c.state, visits.c.outcome, visits.c.level, visits.c.is_content)
    query = select(*columns, func.count().label("many")).where(visits.c.site_id == number).group_by(*columns)
    counts: dict[str, Counter[str]] = {}
    for row in state.execute(query):
        mine = counts.setdefault(row.level, Counter())
        mine[row.state] += row.many
        mine["content"] += row.many if row.is_content and row.state == VisitState.SETTLED else 0
    for level, mine in sorted(counts.items(), key=lambda pair: (-pair[1][VisitState.SETTLED], pair[0])):
        yield LevelCount(
            level=level,
            visited=mine[VisitState.SETTLED],
            waiting=mine[VisitState.PENDING],
            content=mine["content"],
        )


def _is_broken(number: int) -> ColumnElement[bool]:
    """Which documents of a site are not there although a page of it leads to them."""
    broken = [str(code) for code in Failure if code not in _NOT_BROKEN]
    settled = (visits.c.site_id == number) & (visits.c.state == VisitState.SETTLED)
    # Lists that were looked for where they often are; no page leads there.
    guessed = visits.c.action.startswith("list ") | visits.c.action.startswith("sitemap ")
    linked = ~((visits.c.depth == 0) & (guessed | (visits.c.action == ENTRY)))
    return settled & visits.c.outcome.in_(broken) & linked


def _count_broken(state: Connection, number: int) -> int:
    return int(state.execute(select(func.count()).where(_is_broken(number))).scalar_one())


def _broken(places: SitePlaces, number: int) -> Iterator[BrokenLink]:
    query = select(visits.c.id, visits.c.url, visits.c.via, visits.c.outcome).where(_is_broken(number))
    rows = places.state.execute(query.order_by(visits.c.id).limit(_BROKEN)).all()
    more = referrers_of(places.state, [row.id for row in rows])
    for row in rows:
        pages = dict.fromkeys([row.via, *more[row.id]])
        if not places.withheld.hides(row.url):
            yield BrokenLink(
                url=redact(row.url),
                failure=row.outcome,
                words=in_words(row.outcome, FAILURES),
                pages=tuple(redact(page) for page in pages if not places.withheld.hides(page)),
                has_more=len(more[row.id]) >= MOST,
            )


def _skipped(places: SitePlaces, number: int) -> Iterator[SkippedKind]:
    for one in skipped_of(places.state, number)[:_KINDS]:
        yield SkippedKind(
            reason=one.reason,
            words=in_words(one.reason, SKIPS),
            kind=redact(one.family),
            count=one.count,
            examples=tuple(redact(url) for url in one.examples if not places.withheld.hides(url)),
        )


def _actions(places: SitePlaces, number: int) -> Iterator[FailedAction]:
    table = failed_actions
    query = select(table).where(table.c.site_id == number).order_by(table.c.pages.desc(), table.c.action)
    for row in places.state.execute(query):
        example = "" if places.withheld.hides(row.example) else redact(row.example)
        yield FailedAction(
            level=row.level, action=row.action, pages=row.pages, example=example, seen=row.seen
        )


def _adapted(places: SitePlaces, number: int) -> Iterator[AdaptedAction]:
    """What is in use first, then what was."""
    table = learned_actions
    if not inspect(places.state).has_table(table.name):
        return
    query = select(table).where(table.c.site_id == number)
    order = (table.c.outdated.is_not(None), table.c.level, table.c.action, table.c.id)
    for row in places.state.execute(query.order_by(*order)):
        pages = (redact(page) for page in row.pages if not places.withheld.hides(page))
        known = msgspec.structs.asdict(learned_action(row)) | {"pages": tuple(pages)}
        yield AdaptedAction(**known, learned=row.learned, outdated=row.outdated)


def _newest(places: SitePlaces, number: int) -> Iterator[VisitNote]:
    columns = (visits.c.url, visits.c.level, visits.c.visited, visits.c.is_content)
    query = select(*columns).where(visits.c.site_id == number, visits.c.visited.is_not(None))
    for row in places.state.execute(
        query.order_by(visits.c.visited.desc(), visits.c.id.desc()).limit(_NEWEST)
    ):
        if not places.withheld.hides(row.url):
            yield VisitNote(
                url=redact(row.url), level=row.level, visited=row.visited, is_content=row.is_content
            )
