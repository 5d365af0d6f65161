"""Campaigns in a run, alone or beside feeds: registered, begun, and followed while it goes on."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.reading import load_campaign
from archiver.errors import ConfigurationError
from archiver.running.campaign_following import CampaignFollowing
from archiver.running.campaign_run import CampaignRun
from archiver.running.campaign_start import start_campaigns
from archiver.spiders.posts import follow_apis

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence
    from pathlib import Path

    from scrapy.settings import BaseSettings

    from archiver.acquisition.campaigns.reading import CampaignFile
    from archiver.running.session import Session


def load_campaigns(paths: Sequence[Path]) -> list[tuple[CampaignFile, str]]:
    """Each campaign with the place of its file; ConfigurationError where one has a flaw."""
    found = {path: load_campaign(path) for path in paths}
    first: dict[str, Path] = {}
    for path, read in found.items():
        name = read.definition.campaign
        if first.setdefault(name, path) != path:
            raise ConfigurationError(f"{first[name]} and {path} are both of the campaign {name}: name one")
    return [(read, str(path.resolve())) for path, read in found.items()]


def campaign_works(files: Sequence[tuple[CampaignFile, str]]) -> list[str]:
    """What a run does for them that no other worker does at the same time."""
    return [f"campaign {read.definition.campaign}" for read, _ in files]


@asynccontextmanager
async def begin_campaigns(
    session: Session, files: Sequence[tuple[CampaignFile, str]], settings: BaseSettings
) -> AsyncIterator[CampaignRun]:
    """Fetch for campaigns, and notice what people change of them, until the run ends."""
    run = CampaignRun(most_links=settings.getint("CAMPAIGN_LINKS_PER_PAGE"))
    session.campaign_run = run
    await start_campaigns(session, run, files)
    session.take_posts = run.take_posts

    async def follow() -> None:
        await follow_apis(session, [one.campaign.definition for one in run.campaigns.values()], settings)

    await follow()
    following = asyncio.ensure_future(CampaignFollowing(session, run, follow).go_on())
    try:
        yield run
    finally:
        following.cancel()
