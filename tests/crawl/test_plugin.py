"""Packages from outside add a kind of thing to fetch, whose pages no feed announces, and a method."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from archiver.articles.objects.schema import json_schema
from tests.crawl.documents import page, prose, publish, stories
from tests.crawl.running import DAY, crawl
from tests.crawl.site import Answer

if TYPE_CHECKING:
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

PACKAGE = '''
"""Notices: a list of links, asked for once in every run."""

import os
from dataclasses import dataclass
from urllib.parse import urljoin

from scrapy import Request
from scrapy.selector import Selector

from archiver.clock import machine_now
from archiver.documents.pages.model import Announcement
from archiver.running.sources import Effects, Source
from archiver.spiders.kinds import Kind
from archiver.store.leads import FoundPage, lead_to, scope_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeList:
    url: str
    id: int = 1
    host: str = "127.0.0.1"
    source: str = "notices"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    found: tuple[FoundPage, ...] = ()


class NoticeSource(Source):
    name = "notices"

    def __init__(self, session):
        super().__init__(session)
        self.is_asked = False

    def due(self, connection, room):
        return [] if self.is_asked or room.busy else [NoticeList(url=os.environ["NOTICES"])]

    async def store(self, answer):
        self.is_asked = True
        await self.session.archive.database.run_async(self._found, answer.found)
        return Effects(wants=("pages",))

    def _found(self, connection, found):
        times = {"recorded": machine_now(), "now": self.session.archive.clock.now()}
        lead_to(connection, scope_of(connection, self.name, "court"), self.name, found, **times, again=True)


class NoticeKind(Kind):
    source = NoticeSource

    def request(self, target):
        return Request(target.url)

    async def read(self, response, target):
        links = Selector(text=response.body.decode()).css("a")
        found = [(urljoin(response.url, one.attrib["href"]), one.css("::text").get()) for one in links]
        capture = response.meta["capture"]
        return Notices(
            found=tuple(
                FoundPage(url=url, via=response.url, said=Announcement(title=title), capture=capture)
                for url, title in found
            )
        )

    def failed(self, target, url, failed):
        return Notices()
'''
KINDS = {"KINDS": json.dumps({"notices.NoticeKind": 700}), "EXTRACT_METHOD": "learning"}
# A package with a method of its own.
LEARNING = Path(__file__).parents[1] / "learning"
NOTICES = stories(5, 20)

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("plugin")


@pytest.fixture
def feed(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A list that no feed knows, beside a feed with stories of its own; the address of the feed."""
    (tmp_path / "package").mkdir()
    (tmp_path / "package/notices.py").write_text(PACKAGE)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "package"), str(LEARNING)]))
    links = "".join(f'<li><a href="{one.path}">{one.title}</a></li>' for one in NOTICES)
    monkeypatch.setenv("NOTICES", site.add("/notices.html", Answer(body=f"<ul>{links}</ul>".encode())))
    for one in NOTICES:
        site.add(one.path, one.page)
    return publish(site, stories(3))


def found_by_notices(run: CrawlRun) -> dict[str, list[int]]:
    """The versions of each notice, by title."""
    found: dict[str, list[int]] = {}
    for one in run.objects:
        if one["lead"]["source"] == "notices":
            found.setdefault(one["title"], []).append(one["version"])
    return found


def test_pages_that_no_feed_announces_are_kept_read_and_versioned(
    archive: Path, site: Site, feed: str
) -> None:
    run = crawl(archive, [feed], **KINDS)
    assert run.exit_code == 0, run
    assert found_by_notices(run) == {one.title: [1] for one in NOTICES}
    assert len(run.objects) == 8
    captured = {record.url: record for record in run.records if record.type == "response"}
    for one in run.objects:
        jsonschema.validate(one, json_schema())
        assert (one["method"], one["extractor"]) == ("learning", "learning/1")
        if one["lead"]["source"] == "notices":
            assert (one["channel"], one["entry_id"]) == (None, None)
            assert one["lead"]["via"] == site.url("/notices.html")
            assert one["warc"]["record_id"] == captured[one["url"]].headers["WARC-Record-ID"]
    edited = NOTICES[0]
    site.add(edited.path, page(edited.title, (*edited.paragraphs, *prose(99))))
    run = crawl(archive, [feed], clock_offset=DAY, **KINDS)
    assert run.exit_code == 0, run
    assert found_by_notices(run) == {one.title: [1, 2] if one is edited else [1] for one in NOTICES}
