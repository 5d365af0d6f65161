"""Pages behind one address, told apart by what is submitted to it: kept, read, replayed and verified."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import publish, stories
from tests.crawl.running import Archived, crawl, scrapy
from tests.crawl.site import not_found

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Answer, Request, Site

PACKAGE = '''
"""Answers of a form: every run asks for all of them."""

import os
from dataclasses import dataclass

from scrapy import Request

from archiver.clock import machine_now
from archiver.running.sources import Effects, Source
from archiver.spiders.kinds import Kind
from archiver.store.content.leads import FoundPage, lead_to, scope_of
from archiver.submissions import Submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    url: str
    id: int = 1
    host: str = "127.0.0.1"
    source: str = "forms"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    found: tuple[FoundPage, ...] = ()


class FormSource(Source):
    name = "forms"
    is_asked = False

    def due(self, connection, room):
        return [] if self.is_asked or room.busy else [Form(url=os.environ["FORM"])]

    def recorded(self, connection):
        return [Form(url=os.environ["FORM"])]

    async def store(self, answer):
        self.is_asked = True
        await self.session.archive.database.run_async(self._found, answer.found)
        return Effects(wants=("pages",))

    def _found(self, connection, found):
        times = {"recorded": machine_now(), "now": self.session.archive.clock.now()}
        lead_to(connection, scope_of(connection, self.name, "form"), self.name, found, **times)


class FormKind(Kind):
    source = FormSource

    def request(self, target):
        return Request(target.url)

    async def read(self, response, target):
        sent = [Submission(body=f"story={number}".encode()) for number in range(3)]
        found = [FoundPage(url=response.url, via=response.url, submission=one) for one in sent]
        return Answers(found=tuple(found))

    def failed(self, target, url, failed):
        return Answers()
'''
KINDS = {"KINDS": json.dumps({"forms.FormKind": 700})}
STORIES = stories(3, 20)

pytestmark = pytest.mark.xdist_group("submissions")


def answer(request: Request) -> Answer:
    """The form, or the story that was asked for."""
    if request.method == "GET":
        return stories(1, 90)[0].page
    number = request.body.removeprefix(b"story=")
    is_form = request.header("Content-Type") == "application/x-www-form-urlencoded"
    return STORIES[int(number)].page if is_form else not_found()


@pytest.mark.zoo
def test_each_answer_is_a_page_of_its_own(
    archive: Path, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "package").mkdir()
    (tmp_path / "package/forms.py").write_text(PACKAGE)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "package"))
    monkeypatch.setenv("FORM", site.add("/form", answer))
    feed = publish(site, stories(2, 40))
    run = crawl(archive, [feed], **KINDS)
    assert run.exit_code == 0, run
    titles = {one["title"] for one in run.objects if one["url"] == site.url("/form")}
    assert titles == {one.title for one in STORIES}
    keys = [
        row["key"] for row in run.rows("SELECT key FROM articles") if row["key"].startswith("POST sha256:")
    ]
    assert len(set(keys)) == len(STORIES)

    verified = scrapy(archive, "verify")
    assert verified.exit_code == 0, verified
    replayed = crawl(archive, [feed], profile="replay", **KINDS)
    assert replayed.exit_code == 0, replayed
    (folder,) = archive.glob("replay-*")
    assert sorted(one["title"] for one in Archived(folder).objects) == sorted(
        one["title"] for one in run.objects
    )
