"""Sites in the browser: what is told of them, and crawls that are begun, paused and stopped there."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import sys
import time
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import update

from archiver.acquisition.sites.model import Strategy
from archiver.archive.inbox import waiting
from archiver.archive.lock import ArchiveLock
from archiver.clock import machine_now
from archiver.extensions.places import sqlite_url
from archiver.store.database import Database
from archiver.store.schema import labels
from archiver.store.whole_sites.choosing import SiteWish
from archiver.store.whole_sites.orders import SiteAction, SiteOrder
from archiver.web.crawling import CrawlProgram, SiteCrawls
from archiver.web.guard import GuardRules
from archiver.web.writing import Writing, crawling_routes
from tests.crawl.running import IN_A_HURRY, Archived, finish, start_scrapy
from tests.crawl.site import Site
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import walk
from tests.waiting import wait_until
from tests.web.browsing import browsing
from tests.web.whole_site import LOST, gazette_site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")


def token_of(shown: Shown) -> str:
    found = re.search(r'name="token" value="([^"]+)"', shown.get("/sites").text)
    assert found is not None
    return found[1]


def test_a_site_is_told_with_its_levels_its_text_and_its_broken_links(site_shown: Shown) -> None:
    told = site_shown.get("/sites/1.json").json()
    site = told["site"]
    assert (site["state"], site["way"], site["visited"], site["waiting"]) == ("done", "blind", 7, 0)
    assert site["failures"] == [{"code": "not_found", "words": "not found (404)", "count": 1}]
    assert site["articles"] >= 5
    assert told["curve"][-1]["text"] == site["text"] > 100
    (broken,) = told["broken"]
    assert broken["url"].endswith(LOST)
    assert len(broken["pages"]) == 2, "all pages that have the link, not only the first"
    page = site_shown.get("/sites/1").text
    for text in (broken["url"], *broken["pages"], "Text over requests", 'class="text-seen"', "Levels"):
        assert text in page
    assert [one["url"] for one in site_shown.get("/sites.json").json()["sites"]] == [site["url"]]


def test_the_command_tells_the_same(site_archive: Path, site_shown: Shown) -> None:
    words = ["site", "status", "1", "--json", "-s", f"ARCHIVE_DIR={site_archive}"]
    done = finish(start_scrapy(words), site_archive)
    told, shown = json.loads(done.stdout), site_shown.get("/sites/1.json").json()
    assert done.exit_code == 0, done
    for one in (told, shown):
        one.pop("now")
    assert told == shown


def test_a_site_that_is_not_there_is_told(site_shown: Shown) -> None:
    assert site_shown.get("/sites/7").status == 404
    assert site_shown.get("/sites/7.json").json()["problem"].startswith("The archive has no site 7")


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"url": "http://a.example/"}, 400),
        ({"url": "http://a.example/", "limit": "0"}, 400),
        ({"url": "http://a.example/", "limit": "100001"}, 400),
        ({"url": "http://a.example/", "limit": "many"}, 400),
        ({"url": "http://a.example/", "limit": "5", "strategy": "guess"}, 400),
        ({"url": "/etc/hostname", "limit": "5"}, 400),
        ({"url": "http://a.example/ /etc/hostname", "limit": "5"}, 400),
        ({"url": "file:///etc/hostname", "limit": "5"}, 400),
        ({"url": "-s", "limit": "5"}, 400),
        ({"limit": "5"}, 400),
        ({"number": "7", "limit": "5"}, 404),
        ({"url": "http://a.example/", "limit": "5", "token": "guessed"}, 403),
    ],
)
def test_what_cannot_be_meant_begins_nothing(
    site_archive: Path, site_shown: Shown, fields: dict[str, str], status: int
) -> None:
    answer = site_shown.post("/sites/start", **{"token": token_of(site_shown), **fields})
    assert answer.status == status, answer.text
    assert os.uname().nodename not in answer.text, "no file is read for it"
    assert not (site_archive / "logs").exists()
    assert not waiting(site_archive).requests


def test_a_page_of_another_site_cannot_begin_a_crawl(site_archive: Path, site_shown: Shown) -> None:
    fields = {"token": token_of(site_shown), "url": "http://a.example/", "limit": "5"}
    for path in ("/sites/start", "/sites/order"):
        answer = site_shown.post(path, {"Origin": "http://evil.example"}, **fields)
        assert answer.status == 403
        assert site_shown.get(path).status == 400, "by POST alone: it is no number of a site"
    assert not (site_archive / "logs").exists()


def asked_from(client: str, rules: GuardRules) -> int:
    """The status of an answer to a form that comes from a machine."""
    (start, _) = crawling_routes(None, Writing(), None, rules)  # type: ignore[arg-type] # not reached
    sent: list[dict[str, Any]] = []
    scope = {"type": "http", "method": "POST", "path": "/sites/start", "headers": [], "client": (client, 1)}

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(start.handle(scope, receive, send))
    return int(sent[0]["status"])


def test_only_this_machine_may_begin_a_crawl_unless_there_is_a_password() -> None:
    from starlette.exceptions import HTTPException  # noqa: PLC0415 - beside what raises it

    for client, rules, told in (
        ("192.0.2.7", GuardRules(), "from this machine, or with BROWSE_PASSWORD"),
        ("127.0.0.1", GuardRules(), "was not sent by a page"),
        ("::1", GuardRules(), "was not sent by a page"),
        ("192.0.2.7", GuardRules(password="known"), "was not sent by a page"),
    ):
        with pytest.raises(HTTPException, match=told):
            asked_from(client, rules)


TELLS = """
import os, sys, time
time.sleep(.2)
print(sys.argv[1:], os.nice(0), os.getsid(0) == os.getpid(), flush=True)
time.sleep(60)
"""
ORDER = SiteOrder(action=SiteAction.START, url="http://me:secret@a.example/x,y", limit=7)


@pytest.fixture
def crawls(tmp_path: Path) -> SiteCrawls:
    """What tells how it was started, and then stays for a while."""
    return SiteCrawls(tmp_path, CrawlProgram(program=(sys.executable, "-c", TELLS), options=("-s", "A=1")))


def test_a_crawl_is_a_process_of_its_own_with_low_priority_and_a_log(
    tmp_path: Path, crawls: SiteCrawls
) -> None:
    before = os.nice(0)
    crawls.start(ORDER)
    assert crawls.last is not None
    try:
        (log,) = (tmp_path / "logs").iterdir()
        wait_until(lambda: log.read_text().endswith("\n"))
        words = ["crawl", "site", "-a", "url=http://me:secret@a.example/x%2Cy"]
        words += ["-a", "limit=7", "-a", "again=new", "-s", "A=1"]
        assert log.read_text() == f"{words} {min(19, max(10, before))} True\n"
        assert (crawls.last.exit_code, crawls.is_on, crawls.last.log) == (None, True, f"logs/{log.name}")
        assert "secret" not in crawls.last.url
        # One at a time: another one is left for the run that is on.
        crawls.start(ORDER)
        (request,) = waiting(tmp_path).requests
        assert json.loads(bytes(request.what))["limit"] == 7
        assert len(list((tmp_path / "logs").iterdir())) == 1
    finally:
        crawls.last.process.kill()
    wait_until(lambda: crawls.last is not None and crawls.last.exit_code is not None)
    assert not crawls.is_on


def test_a_run_of_another_terminal_takes_up_the_order(tmp_path: Path, crawls: SiteCrawls) -> None:
    with ArchiveLock(tmp_path):
        crawls.start(ORDER)
    assert crawls.last is None
    assert [one.kind for one in waiting(tmp_path).requests] == ["site"]
    # What was killed leaves its number, which another process may have by now.
    assert (tmp_path / "lock").read_text() == f"{os.getpid()}\n"
    assert not crawls.is_on


@pytest.mark.zoo
def test_a_crawl_is_begun_joined_paused_and_gone_on_with_in_the_browser(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with Site() as one, Site() as other:
        for site in (one, other):
            gazette_site(site, 30)
        # There has to be an archive to look at.
        words = ["crawl", "site", "-a", f"url={one.url('/')}", "-a", "limit=1", "-a", "strategy=blind"]
        given = typed(**IN_A_HURRY)
        done = finish(start_scrapy([*words, "-s", f"ARCHIVE_DIR={archive}", *given]), archive)
        assert done.exit_code == 0, done
        with browsing(archive, *given, *typed(DOWNLOAD_DELAY=0.4)) as shown:
            begin_join_and_pause(shown, one, other)
            assert "it is running" not in shown.get("/sites").text
    assert_ended_in_order(archive)


def typed(**settings: object) -> list[str]:
    return [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]


def state_of(shown: Shown, site: Site) -> dict[str, Any]:
    found = [one for one in shown.get("/sites.json").json()["sites"] if one["url"] == site.url("/")]
    return found[0] if found else {"state": "", "visited": 0}


def begin_join_and_pause(shown: Shown, one: Site, other: Site) -> None:
    token = token_of(shown)
    assert shown.post("/sites/start", token=token, number="1", limit="20").status == 200
    wait_until(lambda: state_of(shown, one)["visited"] > 2)
    assert "it is running" in shown.get("/sites").text
    # A second one is taken up by the run that is on, with a limit of its own.
    fields = {"token": token, "url": other.url("/"), "limit": "6", "strategy": "blind"}
    assert shown.post("/sites/start", **fields).status == 200
    wait_until(lambda: state_of(shown, other)["visited"] > 0)
    assert shown.post("/sites/order", token=token, number="1", action="pause").status == 200
    wait_until(lambda: state_of(shown, one)["state"] == "paused")
    began, visited = time.monotonic(), len(one.requests)
    wait_until(lambda: state_of(shown, other)["state"] == "stopped")
    assert len(one.requests) <= visited + 2, f"{time.monotonic() - began:.1f} s after it was paused"
    assert state_of(shown, other)["visited"] == 6
    wait_until(lambda: "it finished without errors" in shown.get("/sites").text)


def assert_ended_in_order(archive: Path) -> None:
    report = Archived(archive).report
    assert (report["reason"], report["exit_code"], report["crawled"]) == ("finished", 0, "sites")
    (log,) = (archive / "logs").iterdir()
    assert "paused" in log.read_text()
    assert machine_now().isoformat()[:10] in log.read_text()


def test_the_run_of_a_site_speaks_of_sites(site_archive: Path, site_shown: Shown) -> None:
    name = next((site_archive / "runs").glob("run-*.json")).stem.removeprefix("run-")
    told = site_shown.get(f"/runs/{name}.json").json()
    assert told["run"]["crawled"] == "sites"
    assert [one.partition(": ")[2] for one in told["sites"]] == ["done, 7 documents visited"]
    page = site_shown.get(f"/runs/{name}").text
    assert told["sites"][0] in page
    assert "Polls" not in page


def test_what_was_learned_of_links_is_told_and_is_no_markup(site_archive: Path, tmp_path: Path) -> None:
    archive = shutil.copytree(site_archive, tmp_path / "archive")
    database = Database(sqlite_url(archive))
    site = ComputedSite("blog", 1, 12, host="blog.example")
    walk(database, archive, site, wish=SiteWish(strategy=Strategy.LEARNED))
    database.run(lambda state: state.execute(update(labels).values(path=labels.c.path + "/<b>bold</b>")))
    database.close()
    with browsing(archive) as shown:
        told = shown.get("/sites/2.json").json()["patterns"]
        assert {one["role"] for one in told} == {"content", "list"}
        page = shown.get("/sites/2").text
        assert "Navigation patterns" in page
        assert "/&lt;b&gt;bold&lt;/b&gt;" in page
        assert "<b>bold" not in page
