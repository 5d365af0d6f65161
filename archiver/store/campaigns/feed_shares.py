"""What share of a feed's entries is relevant, as far as a campaign has fetched the pages of entries."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from sqlalchemy import select

from archiver.acquisition.campaigns.relevance import RELEVANT
from archiver.batches import batches
from archiver.store.polling.channels import known_as
from archiver.store.schema import candidates, entries, pages, relevances
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import Connection


class ShareOf(StrEnum):
    """What the share of a feed was counted of."""

    ENTRIES = "entries"
    HOST = "host"  # no page of its entries was fetched yet: the pages of its host


@dataclass(slots=True)
class RelevanceCount:
    """How many pages were judged, and how many of them are relevant."""

    judged: int = 0
    relevant: int = 0

    def add(self, *, is_relevant: bool) -> None:
        self.judged += 1
        self.relevant += is_relevant

    @property
    def share(self) -> float:
        return self.relevant / max(1, self.judged)


@dataclass(slots=True)
class _JudgedPages:
    """Whether pages are relevant, by all keys of their addresses; and how many are, by host."""

    by_key: dict[str, bool] = field(default_factory=dict)
    by_host: defaultdict[str, RelevanceCount] = field(default_factory=lambda: defaultdict(RelevanceCount))


def feed_shares(
    connection: Connection, number: int, feeds: Mapping[str, str]
) -> dict[str, tuple[ShareOf, RelevanceCount]]:
    """How much of each feed is relevant; `feeds` are hosts by the addresses of feeds."""
    judged = _judged_pages(connection, number)
    channel_of = {url: known_as(connection, url) for url in feeds}
    numbers = [channel for channel in channel_of.values() if channel is not None]
    counts = _of_entries(connection, numbers, judged.by_key)
    found = {}
    for url, host in feeds.items():
        count = counts.get(channel_of[url] or 0)
        found[url] = (ShareOf.ENTRIES, count) if count else (ShareOf.HOST, judged.by_host[host])
    return found


def _judged_pages(connection: Connection, number: int) -> _JudgedPages:
    found = _JudgedPages()
    columns = (candidates.c.key, candidates.c.url.label("asked"), candidates.c.host, relevances.c.url)
    said = (relevances.c.score, relevances.c.judged, relevances.c.same_as)
    query = (
        select(*columns, *said)
        .join(candidates, candidates.c.id == relevances.c.candidate_id)
        .where(relevances.c.campaign_id == number)
    )
    for row in connection.execute(query):
        # A person's word counts before the score.
        is_relevant = row.score >= RELEVANT if row.judged is None else bool(row.judged)
        for key in (row.key, same_page_key(row.asked), same_page_key(row.url)):
            found.by_key[key] = is_relevant
        if row.same_as is None:
            found.by_host[row.host].add(is_relevant=is_relevant)
    return found


def _of_entries(
    connection: Connection, numbers: Sequence[int], by_key: Mapping[str, bool]
) -> dict[int, RelevanceCount]:
    """By channel, the pages of its entries that were judged; each page once."""
    found: defaultdict[int, RelevanceCount] = defaultdict(RelevanceCount)
    for keys in batches(list(by_key)):
        query = (
            select(entries.c.channel_id, pages.c.key)
            .join(pages, pages.c.id == entries.c.page_id)
            .where(pages.c.key.in_(keys), entries.c.channel_id.in_(numbers))
            .distinct()
        )
        for row in connection.execute(query):
            found[row.channel_id].add(is_relevant=by_key[row.key])
    return found
