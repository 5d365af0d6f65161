"""The labels of a site in memory: read once, written after each page, and read anew after a failure.

Each page changes a few of hundreds of labels, and is weighed against all of them. A book is good for one
state of its site, which the number of its requests tells: a transaction that failed, or another process that
crawls the same site, leaves another number there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace
from sqlalchemy import bindparam, insert, select, update

from archiver.acquisition.sites.learning.model import LabelRecord
from archiver.acquisition.sites.learning.values import usual_gain
from archiver.acquisition.sites.traps.forms import rank_of
from archiver.store.schema import labels, sites

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection, Row

    from archiver.acquisition.sites.learning.labels import LinkLabel
    from archiver.acquisition.sites.learning.widths import ListWidth
    from archiver.acquisition.sites.model import Site

_BOOKS = "label books"
# Sites whose labels are kept; a thousand labels take about a megabyte.
_MOST_BOOKS = 32
# So many new pairs of words are not noted one by one: their number only says when there are too many.
_UNCOUNTED = 1_000
_CHANGING = (
    "is_poor",
    "is_last",
    "series",
    "others",
    "waiting",
    "fetched",
    "gained",
    "paid",
    "found",
    "gains",
    "leads",
    "checked",
    "held",
    "again",
    "again_at",
    "fresh",
    "covered",
    "idle",
)
_CHANGED = (
    update(labels)
    .where(labels.c.id == bindparam("number"))
    .values({labels.c[name]: bindparam(f"new_{name}") for name in _CHANGING})
)
_COUNTED = (
    update(sites)
    .where(sites.c.id == bindparam("number"))
    .values(pairs=bindparam("new_pairs"), grain=bindparam("new_grain"))
)


class LabelBook:
    """What is known of the links of a site, by kind."""

    def __init__(self, site_id: int, records: Collection[LabelRecord], pairs: int, grain: int) -> None:
        self.site_id = site_id
        self.pairs, self.grain = pairs, grain  # that are kept, and of how many one is
        # Of lists, by the links to their further pages. Not stored: a few pages tell it again.
        self.widths: dict[LinkLabel, ListWidth] = {}
        self._records = {one.id: one for one in records}
        self._numbers: dict[str, dict[str, int]] = {}
        self._changed: set[int] = set()
        self._gained, self._paid = 0.0, 0
        for one in records:
            self._numbers.setdefault(one.path, {})[one.shape] = one.id
            self._gained, self._paid = self._gained + one.gained, self._paid + one.paid
        self._noted = (pairs, grain)

    def __getitem__(self, number: int) -> LabelRecord:
        return self._records[number]

    def find(self, name: LinkLabel) -> LabelRecord | None:
        return self.named(name.path, name.shape)

    def named(self, path: str, shape: str) -> LabelRecord | None:
        shapes = self._numbers.get(path)
        number = None if shapes is None else shapes.get(shape)
        return None if number is None else self._records[number]

    @property
    def records(self) -> Collection[LabelRecord]:
        return self._records.values()

    @property
    def usual(self) -> float:
        """Pairs of words that a page of the site brings that brings any."""
        return usual_gain(self._gained, self._paid)

    def change(self, number: int, **values: Any) -> None:  # noqa: ANN401 - fields of a record
        before = self._records[number]
        after = self._records[number] = replace(before, **values)
        self._changed.add(number)
        self._gained += after.gained - before.gained
        self._paid += after.paid - before.paid

    def add(
        self,
        connection: Connection,
        name: LinkLabel,
        example: str,
        *,
        source: int | None = None,
        is_poor: bool = False,
        is_last: bool = False,
    ) -> LabelRecord:
        """Make a label, at once: visits name it."""
        number = make_label(
            connection, self.site_id, name, example, source=source, is_poor=is_poor, is_last=is_last
        )
        record = LabelRecord(
            id=number,
            path=name.path,
            shape=name.shape,
            rank=rank_of(example),
            is_poor=is_poor,
            is_last=is_last,
            source=source,
        )
        self._records[number] = record
        self._numbers.setdefault(name.path, {})[name.shape] = number
        return record

    def write(self, connection: Connection) -> None:
        """Have what was changed in the store."""
        rows = [_changed(self._records[number]) for number in sorted(self._changed)]
        if rows:
            connection.execute(_CHANGED, rows)
        pairs, grain = self._noted
        if self.grain != grain or self.pairs - pairs > _UNCOUNTED:
            given = {"number": self.site_id, "new_pairs": self.pairs, "new_grain": self.grain}
            connection.execute(_COUNTED, given)
            self._noted = (self.pairs, self.grain)
        self._changed.clear()


def _changed(record: LabelRecord) -> dict[str, Any]:
    return {"number": record.id} | {f"new_{name}": getattr(record, name) for name in _CHANGING}


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
        is_last=row.is_last,
        series=row.series,
        others=row.others,
        found=row.found,
        again=row.again,
        again_at=row.again_at,
        fresh=row.fresh,
        covered=row.covered,
        idle=row.idle,
        source=row.source_id,
    )


def labels_of_site(connection: Connection, site_id: int) -> list[Row[Any]]:
    return list(connection.execute(select(labels).where(labels.c.site_id == site_id).order_by(labels.c.id)))


def make_label(
    connection: Connection,
    site_id: int,
    name: LinkLabel,
    example: str,
    *,
    source: int | None = None,
    is_poor: bool = False,
    is_last: bool = False,
) -> int:
    values = {
        "site_id": site_id,
        "path": name.path,
        "shape": name.shape,
        "example": example,
        "source_id": source,
        "is_poor": is_poor,
        "is_last": is_last,
    }
    return int(connection.execute(insert(labels).values(**values).returning(labels.c.id)).scalar_one())


# ── From one page to the next ────────────────────────────────────────────────────────────────────────────


def open_book(connection: Connection, site: Site) -> LabelBook:
    """The labels of a site; kept by nothing else until `close_book`, so that a failure leaves none."""
    requests, book = _kept(connection).pop(site.id, (None, None))
    if book is not None and requests == site.requests:
        return book
    counts = select(sites.c.pairs, sites.c.grain).where(sites.c.id == site.id)
    row = connection.execute(counts).one()
    records = [record_of(one) for one in labels_of_site(connection, site.id)]
    return LabelBook(site.id, records, row.pairs, row.grain)


def close_book(connection: Connection, book: LabelBook, requests: int) -> None:
    """Write a book, and keep it for the page after so many requests of its site."""
    book.write(connection)
    kept = _kept(connection)
    kept[book.site_id] = (requests, book)
    while len(kept) > _MOST_BOOKS:
        del kept[next(iter(kept))]


def forget_book(connection: Connection, site_id: int) -> None:
    """What is kept of the labels of a site is outdated."""
    _kept(connection).pop(site_id, None)


def _kept(connection: Connection) -> dict[int, tuple[int, LabelBook]]:
    kept: dict[int, tuple[int, LabelBook]] = connection.info.setdefault(_BOOKS, {})
    return kept
