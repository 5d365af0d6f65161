"""Which pairs of words a site has shown: a part of them that stays small, however large the site is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import delete, func, select, text

from archiver.acquisition.sites.learning.model import GRAIN
from archiver.store.schema import pairs

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy import Connection

    from archiver.store.whole_sites.label_book import LabelBook

# Of a site. With more of them, half are dropped, and of what comes half is not kept.
MOST_PAIRS = 400_000
# One statement for all pairs of a page: it keeps those that are new, and tells how many.
_ADDED = {
    "sqlite": text(
        "INSERT INTO pairs (site_id, pair) SELECT :site, value FROM json_each(:numbers) WHERE true"
        " ON CONFLICT DO NOTHING"
    ).execution_options(preserve_rowcount=True),
    "postgresql": text(
        "INSERT INTO pairs (site_id, pair) SELECT :site, value::bigint"
        " FROM json_array_elements_text(CAST(:numbers AS json)) ON CONFLICT DO NOTHING"
    ).execution_options(preserve_rowcount=True),
}


def note_pairs(connection: Connection, book: LabelBook, shown: Collection[int]) -> float:
    """Keep what a page shows; about how many pairs of words on it are new."""
    grain = book.grain
    wanted = sorted(number for number in set(shown) if not number % grain)
    if not wanted:
        return 0.0
    given = {"site": book.site_id, "numbers": msgspec.json.encode(wanted).decode()}
    new = connection.execute(_ADDED[connection.dialect.name], given).rowcount
    book.pairs += new
    if book.pairs > MOST_PAIRS:
        _thin(connection, book)
    return float(new * grain * GRAIN)


def _thin(connection: Connection, book: LabelBook) -> None:
    mine = pairs.c.site_id == book.site_id
    book.grain *= 2
    connection.execute(delete(pairs).where(mine, pairs.c.pair % book.grain != 0))
    book.pairs = connection.execute(select(func.count()).select_from(pairs).where(mine)).scalar_one()
