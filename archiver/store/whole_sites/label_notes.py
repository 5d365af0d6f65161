"""What the labels of a site came to over all of a crawl, for those who look at it."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from sqlalchemy import inspect, select

from archiver.acquisition.sites.learning.labels import LOOKED_AT_AGAIN
from archiver.acquisition.sites.learning.told import LabelNote
from archiver.acquisition.sites.model import SITES
from archiver.store.schema import labels, scopes, visits, wrappers
from archiver.store.whole_sites.label_book import labels_of_site, record_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, Connection, Row, Select


def label_notes(connection: Connection, site_id: int) -> list[LabelNote]:
    """All labels of a site; none where its crawl does not learn."""
    if not inspect(connection).has_table(labels.name):
        return []
    rows = labels_of_site(connection, site_id)
    led, examples = _led(connection, site_id, _owners(rows)) if rows else ({}, {})
    pages: Counter[int] = Counter()
    for found in led.values():
        pages.update(found)
    return [
        LabelNote(
            record=record_of(row),
            pages=min(pages[row.id] or row.fetched, row.fetched),
            # That of a label which a file named is not known to be there before a page was fetched.
            example=examples.get(row.id, "" if row.gains and not row.fetched else row.example),
            source=row.source_id,
            led=led.get(row.id, {}),
        )
        for row in rows
        if row.path not in LOOKED_AT_AGAIN
    ]


def _owners(rows: Sequence[Row[Any]]) -> dict[int, int]:
    """For what a crawl later on looked at again: the label by which most of its kind were found before."""
    first = {
        row.shape: row.id
        for row in sorted(rows, key=lambda row: row.found)
        if row.path not in LOOKED_AT_AGAIN
    }
    return {row.id: first[row.shape] for row in rows if row.path in LOOKED_AT_AGAIN and row.shape in first}


def _led(
    connection: Connection, site_id: int, owners: Mapping[int, int]
) -> tuple[Mapping[int, Mapping[int, int]], dict[int, str]]:
    """How many fetched pages of which label the pages of each label led to; and a page of each."""
    mine = (visits.c.site_id == site_id) & (visits.c.state == "settled") & visits.c.label_id.is_not(None)
    # Hashes of addresses, as a site may have hundreds of thousands. A join would read all pages for each.
    pages = {hash(row.url): row.label_id for row in connection.execute(_fetched(mine))}
    led: dict[int, Counter[int]] = defaultdict(Counter)
    examples: dict[int, str] = {}
    for row in connection.execute(_fetched(mine)):
        label = owners.get(row.label_id, row.label_id)
        examples.setdefault(label, row.url)
        by = pages.get(hash(row.via)) if row.via != row.url else None
        if by is not None:
            led[owners.get(by, by)][label] += 1
    return led, examples


def _fetched(mine: ColumnElement[bool]) -> Select[tuple[str, str, int]]:
    return select(visits.c.url, visits.c.via, visits.c.label_id).where(mine)


def wrappers_by_shape(connection: Connection, site_url: str) -> dict[str, str]:
    """The wrapper that served most pages with each form of address, of those in use."""
    prefix = f"{site_url} "
    query = (
        select(scopes.c.name, wrappers.c.id)
        .join_from(scopes, wrappers, wrappers.c.scope_id == scopes.c.id)
        .where(scopes.c.source == SITES, scopes.c.name.startswith(prefix, autoescape=True))
        .where(wrappers.c.outdated.is_(None))
        .order_by(wrappers.c.pages, wrappers.c.id.desc())
    )
    return {row.name.removeprefix(prefix): row.id for row in connection.execute(query)}
