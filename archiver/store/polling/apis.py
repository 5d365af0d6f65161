"""What is followed through APIs: registered from files, handed out when it is due, and what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from sqlalchemy import func, insert, select, update

from archiver.acquisition.apis import ASKING, ApiState, ApiVerdict, after_failed, after_page
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.seeds.model import Seed
from archiver.acquisition.targets import ApiAsk
from archiver.articles.posts.model import PostOrigin
from archiver.documents.apis.model import Cursor
from archiver.documents.apis.registry import reader_of
from archiver.store.content.posts import PostCounts, write_posts
from archiver.store.leaving_out import none_of
from archiver.store.polling.listing import add_seed
from archiver.store.quotas import Use, count
from archiver.store.schema import api_sources

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row, Update

    from archiver.acquisition.apis import ApiRules
    from archiver.acquisition.items import ApiFetch
    from archiver.acquisition.pages import PagePolicy
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.archive.warc.records import Capture
    from archiver.documents.apis.model import ApiPage, ApiQuery

# Takes posts and what they lead to, in the transaction that stores them: the name of the campaign, the
# answer, its record, and when.
PostTaker = Callable[["Connection", str, "ApiPage", "Capture", "datetime"], None]
# What is put off further, by the limits of a server, keeps nothing else waiting.
_SOON = timedelta(minutes=1)
_UNREAD = Failed(failure=Failure.INTERNAL)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiResult:
    """What an answer came to."""

    verdict: ApiVerdict
    posts: PostCounts = PostCounts()
    feeds: tuple[str, ...] = ()  # that became channels in its place


def register_apis(connection: Connection, campaign: str, queries: Sequence[ApiQuery], now: datetime) -> None:
    """Make what a campaign follows agree with its file: what that names no more is not asked for any more."""
    mine = api_sources.c.campaign == campaign
    known = {row.key: row for row in connection.execute(select(api_sources).where(mine))}
    named = {query.key: query for query in queries}
    for key, query in named.items():
        if key not in known:
            state = ApiState(query=query)
            row = {"campaign": campaign, "key": key, "query": query, "next_ask": now}
            row |= {"host": _ask(0, campaign, state, now).host, "cursor": state.cursor}
            connection.execute(insert(api_sources).values(**row))
        elif known[key].query != query or known[key].next_ask is None:
            connection.execute(_one(known[key].id).values(query=query, next_ask=now))
    for key in known.keys() - named.keys():
        if not known[key].query.is_found:
            connection.execute(_one(known[key].id).values(next_ask=None))


def follow_named(
    connection: Connection, campaign: str, queries: Sequence[ApiQuery], root: str, now: datetime
) -> int:
    """Ask a site through the API that a page of it names, unless it is asked already; how many queries."""
    cursor = Cursor(root=root)
    rows = [
        {
            "campaign": campaign,
            "key": query.key,
            "query": query,
            "next_ask": now,
            "host": _ask(0, campaign, ApiState(query=query, cursor=cursor), now).host,
            "cursor": cursor,
        }
        for query in queries
    ]
    hosts = {str(row["host"]) for row in rows}
    mine = (api_sources.c.campaign == campaign) & api_sources.c.host.in_(hosts)
    if not rows or connection.execute(select(api_sources.c.id).where(mine).limit(1)).first():
        return 0
    connection.execute(insert(api_sources), rows)
    return len(rows)


def due_apis(
    connection: Connection,
    now: datetime,
    campaigns: Collection[str],
    *,
    limit: int,
    per_host: int,
    busy: Collection[int],
    without: Collection[str],
) -> list[ApiAsk]:
    """Those whose time has come, the longest waiting first; so many of a host."""
    table = api_sources.c
    query = select(api_sources).where(table.next_ask <= now, table.campaign.in_(campaigns))
    query = query.where(none_of(connection, table.host, without)).order_by(table.next_ask, table.id)
    found: list[ApiAsk] = []
    at_host: Counter[str] = Counter()
    for row in connection.execute(query.limit(10 * limit + len(busy))):
        if len(found) < limit and row.id not in busy and at_host[row.host] < per_host:
            at_host[row.host] += 1
            found.append(_ask(row.id, row.campaign, _state(row), now))
    return found


def next_api(connection: Connection, campaigns: Collection[str]) -> datetime | None:
    """When the next one falls due."""
    mine = api_sources.c.campaign.in_(campaigns)
    found: datetime | None = connection.execute(select(func.min(api_sources.c.next_ask)).where(mine)).scalar()
    return found


def hosts_being_asked(connection: Connection, campaign: str, now: datetime) -> frozenset[str]:
    """The hosts whose APIs are in their first round: what these answer need not be asked for as pages."""
    table = api_sources.c
    mine = (table.campaign == campaign) & table.outcome.in_(("", ASKING)) & (table.next_ask <= now + _SOON)
    return frozenset(connection.execute(select(table.host).where(mine)).scalars())


def store_api_fetch(
    connection: Connection,
    objects: ObjectWriter,
    fetch: ApiFetch,
    *,
    rules: ApiRules,
    policy: PagePolicy,
    recorded: datetime,
    now: datetime,
    take: PostTaker | None = None,
) -> ApiResult:
    """Write what an answer shows, and note how the query goes on; `take` gets it, too."""
    ask, page = fetch.ask, fetch.page
    count(connection, [Use(host=ask.host, pages=1, size=fetch.size)], now)
    row = connection.execute(select(api_sources).where(api_sources.c.id == ask.id)).one()
    state = _state(row)
    if page is None or fetch.capture is None:
        verdict = after_failed(state, fetch.failed or _UNREAD, now, policy)
        _note(connection, row, verdict, now)
        return ApiResult(verdict=verdict)
    origin = PostOrigin(query=state.query, campaign=row.campaign, capture=fetch.capture)
    counts = write_posts(connection, objects, page, origin, ask.id, recorded)
    verdict = after_page(state, page, fresh=counts.fresh, now=now, rules=rules, policy=policy)
    _note(connection, row, verdict, now, counts.new)
    if take is not None:
        take(connection, row.campaign, page, fetch.capture, now)
    for feed in page.feeds:
        source = f"campaign:{row.campaign}"
        add_seed(connection, Seed(url=feed, labels=(source,), source=source, line=0), now)
    return ApiResult(verdict=verdict, posts=counts, feeds=page.feeds)


def _note(
    connection: Connection, row: Row[tuple[object, ...]], verdict: ApiVerdict, now: datetime, new: int = 0
) -> None:
    state = verdict.state
    host = _ask(row.id, row.campaign, state, now).host
    connection.execute(
        _one(row.id).values(
            cursor=state.cursor,
            host=host,
            # A file that names it no more was read meanwhile: that stays so.
            next_ask=None if row.next_ask is None else verdict.next_ask,
            tries=state.tries,
            outcome=state.outcome,
            why=state.why,
            asks=api_sources.c.asks + 1,
            posts=api_sources.c.posts + new,
        )
    )
    if verdict.rest:
        table, until = api_sources.c, now + verdict.rest
        others = (table.host == host) & (table.next_ask < until)
        connection.execute(update(api_sources).where(others).values(next_ask=until))


def _one(source_id: int) -> Update:
    return update(api_sources).where(api_sources.c.id == source_id)


def _state(row: Row[tuple[object, ...]]) -> ApiState:
    return ApiState(
        query=row.query, cursor=row.cursor, tries=row.tries, outcome=row.outcome, why=row.why or ""
    )


def _ask(source_id: int, campaign: str, state: ApiState, now: datetime) -> ApiAsk:
    wanted = reader_of(state.query.api).request(state.query, state.cursor, now)
    return ApiAsk(id=source_id, campaign=campaign, state=state, url=wanted.url, accept=wanted.accept)
