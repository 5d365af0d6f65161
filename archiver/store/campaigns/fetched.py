"""What came of a candidate: how relevant its page is, where it leads, and what its host has given so far."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import delete, func, insert, select, update

from archiver.acquisition.campaigns.model import CAMPAIGNS
from archiver.acquisition.campaigns.queue import is_out_of_scope
from archiver.acquisition.campaigns.relevance import RELEVANT
from archiver.acquisition.outcomes import Failure
from archiver.acquisition.pages import Ended, after_failure
from archiver.domains import same_owner
from archiver.store.campaigns.entries import wait_again
from archiver.store.campaigns.feeds import follow_feeds
from archiver.store.campaigns.onward import follow_links, tell_neighbours
from archiver.store.campaigns.posts import twin_of
from archiver.store.campaigns.queue import add_alias, evidence_of, known_candidate
from archiver.store.campaigns.quotas import agree_quota
from archiver.store.content.leads import FoundPage, lead_to, scope_of
from archiver.store.content.pages import FreshCapture, mark_captured
from archiver.store.schema import (
    campaign_feeds,
    campaigns,
    candidates,
    host_yields,
    pages,
    relevances,
)
from archiver.urls import host_of, same_page_key

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.acquisition.campaigns.learned import CampaignModels
    from archiver.acquisition.campaigns.links import LinkEvidence
    from archiver.acquisition.campaigns.model import Campaign, CandidateFetch, CandidateRead
    from archiver.acquisition.pages import PagePolicy

# What says nothing of the address that a redirect led to: too many of them on the way, and errors of ours.
_NOT_OF_TARGET = frozenset({Failure.REDIRECTS, Failure.INTERNAL})
# The curve of a campaign has a point each so many pages.
_EVERY = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPage:
    """A page that was fetched, as the models of the campaign see it."""

    score: float
    signals: Any
    same_as: int | None = None  # the candidate whose page says nearly the same


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchResult:
    outcome: str  # empty: it is tried again later
    found: int = 0
    evidence: LinkEvidence | None = None
    same_as: int | None = None
    same_url: str = ""  # the address of that page
    reads: bool = False
    feeds: int = 0  # that are polled from here on
    queries: int = 0  # that the API of its site is asked from here on


def store_failure(
    connection: Connection,
    campaign: Campaign,
    fetch: CandidateFetch,
    policy: PagePolicy,
    *,
    key: str,
    now: datetime,
) -> FetchResult:
    """Try a candidate again later, or never, and with it the address that a redirect led to; `key` is its."""
    failed, mine = fetch.failed, candidates.c.id == fetch.candidate.id
    if failed is None:
        raise ValueError("only a candidate that failed is tried again")
    tries = int(connection.execute(select(candidates.c.tries).where(mine)).scalar_one()) + 1
    verdict = after_failure(fetch.candidate.url, failed, tries, policy, few=1)
    tried = {"tries": tries, "chosen_by": fetch.candidate.chosen_by}
    target = _waiting_at(campaign.id, fetch, {same_page_key(fetch.url), key})
    is_of_target = failed.failure not in _NOT_OF_TARGET
    if isinstance(verdict, Ended):
        values = {"state": "failed", "outcome": str(failed.failure)}
        connection.execute(update(candidates).where(mine).values(**values, **tried))
        if is_of_target:
            connection.execute(update(candidates).where(target).values(**values))
            add_alias(connection, campaign, fetch.candidate.id, key, fetch.url, now, **values)
        _note_host(connection, campaign, fetch.candidate.host, failed=1)
        return FetchResult(outcome=str(failed.failure))
    later = {"next_try": now + verdict.wait}
    connection.execute(update(candidates).where(mine).values(**later, **tried))
    if is_of_target:
        connection.execute(update(candidates).where(target).values(**later))
    return FetchResult(outcome="")


def store_known(connection: Connection, campaign: Campaign, fetch: CandidateFetch, key: str) -> FetchResult:
    """Settle a candidate that leads to the page of another one: it shares what became of that.

    One that leads out of the scope is dropped as if it stood there itself.
    """
    if is_out_of_scope(fetch.url, host_of(fetch.url), campaign.definition):
        _settle(connection, fetch, "denied", state="dropped")
        return FetchResult(outcome="denied")
    number, twin = fetch.candidate.id, known_candidate(connection, campaign.id, key)
    page = _relevance(connection, twin.id) if twin is not None else None
    if twin is not None and page is not None:
        _settle(connection, fetch, "twin")
        # A person's judgement is of the page, which counts once.
        same = {"candidate_id": number, "same_as": page.same_as or twin.id, "judged": None}
        connection.execute(delete(relevances).where(relevances.c.candidate_id == number))
        connection.execute(insert(relevances).values({**page._asdict(), **same}))
        return FetchResult(outcome="same", same_as=twin.id, same_url=page.url)
    is_over = twin is not None and twin.state in {"failed", "dropped"}
    ended = (twin.state, twin.outcome) if twin is not None and is_over else ("dropped", "same")
    _settle(connection, fetch, ended[1], state=ended[0])
    return FetchResult(outcome=ended[1] or "same")


def _relevance(connection: Connection, number: int) -> Row[Any] | None:
    return connection.execute(select(relevances).where(relevances.c.candidate_id == number)).first()


def store_page(
    connection: Connection,
    campaign: Campaign,
    fetch: CandidateFetch,
    judged: ScoredPage,
    *,
    models: CampaignModels,
    recorded: datetime,
    now: datetime,
) -> FetchResult:
    """Settle a candidate with all that it leads to, in one transaction."""
    read, capture, number = fetch.read, fetch.capture, fetch.candidate.id
    _settle_others(connection, campaign.id, fetch, models)
    add_alias(connection, campaign, number, models.repeats.key(fetch.url), fetch.url, now)
    if read is None or capture is None or not read.is_page:
        outcome = "unreadable" if read is not None and read.problem else "not_page"
        _settle(connection, fetch, outcome)
        _note_host(connection, campaign, fetch.candidate.host, fetched=1)
        return FetchResult(outcome=outcome)
    evidence = evidence_of(_row(connection, number).evidence)
    twin = twin_of(connection, campaign.id, number, read.digest) or judged.same_as
    same_url = _row(connection, twin).url if twin else ""
    is_fresh = twin is None and not read.signals.is_stuffed
    _settle(connection, fetch, "twin" if twin else "read")
    _write_relevance(connection, campaign, fetch, read, judged, twin, recorded)
    value = 0.2 * judged.score if twin else judged.score
    _note_host(connection, campaign, fetch.candidate.host, fetched=1, relevance=value, fresh=int(is_fresh))
    tell_neighbours(connection, campaign, number, value, models.score)
    found = follow_links(connection, campaign, fetch, read, evidence, value, models, now) if is_fresh else 0
    _note_feeds(connection, campaign.id, read, judged.score, now)
    feeds = 0
    if twin is None and read.feeds:
        feeds = follow_feeds(connection, campaign, fetch.candidate, judged.score, read.feeds, now)
    _add_point(connection, campaign)
    reads = not twin and judged.score >= RELEVANT
    if reads:
        _keep(connection, campaign, fetch, read, recorded, now)
    return FetchResult(
        outcome="read",
        found=found,
        evidence=evidence,
        same_as=twin,
        same_url=same_url,
        reads=reads,
        feeds=feeds,
    )


def _row(connection: Connection, number: int) -> Row[Any]:
    return connection.execute(select(candidates).where(candidates.c.id == number)).one()


def _settle(connection: Connection, fetch: CandidateFetch, outcome: str, *, state: str = "done") -> None:
    values = {"state": state, "outcome": outcome, "chosen_by": fetch.candidate.chosen_by}
    connection.execute(update(candidates).where(candidates.c.id == fetch.candidate.id).values(**values))


def _settle_others(
    connection: Connection, campaign_id: int, fetch: CandidateFetch, models: CampaignModels
) -> None:
    """Drop other addresses of the same page: where a redirect led, and what it calls its own.

    It has a say in the addresses of its own domain alone: any page could take those of others from the queue.
    """
    canonical = fetch.read.canonical if fetch.read else ""
    urls = [fetch.url, canonical] if canonical and same_owner(canonical, fetch.url) else [fetch.url]
    keys = {same_page_key(url) for url in urls} | {models.repeats.key(url) for url in urls}
    others = _waiting_at(campaign_id, fetch, keys)
    connection.execute(update(candidates).where(others).values(state="dropped", outcome="same"))


def _waiting_at(campaign_id: int, fetch: CandidateFetch, keys: Collection[str]) -> ColumnElement[bool]:
    """Other candidates of these keys that wait."""
    waiting = (candidates.c.campaign_id == campaign_id) & (candidates.c.state == "waiting")
    return waiting & candidates.c.key.in_(keys) & (candidates.c.id != fetch.candidate.id)


def _write_relevance(
    connection: Connection,
    campaign: Campaign,
    fetch: CandidateFetch,
    read: CandidateRead,
    judged: ScoredPage,
    twin: int | None,
    recorded: datetime,
) -> None:
    connection.execute(delete(relevances).where(relevances.c.candidate_id == fetch.candidate.id))
    connection.execute(
        insert(relevances).values(
            candidate_id=fetch.candidate.id,
            campaign_id=campaign.id,
            url=fetch.url,
            title=read.title,
            score=judged.score,
            signals=judged.signals,
            capture=fetch.capture,
            words=msgspec.msgpack.encode(read.words),
            language=read.language,
            same_as=twin,
            digest=read.digest,
            revision=campaign.revision,
            seen=recorded,
        )
    )


def _note_host(
    connection: Connection,
    campaign: Campaign,
    host: str,
    *,
    fetched: int = 0,
    relevance: float = 0.0,
    fresh: int = 0,
    failed: int = 0,
) -> None:
    """Add to what a host has given, and let it give more or less."""
    here = (host_yields.c.campaign_id == campaign.id) & (host_yields.c.host == host)
    added = {
        "fetched": host_yields.c.fetched + fetched,
        "relevance": host_yields.c.relevance + relevance,
        "fresh": host_yields.c.fresh + fresh,
        "failed": host_yields.c.failed + failed,
    }
    connection.execute(update(host_yields).where(here).values(**added))
    row = connection.execute(select(host_yields).where(here)).first()
    if row is not None and fetched:
        agree_quota(connection, campaign, row)


def _note_feeds(
    connection: Connection, campaign_id: int, read: CandidateRead, score: float, now: datetime
) -> None:
    """Feeds that a relevant page names."""
    if score < RELEVANT or not read.feeds:
        return
    urls = [feed.url for feed in read.feeds]
    mine = (campaign_feeds.c.campaign_id == campaign_id) & campaign_feeds.c.url.in_(urls)
    known = set(connection.execute(select(campaign_feeds.c.url).where(mine)).scalars())
    new: Sequence[dict[str, Any]] = [
        {
            "campaign_id": campaign_id,
            "url": feed.url,
            "host": host_of(feed.url),
            "title": feed.title,
            "found": now,
        }
        for feed in {one.url: one for one in read.feeds}.values()
        if feed.url not in known
    ]
    if new:
        connection.execute(insert(campaign_feeds), new)


def _add_point(connection: Connection, campaign: Campaign) -> None:
    """The curve shows what the requests have brought."""
    mine = relevances.c.campaign_id == campaign.id
    query = select(func.count(), func.sum(relevances.c.score)).where(mine, relevances.c.same_as.is_(None))
    count, total = connection.execute(query).one()
    if count % _EVERY:
        return
    row = connection.execute(select(campaigns).where(campaigns.c.id == campaign.id)).one()
    curve = (*(row.curve or ()), (row.requests, round(total or 0.0, 2)))
    connection.execute(update(campaigns).where(campaigns.c.id == campaign.id).values(curve=curve))


def _keep(
    connection: Connection,
    campaign: Campaign,
    fetch: CandidateFetch,
    read: CandidateRead,
    recorded: datetime,
    now: datetime,
) -> None:
    """Have the page read for its article: it is in the archive already."""
    if fetch.capture is None:
        return
    scope = scope_of(connection, CAMPAIGNS, f"{campaign.name} {fetch.candidate.host}")
    page = FoundPage(url=fetch.url, via=fetch.candidate.via, said=read.said)
    lead_to(connection, scope, CAMPAIGNS, [page], recorded=recorded, now=now, again=True)
    number = connection.execute(select(pages.c.id).where(pages.c.key == page.key)).scalar_one()
    wait_again(connection, number)
    fresh = FreshCapture(page_id=number, capture=fetch.capture, size=fetch.size, validators=fetch.validators)
    mark_captured(connection, [fresh], now)
