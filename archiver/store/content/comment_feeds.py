"""Feeds of comments: which are to be asked for since their articles were looked at, and what came of it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.acquisition.targets import CommentFeedAsk
from archiver.articles.contributions.model import ContributionPage
from archiver.store.content.contributions import ContributionCounts, write_contributions
from archiver.store.leaving_out import none_of
from archiver.store.polling.prices import count_requests
from archiver.store.quotas import Use, count
from archiver.store.schema import comment_feeds
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.findings import Finding
    from archiver.acquisition.items import CommentFeedFetch
    from archiver.archive.objects.writer import ObjectWriter


def ask_for_comments(
    connection: Connection, looks: Sequence[Finding], keys: Mapping[int, str], now: datetime
) -> None:
    """Have the feeds of comments asked for of the pages that were looked at; `keys` of their articles."""
    known = _known(connection, [one.page_id for one in looks])
    for one in looks:
        feed = _feed_of(one) or known.get(one.page_id)
        if feed is None or one.page_id not in keys:
            continue
        values = {
            "url": feed,
            "host": host_of(feed),
            "key": keys[one.page_id],
            "page_url": one.url,
            "due": now,
        }
        if one.page_id in known:
            mine = update(comment_feeds).where(comment_feeds.c.page_id == one.page_id)
            # Another feed knows nothing of the validators of this one.
            other = {} if known[one.page_id] == feed else {"validators": None, "capture": None}
            connection.execute(mine.values(**values, **other))
        else:
            connection.execute(insert(comment_feeds).values(page_id=one.page_id, **values))


def _feed_of(finding: Finding) -> str | None:
    """The feed that the entry of an article names. An entry of comments is not of the article."""
    entries = (lead.entry for lead in finding.leads if lead.entry is not None and not lead.is_of_comment)
    return next((entry.comments_feed for entry in entries if entry.comments_feed), None)


def _known(connection: Connection, page_ids: Sequence[int]) -> dict[int, str]:
    query = select(comment_feeds.c.page_id, comment_feeds.c.url).where(comment_feeds.c.page_id.in_(page_ids))
    return {row.page_id: row.url for row in connection.execute(query)} if page_ids else {}


def due_comment_feeds(
    connection: Connection,
    now: datetime,
    *,
    limit: int,
    per_host: int,
    busy: Collection[int],
    without: Collection[str],
) -> list[CommentFeedAsk]:
    """Those whose articles were looked at, the longest waiting first; so many of a host."""
    query = select(comment_feeds).where(comment_feeds.c.due <= now)
    query = query.where(none_of(connection, comment_feeds.c.host, without)).order_by(
        comment_feeds.c.due, comment_feeds.c.page_id
    )
    found: list[CommentFeedAsk] = []
    at_host: Counter[str] = Counter()
    for row in connection.execute(query.limit(10 * limit + len(busy))):
        if len(found) < limit and row.page_id not in busy and at_host[row.host] < per_host:
            at_host[row.host] += 1
            found.append(
                CommentFeedAsk(
                    id=row.page_id,
                    url=row.url,
                    page_key=row.key,
                    page_url=row.page_url,
                    validators=row.validators,
                    capture=row.capture,
                )
            )
    return found


def store_comment_feed(
    connection: Connection,
    objects: ObjectWriter,
    fetch: CommentFeedFetch,
    *,
    recorded: datetime,
    now: datetime,
) -> ContributionCounts:
    """Write what a feed shows. It is not asked for again before the next look, whatever came of it."""
    ask = fetch.ask
    count(connection, [Use(host=ask.host, pages=0, size=fetch.size)], now)
    # They are asked for beside looks.
    count_requests(connection, rechecks=1)
    mine = update(comment_feeds).where(comment_feeds.c.page_id == ask.id)
    if fetch.capture is None:
        connection.execute(mine.values(due=None))
        return ContributionCounts()
    connection.execute(mine.values(due=None, validators=fetch.validators, capture=fetch.capture))
    page = ContributionPage(key=ask.page_key, url=ask.page_url, capture=fetch.capture)
    # A feed shows the newest: what it does not show may be there all the same.
    return write_contributions(connection, objects, page, fetch.found, recorded)
