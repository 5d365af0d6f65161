"""Campaigns read from the state store: status, ranking, and why a page or an address has its score."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from archiver.acquisition.campaigns.estimate import unfetched
from archiver.acquisition.campaigns.learned import CampaignModels
from archiver.acquisition.campaigns.relevance import CENTRES, WEIGHTS
from archiver.errors import ConfigurationError
from archiver.inspection.campaigns.model import CampaignStatus, HostYield, Inlink, RankedPage, WhyPage
from archiver.inspection.campaigns.reasons import reasons_of
from archiver.store.campaigns.addresses import candidate_at
from archiver.store.campaigns.definitions import campaign_named
from archiver.store.campaigns.feeds import count_polled
from archiver.store.campaigns.learning import learned_of
from archiver.store.campaigns.queue import evidence_of
from archiver.store.campaigns.tallies import best_hosts, best_pages, tally, tried_candidates, waiting_by_rank
from archiver.store.schema import campaigns, candidates, inlinks, relevances
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign


def read_status(
    connection: Connection, name: str, now: datetime, *, of_last_day: int | None = None
) -> CampaignStatus:
    """How a campaign stands; `of_last_day` is how many requests of the last day WARC has of it."""
    campaign = campaign_named(connection, name)
    budget = campaign.definition.budget
    found = tally(connection, campaign.id)
    estimate = unfetched(waiting_by_rank(connection, campaign), tried_candidates(connection, campaign.id))
    models = CampaignModels.of(campaign, learned_of(connection, campaign))
    curve = connection.execute(select(campaigns.c.curve).where(campaigns.c.id == campaign.id)).scalar()
    return CampaignStatus(
        name=campaign.name,
        about=campaign.definition.about,
        state=campaign.state,
        revision=campaign.revision,
        began=campaign.began,
        requests=campaign.requests,
        budget=budget.requests,
        bytes=campaign.bytes,
        budget_bytes=budget.bytes,
        days=_days_spent(campaign, now),
        budget_days=budget.days,
        requests_of_last_day=of_last_day,
        budget_per_day=budget.per_day,
        fetched=found.fetched,
        relevant=found.relevant,
        failed=found.failed,
        twins=found.twins,
        waiting=found.waiting,
        unfetched=estimate.likely,
        unfetched_low=estimate.low,
        unfetched_high=estimate.high,
        drawn=estimate.drawn,
        vote=models.links.vote,
        feeds=count_polled(connection, campaign),
        hosts=tuple(
            HostYield(host=row.host, fetched=row.fetched, relevance=row.relevance, quota=row.quota)
            for row in best_hosts(connection, campaign.id)
        ),
        curve=curve or (),
    )


def _days_spent(campaign: Campaign, now: datetime) -> int:
    """Whole days since it began; those of its budget at most."""
    days = max(0, (now - campaign.began).days)
    most = campaign.definition.budget.days
    return days if most is None else min(days, most)


def read_top(connection: Connection, name: str, most: int, least: float = 0.0) -> list[RankedPage]:
    """The most relevant pages, the best first."""
    campaign = campaign_named(connection, name)
    rows = best_pages(connection, campaign.id, most, least)
    return [ranked_page(place, row) for place, row in enumerate(rows, 1)]


def ranked_page(place: int, row: Row[Any]) -> RankedPage:
    judged = None if row.judged is None else bool(row.judged)
    return RankedPage(
        rank=place,
        url=row.url,
        title=row.title,
        score=row.score,
        reasons=reasons_of(row.signals, judged),
        judged=judged,
        record=row.capture.record_id,
        captured=row.capture.url,
        seen=row.seen,
    )


def read_why(connection: Connection, name: str, url: str) -> WhyPage:
    """Every signal and weight of a page or an address; ConfigurationError where neither is known."""
    campaign = campaign_named(connection, name)
    row = _candidate(connection, campaign, url)
    models = CampaignModels.of(campaign, learned_of(connection, campaign))
    evidence = evidence_of(row.evidence)
    page = connection.execute(select(relevances).where(relevances.c.candidate_id == row.id)).first()
    signals = page.signals if page else None
    judged = None if page is None or page.judged is None else bool(page.judged)
    return WhyPage(
        campaign=campaign.name,
        judged=judged,
        url=row.url,
        state=row.state if row.outcome is None else f"{row.state}: {row.outcome}",
        found_by=row.found_by,
        priority=models.score(evidence),
        parts=models.parts(evidence),
        vote=models.links.vote,
        hops=evidence.hops,
        worth=evidence.worth,
        place=_place(connection, row) if row.state == "waiting" else None,
        inlinks=tuple(_inlinks(connection, row.id)),
        relevance=page.score if page else None,
        signals={one: getattr(signals, one) for one in WEIGHTS} if signals else {},
        terms=_terms(signals, models.shifts) if signals else {},
        reasons=reasons_of(signals, judged) if signals else (),
        title=page.title if page else "",
        captured=page.capture.url if page else "",
    )


def _candidate(connection: Connection, campaign: Campaign, url: str) -> Row[Any]:
    row = candidate_at(connection, campaign.id, url)
    if row is None:
        advice = f"`scrapy campaign top {campaign.name}` lists pages"
        raise ConfigurationError(f"{campaign.name} has never seen {redact(url)}: {advice}")
    return row


def _terms(signals: Any, shifts: dict[str, float]) -> dict[str, float]:  # noqa: ANN401 - Signals
    found = {}
    for name, weight in WEIGHTS.items():
        value = getattr(signals, name)
        if value is not None:
            found[name] = (weight + shifts.get(name, 0.0)) * (value - CENTRES.get(name, 0.0))
    return found


def _place(connection: Connection, row: Row[Any]) -> int:
    """How many candidates wait before it."""
    waiting = (candidates.c.campaign_id == row.campaign_id) & (candidates.c.state == "waiting")
    before = (candidates.c.rank < row.rank) | ((candidates.c.rank == row.rank) & (candidates.c.id < row.id))
    return 1 + connection.execute(select(func.count()).where(waiting, before)).scalar_one()


def _inlinks(connection: Connection, number: int) -> Sequence[Inlink]:
    query = (
        select(inlinks.c.anchor, relevances.c.url, relevances.c.score)
        .join(relevances, relevances.c.candidate_id == inlinks.c.page_id)
        .where(inlinks.c.candidate_id == number)
        .order_by(relevances.c.score.desc())
    )
    return [Inlink(url=row.url, anchor=row.anchor, score=row.score) for row in connection.execute(query)]
