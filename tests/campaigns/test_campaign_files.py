"""The files of a run: each of a campaign of its own, and of the same one as long as it runs."""

from __future__ import annotations

import asyncio
import os
from contextlib import closing
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from archiver.acquisition.campaigns.reading import load_campaign
from archiver.clock import Clock
from archiver.errors import ConfigurationError
from archiver.running.campaign_following import CampaignFollowing
from archiver.running.campaign_run import CampaignRun
from archiver.spiders.campaigning import load_campaigns
from archiver.store.campaigns.definitions import register_campaign
from archiver.store.database import Database
from tests.store.samples import NOW

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.running.session import Session

FLOOD = "campaign: water\nkeywords: [flood]\nseeds: [http://a.example/]\n"


def test_two_files_of_one_campaign_are_refused(tmp_path: Path) -> None:
    files = [tmp_path / "one.yaml", tmp_path / "two.yaml"]
    for file in files:
        file.write_text(FLOOD)
    with pytest.raises(ConfigurationError, match=r"one\.yaml and .*two\.yaml are both of the campaign water"):
        load_campaigns(files)
    assert len(load_campaigns([files[0], files[0]])) == 1


def test_what_is_edited_is_followed_unless_it_is_another_campaign(tmp_path: Path) -> None:
    file, run, told = tmp_path / "water.yaml", CampaignRun(), list[str]()
    file.write_text(FLOOD)

    async def revised() -> None:
        told.append("revised")

    with closing(Database(f"sqlite:///{tmp_path / 'state.sqlite'}")) as database:
        number = database.run(register_campaign, load_campaign(file), str(file), NOW).campaign.id
        database.run(run.begin, [number], NOW)
        report = SimpleNamespace(note=told.append)
        archive = SimpleNamespace(database=database, clock=Clock(), report=report)
        session = SimpleNamespace(archive=archive, frontier=SimpleNamespace(want=told.append))
        following = CampaignFollowing(cast("Session", session), run, revised)
        for modified, text in enumerate((FLOOD + "through_apis: false\n", FLOOD.replace("water", "fire"))):
            file.write_text(text)
            os.utime(file, ns=(modified, modified))
            asyncio.run(following.look(number))
    assert told == [
        *("water: revision 2 of its definition", "revised", "apis"),
        "water goes on as it was: its file is of fire now, which another run begins",
    ]
