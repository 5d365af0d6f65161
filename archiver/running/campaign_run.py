"""The campaigns that a run fetches for: what each has learned, what it may still spend, and its file."""

from __future__ import annotations

import random
import threading
from collections import deque
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from archiver.acquisition.campaigns.feeds import source_of
from archiver.acquisition.campaigns.learned import CampaignModels
from archiver.acquisition.campaigns.model import CampaignState, FoundBy, WayThere, found_link
from archiver.acquisition.campaigns.page import CandidateTopic
from archiver.display.tables import many
from archiver.running.campaign_posts import settle_posts, take_links
from archiver.store.campaigns.definitions import campaign_by_id, change_campaign
from archiver.store.campaigns.exploring import ChanceDraws, draws_made
from archiver.store.campaigns.feeds import agree_feeds, set_state
from archiver.store.campaigns.learning import learned_of, same_pages_of
from archiver.store.campaigns.queue import add_candidates
from archiver.store.campaigns.quotas import widen_quotas
from archiver.store.campaigns.rescoring import bring_back
from archiver.store.campaigns.spending import end_spending
from archiver.store.campaigns.tallies import tally

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.archive.warc.records import Capture
    from archiver.documents.apis.model import ApiPage

# The part of a budget that APIs may take in one run; a small budget still pays for a first look.
API_SHARE = 0.3
_LEAST_API_REQUESTS = 10
_DAY = timedelta(days=1)


class WaysThere:
    """Where the candidates that are under way lead, so that no page is asked for twice at the same time.

    Candidates are handed out in the store's thread, redirects are followed in the crawl's.
    """

    def __init__(self) -> None:
        self._by_key: dict[str, int] = {}
        # Candidates that wait, and whose pages redirects of others are about to bring.
        self._awaited: dict[int, int] = {}
        self._lock = threading.Lock()

    @property
    def awaited(self) -> frozenset[int]:
        with self._lock:
            return frozenset(self._awaited)

    def begin(self, number: int, key: str) -> bool:
        """Hand out a candidate; False where a redirect of another one leads to its address."""
        with self._lock:
            return self._by_key.setdefault(key, number) == number

    def leads(self, number: int, key: str, known: Row[Any] | None) -> bool:
        """Follow a redirect of a candidate to the address of a key; False where that need not be."""
        with self._lock:
            if self._by_key.get(key, number) != number:
                return False
            if known is not None and known.id != number:
                # One that is under way may have begun by another key: that of a session, now known for one.
                if known.state != "waiting" or known.id in self._by_key.values():
                    return False
                self._awaited[known.id] = number
            self._by_key[key] = number
            return True

    def end(self, number: int) -> None:
        with self._lock:
            self._by_key = {key: one for key, one in self._by_key.items() if one != number}
            self._awaited = {one: by for one, by in self._awaited.items() if by != number}


@dataclass(slots=True, kw_only=True)
class RunningCampaign:
    """A campaign while a run fetches for it."""

    campaign: Campaign
    models: CampaignModels
    draws: ChanceDraws
    ways: WaysThere = field(default_factory=WaysThere)
    # Exchanges of this run, also those whose answers are not stored yet, and all bytes that came with them.
    requests: int = 0
    bytes: int = 0
    # Requests to APIs of this run.
    api_requests: int = 0
    # Requests of the last day, for a budget of each day.
    recent: deque[datetime] = field(default_factory=deque)

    @property
    def topic(self) -> CandidateTopic:
        """What workers need to know."""
        said = self.campaign
        return CandidateTopic(
            definition=said.definition, narrower=said.narrower, digest=f"{said.name}/{said.revision}"
        )

    @property
    def spent(self) -> int:
        return self.campaign.requests + self.requests

    @property
    def spent_bytes(self) -> int:
        return self.campaign.bytes + self.bytes

    @property
    def is_spent(self) -> bool:
        return self.campaign.is_spent(self.spent, self.spent_bytes)

    def left(self, now: datetime) -> int:
        """How many requests it may still make now."""
        if self.is_spent:
            return 0
        budget = self.campaign.definition.budget
        left = budget.requests - self.spent
        per_day = budget.per_day
        if per_day is not None:
            while self.recent and self.recent[0] <= now - _DAY:
                self.recent.popleft()
            left = min(left, per_day - len(self.recent))
        return max(0, left)

    def next_request(self, now: datetime) -> datetime | None:
        """When it may make a request: now, or once those of the last day are fewer; None: not any more."""
        if self.is_spent or self.is_over(now):
            return None
        return now if self.left(now) else self.recent[0] + _DAY

    def may_ask_apis(self, now: datetime) -> bool:
        """Whether its budget has something left for APIs, which may take a part of it."""
        most = max(_LEAST_API_REQUESTS, API_SHARE * self.campaign.definition.budget.requests)
        return self.left(now) > 0 and not self.is_over(now) and self.api_requests < most

    def is_over(self, now: datetime) -> bool:
        return self.campaign.is_over(now)

    def take(self, now: datetime) -> bool:
        """Spend one request; False where none is left."""
        if not self.left(now):
            return False
        self.requests += 1
        self.recent.append(now)
        return True


