"""What people change while a campaign runs, its file and their judgements: the queue follows."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.reading import load_campaign
from archiver.errors import ConfigurationError
from archiver.store.campaigns.definitions import register_campaign
from archiver.store.campaigns.rescoring import judgements, rescore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.reading import CampaignFile
    from archiver.running.campaign_run import CampaignRun, RunningCampaign
    from archiver.running.session import Session

# Seconds between two looks at the files and the judgements. A look that finds nothing costs two queries.
LOOK_SECONDS = 5.0
# Candidates of one transaction: about a tenth of a second, for which answers wait to be stored.
AT_ONCE = 1000


class CampaignFollowing:
    """Looks at what people change of the campaigns of a run."""

    def __init__(self, session: Session, run: CampaignRun, revised: Callable[[], Awaitable[None]]) -> None:
        self._session = session
        self._run = run
        # Has what is followed through APIs agree with the files.
        self._revised = revised
        self._modified = {number: _modified(one) for number, one in run.campaigns.items()}
        self._judged: dict[int, tuple[int, int]] = {}

    async def go_on(self) -> None:
        """Look now and then until the run ends."""
        while True:
            for number in self._run.campaigns:
                await self.look(number)
            await asyncio.sleep(LOOK_SECONDS)

    async def look(self, number: int) -> None:
        """Take up what has changed of a campaign, and score again what is scored by what it said before."""
        archive, running = self._session.archive, self._run.campaigns[number]
        read = self._changed_file(running)
        now = archive.clock.now()
        if await archive.database.run_async(self._take_up, running, read, now):
            self._tell(running)
            await self._revised()
            self._session.frontier.want("apis")
        while await archive.database.run_async(self._rescore, running):
            pass

    def _changed_file(self, running: RunningCampaign) -> CampaignFile | None:
        """The definition where its file was written; one with a flaw is reported, and the last one holds."""
        campaign, modified = running.campaign, _modified(running)
        if modified == self._modified[campaign.id]:
            return None
        self._modified[campaign.id] = modified
        try:
            read = load_campaign(Path(campaign.file))
        except ConfigurationError as error:
            self._session.archive.report.note(f"{campaign.name} goes on as it was: {error}")
            return None
        if read.definition.campaign != campaign.name:
            told = f"its file is of {read.definition.campaign} now, which another run begins"
            self._session.archive.report.note(f"{campaign.name} goes on as it was: {told}")
            return None
        return read

    def _take_up(
        self, connection: Connection, running: RunningCampaign, read: CampaignFile | None, now: datetime
    ) -> bool:
        """Whether there is a new revision."""
        number = running.campaign.id
        judged = judgements(connection, number)
        known = self._judged.setdefault(number, judged)
        self._judged[number] = judged
        is_revised = False
        if read is not None:
            is_revised = register_campaign(connection, read, running.campaign.file, now).is_revised
        if is_revised or judged != known:
            self._run.revise(connection, number, now)
        return is_revised

    def _rescore(self, connection: Connection, running: RunningCampaign) -> int:
        return rescore(connection, running.campaign, running.models.score, AT_ONCE)

    def _tell(self, running: RunningCampaign) -> None:
        campaign, report = running.campaign, self._session.archive.report
        report.note(f"{campaign.name}: revision {campaign.revision} of its definition")


def _modified(running: RunningCampaign) -> int:
    """When its file was written last, in nanoseconds; 0 where it is gone."""
    try:
        return Path(running.campaign.file).stat().st_mtime_ns
    except OSError:
        return 0
