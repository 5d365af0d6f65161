"""Which kinds of links of a site are followed next."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from archiver.acquisition.sites.learning.labels import AGAIN, LOOKED_AT_AGAIN
from archiver.acquisition.sites.learning.looks import next_list
from archiver.acquisition.sites.learning.remaining import left_behind
from archiver.acquisition.sites.learning.values import chosen, tier, values_of
from archiver.acquisition.sites.traps.evidence import next_again, tries_again
from archiver.store.schema import labels, visits
from archiver.store.whole_sites.label_book import forget_book, labels_of_site, record_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.sites.learning.model import LabelRecord
    from archiver.acquisition.sites.learning.values import LabelValues
    from archiver.acquisition.sites.model import Site
    from archiver.store.whole_sites.label_book import LabelBook

# Documents under way before others are chosen, and how many then are.
_FEW, _ROOM = 4, 8
# Waiting addresses of a label among which one is drawn.
_DRAWN = 200
_UNDER_WAY = select(visits.c.label_id).where(
    visits.c.site_id == bindparam("site"), visits.c.state == "pending"
)
_WAITING = (
    select(visits.c.id)
    .where(visits.c.label_id == bindparam("label"), visits.c.state == "ranked")
    .order_by(visits.c.id)
    .limit(_DRAWN)
)
_ASKED = update(visits).where(visits.c.id.in_(bindparam("asked", expanding=True))).values(state="pending")


def choose_next(connection: Connection, site: Site, book: LabelBook) -> None:
    """Have the best of what waits asked for, where little is."""
    under_way = list(connection.execute(_UNDER_WAY, {"site": site.id}).scalars())
    # A count of what waits may be too high: what is the same as something else was taken out.
    while len(under_way) < _FEW:
        records = list(book.records)
        values = values_of(records)
        wishes = chosen(records, values, _ROOM - len(under_way), under_way)
        if _is_too_soon(book, wishes, under_way):
            break
        if not (wishes or under_way):
            wishes = (
                _looked_at_again(book) or _tried_again(site, book, values) or _left_behind(site, book, values)
            )
        if not wishes:
            break
        for label_id, many in wishes:
            under_way += [label_id] * _ask(connection, site, book, label_id, many)


def _is_too_soon(book: LabelBook, wishes: Sequence[tuple[int, int]], under_way: Sequence[int | None]) -> bool:
    """Whether addresses with fewer parameters are under way: what comes of them may be all there is."""
    asked = [0 if number is None else tier(book[number]) for number in under_way]
    return bool(asked and wishes) and tier(book[wishes[0][0]]) > min(asked)


def _looked_at_again(book: LabelBook) -> list[tuple[int, int]]:
    """One more list of a later crawl, where nothing that pays is left of what lists have shown before."""
    one = next_list(list(book.records))
    return [] if one is None else [(one.id, 1)]


def _tried_again(site: Site, book: LabelBook, values: LabelValues) -> list[tuple[int, int]]:
    """Where nothing pays any more, one more page of what is large and did not."""
    left = tries_again(site.requests) - sum(one.again for one in book.records)
    large = [one for one in book.records if _is_large(one) and not values.pays(one)]
    if left <= 0 or not large:
        return []
    one = max(large, key=lambda one: (one.waiting, -one.id))
    book.change(one.id, again=one.again + 1, again_at=next_again(one.waiting))
    return [(one.id, 1)]


def _is_large(record: LabelRecord) -> bool:
    return record.waiting >= record.again_at and record.path not in LOOKED_AT_AGAIN


def _left_behind(site: Site, book: LabelBook, values: LabelValues) -> list[tuple[int, int]]:
    """Before the end, more pages of lists behind which a part of the site may be left."""
    wishes = left_behind(list(book.records), values, site.requests)
    for number, many in wishes:
        book.change(number, again=book[number].again + many)
    return wishes


def _ask(connection: Connection, site: Site, book: LabelBook, label_id: int, many: int) -> int:
    """Ask for some of a label; how many there are."""
    numbers = list(connection.execute(_WAITING, {"label": label_id}).scalars())
    # Fewer than were counted: then none is left.
    book.change(label_id, waiting=book[label_id].waiting - many if len(numbers) >= many else 0)
    if not numbers:
        # All of them are the same as something else: whatever leads to more of them brings nothing.
        book.change(label_id, gains=())
    asked = numbers if len(numbers) <= many else _drawn(site, book[label_id], numbers, many)
    connection.execute(_ASKED, {"asked": asked})
    return len(asked)


def _drawn(site: Site, label: LabelRecord, numbers: Sequence[int], many: int) -> Sequence[int]:
    """Some of a label, by the seed of the site; of lists the first: what is new is at their beginnings."""
    if label.path == AGAIN:
        return numbers[:many]
    chance = Random(f"{site.seed} {site.requests} {label.id}")  # noqa: S311 - no secret
    return chance.sample(numbers, many)


def count_paying(connection: Connection, site_id: int) -> int:
    """How many addresses wait whose labels pay."""
    records = [record_of(row) for row in labels_of_site(connection, site_id)]
    values = values_of(records)
    return sum(one.waiting for one in records if one.path not in LOOKED_AT_AGAIN and values.pays(one))


def give_up_ranked(connection: Connection, site_id: int, outcome: str) -> None:
    """Skip what waits: the site is done. What was read before stays read."""
    mine = (visits.c.site_id == site_id) & (visits.c.state == "ranked")
    connection.execute(update(visits).where(mine, visits.c.visited.is_not(None)).values(state="settled"))
    connection.execute(update(visits).where(mine).values(state="skipped", outcome=outcome))
    connection.execute(update(labels).where(labels.c.site_id == site_id).values(waiting=0))
    forget_book(connection, site_id)
