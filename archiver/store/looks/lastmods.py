"""What sitemaps say of known pages: compared with what they said before, and held against what looks show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import BigInteger, bindparam, delete, func, insert, null, select, type_coerce, update

from archiver.acquisition.rechecks.lastmods import (
    GRACE,
    IGNORED_FOR,
    LATELY,
    MOVED,
    SPARED,
    SPARING,
    Lie,
    SitemapTrust,
    SitemapWords,
    Telling,
    ToldPage,
    first_telling,
    is_build_time,
    is_far_ahead,
    telling,
)
from archiver.acquisition.rechecks.sitemaps import SitemapPlan
from archiver.batches import batches
from archiver.digests import name_digest
from archiver.store.looks.rechecks import look_now
from archiver.store.schema import articles, lastmods, pages, sitemaps, versions

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.rechecks.sitemaps import ListedPage

_NOT_BELIEVED = "its sitemap is not believed"


# ── What a sitemap says ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapVerdict:
    """What a sitemap came to: articles that are due for it, edits that it told of; or why it is a lie."""

    moved: int = 0
    true: int = 0
    lie: Lie | None = None


def store_listing(
    connection: Connection, host: str, url: str, listed: Sequence[ListedPage], now: datetime
) -> SitemapVerdict:
    """Compare what a sitemap lists with what it said before, and have those be due that moved."""
    file = name_digest(url)
    dates = {one.key: one.lastmod for one in listed}
    rows = [row for row in _known(connection, listed) if _is_said(row, file, dates[row.page], now)]
    told = [(row, telling(row.lastmod, dates[row.page], row.looked, now, row.captured)) for row in rows]
    moved = [dates[row.page] for row, what in told if what in {Telling.MOVED, Telling.SEEN}]
    if is_build_time(moved, sum(what is not Telling.FIRST for _, what in told)):
        return SitemapVerdict(lie=Lie.BUILD_TIME)
    first = [
        first_telling(dates[row.page], row.unchanged_until, row.captured, now)
        for row, what in told
        if what is Telling.FIRST
    ]
    is_late = any(what is Telling.SAME and _is_late(row.untold, now) for row, what in told)
    if is_late or False in first:
        return SitemapVerdict(lie=Lie.UNTOLD)
    _forget_unlisted(connection, file, {row.id for row, _ in told})
    _save(connection, [_values(row, what, host, file, dates[row.page], now) for row, what in told])
    due = [row.id for row, what in told if what is Telling.MOVED]
    look_now(connection, due, MOVED, now)
    seen = sum(what is Telling.SEEN and row.untold is not None for row, what in told)
    return SitemapVerdict(moved=len(due), true=seen + first.count(True))


def _is_said(row: Row[Any], file: str, lastmod: datetime, now: datetime) -> bool:
    """Whether a date can be compared with one of this sitemap, now or later.

    Where two list a page, the one that was first counts while it is had: another may write the same day in
    another way, which is no edit.
    """
    if row.lastmod is None:
        return not is_far_ahead(lastmod, now)
    return bool(row.file == file or now - row.told > LATELY)


def _known(connection: Connection, listed: Sequence[ListedPage]) -> list[Row[Any]]:
    """The pages among them that show a known article; a page that has parts stands for all of them."""
    page = func.coalesce(pages.c.whole, pages.c.key)
    query = select(
        pages.c.id,
        page.label("page"),
        pages.c.looked,
        pages.c.recheck,
        lastmods.c.file,
        lastmods.c.lastmod,
        lastmods.c.told,
        lastmods.c.untold,
        lastmods.c.moved,
        lastmods.c.due_before,
        # Its last edit, if there was one: it came between these.
        versions.c.unchanged_until,
        versions.c.captured,
    )
    query = query.join(articles, articles.c.id == pages.c.article_id)
    query = query.outerjoin(lastmods, lastmods.c.page_id == pages.c.id)
    is_last = (versions.c.article_id == articles.c.id) & (versions.c.version == articles.c.version)
    query = query.outerjoin(versions, is_last & (versions.c.version > 1))
    found: dict[int, Row[Any]] = {}
    for some in batches([one.key for one in listed]):
        for which in (pages.c.key.in_(some), pages.c.whole.in_(some)):
            found |= {row.id: row for row in connection.execute(query.where(which)) if row.page in some}
    return list(found.values())


def _is_late(untold: datetime | None, now: datetime) -> bool:
    return untold is not None and now - untold >= GRACE


def _values(
    row: Row[Any], what: Telling, host: str, file: str, lastmod: datetime, now: datetime
) -> dict[str, Any]:
    is_moved = what is Telling.MOVED
    return {
        "page_id": row.id,
        "host": host,
        "file": file,
        # A date that went back, or is far ahead, is not what the next one is compared with.
        "lastmod": row.lastmod if what is Telling.SAME else lastmod,
        "told": now,
        "moved": row.moved or (now if is_moved else None),
        "due_before": row.due_before if row.moved else (row.recheck if is_moved else None),
        "untold": row.untold if what is Telling.SAME else None,
    }


def _save(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    for some in batches([row["page_id"] for row in rows]):
        connection.execute(delete(lastmods).where(lastmods.c.page_id.in_(some)))
    if rows:
        connection.execute(insert(lastmods), rows)


def _forget_unlisted(connection: Connection, file: str, page_ids: set[int]) -> None:
    """What a sitemap no longer lists it says nothing of."""
    listed = connection.execute(select(lastmods.c.page_id).where(lastmods.c.file == file)).scalars()
    for some in batches([number for number in listed if number not in page_ids]):
        connection.execute(delete(lastmods).where(lastmods.c.page_id.in_(some)))


def store_unmoved(connection: Connection, urls: Iterable[str], now: datetime) -> SitemapVerdict:
    """Sitemaps that are as they were: everything that they list is."""
    for some in batches([name_digest(url) for url in urls]):
        mine = lastmods.c.file.in_(some)
        late = select(lastmods.c.page_id).where(mine, lastmods.c.untold <= now - GRACE).limit(1)
        if connection.execute(late).first() is not None:
            return SitemapVerdict(lie=Lie.UNTOLD)
        connection.execute(update(lastmods).where(mine).values(told=now))
    return SitemapVerdict()


def ignore(connection: Connection, host: str, lie: Lie, now: datetime) -> datetime:
    """Leave a host's sitemaps alone for a month, and take back what came of them; until when."""
    moved = select(lastmods.c.page_id).where(lastmods.c.host == host, lastmods.c.moved.is_not(None))
    before = (
        select(lastmods.c.due_before)
        .where(lastmods.c.page_id == pages.c.id)
        .correlate(pages)
        .scalar_subquery()
    )
    waiting = pages.c.id.in_(moved) & (pages.c.state == "settled") & (pages.c.why == MOVED)
    connection.execute(update(pages).where(waiting).values(recheck=before, why=_NOT_BELIEVED))
    _look_as_often_as_others(connection, host)
    connection.execute(delete(lastmods).where(lastmods.c.host == host))
    until = now + IGNORED_FOR
    mine = update(sitemaps).where(sitemaps.c.host == host)
    anew = {"told_true": 0, "false_alarms": 0, "plan": SitemapPlan()}
    connection.execute(mine.values(next_ask=until, lie=str(lie), **anew))
    return until


