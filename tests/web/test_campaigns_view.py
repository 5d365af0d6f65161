"""Campaigns in the browser: what is told of them, and judgements by click."""

from __future__ import annotations

import json
import re
import shutil
from typing import TYPE_CHECKING

import pytest

from archiver.archive.inbox import waiting
from archiver.archive.lock import ArchiveLock
from tests.crawl.running import scrapy
from tests.web.browsing import browsing
from tests.web.chromium import chromium, watched

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("web")]


@pytest.fixture
def own_archive(campaign_archive: Path, tmp_path: Path) -> Path:
    return shutil.copytree(campaign_archive, tmp_path / "archive")


@pytest.fixture
def own_shown(own_archive: Path) -> Iterator[Shown]:
    with browsing(own_archive) as found:
        yield found


def token_of(shown: Shown) -> str:
    found = re.search(r'name="token" value="([^"]+)"', shown.get("/campaigns/flood").text)
    assert found is not None
    return found[1]


def test_a_campaign_is_told_with_its_ranking_its_harvest_and_its_queue(
    campaign_archive: Path, campaign_shown: Shown
) -> None:
    (note,) = campaign_shown.get("/campaigns.json").json()["campaigns"]
    told = campaign_shown.get("/campaigns/flood.json").json()
    assert (note["name"], note["requests"], note["budget"], note["state"]) == ("flood", 40, 40, "spent")
    assert told["status"]["relevant"] == note["relevant"] > 5
    scores = [page["score"] for page in told["pages"]]
    assert scores == sorted(scores, reverse=True)
    assert told["status"]["curve"][-1][0] == 40
    page = campaign_shown.get("/campaigns/flood").text
    for text in (told["pages"][0]["title"], told["pages"][0]["reasons"][0], "Harvest", 'class="text-seen"'):
        assert text in page
    done = scrapy(campaign_archive, "campaign", "top", "flood", "--json", "-n", "5")
    assert [one["url"] for one in json.loads(done.stdout)] == [one["url"] for one in told["pages"][:5]]


def test_the_reasons_of_a_page_and_of_an_address_are_those_of_the_command(
    campaign_archive: Path, campaign_shown: Shown
) -> None:
    told = campaign_shown.get("/campaigns/flood.json").json()
    for url in (told["pages"][0]["url"], told["waiting"][0]["url"]):
        shown = campaign_shown.get("/campaigns/flood/reasons.json", url=url).json()
        done = scrapy(campaign_archive, "campaign", "why", "flood", url, "--json")
        assert json.loads(done.stdout) == shown
        assert campaign_shown.get("/campaigns/flood/reasons", url=url).status == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/campaigns/flod", 404),
        ("/campaigns/flood?order=worst", 400),
        ("/campaigns/flood?page=0", 400),
        ("/campaigns/flood?page=99", 200),
        ("/campaigns/flood/reasons", 400),
        ("/campaigns/flood/reasons?url=http://never.example/", 404),
        ("/campaigns/order", 404),
    ],
)
def test_what_is_not_there_is_told(campaign_shown: Shown, path: str, status: int) -> None:
    answer = campaign_shown.get(path)
    assert answer.status == status, answer.text
    assert "Internal" not in answer.text


def test_a_judgement_waits_for_a_run_and_then_counts(own_archive: Path, own_shown: Shown) -> None:
    url = own_shown.get("/campaigns/flood.json").json()["pages"][0]["url"]
    fields = {"token": token_of(own_shown), "campaign": "flood", "url": url, "action": "irrelevant"}
    answer = own_shown.post("/campaigns/order", **fields)
    assert answer.status == 200
    assert "counts from the next run on" in answer.text
    # The next command that may write takes it up.
    assert scrapy(own_archive, "campaign", "resume", "flood").exit_code == 0
    assert not waiting(own_archive).requests
    pages = own_shown.get("/campaigns/flood.json").json()["pages"]
    assert url not in [one["url"] for one in pages]
    (refused,) = own_shown.get("/campaigns/flood.json", order="refused").json()["pages"]
    assert (refused["url"], refused["judged"]) == (url, False)


@pytest.mark.parametrize(
    ("fields", "origin", "status"),
    [
        ({"action": "relevant"}, "http://evil.example", 403),
        ({"action": "relevant", "token": "guessed"}, None, 403),
        ({"action": "delete"}, None, 400),
        ({"action": "relevant", "campaign": "drought"}, None, 404),
        ({"action": "relevant", "url": "http://never.example/"}, None, 400),
        ({"action": "relevant", "url": ""}, None, 400),
        ({"action": "stop", "campaign": "x" * 61}, None, 400),
    ],
)
def test_what_cannot_be_meant_leaves_nothing(
    campaign_archive: Path, campaign_shown: Shown, fields: dict[str, str], origin: str | None, status: int
) -> None:
    url = campaign_shown.get("/campaigns/flood.json").json()["pages"][0]["url"]
    given = {"token": token_of(campaign_shown), "campaign": "flood", "url": url, **fields}
    answer = campaign_shown.post("/campaigns/order", {"Origin": origin} if origin else None, **given)
    assert answer.status == status, answer.text
    assert not waiting(campaign_archive).requests


def test_a_page_that_is_withheld_is_not_shown(own_archive: Path, own_shown: Shown) -> None:
    url = own_shown.get("/campaigns/flood.json").json()["pages"][0]["url"]
    done = scrapy(own_archive, "withhold", url, "--reason", "by order")
    assert done.exit_code == 0, done
    assert url not in [one["url"] for one in own_shown.get("/campaigns/flood.json").json()["pages"]]
    assert own_shown.get("/campaigns/flood/reasons", url=url).status == 451


def test_pages_are_judged_by_click_without_scripts(own_archive: Path, own_shown: Shown) -> None:
    told = own_shown.get("/campaigns/flood.json").json()["pages"][1]
    with chromium() as browser, watched(browser, java_script_enabled=False) as seen, ArchiveLock(own_archive):
        page = seen.page
        page.goto(own_shown.address("/campaigns"))
        page.get_by_role("main").get_by_role("link", name="flood").click()
        page.get_by_role("button", name=f"Relevant: {told['title']}", exact=True).click()
        page.wait_for_url("**/campaigns/flood")
        page.get_by_text("is taken up within seconds").wait_for()
        page.get_by_role("link", name="doubtful ones").click()
        page.get_by_role("button", name=re.compile("^Not relevant: ")).first.click()
        page.wait_for_url("**order=doubtful**")
        assert (seen.complaints, seen.elsewhere) == ([], [])
    left = [json.loads(bytes(one.what)) for one in waiting(own_archive).requests]
    assert [one["action"] for one in left] == ["relevant", "irrelevant"]
    assert left[0]["url"] == told["url"]
