"""Looks at articles on several pages, under way: each step is noted, so that a run that ends loses none."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, select, update

from archiver.acquisition.walks import Walk
from archiver.batches import batches
from archiver.store.quotas import Use, count
from archiver.store.schema import pages

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.pages import PageValidators
    from archiver.acquisition.walks import FurtherPage


def begin_walks(connection: Connection, page_ids: Sequence[int]) -> None:
    """The first pages of these articles were fetched: their further pages are looked at anew."""
    for some in batches(page_ids):
        for row in connection.execute(_WALKS, {"ids": some}).all():
            save_walk(connection, row.id, row.walk.again())


# Asked with every few captures.
_WALKS = select(pages.c.id, pages.c.walk).where(
    pages.c.id.in_(bindparam("ids", expanding=True)), pages.c.walk.is_not(None)
)


def save_walk(connection: Connection, page_id: int, walk: Walk | None) -> None:
    connection.execute(update(pages).where(pages.c.id == page_id).values(walk=walk))


def ask_further(connection: Connection, page_id: int, walk: Walk, now: datetime) -> None:
    """Have the next page of an article be fetched, now; its row waits as one whose page is to be fetched."""
    values = {"walk": walk, "state": "pending", "next_try": now, "tries": 0}
    connection.execute(update(pages).where(pages.c.id == page_id).values(**values))


def walk_on(
    connection: Connection, page_id: int, found: FurtherPage, *, size: int = 0, now: datetime
) -> None:
    """A further page is in the archive: the article is read again, with it."""
    walk = _walk(connection, page_id)
    known = walk.known(found.url)
    if known is not None and found.validators is None:
        found = replace(found, validators=known.validators)  # a 304 need not repeat them
    _read_again(connection, page_id, walk.with_page(found))
    row = connection.execute(select(pages.c.host, pages.c.scope_id).where(pages.c.id == page_id)).one()
    count(connection, [Use(host=row.host, channel_id=max(0, row.scope_id), pages=1, size=size)], now)


def walk_without(connection: Connection, page_id: int, url: str, failure: str) -> None:
    """A further page could not be fetched: the article is read with what there is of it."""
    _read_again(connection, page_id, _walk(connection, page_id).without(url, failure))


def kept_validators(connection: Connection, page_id: int) -> PageValidators | None:
    """Those of the first page of an article that has several; None where it has only one, or none of them.

    A 304 says that this page is as it was, and nothing of the others.
    """
    row = connection.execute(select(pages.c.walk, pages.c.validators).where(pages.c.id == page_id)).one()
    return row.validators if row.walk is not None and row.walk.is_several else None


def _walk(connection: Connection, page_id: int) -> Walk:
    return connection.execute(select(pages.c.walk).where(pages.c.id == page_id)).scalar() or Walk()


def _read_again(connection: Connection, page_id: int, walk: Walk) -> None:
    values = {"walk": walk, "state": "captured", "failure": None}
    connection.execute(update(pages).where(pages.c.id == page_id).values(**values))
