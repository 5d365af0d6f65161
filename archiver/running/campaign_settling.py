"""What came of a candidate: judged, stored, and learned from."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.learned import LearnedPage
from archiver.acquisition.campaigns.queries import queries_of_named
from archiver.acquisition.campaigns.queue import is_denied
from archiver.acquisition.campaigns.relevance import RELEVANT
from archiver.store.campaigns.fetched import ScoredPage, store_failure, store_known, store_page
from archiver.store.polling.apis import follow_named
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import CandidateFetch
    from archiver.acquisition.pages import PagePolicy
    from archiver.running.campaign_run import RunningCampaign
    from archiver.store.campaigns.fetched import FetchResult


def settle_fetch(
    connection: Connection,
    running: RunningCampaign,
    answer: CandidateFetch,
    policy: PagePolicy,
    *,
    recorded: datetime,
    now: datetime,
) -> FetchResult:
    """Store a page with all that it leads to, or when it is tried again."""
    campaign, key = running.campaign, running.models.repeats.key(answer.url)
    if answer.failed is not None:
        return store_failure(connection, campaign, answer, policy, key=key, now=now)
    if answer.is_known:
        return store_known(connection, campaign, answer, key)
    judged, models = _judged(running, answer), running.models
    found = store_page(connection, campaign, answer, judged, models=models, recorded=recorded, now=now)
    named = answer.read.api if answer.read else None
    if named is None or judged.score < RELEVANT or is_denied(named.base, campaign.definition):
        return found
    queries = queries_of_named(named, campaign.definition)
    return replace(found, queries=follow_named(connection, campaign.name, queries, named.root, now))


def learn_from(running: RunningCampaign, answer: CandidateFetch, result: FetchResult) -> None:
    """Take in a page once it is stored."""
    read, evidence, candidate = answer.read, result.evidence, answer.candidate
    if result.outcome and (read is None or evidence is None):
        running.models.repeats.note(candidate.url, is_fresh=False)
    if read is None or evidence is None:
        return
    examples = running.campaign.definition.examples
    judged = _judged(running, answer)
    page = LearnedPage(
        url=candidate.url,
        number=candidate.id,
        words=read.words,
        evidence=evidence,
        score=judged.score,
        signals=judged.signals,
        same_as=result.same_as,
        same_url=result.same_url,
    )
    running.models.learn(page)
    if _is_among(answer, examples.like):
        running.models.add_example(read.words, is_like=True)
    elif _is_among(answer, examples.unlike):
        running.models.add_example(read.words, is_like=False)


def _judged(running: RunningCampaign, answer: CandidateFetch) -> ScoredPage:
    read = answer.read
    if read is None:
        return ScoredPage(score=0.0, signals=None)
    score, signals = running.models.judge(read.signals, read.words)
    if _is_among(answer, running.campaign.definition.examples.like):
        score = 1.0
    same = running.models.repeats.nearly_same(answer.candidate.id, answer.candidate.url, read.words.sketch)
    return ScoredPage(score=score, signals=signals, same_as=same)


def _is_among(answer: CandidateFetch, urls: Sequence[str]) -> bool:
    return same_page_key(answer.candidate.url) in {same_page_key(url) for url in urls}
