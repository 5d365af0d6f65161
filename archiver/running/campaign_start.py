"""Campaigns at the start of a run: registered, and their budgets held against what the archive has."""

from __future__ import annotations

import zlib
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.model import CampaignState
from archiver.archive.storage import archived_files
from archiver.archive.warc.exchanges import kept_exchanges
from archiver.archive.warc.manifest import WARC_SUFFIX
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.archive.writers import is_imported
from archiver.clock import machine_now
from archiver.display.tables import size_in_words
from archiver.store.campaigns.definitions import campaign_by_id, change_campaign, register_campaign
from archiver.store.campaigns.feeds import set_state
from archiver.store.campaigns.spending import begin_spending, unfinished_spending

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.acquisition.campaigns.reading import CampaignFile
    from archiver.archive.warc.exchanges import KeptExchange
    from archiver.running.campaign_run import CampaignRun, RunningCampaign
    from archiver.running.session import Session

_DAY = timedelta(days=1)


async def start_campaigns(
    session: Session, run: CampaignRun, files: Sequence[tuple[CampaignFile, str]]
) -> None:
    """Register each campaign, go on with its budget where it stands, and take it up."""
    archive = session.archive
    database, now = archive.database, archive.clock.now()
    ids = []
    for read, path in files:
        found = await database.run_async(register_campaign, read, path, now)
        campaign = found.campaign
        if found.is_revised:
            archive.report.note(f"{campaign.name}: revision {campaign.revision} of its definition")
        await _count_unfinished(session, campaign)
        await _reopen(session, campaign.id)
        await database.run_async(begin_spending, campaign.id, machine_now())
        ids.append(campaign.id)
    await database.run_async(run.begin, ids, now)
    for running in run.campaigns.values():
        _count_last_day(session, running)


async def _count_unfinished(session: Session, campaign: Campaign) -> None:
    """A run that was killed has noted less than it spent: WARC has every exchange."""
    archive = session.archive
    left = await archive.database.run_async(unfinished_spending, campaign.id)
    if left is None or archive.config.replayed is not None:
        return
    folder = archive.config.warc_folder
    requests, size = spent_since(folder, campaign.name, left.began)
    values = {"requests": left.requests + requests, "bytes": left.bytes + size}
    await archive.database.run_async(change_campaign, campaign.id, **values)


def spent_since(folder: Path, name: str, began: datetime) -> tuple[int, int]:
    """How many exchanges of a campaign the archive has since a moment, and how many bytes came with them."""
    sizes = [one.received_size for one in _exchanges_since(folder, name, began)]
    return len(sizes), sum(sizes)


def requests_of_last_day(folder: Path, campaign: Campaign, now: datetime) -> int | None:
    """How many requests count against the budget of each day; None where there is no such budget."""
    if campaign.definition.budget.per_day is None:
        return None
    began = now - _DAY
    return sum(one.date > began for one in _exchanges_since(folder, campaign.name, began))


def _count_last_day(session: Session, running: RunningCampaign) -> None:
    """What earlier runs asked for within a day counts, where the budget has a part for each day."""
    archive, machine = session.archive, machine_now()
    if running.campaign.definition.budget.per_day is None or archive.config.replayed is not None:
        return
    found = _exchanges_since(archive.config.warc_folder, running.campaign.name, machine - _DAY)
    now = archive.clock.now()
    running.recent.extend(sorted(now - (machine - one.date) for one in found))


def _exchanges_since(folder: Path, name: str, began: datetime) -> Iterator[KeptExchange]:
    """The exchanges of a campaign that the archive has since a moment, also those of a run that is on."""
    # Listed first: one that is closed meanwhile is among the others.
    being_written = sorted(folder.glob(f"*{WARC_SUFFIX}{OPEN_SUFFIX}"))
    for path in (*archived_files(folder), *being_written):
        is_older = path.exists() and path.stat().st_mtime < began.timestamp()
        if is_imported(path.name) or is_older:
            continue
        try:
            for one in kept_exchanges(path):
                if one.context.get("campaign") == name and one.date >= began.replace(microsecond=0):
                    yield one
        except FileNotFoundError:
            if path not in being_written:
                raise
        except (ValueError, EOFError, zlib.error):
            continue  # what `scrapy verify` tells


async def _reopen(session: Session, number: int) -> None:
    """Let a campaign go on where its file now allows more; one that a person stopped does not."""
    database = session.archive.database
    campaign = await database.run_async(campaign_by_id, number)
    report = session.archive.report
    if campaign.state is CampaignState.STOPPED:
        report.note(f"{campaign.name} is stopped: `scrapy campaign resume {campaign.name}` lets it go on")
    elif campaign.requests >= campaign.definition.budget.requests:
        report.note(f"{campaign.name} has spent its {campaign.definition.budget.requests} requests")
    elif campaign.is_spent(campaign.requests, campaign.bytes):
        report.note(f"{campaign.name} has spent its {size_in_words(campaign.definition.budget.bytes or 0)}")
    elif campaign.is_over(session.archive.clock.now()):
        report.note(f"{campaign.name} is over: {campaign.definition.budget.days} days were its budget")
    elif campaign.state is not CampaignState.RUNNING:
        await database.run_async(set_state, number, CampaignState.RUNNING, session.archive.clock.now())
