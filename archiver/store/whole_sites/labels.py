"""Kinds of links of a site: what came of those that were followed, and which are followed next."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, func, insert, select, update

from archiver.acquisition.sites.learning.labels import ENTRY, REST, SITEMAP, TAIL, LinkLabel, label_of
from archiver.acquisition.sites.learning.model import LabelRecord
from archiver.acquisition.sites.learning.values import WINDOW, is_teaser, usual_gain
from archiver.acquisition.sites.traps.forms import rank_of
from archiver.batches import batches
from archiver.store.schema import labels, visits
from archiver.store.whole_sites.pairs import note_pairs

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from sqlalchemy import Connection, Row

    from archiver.acquisition.sites.learning.model import ShownText
    from archiver.acquisition.sites.model import Site, VisitRead, WantedVisit

# Of a site; links beyond these are labelled by the form of their address alone.
MOST_LABELS = 1000
# Addresses of a label that never paid; what is found beyond them is only counted.
MOST_WAITING = 10_000
# A page with less than this share of what is usual says nothing itself.
_POOR_SHARE = 0.05


# What is asked of many labels at a time: what came of their single pages takes longer to read.
_LIGHT = tuple(
    labels.c[name]
    for name in ("id", "path", "shape", "checked", "held", "waiting", "fetched", "gained", "paid")
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Learner:
    """The page that links stand on."""

    visit_id: int
    label_id: int | None = None  # None: it is not a page
    is_poor: bool = False


def record_of(row: Row[Any]) -> LabelRecord:
    return LabelRecord(
        id=row.id,
        path=row.path,
        shape=row.shape,
        rank=rank_of(row.example),
        waiting=row.waiting,
        fetched=row.fetched,
        gains=row.gains or (),
        leads=row.leads or (),
        gained=row.gained,
        paid=row.paid,
        checked=row.checked,
        held=row.held,
        is_poor=row.is_poor,
        is_series=row.series > row.others,
        is_last=row.is_last,
    )


def labels_of_site(connection: Connection, site_id: int) -> list[Row[Any]]:
    return list(connection.execute(select(labels).where(labels.c.site_id == site_id).order_by(labels.c.id)))


# ── After a page was read ────────────────────────────────────────────────────────────────────────────────


def note_page(
    connection: Connection, site: Site, visit_id: int, read: VisitRead | None, *, is_same: bool = False
) -> Learner | None:
    """Note what a page brought for the links that lead there; None: it is not one that teaches."""
    row = connection.execute(select(visits).where(visits.c.id == visit_id)).one()
    label = _label_of_visit(connection, site.id, row)
    if label is None:
        return None
    if read is None or read.shown is None:
        _add_page(connection, label, 0.0)
        return Learner(visit_id=visit_id, label_id=label.id, is_poor=True)
    _check_teaser(connection, row, read.shown)
    is_unlisted = read.shown.is_unlisted and not _is_unlisted(connection, site.id, label)
    # What it says stands at another address, or is not meant to be found.
    counts = not (is_same or is_unlisted or read.canonical is not None)
    gain = note_pairs(connection, site.id, _own(connection, site.id, read.shown)) if counts else 0.0
    usual = _usual(connection, site.id)
    _add_page(connection, label, gain)
    is_first = label.path == ENTRY
    if is_first and read.shown.is_unlisted:
        connection.execute(update(labels).where(labels.c.id == label.id).values(is_last=True))
    is_poor = not is_first and (is_unlisted or gain < _POOR_SHARE * usual)
    return Learner(visit_id=visit_id, label_id=label.id, is_poor=is_poor)


def _label_of_visit(connection: Connection, site_id: int, visit: Row[Any]) -> Row[Any] | None:
    if visit.label_id is not None:
        return connection.execute(select(labels).where(labels.c.id == visit.label_id)).one()
    if visit.action != ENTRY:
        return None
    name = LinkLabel(ENTRY, "")
    known = _known(connection, site_id, {ENTRY}).get(name)
    number = make_label(connection, site_id, name, visit.url) if known is None else known.id
    connection.execute(update(visits).where(visits.c.id == visit.id).values(label_id=number))
    return connection.execute(select(labels).where(labels.c.id == number)).one()


def _is_unlisted(connection: Connection, site_id: int, label: Row[Any]) -> bool:
    """Whether the whole site asks not to be listed: its first page does."""
    if label.path == ENTRY:
        return True
    query = select(labels.c.is_last).where(labels.c.site_id == site_id, labels.c.path == ENTRY)
    return bool(connection.execute(query).scalar())


def _usual(connection: Connection, site_id: int) -> float:
    query = select(func.sum(labels.c.gained), func.sum(labels.c.paid)).where(labels.c.site_id == site_id)
    gained, paid = connection.execute(query).one()
    return usual_gain(gained or 0.0, paid or 0)


def _add_page(connection: Connection, label: Row[Any], gain: float) -> None:
    values = {
        "fetched": labels.c.fetched + 1,
        "gained": labels.c.gained + gain,
        "paid": labels.c.paid + int(gain > 0),
        "gains": (*(label.gains or ()), gain)[-WINDOW:],
        "leads": (*(label.leads or ()), ())[-WINDOW:],
    }
    connection.execute(update(labels).where(labels.c.id == label.id).values(**values))


def _own(connection: Connection, site_id: int, shown: ShownText) -> set[int]:
    """The pairs of words of a page without those of teasers, which are of other pages."""
    own = set(shown.own)
    known = _known(connection, site_id, {one.path for one in shown.teasers})
    for one in shown.teasers:
        row = known.get(label_of(one.path, one.url))
        checked, held = (row.checked, row.held) if row is not None else (0, 0)
        if not is_teaser(checked, held, is_title=one.is_title):
            own.update(one.pairs)
    return own


def _check_teaser(connection: Connection, visit: Row[Any], shown: ShownText) -> None:
    """Compare a page with what a list says of it, for the label by which that list leads there."""
    if not visit.teaser or visit.label_id is None:
        return
    mine = set(shown.own).union(*(one.pairs for one in shown.teasers))
    is_held = 2 * sum(number in mine for number in visit.teaser) >= len(visit.teaser)
    values = {"checked": labels.c.checked + 1, "held": labels.c.held + int(is_held)}
    connection.execute(update(labels).where(labels.c.id == visit.label_id).values(**values))


# ── What it leads to ─────────────────────────────────────────────────────────────────────────────────────


def ranked(
    connection: Connection,
    site_id: int,
    learner: Learner,
    found: Sequence[dict[str, Any]],
    wanted: Mapping[str, WantedVisit],
) -> list[dict[str, Any]]:
    """The rows of documents that were found, each with its label; they wait until that is chosen."""
    names = {row["key"]: _name(wanted[row["key"]]) for row in found}
    members: dict[LinkLabel, list[WantedVisit]] = defaultdict(list)
    for row in found:
        members[names[row["key"]]].append(wanted[row["key"]])
    known = _labelled(connection, site_id, learner, members)
    rows: list[dict[str, Any]] = []
    new: Counter[int] = Counter()
    for row in found:
        label = known[names[row["key"]]]
        is_full = label.waiting + new[label.id] >= MOST_WAITING and label.fetched and not label.paid
        new[label.id] += 1
        if not is_full:
            teaser = wanted[row["key"]].teaser or None
            rows.append(row | {"state": "ranked", "label_id": label.id, "teaser": teaser})
    if new:
        _count(connection, learner, {known[name].id: links for name, links in members.items()})
    if learner.label_id is not None:
        _note_leads(connection, learner.label_id, new)
        found_there = {"found": visits.c.found + len(found)}
        connection.execute(update(visits).where(visits.c.id == learner.visit_id).values(**found_there))
    return rows


def _count(connection: Connection, learner: Learner, members: Mapping[int, Sequence[WantedVisit]]) -> None:
    """Count the new links of labels, and those of them that are said to lead to a further page."""
    counts = [
        {
            "number": number,
            "many": len(links),
            "further": sum(one.is_next for one in links),
            "plain": sum(not one.is_next for one in links),
        }
        for number, links in members.items()
    ]
    counting = update(labels).where(labels.c.id == bindparam("number"))
    added: dict[str, Any] = {
        "waiting": bindparam("many"),
        "series": bindparam("further"),
        "others": bindparam("plain"),
    }
    values: dict[str, Any] = {name: labels.c[name] + one for name, one in added.items()}
    if not learner.is_poor:
        values["is_poor"] = False
    connection.execute(counting.values(**values), counts)


def _name(wanted: WantedVisit) -> LinkLabel:
    # Links that miss a stroke are of one kind, wherever they lead.
    return LinkLabel(TAIL, "") if wanted.path == TAIL else label_of(wanted.path or SITEMAP, wanted.url)


def _note_leads(connection: Connection, label_id: int, new: Mapping[int, int]) -> None:
    if not new:
        return
    row = connection.execute(select(labels.c.leads).where(labels.c.id == label_id)).one()
    *before, last = row.leads or ((),)
    merged = Counter(dict(last))
    merged.update(new)
    values = {"leads": (*before, tuple(sorted(merged.items()))), "found": labels.c.found + sum(new.values())}
    connection.execute(update(labels).where(labels.c.id == label_id).values(**values))


def _labelled(
    connection: Connection,
    site_id: int,
    learner: Learner,
    members: Mapping[LinkLabel, Sequence[WantedVisit]],
) -> dict[LinkLabel, Row[Any]]:
    """The labels of links of a page; those that are not known are new."""
    known = _known(connection, site_id, {one.path for one in members} | {REST})
    unknown = sorted(members.keys() - known.keys())
    if not unknown:
        return known
    mine = select(func.count()).select_from(labels).where(labels.c.site_id == site_id)
    room = MOST_LABELS - connection.execute(mine).scalar_one()
    kept = {name: name if at < room else LinkLabel(REST, name.shape) for at, name in enumerate(unknown)}
    for name, one in kept.items():
        if one not in known:
            links = members[name]
            is_last = all(link.is_last for link in links)
            make_label(connection, site_id, one, links[0].url, learner, is_last=is_last)
            known |= _known(connection, site_id, {one.path})
    return known | {name: known[one] for name, one in kept.items()}


def _known(connection: Connection, site_id: int, paths: Iterable[str]) -> dict[LinkLabel, Row[Any]]:
    found: dict[LinkLabel, Row[Any]] = {}
    for some in batches(sorted(set(paths))):
        query = select(*_LIGHT).where(labels.c.site_id == site_id, labels.c.path.in_(some))
        found |= {LinkLabel(row.path, row.shape): row for row in connection.execute(query)}
    return found


def make_label(
    connection: Connection,
    site_id: int,
    name: LinkLabel,
    example: str,
    learner: Learner | None = None,
    *,
    is_last: bool = False,
) -> int:
    values = {
        "site_id": site_id,
        "path": name.path,
        "shape": name.shape,
        "example": example,
        "source_id": None if learner is None else learner.label_id,
        "is_poor": learner is not None and learner.is_poor,
        "is_last": is_last,
    }
    return int(connection.execute(insert(labels).values(**values).returning(labels.c.id)).scalar_one())


def lead_there_as_well(
    connection: Connection,
    site_id: int,
    known: Iterable[Row[Any]],
    wanted: Mapping[str, WantedVisit],
) -> None:
    """Where a label that pays leads to what waits for one that does not, it is asked for with those."""
    waiting = {row.key: row for row in known if row.state == "ranked"}
    if not waiting:
        return
    names = {key: _name(wanted[key]) for key in waiting}
    rows = _known(connection, site_id, {name.path for name in names.values()})
    better = {
        key: rows[name]
        for key, name in names.items()
        if name in rows and rows[name].paid and rows[name].id != waiting[key].label_id
    }
    olds = sorted({waiting[key].label_id for key in better})
    means = {
        row.id: _mean(row)
        for some in batches(olds)
        for row in connection.execute(select(*_LIGHT).where(labels.c.id.in_(some)))
    }
    for key, label in better.items():
        old = waiting[key].label_id
        if means[old] < _mean(label):
            _move(connection, waiting[key].id, old, label.id, wanted[key].teaser)


def _mean(label: Row[Any]) -> float:
    return float(label.gained / label.fetched) if label.fetched else 0.0


def _move(connection: Connection, visit_id: int, old: int, new: int, teaser: tuple[int, ...]) -> None:
    values = {"label_id": new, "teaser": teaser or None}
    connection.execute(update(visits).where(visits.c.id == visit_id).values(**values))
    connection.execute(update(labels).where(labels.c.id == old).values(waiting=labels.c.waiting - 1))
    connection.execute(update(labels).where(labels.c.id == new).values(waiting=labels.c.waiting + 1))
