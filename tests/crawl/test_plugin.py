"""Packages from outside add a kind of thing to fetch, a kind of objects, and a method."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import TYPE_CHECKING

import jsonschema
import pytest

from archiver.articles.objects.schema import json_schema
from tests.commands.here import runner
from tests.crawl.documents import page, prose, publish, stories
from tests.crawl.running import DAY, ROOT, crawl
from tests.crawl.site import Answer

if TYPE_CHECKING:
    from tests.commands.here import RunHere
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Site

PACKAGE = '''
"""Notices: a list of links, asked for once in every run."""

import os
import signal
from dataclasses import dataclass
from urllib.parse import urljoin

from scrapy import Request
from scrapy.selector import Selector

from archiver.archive.objects.kinds import ObjectKind, WarcPointer
from archiver.clock import machine_now
from archiver.documents.pages.model import Announcement
from archiver.running.sources import Effects, Source
from archiver.spiders.kinds import Kind
from archiver.store.content.leads import FoundPage, lead_to, scope_of


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeList:
    url: str
    id: int = 1
    host: str = "127.0.0.1"
    source: str = "notices"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notices:
    found: tuple[FoundPage, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNotice:
    """What the list says of one notice."""

    schema: str = "notice/1"
    url: str
    title: str
    warc: WarcPointer


class ListedNoticeKind(ObjectKind[ListedNotice]):
    name = "notices"
    title = "One notice of a list"
    schema = "notice/1"
    model = ListedNotice

    def pointers(self, one):
        return [one.warc]


class NoticeSource(Source):
    name = "notices"

    def __init__(self, session):
        super().__init__(session)
        self.is_asked = False

    def due(self, connection, room):
        return [] if self.is_asked or room.busy else [NoticeList(url=os.environ["NOTICES"])]

    async def store(self, answer):
        self.is_asked = True
        await self.session.archive.write(self._found, answer.found)
        return Effects(wants=("pages",))

    def _found(self, connection, objects, found):
        for one in found:
            at = one.capture
            pointer = WarcPointer(
                file=at.file, offset=at.offset, record_id=at.record_id, capture_id=at.capture_id
            )
            objects.stage(ListedNotice(url=one.url, title=one.said.title, warc=pointer), machine_now())
        if "CRASH" in os.environ:
            objects.flush()
            os.kill(os.getpid(), signal.SIGKILL)
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
OBJECT_KINDS = json.dumps({"notices.ListedNoticeKind": 200})
KINDS = {
    "KINDS": json.dumps({"notices.NoticeKind": 700}),
    "OBJECT_KINDS": OBJECT_KINDS,
    "EXTRACT_METHOD": "learning",
}
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


def notice_lines(archive: Path) -> list[dict[str, str]]:
    paths = sorted((archive / "objects").glob("notices-*.jsonl"))
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def found_by_notices(run: CrawlRun) -> dict[str, list[int]]:
    """The versions of each notice, by title."""
    found: dict[str, list[int]] = {}
    for one in run.objects:
        if one["lead"]["source"] == "notices":
            found.setdefault(one["title"], []).append(one["version"])
    return found


@pytest.fixture
def run_here(
    capsysbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> RunHere:
    monkeypatch.chdir(ROOT)
    monkeypatch.syspath_prepend(tmp_path / "package")
    return runner(capsysbinary)


def test_pages_that_no_feed_announces_and_objects_of_another_kind_are_kept(
    archive: Path, site: Site, feed: str, run_here: RunHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CRASH", "after the lines are on disk, before the commit")
    assert crawl(archive, [feed], **KINDS, WRITER="court").exit_code == -signal.SIGKILL
    assert len(notice_lines(archive)) == 5
    monkeypatch.delenv("CRASH")
    run = crawl(archive, [feed], **KINDS)
    assert run.exit_code == 0, run
    check_articles(run, site)
    check_notices(archive, run, run_here)
    edited = NOTICES[0]
    site.add(edited.path, page(edited.title, (*edited.paragraphs, *prose(99))))
    run = crawl(archive, [feed], clock_offset=DAY, **KINDS)
    assert run.exit_code == 0, run
    assert found_by_notices(run) == {one.title: [1, 2] if one is edited else [1] for one in NOTICES}
    assert len(notice_lines(archive)) == 10
    check_damage(archive, run_here)


def check_articles(run: CrawlRun, site: Site) -> None:
    assert found_by_notices(run) == {one.title: [1] for one in NOTICES}
    assert len(run.objects) == 8
    captured = {record.headers["WARC-Record-ID"] for record in run.records if record.type == "response"}
    for one in run.objects:
        jsonschema.validate(one, json_schema())
        assert (one["method"], one["extractor"]) == ("learning", "learning/1")
        if one["lead"]["source"] == "notices":
            assert (one["channel"], one["entry_id"]) == (None, None)
            assert one["lead"]["via"] == site.url("/notices.html")
            assert one["warc"]["record_id"] in captured


def check_notices(archive: Path, run: CrawlRun, run_here: RunHere) -> None:
    # The name was set in the first run alone.
    (path,) = (archive / "objects").glob("notices-*-court.jsonl")
    assert path.with_name(path.name + ".cut").read_bytes().count(b"\n") == 5
    assert f"Objects    {path}" in run.stdout
    assert [one["title"] for one in notice_lines(archive)] == [one.title for one in NOTICES]
    well = run_here("verify", archive, "-s", f"OBJECT_KINDS={OBJECT_KINDS}")
    assert (well.exit_code, "; 13 objects: all is well" in well.text) == (0, True), well
    # Without the package, lines of JSON are all that is known of them.
    assert run_here("verify", archive).text == well.text


def check_damage(archive: Path, run_here: RunHere) -> None:
    path = min((archive / "objects").glob("notices-*-court.jsonl"))
    path.write_bytes(path.read_bytes().replace(b"notice/1", b"notice/7", 1))
    found = run_here("verify", archive, "-s", f"OBJECT_KINDS={OBJECT_KINDS}")
    told = f"{path}:0: this object says schema 'notice/7', and not 'notice/1': bring the file back"
    assert (found.exit_code, told in found.text.replace("\n", " ")) == (1, True), found
    path.write_bytes(path.read_bytes()[:-9])
    lost = run_here("recover", archive, "-s", f"OBJECT_KINDS={OBJECT_KINDS}")
    assert (lost.exit_code, f"Lost       {path.name} has " in lost.text) == (1, True), lost
