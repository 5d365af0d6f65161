"""Which of the documents that were found are asked for now, which wait for others of their family."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import bindparam, select, update

from archiver.acquisition.sites import plan
from archiver.acquisition.sites.learning.labels import TAIL
from archiver.acquisition.sites.model import CANONICAL, VisitReading
from archiver.acquisition.sites.traps.evidence import (
    MOST_STALE,
    FamilyState,
    PageVerdict,
    is_gated,
    stale_after,
)
from archiver.acquisition.sites.traps.forms import (
    Labels,
    Rank,
    SkipReason,
    head_of,
    labels_of,
    rank_of,
    refusal,
    series_of,
    tails_of,
    without,
)
from archiver.batches import batches
from archiver.store.schema import families, visits
from archiver.store.whole_sites.families import (
    FAMILY,
    FORM,
    MUTE,
    PARAMETER,
    TAILS,
    count_skipped,
    families_named,
    family_of,
    is_taken,
    new_family,
    note_verdict,
    unproven,
)
from archiver.store.whole_sites.labels import Learner, ranked
from archiver.store.whole_sites.marks import judge
from archiver.store.whole_sites.mute_parameters import note_differing, weigh_difference
from archiver.store.whole_sites.series import is_behind_another, note_place
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from archiver.acquisition.sites.model import VisitRead, WantedVisit

# Waiting addresses of one family; what is found beyond them is only counted.
MOST_WAITING = 10_000
_NOT_GUARDED = frozenset({plan.ENTRY, "sitemap", "feed", CANONICAL})


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkGuard:
    """What decides on the documents that a page leads to."""

    mute: frozenset[str] = frozenset()  # parameters that say nothing
    verdict: PageVerdict = PageVerdict.NEUTRAL  # on the page
    family: str = ""  # of the page
    stale: int = 0  # of its series, this page included
    learner: Learner | None = None  # where patterns are learned: the page

    def key(self, url: str) -> str:
        return plain_key(without(url, self.mute) if self.mute else url)


@lru_cache(maxsize=20_000)
def plain_key(url: str) -> str:
    """Kept for a while: a site has the same links on all its pages."""
    return same_page_key(url)


def guard_of(connection: Connection, site_id: int) -> LinkGuard:
    return LinkGuard(mute=frozenset(connection.execute(_MUTE_NAMES, {"site": site_id}).scalars()))


# Asked with every visit: to put them together each time would take longer than to answer them.
_MUTE_NAMES = select(families.c.name).where(
    families.c.site_id == bindparam("site"), families.c.kind == PARAMETER, families.c.state == MUTE
)
_VISIT = select(visits).where(visits.c.id == bindparam("visit"))
_SHOWN = (
    update(visits)
    .where(visits.c.id == bindparam("visit"))
    .values(digest=bindparam("shown", type_=visits.c.digest.type))
)
_WITH_KEY = select(visits.c.key).where(
    visits.c.site_id == bindparam("site"),
    visits.c.key.in_(bindparam("keys", expanding=True)),
    visits.c.state != "skipped",
)


def is_guarded(wanted: WantedVisit) -> bool:
    """Whether a document has to prove itself; what a list or the knowledge base names has not."""
    is_named = wanted.action in _NOT_GUARDED or wanted.rank == plan.LISTS
    is_item = bool(wanted.level) and wanted.rank == plan.PAGES
    return wanted.reading is VisitReading.PAGE and not is_named and not is_item


# ── Before a page is asked for ───────────────────────────────────────────────────────────────────────────


def admitted(
    connection: Connection, site_id: int, guard: LinkGuard, found: Sequence[dict[str, Any]]
) -> list[dict[str, Any]]:
    """The rows of documents that were found, each with its family and state; some are only counted."""
    rows: list[dict[str, Any]] = []
    by_family: dict[str, list[dict[str, Any]]] = defaultdict(list)
    known = _known_tails(connection, site_id, guard, [row["url"] for row in found])
    for row in found:
        reason = refusal(row["url"])
        if reason is None:
            by_family[_labels(row["url"], known).family].append(row)
        else:
            rows += _refused(connection, site_id, row, reason)
    if guard.verdict is PageVerdict.SAME:
        _count_of_same(connection, site_id, [row["url"] for members in by_family.values() for row in members])
        return rows
    known_families = families_named(connection, site_id, FAMILY, by_family)
    tried: set[str] = set()
    for name, members in by_family.items():
        labels = _labels(members[0]["url"], known)
        family = known_families.get(name) or new_family(connection, site_id, labels)
        rows += _of_family(connection, guard, family, members, tried)
    return rows


def learned_rows(
    connection: Connection,
    site_id: int,
    guard: LinkGuard,
    learner: Learner,
    found: Sequence[dict[str, Any]],
    wanted: Mapping[str, WantedVisit],
) -> list[dict[str, Any]]:
    """The same where patterns are learned: all of them wait until the links that lead there are chosen."""
    rows: list[dict[str, Any]] = []
    others: list[dict[str, Any]] = []
    for row in found:
        reason = refusal(row["url"])
        if reason is None:
            others.append(row)
        else:
            rows += _refused(connection, site_id, row, reason)
    if guard.verdict is PageVerdict.SAME:
        _count_of_same(connection, site_id, [row["url"] for row in others])
        return rows
    tails = _known_tails(connection, site_id, guard, [row["url"] for row in others])
    told = {row["key"]: wanted[row["key"]] for row in others}
    told |= {row["key"]: replace(told[row["key"]], path=TAIL) for row in others if row["url"] in tails}
    return rows + ranked(connection, learner, others, told)


def _labels(url: str, tails: Collection[str]) -> Labels:
    """The labels of an address; those that end in the path of another page have families of their own."""
    return Labels(family=f"~{head_of(url)}/…", kin=TAILS) if url in tails else labels_of(url)


def _count_of_same(connection: Connection, site_id: int, urls: Sequence[str]) -> None:
    """Other addresses than on the page that it is the same as: only the way they are written differs."""
    if urls:
        family = family_of(connection, site_id, FORM, SkipReason.OF_SAME, state=FamilyState.ASLEEP)
        count_skipped(connection, family.id, urls)


def _known_tails(connection: Connection, site_id: int, guard: LinkGuard, urls: Sequence[str]) -> set[str]:
    """Which of these end in the path of a page that is known."""
    tails = [(guard.key(tail), url) for url in urls for tail in tails_of(url)]
    known: set[str] = set()
    for some in batches(sorted({key for key, _ in tails})):
        known |= set(connection.execute(_WITH_KEY, {"site": site_id, "keys": some}).scalars())
    return {url for key, url in tails if key in known}


def _refused(
    connection: Connection, site_id: int, row: dict[str, Any], reason: SkipReason
) -> list[dict[str, Any]]:
    family = family_of(connection, site_id, FORM, reason, state=FamilyState.ASLEEP)
    count_skipped(connection, family.id, [row["url"]])
    if reason is SkipReason.LONG or family.skipped >= MOST_WAITING:
        return []
    return [row | {"family_id": family.id, "state": "skipped", "outcome": reason}]


def _of_family(
    connection: Connection,
    guard: LinkGuard,
    family: Row[Any],
    members: Sequence[dict[str, Any]],
    tried: set[str],
) -> list[dict[str, Any]]:
    """The rows of a family; `tried` is what others from the same page try, and is added to."""
    is_next = bool(guard.stale) and guard.family == family.name
    if family.state == FamilyState.ASLEEP and family.skipped >= MOST_WAITING:
        count_skipped(connection, family.id, [row["url"] for row in members])
        return []
    free = _places(connection, family, tried)
    is_behind = bool(family.listed) and family.state == FamilyState.TRIED
    rows = []
    series: set[tuple[str, str]] = set()
    for row in members:
        stale = guard.stale if is_next else 0
        is_asked = free > 0 and stale < MOST_STALE and _is_next(connection, family, row["url"], series)
        free -= is_asked
        rank = rank_of(row["url"]) if row["rank"] == Rank.PAGES else row["rank"]
        rank = max(rank, Rank.AGAIN) if is_behind else rank
        state = "pending" if is_asked else "deferred"
        rows.append(row | {"family_id": family.id, "stale": stale, "rank": rank, "state": state})
    return rows


def _is_next(connection: Connection, family: Row[Any], url: str, series: set[tuple[str, str]]) -> bool:
    """Whether no other page of its series comes first, nor one of `series`, to which it is added."""
    place = series_of(url)
    if place is None:
        return True
    if (place.before, place.after) in series or is_behind_another(connection, family.id, place):
        return False
    series.add((place.before, place.after))
    return True


def _places(connection: Connection, family: Row[Any], tried: set[str]) -> int:
    """How many of a family may be asked for now."""
    state = FamilyState(family.state)
    if state is FamilyState.ASLEEP:
        return 0
    if not is_gated(state):
        return MOST_WAITING
    mine = {family.kin, *unproven(connection, family)} if family.kin else set()
    if mine & tried or is_taken(connection, family):
        return 0
    tried |= mine
    return 1


# ── After it was read ────────────────────────────────────────────────────────────────────────────────────


def judged_visit(
    connection: Connection, site_id: int, visit_id: int, read: VisitRead | None
) -> tuple[LinkGuard, Any]:
    """Note what a visited page adds to its site; the page as it counts then. None: there was no page."""
    guard = guard_of(connection, site_id)
    row = connection.execute(_VISIT, {"visit": visit_id}).one()
    if (
        row.visited is not None
        or row.reading != VisitReading.PAGE
        or (read is not None and read.novelty is None)
    ):
        return guard, read
    labels = labels_of(row.url)
    is_ordered = labels.is_ordered or row.is_further
    if read is None or read.novelty is None:
        verdict = PageVerdict.MISSING
    else:
        if read.canonical is not None and not _is_settled(connection, site_id, guard, read.canonical):
            # What it says is going to be read there.
            return guard, read
        # Further pages of a list may show what other lists have shown, and go on with what they have not.
        within = labels.family if is_ordered and not labels.parameters else ""
        verdict = judge(connection, site_id, row.id, read.novelty, within=within)
        digest = read.novelty.digest or None
        connection.execute(_SHOWN, {"visit": row.id, "shown": digest})
        if verdict is PageVerdict.SAME:
            guard = weigh_difference(connection, site_id, guard, row, read.novelty.digest)
        read = _as_it_counts(read, verdict, row)
    if row.family_id is not None:
        guard = _note(connection, site_id, guard, row, labels, verdict)
        guard = replace(guard, stale=stale_after(row.stale, verdict) if is_ordered else 0)
        note_place(connection, row, verdict, guard.stale)
    return replace(guard, verdict=verdict), read


def with_own_address(connection: Connection, site_id: int, read: VisitRead) -> VisitRead:
    """The page as one of its own, unless the address that it names was read: it need not be asked for."""
    if read.canonical is None or _is_settled(
        connection, site_id, guard_of(connection, site_id), read.canonical
    ):
        return read
    return msgspec.structs.replace(read, canonical=None)


def _is_settled(connection: Connection, site_id: int, guard: LinkGuard, url: str) -> bool:
    mine = (visits.c.site_id == site_id) & (visits.c.key == guard.key(url))
    return connection.execute(select(visits.c.state).where(mine)).scalar() == "settled"


def _as_it_counts(read: VisitRead, verdict: PageVerdict, row: Row[Any]) -> VisitRead:
    """The page without an address of its own that is wrong; what is the same as another is not kept twice."""
    if verdict is PageVerdict.FRESH and read.canonical is not None:
        follow = tuple(link for link in read.follow if link.action != CANONICAL)
        return msgspec.structs.replace(read, canonical=None, follow=follow)
    if verdict is PageVerdict.SAME and row.family_id is not None:
        return msgspec.structs.replace(read, is_content=False)
    return read


def _note(
    connection: Connection,
    site_id: int,
    guard: LinkGuard,
    row: Row[Any],
    labels: Labels,
    verdict: PageVerdict,
) -> LinkGuard:
    family = connection.execute(select(families).where(families.c.id == row.family_id)).one()
    bare = _settled_without(connection, site_id, guard, row.url, labels.parameters)
    if verdict is PageVerdict.FRESH:
        note_differing(connection, site_id, row.url, family.last, bare)
    if verdict is PageVerdict.LISTED and (labels.is_ordered or row.is_further):
        # What a series is for.
        verdict = PageVerdict.FRESH
    # Others that were under way when the family was doubted say nothing more: they are its neighbours.
    is_late = row.state == "deferred" and verdict is not PageVerdict.FRESH
    note_verdict(connection, family, row.url, PageVerdict.NEUTRAL if is_late else verdict, bare)
    return replace(guard, family=family.name)


def _settled_without(
    connection: Connection, site_id: int, guard: LinkGuard, url: str, names: Sequence[str]
) -> list[str]:
    """The parameters without which the address was read as well."""
    if not names:
        return []
    keys = {guard.key(without(url, frozenset({f"?{name}"}))): name for name in names}
    mine = (visits.c.site_id == site_id) & visits.c.key.in_(keys) & visits.c.digest.is_not(None)
    return [keys[key] for key in connection.execute(select(visits.c.key).where(mine)).scalars()]
