"""The spider of campaigns: `scrapy crawl campaign -a file=flood.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request, Spider
from scrapy.settings import get_settings_priority

from archiver.errors import ConfigurationError
from archiver.extensions.archive import ArchiveExtension
from archiver.spiders.arguments import boolean, refuse_unknown, set_request_headers
from archiver.spiders.campaigning import begin_campaigns, campaign_works, load_campaigns

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from scrapy.settings import BaseSettings

# What its budget counts, and polls of the feeds that it follows, which are none of it.
_KINDS = {
    "archiver.spiders.kinds.apis.PostKind": 100,
    "archiver.spiders.kinds.channels.ChannelKind": 150,
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
        # Read here, so that a file with a flaw is refused before anything is asked for.
        self.files = load_campaigns(campaign_paths(file))

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        set_request_headers(settings)
        settings.set("KINDS_BASE", _KINDS, priority="spider")
        delay = max(settings.getfloat("DOWNLOAD_DELAY"), settings.getfloat("CAMPAIGN_PER_HOST_DELAY"))
        # Also above what the command line says: this is the least.
        known = settings.getpriority("DOWNLOAD_DELAY") or 0
        settings.set("DOWNLOAD_DELAY", delay, priority=max(known, get_settings_priority("spider")))

    async def start(self) -> AsyncIterator[Request]:
        """Register the campaigns, then ask for whatever the frontier hands out."""
        if not self.crawler.crawling:
            return
        self.has_begun = True
        extension = ArchiveExtension.of(self.crawler)
        session = extension.session
        if not self.settings["CONTACT"] and session.archive.config.replayed is None:
            session.archive.report.note("CONTACT is not set, so site owners cannot reach you")
        session.archive.report.crawled = "campaigns"
        if not await session.has_alone(*campaign_works(self.files)):
            return
        async with begin_campaigns(session, self.files, self.settings) as run:
            # No other channel is polled.
            session.seeds = run.sources
            targets = session.frontier.targets(watch=self.watch, idle=session.extraction.idle)
            async for target in targets:
                yield extension.asking.request(target)


def campaign_paths(argument: str) -> list[Path]:
    """What follows `-a file=`."""
    paths = [Path(word.strip()) for word in argument.split(",") if word.strip()]
    if not paths:
        raise ConfigurationError("Say which campaign: -a file=FILE, a campaign in YAML (docs/campaigns.md)")
    return paths
