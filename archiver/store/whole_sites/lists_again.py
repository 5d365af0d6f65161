"""Lists of a site that a later crawl looks at again: the first page and sitemaps at once, others in turn."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select, update

from archiver.acquisition.sites.learning.labels import (
    AGAIN,
    ENTRY,
    LOOKED_AT_AGAIN,
    ONWARD,
    LinkLabel,
    label_of,
)
from archiver.acquisition.sites.learning.looks import Age, ListedItem, ListLook, goes_on, look_of, next_page
from archiver.acquisition.sites.learning.values import values_of
from archiver.acquisition.sites.model import VisitReading
from archiver.acquisition.sites.traps.forms import labels_of
from archiver.batches import batches
from archiver.store.schema import labels, visits
from archiver.store.whole_sites.label_book import forget_book, labels_of_site, make_label, record_of

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row, Select

    from archiver.acquisition.sites.learning.model import LabelRecord
    from archiver.acquisition.sites.model import Site, WantedVisit
    from archiver.store.whole_sites.label_book import LabelBook
    from archiver.store.whole_sites.labels import Learner

# Pages with text that pages of a kind have led to, for these to be lists that may show more later on.
_LEAST_LED = 2


# ── Before the crawl ─────────────────────────────────────────────────────────────────────────────────────


def rank_again(connection: Connection, site: Site, now: datetime) -> None:
    """Look again at what leads to pages: the first page and sitemaps at once, lists as long as that pays."""
    mine = (visits.c.site_id == site.id) & (visits.c.state == "settled") & (visits.c.outcome == "read")
    asked = {"next_try": now, "tries": 0}
    at_once = (visits.c.action == ENTRY) | (visits.c.reading != VisitReading.PAGE)
    connection.execute(update(visits).where(mine, at_once).values(state="pending", **asked))
    known = [record_of(row) for row in labels_of_site(connection, site.id)]
    onward = {one.id for one in known if one.path == ONWARD or one.is_series}
    led = _led(connection, site.id, known)
    listing = visits.c.label_id.in_(_lists(known))
    query: Select[Any] = select(visits.c.id, visits.c.url, visits.c.label_id)
    query = query.where(mine, ~at_once, listing).order_by(visits.c.id)
    kinds: dict[LinkLabel, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(query):
        path = ONWARD if row.label_id in onward else AGAIN
        kinds[LinkLabel(path, labels_of(row.url).family)].append(row)
    _reset(connection, known)
    for name, rows in kinds.items():
        led_to = sum(led[row.url] for row in rows)
        if led_to >= _LEAST_LED:
            _wait(connection, site, name, rows, led_to, asked)
    forget_book(connection, site.id)


def _lists(known: Sequence[LabelRecord]) -> list[int]:
    """The labels of pages that say little themselves."""
    rich = _rich(known)
    return [one.id for one in known if one.path in LOOKED_AT_AGAIN or (one.fetched and one.id not in rich)]


def _rich(known: Collection[LabelRecord]) -> set[int]:
    """The labels of pages that say much."""
    least = values_of(list(known)).least
    return {one.id for one in known if one.fetched and one.gained >= least * one.fetched}


def _led(connection: Connection, site_id: int, known: Sequence[LabelRecord]) -> Counter[str]:
    """How many pages that say much each page has led to first."""
    mine = (visits.c.site_id == site_id) & visits.c.visited.is_not(None)
    led = mine & visits.c.label_id.in_(_rich(known)) & (visits.c.via != visits.c.url)
    query = select(visits.c.via, func.count().label("many")).where(led).group_by(visits.c.via)
    return Counter({row.via: row.many for row in connection.execute(query)})


def _reset(connection: Connection, known: Sequence[LabelRecord]) -> None:
    """Forget what came of earlier looks: that says nothing of this crawl."""
    numbers = [one.id for one in known if one.path in LOOKED_AT_AGAIN]
    fresh: dict[str, Any] = dict.fromkeys(("waiting", "fetched", "fresh", "covered", "idle"), 0)
    values = {**fresh, "gains": None, "leads": None}
    connection.execute(update(labels).where(labels.c.id.in_(numbers)).values(**values))


def _wait(
    connection: Connection,
    site: Site,
    name: LinkLabel,
    rows: Sequence[Row[Any]],
    led: int,
    asked: dict[str, Any],
) -> None:
    """Have lists of one kind wait for their turn; further pages wait for those before them."""
    label_id = _label(connection, site.id, name, rows[0].url)
    is_first = name.path == AGAIN
    counted = {"waiting": len(rows) if is_first else 0, "found": led}
    connection.execute(update(labels).where(labels.c.id == label_id).values(**counted))
    values: dict[str, Any] = {"label_id": label_id, "teaser": None}
    values |= {"state": "ranked", **asked} if is_first else {}
    for some in batches([row.id for row in rows]):
        connection.execute(update(visits).where(visits.c.id.in_(some)).values(**values))


def _label(connection: Connection, site_id: int, name: LinkLabel, example: str) -> int:
    mine = (labels.c.site_id == site_id) & (labels.c.path == name.path) & (labels.c.shape == name.shape)
    known: int | None = connection.execute(select(labels.c.id).where(mine)).scalar()
    return make_label(connection, site_id, name, example) if known is None else known


# ── After a page was read ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenAgain:
    """What a page of a list shows in a later crawl."""

    label_id: int
    items: tuple[ListedItem, ...]
    further: Mapping[str, str]  # URLs of pages that it says to be further ones, by their keys


def seen_again(
    connection: Connection,
    site: Site,
    learner: Learner | None,
    wanted: Sequence[WantedVisit],
    key_of: Callable[[str], str],
) -> SeenAgain | None:
    """Which items a page shows, before they are noted; None: it is not a list of a later crawl."""
    if site.again is None or learner is None or learner.label_id is None:
        return None
    book = learner.book
    own = book[learner.label_id]
    if own.path not in LOOKED_AT_AGAIN and own.path != ENTRY and not own.is_series:
        return None
    links = [(one.path, key_of(one.url)) for one in _items(book, wanted)]
    ages = _ages(connection, site.id, site.again, [key for _, key in links])
    items = tuple(ListedItem(path, ages.get(key, Age.UNKNOWN)) for path, key in links)
    further = {key_of(one.url): one.url for one in wanted if one.is_next and one.path}
    return SeenAgain(label_id=own.id, items=items, further=further)


def _items(book: LabelBook, wanted: Sequence[WantedVisit]) -> Iterator[WantedVisit]:
    """The links that lead to pages with text, by what is known of them or of others like them."""
    numbers = _rich(book.records)
    shapes, paths = ({getattr(book[one], name) for one in numbers} for name in ("shape", "path"))
    for one in wanted:
        if one.is_next or not one.path:
            continue
        name = label_of(one.path, one.url)
        label = book.find(name)
        if label is not None and label.fetched:
            leads = label.id in numbers
        else:
            leads = name.shape in shapes or name.path in paths
        if leads:
            yield one


def _ages(connection: Connection, site_id: int, since: datetime, keys: Sequence[str]) -> dict[str, Age]:
    found: dict[str, Age] = {}
    for some in batches(list(keys)):
        mine = (visits.c.site_id == site_id) & visits.c.key.in_(some)
        for row in connection.execute(select(visits.c.key, visits.c.state, visits.c.visited).where(mine)):
            waits = row.visited is None and row.state in {"ranked", "pending"}
            is_recent = waits or (row.visited is not None and row.visited >= since)
            found[row.key] = Age.RECENT if is_recent else Age.OLD
    return found


def note_look(book: LabelBook, seen: SeenAgain | None) -> None:
    """Count what a page of a list showed, for the lists of its kind."""
    if seen is None:
        return
    label, look = book[seen.label_id], look_of(seen.items)
    if look is ListLook.FRESH:
        for one in [one for one in book.records if one.covered or one.idle]:
            book.change(one.id, covered=0, idle=0)
    book.change(label.id, **{look.value: getattr(book[label.id], look.value) + 1})


def go_on_with_list(
    connection: Connection,
    site: Site,
    book: LabelBook,
    seen: SeenAgain | None,
    url: str,
    now: datetime,
) -> None:
    """Ask for the page behind one that is full of what is new."""
    if seen is None or site.again is None or not goes_on(seen.items):
        return
    further = seen.further
    mine = (visits.c.site_id == site.id) & visits.c.key.in_(list(further))
    query: Select[Any] = select(
        visits.c.id, visits.c.key, visits.c.state, visits.c.visited, visits.c.label_id
    )
    known = {row.key: row for row in connection.execute(query.where(mine))}
    waiting = {further[key]: known[key] for key in further if key in known and _waits(known[key], site.again)}
    following = next_page(url, list(waiting))
    if following is None:
        return
    row = waiting[following]
    if row.state == "ranked":
        book.change(row.label_id, waiting=book[row.label_id].waiting - 1)
    name = LinkLabel(ONWARD, labels_of(following).family)
    label = book.find(name) or book.add(connection, name, following)
    values = {"state": "pending", "next_try": now, "tries": 0, "label_id": label.id, "teaser": None}
    connection.execute(update(visits).where(visits.c.id == row.id).values(**values))


def _waits(row: Row[Any], since: datetime) -> bool:
    """Whether a page was not looked at in this crawl."""
    return row.state == "ranked" or (
        row.state == "settled" and row.visited is not None and row.visited < since
    )
