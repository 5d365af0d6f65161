"""Captured pages that wait for the browser: a state of their own, until their rendering is in the archive."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import func, select, update

from archiver.store.schema import pages
from archiver.store.workers import is_in_own_files

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.archive.warc.records import Capture
    from archiver.archive.warc.rendered import Rendered

# Of a page: captured, and to be rendered before it is read.
RENDERING = "rendering"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageToRender:
    """A captured page that says nothing without its scripts."""

    id: int
    capture: Capture
    tries: int


def ask_rendering(connection: Connection, page_id: int, now: datetime) -> None:
    """Have a captured page rendered before it is read."""
    mine = (pages.c.id == page_id, pages.c.state == "captured")
    connection.execute(update(pages).where(*mine).values(state=RENDERING, next_try=now, tries=0))


def next_to_render(connection: Connection, now: datetime, without: Collection[int]) -> PageToRender | None:
    """Return the page that has waited longest."""
    query = select(pages.c.id, pages.c.capture, pages.c.tries)
    query = query.where(pages.c.state == RENDERING, pages.c.next_try <= now, pages.c.id.not_in(without))
    query = query.where(is_in_own_files(connection))
    row = connection.execute(query.order_by(pages.c.next_try, pages.c.id).limit(1)).first()
    return None if row is None else PageToRender(id=row.id, capture=row.capture, tries=row.tries)


def count_to_render(connection: Connection) -> int:
    query = select(func.count()).where(pages.c.state == RENDERING, is_in_own_files(connection))
    return connection.execute(query).scalar_one()


def store_rendering(connection: Connection, page: PageToRender, rendered: Rendered) -> None:
    """Note where a page's rendering is, or why it has none: the page is read from here on."""
    capture = replace(page.capture, rendered=rendered)
    mine = (pages.c.id == page.id, pages.c.state == RENDERING)
    connection.execute(update(pages).where(*mine).values(state="captured", capture=capture))


def render_later(connection: Connection, page_id: int, at: datetime) -> None:
    mine = pages.c.id == page_id
    connection.execute(update(pages).where(mine).values(tries=pages.c.tries + 1, next_try=at))


def was_rendered(connection: Connection, page_id: int) -> bool:
    """Return whether the last capture of a page was read by its rendering."""
    capture = connection.execute(select(pages.c.capture).where(pages.c.id == page_id)).scalar()
    return capture is not None and capture.rendered is not None and capture.rendered.place is not None


def release_rendering(connection: Connection) -> int:
    """Have pages read as they were served that wait for a browser which is not used any more."""
    waiting = (pages.c.state == RENDERING, is_in_own_files(connection))
    found = connection.execute(update(pages).where(*waiting).values(state="captured"))
    return found.rowcount
