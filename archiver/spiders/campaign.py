"""The spider of campaigns: `scrapy crawl campaign -a file=flood.yaml`."""

from __future__ import annotations

import asyncio
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request, Spider

from archiver.acquisition.campaigns.reading import load_campaign
from archiver.errors import ConfigurationError
from archiver.extensions.archive import ArchiveExtension
from archiver.running.campaign_following import CampaignFollowing
from archiver.running.campaign_run import CampaignRun
from archiver.running.campaign_start import start_campaigns
from archiver.spiders.arguments import boolean, refuse_unknown, set_request_headers
from archiver.spiders.posts import follow_apis

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.settings import BaseSettings

# Only what its budget counts: every exchange of the run is a request of a campaign.
_KINDS = {
    "archiver.spiders.kinds.apis.PostKind": 100,
    "archiver.spiders.kinds.candidates.CandidateKind": 200,
}


class CampaignSpider(Spider):
    """`scrapy crawl campaign -a file=FILE[,FILE…] [-a watch=1]`."""

    name = "campaign"
    arguments = ("file", "watch")

    def __init__(self, file: str = "", watch: str = "", **unknown: object) -> None:
        super().__init__()
        refuse_unknown(unknown, self.arguments)
        self.has_begun = False
        self.watch = boolean("watch", watch) if watch else False
        self.paths = campaign_paths(file)
        # Read here, so that a file with a flaw is refused before anything is asked for.
        self.files = [(load_campaign(path), str(path.resolve())) for path in self.paths]

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        set_request_headers(settings)
        settings.set("KINDS_BASE", _KINDS, priority="spider")
        delay = max(settings.getfloat("DOWNLOAD_DELAY"), settings.getfloat("CAMPAIGN_PER_HOST_DELAY"))
        settings.set("DOWNLOAD_DELAY", delay, priority="spider")

    async def start(self) -> AsyncIterator[Request]:
        """Register the campaigns, then ask for whatever the frontier hands out."""
        if not self.crawler.crawling:
            return
        self.has_begun = True
        extension = ArchiveExtension.of(self.crawler)
        session = extension.session
        # No channel is polled.
        session.seeds = []
        if not self.settings["CONTACT"] and session.archive.config.replayed is None:
            session.archive.report.note("CONTACT is not set, so site owners cannot reach you")
        run = CampaignRun(most_links=self.settings.getint("CAMPAIGN_LINKS_PER_PAGE"))
        session.campaign_run = run
        await start_campaigns(session, run, self.files)
        session.take_links = partial(run.take_links, now=session.archive.clock.now())
        await follow_apis(session, [read.definition for read, _ in self.files], self.settings)
        following = asyncio.ensure_future(CampaignFollowing(session, run).go_on())
        try:
            targets = session.frontier.targets(watch=self.watch, idle=session.extraction.idle)
            async for target in targets:
                yield extension.asking.request(target)
        finally:
            following.cancel()


def campaign_paths(argument: str) -> list[Path]:
    """What follows `-a file=`."""
    paths = [Path(word.strip()) for word in argument.split(",") if word.strip()]
    if not paths:
        raise ConfigurationError("Say which campaign: -a file=FILE, a campaign in YAML (docs/campaigns.md)")
    return paths
