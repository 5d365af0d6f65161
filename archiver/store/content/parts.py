"""Parts of one page: rows of their own that share its captures, and its failures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, or_, select, update

from archiver.batches import batches
from archiver.documents.parts import part_of_key
from archiver.store.schema import articles, entries, pages
from archiver.store.workers import hold_like

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from sqlalchemy import ColumnElement, Connection, Select

    from archiver.acquisition.targets import PendingPage
    from archiver.documents.feeds.model import FeedEntry
    from archiver.store.content.pages import FreshCapture

# Of the entries that share a page, so many tell one from the others.
_MOST_BESIDE = 20
_other = pages.alias("other")
_IS_OF_SAME_PAGE = or_(_other.c.whole == pages.c.whole, _other.c.key == pages.c.whole)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherPart:
    """What another entry announced on the same page."""

    page_id: int
    part: str  # empty: it is read by the whole page
    entry: FeedEntry


def is_first_pending() -> ColumnElement[bool]:
    """True for the first of a page and its parts that wait: it is fetched once for all."""
    before = select(_other.c.id).where(_other.c.id < pages.c.id, _other.c.state == "pending")
    before = before.correlate(pages)
    # Two questions, for most pages are no parts and have none.
    has_part = before.where(_other.c.whole == pages.c.key).exists()
    is_part = pages.c.whole.is_not(None) & before.where(_IS_OF_SAME_PAGE).exists()
    return ~(has_part | is_part)


def read_from_archive(connection: Connection, channel_id: int, keys: Collection[str]) -> None:
    """Parts of pages that other channels have announced are read from what is there of them."""
    query = (
        select(
            pages.c.id,
            _other.c.capture,
            _other.c.captured,
            _other.c.size,
            _other.c.validators,
            _other.c.id.label("other_id"),
        )
        .join(_other, _IS_OF_SAME_PAGE)
        .where(pages.c.state == "pending", pages.c.capture.is_(None), _other.c.capture.is_not(None))
        .where(_other.c.state != "pending")
        .order_by(_other.c.captured.desc())
    )
    for some in batches(sorted(keys)):
        found: dict[int, dict[str, Any]] = {}
        for row in connection.execute(query.where(pages.c.key.in_(some))):
            found.setdefault(row.id, dict(row._mapping))  # noqa: SLF001 - public API in spite of its name
        for number, values in found.items():
            hold_like(connection, number, values.pop("other_id"))
            values |= {"state": "captured", "scope_id": channel_id}
            connection.execute(update(pages).where(pages.c.id == number).values(**values))


def one_of_each(
    connection: Connection, rows: Sequence[PendingPage], busy: Collection[int]
) -> list[PendingPage]:
    """These without further parts of a page that is among them, or that is being fetched."""
    ids = [*busy, *(row.id for row in rows)]
    query = select(pages.c.id, func.coalesce(pages.c.whole, pages.c.key).label("page"))
    of_each: dict[int, str] = {}
    for some in batches(ids):
        of_each |= {row.id: row.page for row in connection.execute(query.where(pages.c.id.in_(some)))}
    taken = {of_each[number] for number in busy if number in of_each}
    found = []
    for row in rows:
        if of_each[row.id] not in taken:
            taken.add(of_each[row.id])
            found.append(row)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRow:
    """Another part of a page that was fetched."""

    id: int
    is_recheck: bool  # no entry waits for it


def waiting_parts(connection: Connection, page_id: int) -> list[OtherRow]:
    """The other parts of a page that wait for it."""
    query = _others(page_id).where(_other.c.state == "pending")
    return [OtherRow(id=number, is_recheck=False) for number in connection.execute(query).scalars()]


def same_parts(connection: Connection, page_id: int) -> list[OtherRow]:
    """The other parts that were captured with this page last, and are looked at again with it."""
    query = _others(page_id).where(_other.c.state == "settled", _other.c.recheck.is_not(None))
    query = query.where(_other.c.capture == pages.c.capture, _other.c.article_id.is_not(None))
    return [OtherRow(id=number, is_recheck=True) for number in connection.execute(query).scalars()]


def _others(page_id: int) -> Select[Any]:
    query = select(_other.c.id).join(pages, _of_same_page())
    return query.where(pages.c.id == page_id, _other.c.id != page_id).order_by(_other.c.id)


def with_other_parts(connection: Connection, captures: Sequence[FreshCapture]) -> list[FreshCapture]:
    """The captures, each also for the other parts of its page that wait, or whose articles are watched."""
    mine = {one.page_id: one for one in captures}
    found = dict(mine)
    for some in batches(list(mine)):
        for row in connection.execute(_OTHER_PARTS, {"ids": some}):
            found.setdefault(row.id, replace(mine[row.mine], page_id=row.id))
    return list(found.values())


def _of_same_page() -> ColumnElement[bool]:
    return or_(_IS_OF_SAME_PAGE, _other.c.whole == pages.c.key)


_IS_WATCHED = (_other.c.state == "settled") & _other.c.recheck.is_not(None) & _other.c.article_id.is_not(None)
# Asked for with every few captures: to put it together each time would take longer than to answer it.
_OTHER_PARTS = (
    select(pages.c.id.label("mine"), _other.c.id)
    .join(_other, _of_same_page())
    .where(pages.c.id.in_(bindparam("ids", expanding=True)), (_other.c.state == "pending") | _IS_WATCHED)
)


def parts_read(connection: Connection, page_ids: Sequence[int]) -> dict[int, tuple[str, bool]]:
    """For parts of pages, which part each is read by, and whether its article is known as that part.

    What was the whole page's article once stays it.
    """
    query = (
        select(pages.c.id, pages.c.key, articles.c.key.label("known"))
        .outerjoin(articles, articles.c.id == pages.c.article_id)
        .where(pages.c.id.in_(page_ids), pages.c.whole.is_not(None))
    )
    return {
        row.id: (part_of_key(row.known if row.known is not None else row.key), row.known is not None)
        for row in connection.execute(query)
    }


def others_of(connection: Connection, page_ids: Sequence[int]) -> dict[int, tuple[OtherPart, ...]]:
    """What other entries announced on the same pages, the newest of them."""
    query = (
        select(pages.c.id.label("mine"), _other.c.id, _other.c.key, entries.c.entry)
        .join(_other, _IS_OF_SAME_PAGE)
        .join(entries, entries.c.page_id == _other.c.id)
        .where(pages.c.id.in_(page_ids), _other.c.id != pages.c.id)
        .order_by(entries.c.id.desc())
    )
    found: dict[int, tuple[OtherPart, ...]] = {}
    for row in connection.execute(query):
        others = found.get(row.mine, ())
        if len(others) < _MOST_BESIDE:
            part = OtherPart(page_id=row.id, part=part_of_key(row.key), entry=row.entry)
            found[row.mine] = (*others, part)
    return found


def part_of_page(connection: Connection, page_id: int) -> str:
    return part_of_key(connection.execute(select(pages.c.key).where(pages.c.id == page_id)).scalar_one())
