"""Sites that are crawled as a whole: how far each is."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import func, inspect, select

from archiver.acquisition.outcome_words import FAILURES, in_words
from archiver.acquisition.pages import EntryOutcome
from archiver.acquisition.sites.curve import text_seen
from archiver.acquisition.sites.model import SITES
from archiver.archive.inbox import waiting
from archiver.archive.lock import is_locked
from archiver.inspection.sites.model import CountOf, SiteList, SiteNote
from archiver.store.schema import leads, scopes, sites, visits
from archiver.store.whole_sites.families import skipped_of
from archiver.store.whole_sites.orders import KIND, SiteAction, SiteOrder
from archiver.store.whole_sites.tallies import tally_sites
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from archiver.archive.withheld import Withheld
    from archiver.store.whole_sites.tallies import SiteTally

SKIPS = {
    "redirected": "redirected to another document of the site",
    "not_needed": "not needed: found by a cheaper way",
    "too_long": "URL too long",
    "too_deep": "path too deep",
    "repeats": "path repeats itself",
    "host_in_path": "host name in path",
    "nothing_new": "nothing new on similar pages",
    "same_as": "same page with other parameters",
    "of_same": "linked only from duplicate pages",
}
_KEPT = (EntryOutcome.STORED, EntryOutcome.UNCHANGED)


def read_sites(state: Connection, folder: Path, now: datetime, withheld: Withheld) -> SiteList:
    """All sites, without those that are withheld."""
    found = with_orders(site_notes(state), folder)
    known = {note.url for note in found}
    begins = [redact(order.url) for order in _orders(folder) if order.action is SiteAction.START]
    return SiteList(
        sites=tuple(note for note in found if not withheld.hides(note.url)),
        begins=tuple(url for url in begins if url not in known and not withheld.hides(url)),
        is_running=is_locked(folder),
        now=now,
    )


def site_notes(state: Connection, site_ids: Sequence[int] | None = None) -> list[SiteNote]:
    """These sites; without numbers: all. A store of an archiver that crawled none can still be read."""
    if not inspect(state).has_table(sites.name):
        return []
    tallies = tally_sites(state, site_ids)
    rows = {row.id: row for row in state.execute(select(sites))}
    articles = _articles(state)
    return [_note(state, one, rows[one.site.id], articles) for one in tallies]


def with_orders(notes: Sequence[SiteNote], folder: Path) -> list[SiteNote]:
    """Tell what was ordered and waits in the inbox."""
    ordered = {redact(order.url): order.action for order in _orders(folder)}
    return [msgspec.structs.replace(note, ordered=ordered.get(note.url)) for note in notes]


def _orders(folder: Path) -> list[SiteOrder]:
    """What waits, the oldest first; what cannot be read is told by the run that takes it up."""
    found = []
    for request in waiting(folder).requests:
        with suppress(msgspec.DecodeError):
            found += [msgspec.json.decode(request.what, type=SiteOrder)] if request.kind == KIND else []
    return found


def _note(state: Connection, tally: SiteTally, row: Row[Any], articles: Mapping[str, int]) -> SiteNote:
    site, seen = tally.site, text_seen(row.curve or ())
    failures = counted(tally.failures, FAILURES)
    skips = counted(_skips(state, tally), SKIPS)
    return SiteNote(
        number=site.id,
        url=redact(site.url),
        scope=redact(site.scope),
        state=site.state,
        why=row.why,
        type=site.type,
        strategy=site.strategy,
        way=site.way,
        plan=redact(row.plan) if row.plan else None,
        requests=site.requests,
        limit=site.limit,
        visited=tally.visited,
        waiting=tally.waiting,
        held=tally.held,
        deferred=tally.deferred,
        skipped=sum(one.count for one in skips),
        failed=sum(one.count for one in failures),
        skips=skips,
        failures=failures,
        articles=articles.get(site.url, 0),
        contributions=row.contributions,
        text=seen.pairs,
        text_new=seen.new,
        text_requests=seen.requests,
        added=row.added,
        ended=row.ended,
        last_visit=_last_visit(state, site.id),
    )


def _skips(state: Connection, tally: SiteTally) -> Counter[str]:
    """How many addresses are not asked for, by reason: many of them are only counted."""
    found = Counter(tally.skipped)
    kinds: Counter[str] = Counter()
    for one in skipped_of(state, tally.site.id):
        kinds[one.reason] += one.count
    return found | kinds


def counted(counts: Mapping[str, int], words: Mapping[str, str]) -> tuple[CountOf, ...]:
    """The most frequent first."""
    ordered = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return tuple(CountOf(code=code, words=in_words(code, words), count=count) for code, count in ordered)


def _articles(state: Connection) -> dict[str, int]:
    """How many pages of each site have an article, by the site's address: scopes are called after it."""
    query = select(scopes.c.name, func.count().label("many")).join(leads, leads.c.scope_id == scopes.c.id)
    query = query.where(scopes.c.source == SITES, leads.c.outcome.in_(_KEPT)).group_by(scopes.c.name)
    found: dict[str, int] = {}
    for row in state.execute(query):
        url = row.name.partition(" ")[0]
        found[url] = found.get(url, 0) + row.many
    return found


def _last_visit(state: Connection, site_id: int) -> datetime | None:
    query = select(visits.c.visited).where(visits.c.site_id == site_id, visits.c.visited.is_not(None))
    return state.execute(query.order_by(visits.c.visited.desc()).limit(1)).scalar()