def _look_as_often_as_others(connection: Connection, host: str) -> None:
    recheck, looked = (type_coerce(column, BigInteger) for column in (pages.c.recheck, pages.c.looked))
    listed = select(lastmods.c.page_id).where(lastmods.c.host == host)
    slow = pages.c.id.in_(listed) & (pages.c.state == "settled") & pages.c.why.contains(SPARED)
    sooner = type_coerce(looked + (recheck - looked) // SPARING, pages.c.recheck.type)
    connection.execute(
        update(pages).where(slow, pages.c.recheck.is_not(None)).values(recheck=sooner, why=_NOT_BELIEVED)
    )


# ── What looks show ──────────────────────────────────────────────────────────────────────────────────────


def words_on(connection: Connection, page_ids: Sequence[int]) -> SitemapWords:
    """What sitemaps say of these pages."""
    query = select(lastmods, sitemaps.c.told_true, sitemaps.c.false_alarms)
    query = query.join(sitemaps, sitemaps.c.host == lastmods.c.host)
    rows = [
        row
        for some in batches(page_ids)
        for row in connection.execute(query.where(lastmods.c.page_id.in_(some)))
    ]
    told = {
        row.page_id: ToldPage(
            host=row.host, lastmod=row.lastmod, told=row.told, untold=row.untold, moved=row.moved
        )
        for row in rows
    }
    trust = {row.host: SitemapTrust(told_true=row.told_true, false_alarms=row.false_alarms) for row in rows}
    return SitemapWords(told, trust)


def save_words(connection: Connection, words: SitemapWords, now: datetime) -> None:
    """Note what looks showed of them."""
    if words.untold:
        notes = [{"page": number, "still_untold": untold} for number, untold in words.untold.items()]
        connection.execute(_NOTE, notes)
    for host, trust in words.trust.items():
        save_trust(connection, host, trust)
    for host, lie in words.lies.items():
        ignore(connection, host, lie, now)


_NOTE = (
    update(lastmods)
    .where(lastmods.c.page_id == bindparam("page"))
    .values(
        moved=null(),
        due_before=null(),
        untold=bindparam("still_untold", type_=lastmods.c.untold.type),
    )
)


def save_trust(connection: Connection, host: str, trust: SitemapTrust) -> None:
    mine = update(sitemaps).where(sitemaps.c.host == host)
    connection.execute(mine.values(told_true=trust.told_true, false_alarms=trust.false_alarms))
