"""Kinds of links of a site: what came of those that were followed, and what pages lead to."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, select, update

from archiver.acquisition.sites.learning.labels import (
    BEYOND,
    ENTRY,
    LOOKED_AT_AGAIN,
    REST,
    SITEMAP,
    TAIL,
    LinkLabel,
    label_of,
)
from archiver.acquisition.sites.learning.values import WINDOW, is_teaser
from archiver.acquisition.sites.learning.widths import ListWidth
from archiver.acquisition.sites.model import Strategy, VisitReading
from archiver.acquisition.sites.traps.forms import labels_of
from archiver.store.schema import visits
from archiver.store.whole_sites.label_book import open_book
from archiver.store.whole_sites.pairs import note_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Row, Select

    from archiver.acquisition.sites.learning.model import LabelRecord, ShownText
    from archiver.acquisition.sites.model import Site, VisitFetch, VisitRead, WantedVisit
    from archiver.store.whole_sites.label_book import LabelBook

# Of a site; links beyond these are labelled by the form of their address alone.
MOST_LABELS = 1000
# Addresses of a label that never paid; what is found beyond them is only counted.
MOST_WAITING = 10_000
# A page with less than this share of what is usual says nothing itself.
_POOR_SHARE = 0.05
# Links whose pages bring more than this share on average lead to items.
_ITEM_SHARE = 0.5
# Made once: to make a statement takes as long as to have it executed.
_VISIT: Select[Any] = select(visits.c.label_id, visits.c.action, visits.c.url, visits.c.teaser).where(
    visits.c.id == bindparam("visit")
)
_MOVED = (
    update(visits)
    .where(visits.c.id == bindparam("visit"))
    .values(label_id=bindparam("label"), teaser=bindparam("text"))
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """The page that links stand on."""

    visit_id: int
    book: LabelBook
    label_id: int | None = None  # None: it is not a page
    is_poor: bool = False
    is_short: bool = False  # it shows fewer items than a page of a list has where the list goes on


# ── After a page was read ────────────────────────────────────────────────────────────────────────────────


def learn(
    connection: Connection,
    site: Site,
    way: str,
    fetch: VisitFetch,
    read: VisitRead | None = None,
    *,
    is_same: bool = False,
) -> Learner | None:
    """Note what a document brought, where patterns are learned; None: they are not."""
    if way != Strategy.LEARNED:
        return None
    book = open_book(connection, site)
    if fetch.visit.reading is not VisitReading.PAGE:
        return Learner(visit_id=fetch.visit.id, book=book)
    return _note_page(connection, book, fetch.visit.id, read, is_same=is_same)


def _note_page(
    connection: Connection, book: LabelBook, visit_id: int, read: VisitRead | None, *, is_same: bool
) -> Learner:
    """Note what a page brought for the links that lead there."""
    row = connection.execute(_VISIT, {"visit": visit_id}).one()
    label = _label_of_visit(connection, book, visit_id, row)
    if label is None:
        return Learner(visit_id=visit_id, book=book)
    if read is None or read.shown is None:
        _add_page(book, label.id, 0.0)
        return Learner(visit_id=visit_id, book=book, label_id=label.id, is_poor=True)
    _check_teaser(book, row, read.shown)
    is_unlisted = read.shown.is_unlisted and not _is_unlisted(book, label)
    # What it says stands at another address, or is not meant to be found.
    counts = not (is_same or is_unlisted or read.canonical is not None)
    gain = note_pairs(connection, book, _own(book, read.shown)) if counts else 0.0
    is_first = label.path == ENTRY
    is_poor = not is_first and (is_unlisted or gain < _POOR_SHARE * book.usual)
    _add_page(book, label.id, gain)
    if is_first and read.shown.is_unlisted:
        book.change(label.id, is_last=True)
    return Learner(visit_id=visit_id, book=book, label_id=label.id, is_poor=is_poor)


def _label_of_visit(
    connection: Connection, book: LabelBook, visit_id: int, visit: Row[Any]
) -> LabelRecord | None:
    if visit.label_id is not None:
        return book[visit.label_id]
    if visit.action != ENTRY:
        return None
    name = LinkLabel(ENTRY, "")
    label = book.find(name) or book.add(connection, name, visit.url)
    connection.execute(update(visits).where(visits.c.id == visit_id).values(label_id=label.id))
    return label


def _is_unlisted(book: LabelBook, label: LabelRecord) -> bool:
    """Whether the whole site asks not to be listed: its first page does."""
    first = label if label.path == ENTRY else book.find(LinkLabel(ENTRY, ""))
    return label.path == ENTRY or (first is not None and first.is_last)


def _add_page(book: LabelBook, number: int, gain: float) -> None:
    label = book[number]
    book.change(
        number,
        fetched=label.fetched + 1,
        gained=label.gained + gain,
        paid=label.paid + int(gain > 0),
        gains=(*label.gains, gain)[-WINDOW:],
        leads=(*label.leads, ())[-WINDOW:],
    )


def _own(book: LabelBook, shown: ShownText) -> set[int]:
    """The pairs of words of a page without those of teasers, which are of other pages."""
    own = set(shown.own)
    for one in shown.teasers:
        label = book.named(one.path, labels_of(one.url).family)
        checked, held = (label.checked, label.held) if label is not None else (0, 0)
        if not is_teaser(checked, held, is_title=one.is_title):
            own.update(one.pairs)
    return own


def _check_teaser(book: LabelBook, visit: Row[Any], shown: ShownText) -> None:
    """Compare a page with what a list says of it, for the label by which that list leads there."""
    if not visit.teaser or visit.label_id is None:
        return
    mine = set(shown.own).union(*(one.pairs for one in shown.teasers))
    is_held = 2 * sum(number in mine for number in visit.teaser) >= len(visit.teaser)
    label = book[visit.label_id]
    book.change(label.id, checked=label.checked + 1, held=label.held + int(is_held))


# ── What it leads to ─────────────────────────────────────────────────────────────────────────────────────


def with_width(learner: Learner, wanted: Sequence[WantedVisit]) -> Learner:
    """The page with whether it looks like the last one of a list: it shows fewer items than others do."""
    series = {_name(one) for one in wanted if one.is_next and one.path}
    if not series:
        return learner
    book = learner.book
    least = _ITEM_SHARE * book.usual
    leading = {one.path for one in book.records if _mean(one) >= least}
    items = Counter(one.path for one in wanted if one.path in leading and not one.is_next)
    widths = [book.widths.setdefault(name, ListWidth()) for name in series]
    is_short = any(width.is_short(items) for width in widths)
    for width in widths:
        width.add(items)
    return replace(learner, is_short=is_short)


def ranked(
    connection: Connection,
    learner: Learner,
    found: Sequence[dict[str, Any]],
    wanted: Mapping[str, WantedVisit],
) -> list[dict[str, Any]]:
    """The rows of documents that were found, each with its label; they wait until that is chosen."""
    names = {row["key"]: _name(wanted[row["key"]], is_short=learner.is_short) for row in found}
    members: dict[LinkLabel, list[WantedVisit]] = defaultdict(list)
    for row in found:
        members[names[row["key"]]].append(wanted[row["key"]])
    known = _labelled(connection, learner, members)
    rows: list[dict[str, Any]] = []
    new: Counter[int] = Counter()
    for row in found:
        label = known[names[row["key"]]]
        is_full = label.waiting + new[label.id] >= MOST_WAITING and label.fetched and not label.paid
        new[label.id] += 1
        if not is_full:
            teaser = wanted[row["key"]].teaser or None
            rows.append(row | {"state": "ranked", "label_id": label.id, "teaser": teaser})
    for name, links in members.items():
        _count(learner, known[name].id, links)
    if new and learner.label_id is not None:
        _note_leads(learner.book, learner.label_id, new)
    return rows


def _count(learner: Learner, number: int, links: Sequence[WantedVisit]) -> None:
    """Count the new links of a label, and those of them that are said to lead to a further page."""
    label, further = learner.book[number], sum(one.is_next for one in links)
    learner.book.change(
        number,
        waiting=label.waiting + len(links),
        series=label.series + further,
        others=label.others + len(links) - further,
        is_poor=label.is_poor and learner.is_poor,
    )


def _name(wanted: WantedVisit, *, is_short: bool = False) -> LinkLabel:
    # Links that miss a stroke are of one kind, wherever they lead.
    if wanted.path == TAIL:
        return LinkLabel(TAIL, "")
    # What goes on behind the last page of a list may go on without end: whether it pays is learned by itself.
    path = f"{wanted.path}{BEYOND}" if is_short and wanted.is_next and wanted.path else wanted.path
    return label_of(path or SITEMAP, wanted.url)


def _note_leads(book: LabelBook, number: int, new: Mapping[int, int]) -> None:
    label = book[number]
    *before, last = label.leads or ((),)
    merged = Counter(dict(last))
    merged.update(new)
    leads = (*before, tuple(sorted(merged.items())))
    book.change(number, leads=leads, found=label.found + sum(new.values()))


def _labelled(
    connection: Connection, learner: Learner, members: Mapping[LinkLabel, Sequence[WantedVisit]]
) -> dict[LinkLabel, LabelRecord]:
    """The labels of links of a page; those that are not known are new."""
    book = learner.book
    known = {name: label for name in members if (label := book.find(name)) is not None}
    room = MOST_LABELS - len(book.records)
    for at, name in enumerate(sorted(members.keys() - known.keys())):
        kept = name if at < room else LinkLabel(REST, name.shape)
        known[name] = book.find(kept) or book.add(
            connection,
            kept,
            members[name][0].url,
            source=learner.label_id,
            is_poor=learner.is_poor,
            is_last=all(link.is_last for link in members[name]),
        )
    return known


def lead_there_as_well(
    connection: Connection, book: LabelBook, known: Iterable[Row[Any]], wanted: Mapping[str, WantedVisit]
) -> None:
    """Where a label that pays leads to what waits for one that does not, it is asked for with those."""
    for row in known:
        if row.state != "ranked":
            continue
        old, link = book[row.label_id], wanted[row.key]
        # Most stand where the first link to the page stood: there is nothing to compare then.
        if old.path == link.path or old.path in LOOKED_AT_AGAIN:
            continue
        new = book.find(_name(link))
        if new is not None and new.paid and new.id != old.id and _mean(old) < _mean(new):
            moved = {"visit": row.id, "label": new.id, "text": link.teaser or None}
            connection.execute(_MOVED, moved)
            book.change(old.id, waiting=old.waiting - 1)
            book.change(new.id, waiting=new.waiting + 1)


def _mean(label: LabelRecord) -> float:
    return label.gained / label.fetched if label.fetched else 0.0
