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


def test_a_file_that_is_of_another_campaign_now_is_reported(tmp_path: Path) -> None:
    file, run, notes = tmp_path / "water.yaml", CampaignRun(), list[str]()
    file.write_text(FLOOD)
    with closing(Database(f"sqlite:///{tmp_path / 'state.sqlite'}")) as database:
        number = database.run(register_campaign, load_campaign(file), str(file), NOW).campaign.id
        database.run(run.begin, [number], NOW)
        archive = SimpleNamespace(database=database, clock=Clock(), report=SimpleNamespace(note=notes.append))
        following = CampaignFollowing(cast("Session", SimpleNamespace(archive=archive)), run)
        file.write_text(FLOOD.replace("water", "fire"))
        os.utime(file, ns=(0, 0))
        asyncio.run(following.look(number))
    assert notes == ["water goes on as it was: its file is of fire now, which another run begins"]
