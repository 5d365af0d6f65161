"""A campaign on a known web without a network: queue, store and scores are the real ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from sqlalchemy import select

from archiver.acquisition.campaigns.model import CandidateFetch
from archiver.acquisition.campaigns.page import read_candidate
from archiver.acquisition.campaigns.reading import read_campaign
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PagePolicy
from archiver.acquisition.sites.reading import VisitedDocument
from archiver.acquisition.sites.scope import scope_of
from archiver.archive.warc.records import Capture
from archiver.running.campaign_run import CampaignRun
from archiver.running.campaign_settling import learn_from, settle_fetch
from archiver.store.campaigns.definitions import register_campaign
from archiver.store.campaigns.exploring import choose
from archiver.store.campaigns.granting import QueueRoom
from archiver.store.campaigns.queue import known_candidate
from archiver.store.database import Database
from archiver.store.schema import candidates
from tests.crawl.known_web.pages import campaign_text

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import PendingCandidate
    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase
    from archiver.running.campaign_run import RunningCampaign
    from tests.crawl.known_web.pages import KnownWeb
    from tests.crawl.site import Answer

NOW = datetime(2026, 6, 10, tzinfo=UTC)
MOST_REDIRECTS = 5
# Candidates that are under way at one time.
AT_ONCE = 6


@dataclass(slots=True)
class OfflineCampaign:
    """Plays a campaign to the end of its budget."""

    web: KnownWeb
    folder: Path
    budget: int
    more: str = ""
    knowledge: KnowledgeBase | None = None
    asked: list[str] = field(default_factory=list)
    database: Database = field(init=False)
    running: RunningCampaign = field(init=False)

    def __post_init__(self) -> None:
        self.database = Database(f"sqlite:///{self.folder / 'state.sqlite'}")
        self.database.run(self._begin)

    def _begin(self, connection: Connection) -> None:
        text = campaign_text(self.web, self.budget, self.more)
        read = read_campaign(text.encode(), "flood.yaml", self.folder)
        found = register_campaign(connection, read, "flood.yaml", NOW)
        run = CampaignRun()
        run.begin(connection, [found.campaign.id], NOW)
        (self.running,) = run.campaigns.values()

    def play(self) -> None:
        while len(self.asked) < self.budget and self.database.run(self._step):
            pass

    def waiting(self) -> list[str]:
        """Addresses that wait and were never tried."""
        return self.database.run(_waiting)

    def _step(self, connection: Connection) -> bool:
        running = self.running
        room = QueueRoom(limit=min(AT_ONCE, self.budget - len(self.asked)), per_host=2)
        models, campaign = running.models, running.campaign
        chosen = choose(connection, campaign, NOW, room, models, running.draws, len(self.asked))
        for one in chosen:
            if len(self.asked) < self.budget:
                running.draws.pending.pop(one.id, None)
                answer = self._fetch(connection, one)
                running.ways.end(one.id)
                moments = {"recorded": NOW + timedelta(seconds=len(self.asked)), "now": NOW}
                learn_from(
                    running, answer, settle_fetch(connection, running, answer, PagePolicy(), **moments)
                )
        return bool(chosen)

    def _fetch(self, connection: Connection, one: PendingCandidate) -> CandidateFetch:
        url, running = one.url, self.running
        for _ in range(MOST_REDIRECTS):
            answer = self._ask(url)
            if answer is None:
                return CandidateFetch(candidate=one, url=url, failed=Failed(failure=Failure.ROBOTS))
            if location := _header(answer, "Location"):
                url = urljoin(url, location)
                key = running.models.repeats.key(url)
                row = known_candidate(connection, running.campaign.id, key)
                if not running.ways.leads(one.id, key, row):
                    return CandidateFetch(candidate=one, url=url, is_known=True)
                continue
            return self._read(one, url, answer)
        return CandidateFetch(candidate=one, url=url, failed=Failed(failure=Failure.REDIRECTS))

    def _ask(self, url: str) -> Answer | None:
        origin = next(one for one in self.web.origins if url.startswith(f"{one}/"))
        host = self.web.origins.index(origin)
        if f"{origin}/robots.txt" not in self.asked:
            self.asked.append(f"{origin}/robots.txt")
        if b"Disallow: /\n" in self.web.answer(host, "/robots.txt").body:
            return None
        self.asked.append(url)
        return self.web.answer(host, url[len(origin) :])

    def _read(self, one: PendingCandidate, url: str, answer: Answer) -> CandidateFetch:
        if answer.status != 200:
            return CandidateFetch(candidate=one, url=url, failed=Failed(failure=Failure.NOT_FOUND))
        kind = _header(answer, "Content-Type")
        document = VisitedDocument(
            url=url,
            content=answer.body,
            content_type=kind,
            status=200,
            headers=answer.headers,
            scope=scope_of(url, "host"),
        )
        read = read_candidate(document, self.running.topic, 300, self.knowledge)
        capture = Capture(
            url=url, file="a.warc.gz", offset=0, record_id="urn:uuid:0", date=NOW, digest="sha1:0"
        )
        return CandidateFetch(candidate=one, url=url, read=read, capture=capture, size=len(answer.body))


def _waiting(connection: Connection) -> list[str]:
    never = (candidates.c.state == "waiting") & (candidates.c.tries == 0)
    return list(connection.execute(select(candidates.c.url).where(never)).scalars())


def _header(answer: Answer, name: str) -> str | None:
    return next((value for key, value in answer.headers if key == name), None)
