"""Hosts whose sitemaps are asked for: which, what to ask of them next, and what an answer came to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sqlalchemy import func, insert, select, update

from archiver.acquisition.outcomes import PASSING
from archiver.acquisition.rechecks.lastmods import SitemapTrust
from archiver.acquisition.rechecks.sitemaps import (
    ENOUGH_ARTICLES,
    ROUND,
    SEARCH_AGAIN,
    SitemapPlan,
    after_failure,
    after_not_modified,
    after_robots,
    after_sitemap,
    begin_round,
    is_robots,
)
from archiver.acquisition.targets import SitemapAsk
from archiver.store.looks.lastmods import SitemapVerdict, ignore, save_trust, store_listing, store_unmoved
from archiver.store.looks.rechecks import IS_WANTED
from archiver.store.polling.prices import count_requests
from archiver.store.quotas import Use, count
from archiver.store.schema import pages, recheck_prices, sitemaps

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.items import SitemapFetch
    from archiver.acquisition.rechecks.lastmods import Lie

_COUNT_EVERY = timedelta(hours=12)


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapResult:
    """What an answer came to; `until`: for how long the host's sitemaps are ignored."""

    site: str
    moved: int = 0
    lie: Lie | None = None
    until: datetime | None = None


def count_when_due(connection: Connection, until: timedelta, now: datetime) -> None:
    """Count the articles of each host, which reads all pages, twice a day; not before there are rechecks."""
    row = connection.execute(select(recheck_prices.c.watched_counted)).first()
    if row is None or (row[0] is not None and row[0] <= now < row[0] + _COUNT_EVERY):
        return
    connection.execute(update(recheck_prices).values(watched_counted=now))
    count_watched(connection, until, now)


def count_watched(connection: Connection, until: timedelta, now: datetime) -> None:
    """Note how many articles of each host are under watch; a host with enough is asked from now on.

    Under watch are all up to an age: those for which no look is planned may be told of as well.
    """
    watched = pages.c.article_id.is_not(None) & (pages.c.born > now - until)
    query = select(pages.c.host, func.count().label("articles"), func.max(pages.c.url).label("url"))
    query = query.where(watched, IS_WANTED).group_by(pages.c.host).having(func.count() >= ENOUGH_ARTICLES)
    enough = {row.host: row for row in connection.execute(query)}
    known = {row.host: row.watched for row in connection.execute(select(sitemaps.c.host, sitemaps.c.watched))}
    for host, before in known.items():
        articles = enough[host].articles if host in enough else 0
        if articles != before:
            mine = update(sitemaps).where(sitemaps.c.host == host)
            connection.execute(mine.values(watched=articles))
    new = [row for host, row in enough.items() if host and host not in known]
    rows = [{"host": row.host, "origin": urljoin(row.url, "/"), "watched": row.articles} for row in new]
    if rows:
        connection.execute(insert(sitemaps), [row | {"next_ask": now, "plan": SitemapPlan()} for row in rows])


def due_sitemaps(
    connection: Connection, now: datetime, *, limit: int, busy: Collection[int]
) -> list[SitemapAsk]:
    """The next document of each host whose round is due, the longest waiting first."""
    due = (sitemaps.c.next_ask <= now) & (sitemaps.c.watched >= ENOUGH_ARTICLES)
    query = select(sitemaps).where(due).order_by(sitemaps.c.next_ask, sitemaps.c.id)
    rows = [row for row in connection.execute(query.limit(limit + len(busy))) if row.id not in busy][:limit]
    return [_ask(connection, row, now) for row in rows]


def _ask(connection: Connection, row: Row[Any], now: datetime) -> SitemapAsk:
    plan = row.plan
    if not plan.waiting:
        plan = begin_round(plan, row.origin, now)
        connection.execute(update(sitemaps).where(sitemaps.c.id == row.id).values(plan=plan, begun=now))
    return SitemapAsk(id=row.id, site=row.host, origin=row.origin, file=plan.waiting[0])


def store_sitemap_fetch(
    connection: Connection, fetch: SitemapFetch, *, most: int, now: datetime
) -> SitemapResult:
    """Write everything that an answer changed; at most so many documents are asked for in a round."""
    ask = fetch.ask
    count(connection, [Use(host=ask.host, size=fetch.size)], now)
    # They are asked for in the place of looks.
    count_requests(connection, rechecks=1)
    row = connection.execute(select(sitemaps).where(sitemaps.c.id == ask.id)).first()
    if row is None or row.plan.waiting[:1] != (ask.file,):
        return SitemapResult(site=ask.site)
    plan, said = _read(connection, fetch, row.plan, most, now)
    if said.lie is not None:
        return SitemapResult(site=ask.site, lie=said.lie, until=ignore(connection, ask.site, said.lie, now))
    if said.true:
        save_trust(connection, ask.site, SitemapTrust(told_true=row.told_true + said.true))
    next_ask = now if plan.waiting else _next_round(plan, row.begun or now)
    mine = update(sitemaps).where(sitemaps.c.id == ask.id)
    connection.execute(mine.values(plan=plan, next_ask=next_ask))
    return SitemapResult(site=ask.site, moved=said.moved)


def _read(
    connection: Connection, fetch: SitemapFetch, plan: SitemapPlan, most: int, now: datetime
) -> tuple[SitemapPlan, SitemapVerdict]:
    ask, read = fetch.ask, fetch.read
    if is_robots(ask.file.url):
        return after_robots(plan, ask.origin, read.sitemaps if read else (), most), SitemapVerdict()
    if fetch.failed is not None:
        return after_failure(plan, is_final=fetch.failed.failure not in PASSING), SitemapVerdict()
    if fetch.is_not_modified:
        plan, others = after_not_modified(plan, ask.file)
        return plan, store_unmoved(connection, [ask.file.url, *others], now)
    if read is None or not (read.pages or read.sitemaps):
        return after_failure(plan, is_final=True), SitemapVerdict()
    had = replace(ask.file, validators=fetch.validators, capture=fetch.capture)
    plan, others = after_sitemap(plan, had, read.sitemaps, most)
    unmoved = store_unmoved(connection, others, now)
    return plan, unmoved if unmoved.lie else store_listing(connection, ask.site, had.url, read.pages, now)


def _next_round(plan: SitemapPlan, begun: datetime) -> datetime:
    return begun + (ROUND if plan.roots else SEARCH_AGAIN)