@dataclass(slots=True, kw_only=True)
class CampaignRun:
    """All campaigns of a run."""

    campaigns: dict[int, RunningCampaign] = field(default_factory=dict)
    most_links: int = 300

    @property
    def sources(self) -> list[str]:
        """What lists the channels of these campaigns."""
        return [source_of(one.campaign.name) for one in self.campaigns.values()]

    @property
    def spent(self) -> int:
        return sum(one.spent for one in self.campaigns.values())

    @property
    def budget(self) -> int:
        return sum(one.campaign.definition.budget.requests for one in self.campaigns.values())

    def begin(self, connection: Connection, ids: Sequence[int], now: datetime) -> None:
        """Take up campaigns where they stand: they learn again from what they have fetched."""
        for number in ids:
            campaign = campaign_by_id(connection, number)
            models = _learned(connection, campaign)
            chance = random.Random(campaign.id * 1_000_003 + campaign.requests)  # noqa: S311 - no secret
            draws = ChanceDraws(chance, draws_made(connection, number))
            running = RunningCampaign(campaign=campaign, models=models, draws=draws)
            self.campaigns[number] = running
            add_seeds(connection, running, now)
            bring_back(connection, campaign)
            widen_quotas(connection, campaign)

    def named(self, name: str) -> RunningCampaign | None:
        return next((one for one in self.campaigns.values() if one.campaign.name == name), None)

    def receive(self, name: str | None, size: int) -> None:
        """Count what came for a campaign: of every exchange, heads and redirects and robots.txt included."""
        running = self.named(name) if name is not None else None
        if running is not None:
            running.bytes += size

    def write_spent(self, connection: Connection, running: RunningCampaign, now: datetime) -> None:
        """Note what was spent, with whatever is stored in the same transaction."""
        number = running.campaign.id
        change_campaign(connection, number, requests=running.spent, bytes=running.spent_bytes)
        if running.is_spent:
            set_state(connection, number, CampaignState.SPENT, now)
        elif running.is_over(now):
            set_state(connection, number, CampaignState.ENDED, now)

    def end(self, connection: Connection, now: datetime) -> list[str]:
        """Note what was spent, and say how each campaign stands."""
        told = []
        for running in self.campaigns.values():
            campaign = running.campaign
            end_spending(connection, campaign.id, running.spent, running.spent_bytes)
            if campaign_by_id(connection, campaign.id).state is CampaignState.RUNNING:
                self.write_spent(connection, running, now)
            found = tally(connection, campaign.id)
            told.append(
                f"{campaign.name}: {found.relevant} of {many(found.fetched, 'page')} relevant, "
                f"{running.spent} of {many(campaign.definition.budget.requests, 'request')} spent, "
                f"{found.waiting} waiting. "
                f"`scrapy campaign top {campaign.name}` shows the best"
            )
        return told

    def revise(self, connection: Connection, number: int, now: datetime) -> None:
        """Go on by another revision of a definition, or by new judgements: what was fetched teaches anew."""
        running = self.campaigns[number]
        known = running.campaign
        found = campaign_by_id(connection, number)
        running.campaign = replace(found, requests=known.requests, bytes=known.bytes)
        running.models = _learned(connection, found)
        add_seeds(connection, running, now)
        bring_back(connection, found)
        widen_quotas(connection, found)
        agree_feeds(connection, found, now)

    def take_posts(
        self, connection: Connection, name: str, page: ApiPage, capture: Capture, now: datetime
    ) -> None:
        """Take what an API answers: posts are read like pages, and what they lead to is queued."""
        running = self.named(name)
        if running is not None:
            take_links(connection, running, page, now)
            if running.campaign.definition.through_apis:
                settle_posts(connection, running, page.posts, capture, now)


def _learned(connection: Connection, campaign: Campaign) -> CampaignModels:
    """All that a campaign has learned, from what it has fetched."""
    same_pages = same_pages_of(connection, campaign)
    return CampaignModels.of(campaign, learned_of(connection, campaign), same_pages)


def add_seeds(connection: Connection, running: RunningCampaign, now: datetime) -> None:
    """Ask for seeds and examples before all else; those that were fetched are known."""
    said = running.campaign
    examples = said.definition.examples
    chosen = [*examples.like, *examples.unlike]
    for found_by, urls in ((FoundBy.EXAMPLE, chosen), (FoundBy.SEED, said.seeds)):
        links = [found_link(url, "", "", None) for url in urls]
        way = WayThere(found_by=found_by, relevance=1.0)
        models = running.models
        add_candidates(connection, said, links, now, score=models.score, way=way, repeats=models.repeats)
