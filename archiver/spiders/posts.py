"""The spider of APIs alone: `scrapy crawl posts -a file=CAMPAIGN.yaml` follows what `apis:` names."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy import Request, Spider

from archiver.acquisition.campaigns.queries import needing_tokens, queries_of
from archiver.acquisition.campaigns.reading import load_campaign
from archiver.errors import ConfigurationError
from archiver.extensions.archive import ArchiveExtension
from archiver.spiders.arguments import boolean, refuse_unknown, set_request_headers
from archiver.store.polling.apis import register_apis

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from scrapy.settings import BaseSettings

    from archiver.acquisition.campaigns.definition import Definition
    from archiver.running.session import Session

_KINDS = {"archiver.spiders.kinds.apis.PostKind": 100}


class PostsSpider(Spider):
    """`scrapy crawl posts -a file=FILE[,FILE…] -a watch=1`."""

    name = "posts"
    arguments = ("file", "watch")

    def __init__(self, file: str = "", watch: str = "0", **unknown: object) -> None:
        super().__init__()
        refuse_unknown(unknown, self.arguments)
        self.watch = boolean("watch", watch)
        self.has_begun = False
        if not file:
            raise ConfigurationError("Say which campaign: -a file=FILE, whose `apis:` is what is followed")
        self.definitions = [load_campaign(Path(name)).definition for name in file.split(",")]
        for definition in self.definitions:
            if not definition.apis:
                raise ConfigurationError(f"{definition.campaign} names no APIs: write them below `apis:`")

    @classmethod
    def update_settings(cls, settings: BaseSettings) -> None:
        super().update_settings(settings)
        set_request_headers(settings)
        settings.set("KINDS_BASE", _KINDS, priority="spider")

    async def start(self) -> AsyncIterator[Request]:
        """Register what is followed, then ask for whatever the frontier hands out."""
        if not self.crawler.crawling:
            return
        self.has_begun = True
        extension = ArchiveExtension.of(self.crawler)
        session, archive = extension.session, extension.session.archive
        session.seeds = []  # no channel is polled
        archive.report.crawled = "posts"
        if not self.settings["CONTACT"] and archive.config.replayed is None:
            archive.report.note("CONTACT is not set, so site owners cannot reach you")
        if not await session.has_alone(*(f"campaign {one.campaign}" for one in self.definitions)):
            return
        await follow_apis(session, self.definitions, self.settings)
        targets = session.frontier.targets(watch=self.watch, idle=session.extraction.idle)
        async for target in targets:
            yield extension.asking.request(target)


async def follow_apis(session: Session, definitions: Sequence[Definition], settings: BaseSettings) -> None:
    """Register what campaigns follow through APIs; what needs a token that is not there is reported."""
    archive = session.archive
    session.campaigns = tuple(definition.campaign for definition in definitions)
    hosts = {host.lower() for host in settings.getdict("API_TOKENS")}
    for definition in definitions:
        queries = queries_of(definition, settings["BLUESKY_URL"])
        for query in needing_tokens(queries, hosts):
            queries.remove(query)
            archive.report.note_once(f"{query.key} is only answered with a token: see API_TOKENS")
        now = archive.clock.now()
        await archive.database.run_async(register_apis, definition.campaign, queries, now)
