"""Crawls of pages that are empty without their scripts: what the browser made of them is in the archive."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.index import Index
from archiver.rendering.archived import render_archived
from archiver.rendering.guard import family, memory_mb
from archiver.rendering.model import RenderRules
from archiver.rendering.process import MODULE, RenderProcess
from archiver.store.database import Database
from archiver.store.schema import pages
from sample.server import SampleWeb
from tests.acceptance.pywb import Wayback
from tests.acceptance.tools import check_files, passes, tool
from tests.crawl.checks import assert_whole
from tests.crawl.documents import Entry, rss
from tests.crawl.killing import RENDER_BOUNDARIES
from tests.crawl.running import (
    DAY,
    ROOT,
    Archived,
    crawl,
    crawl_command,
    finish,
    scrapy,
    start_crawl,
    write_seeds,
)
from tests.crawl.site import Answer, Site, conditional, html
from tests.rendering.shelf import foreign_server, need_browser

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.archive.warc.records import Capture
    from archiver.rendering.model import RenderedPage
    from sample.model import TrueEntry
    from tests.crawl.running import CrawlRun

# One process crawls for all tests that read this archive.
pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("rendering")]
_ON = {"RENDER": "auto"}


# Of a crawl with rendering on, besides the browser: its own process, that which writes WARC, two workers.
REST_MB = 700


class Watch:
    """Looks at the memory of a crawl and of all processes that descend from it, while they run."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.peak = {"browser": 0.0, "others": 0.0, "sum": 0.0}
        self._process = process
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        while self._process.returncode is None:
            whole = family(self._process.pid)
            browser = [pid for child in whole if _drives_browser(child) for pid in family(child)]
            others = [pid for pid in whole if pid not in browser]
            now = {"browser": memory_mb(browser), "others": memory_mb(others), "sum": memory_mb(whole)}
            self.peak = {name: max(self.peak[name], megabytes) for name, megabytes in now.items()}
            time.sleep(0.05)

    def end(self) -> dict[str, float]:
        self._thread.join()
        return self.peak


def _drives_browser(pid: int) -> bool:
    try:
        return MODULE.encode() in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return False


class Observed(Archived):
    """The observatory, which is gone by the time that its archive is read."""

    def __init__(self, folder: Path, run: CrawlRun, truth: list[TrueEntry], asked: set[str]) -> None:
        super().__init__(folder)
        self.run = run
        self.truth = truth
        self.asked = asked

    def captures(self) -> list[Capture]:
        """Of the pages, as the state store has them."""
        database = Database(f"sqlite:///{self.folder / 'state.sqlite'}")
        try:
            query = pages.select().order_by(pages.c.id)
            return database.run(lambda connection: [row.capture for row in connection.execute(query)])
        finally:
            database.close()


@pytest.fixture(scope="module")
def observed(tmp_path_factory: pytest.TempPathFactory) -> Observed:
    need_browser()
    folder = tmp_path_factory.mktemp("observed")
    with SampleWeb(day=0) as web:
        run = crawl(folder, [web.seeds_of("observatory")[0]], **_ON)
        asked = {web.base(hit.site) + hit.path for hit in web.log}
        return Observed(folder, run, web.site("observatory").truth(0), asked)


def test_pages_that_need_scripts_become_articles(observed: Observed) -> None:
    assert observed.run.exit_code == 0, observed.run
    found = {one["url"]: one for one in observed.objects}
    assert set(found) == {one.link for one in observed.truth}
    for true in observed.truth:
        assert true.link is not None
        text = " ".join(found[true.link]["text"].split())
        assert found[true.link]["title"] == true.title
        assert [one for one in true.body_paragraphs if one not in text] == []
    assert observed.run.report["rendered"] == {"rendered": len(observed.truth)}
    assert "Rendered" in observed.run.stdout


def test_all_that_the_browser_saw_is_in_warc_and_the_object_points_to_both(observed: Observed) -> None:
    assert_whole(observed)
    records = {record.id: record for record in observed.records}
    assert {one.url for one in records.values() if one.type == "response"} == observed.asked
    for one in observed.objects:
        rendered, served = records[one["rendered"]["record_id"]], records[one["warc"]["record_id"]]
        assert rendered.type == "conversion"
        assert rendered.url == f"urn:rendered:{one['url']}"
        assert rendered.headers["WARC-Refers-To"] == one["warc"]["capture_id"]
        assert one["text"][:40] in rendered.block.decode()
        assert one["text"][:40] not in served.block.decode()
    about = [one.block.decode() for one in records.values() if b"renderedBy" in one.block]
    assert len(about) == len(observed.truth)
    assert all("/api/story/" in one and "a tracker" in one for one in about)


def test_rendered_again_from_warc_alone_the_result_is_the_same(observed: Observed) -> None:
    captures = observed.captures()

    async def again() -> list[RenderedPage]:
        process = RenderProcess(RenderRules(), observed.folder / "warc")
        index = Index(observed.folder / "index")
        try:
            return [
                await render_archived(process, index, observed.folder / "warc", one)
                for one in [captures[0], captures[0], captures[1]]
            ]
        finally:
            await process.close()

    first, second, other = asyncio.run(again())
    assert first.html == second.html != other.html
    kept = {record.id: record.block.decode() for record in observed.records if record.type == "conversion"}
    for capture, shown in ((captures[0], first), (captures[1], other)):
        assert capture.rendered is not None
        assert kept[capture.rendered.record_id] == shown.html


def test_other_tools_accept_the_archive(observed: Observed, tmp_path: Path) -> None:
    check_files(observed.warcs, warcio=[tool("warcio")])
    theirs = passes(tool("cdxj-indexer"), *observed.warcs).splitlines()
    files = list((observed.folder / "index").glob("*.cdxj"))
    assert sorted(theirs) == sorted(line for path in files for line in path.read_text().splitlines())
    assert not any("rendered" in line for line in theirs)
    wacz = tmp_path / "archive.wacz"
    made = scrapy(observed.folder, "wacz", "-o", str(wacz))
    assert made.exit_code == 0, made
    passes(tool("wacz"), "validate", "-f", wacz)
    with Wayback(tmp_path / "pywb") as wayback:
        wayback.add("archive", observed.warcs, files)
        url = observed.objects[0]["url"]
        replayed = wayback.replay("archive", url)
        assert replayed.status == 200
        assert b'<div id="root"></div>' in replayed.body


def test_the_archive_is_explained_read_anew_and_verified_by_what_was_rendered(observed: Observed) -> None:
    one = observed.objects[0]
    told = scrapy(observed.folder, "explain", one["url"], "--json")
    assert told.exit_code == 0, told
    assert json.loads(told.stdout)["outcome"] == "article"
    assert scrapy(observed.folder, "verify").exit_code == 0
    again = scrapy(observed.folder, "reextract", "--method", "sigfeed")
    assert again.exit_code == 0, again
    assert f"{len(observed.truth)} versions read again" in again.stdout


def test_hostile_pages_are_ended_and_named_and_the_browser_reaches_no_host(tmp_path: Path) -> None:
    need_browser()
    with foreign_server() as (port, asked), SampleWeb(day=0) as web:
        web.site("observatory").foreign = f"127.0.0.1:{port}"  # type: ignore[attr-defined] # of this site
        seed = web.seeds_of("observatory")[1]
        limits = {"RENDER_MEMORY_MB": 768, "EXTRACT_WORKERS": 2, "EXTRACT_MEMORY_MB": 1024}
        process = start_crawl(tmp_path, [seed], **_ON, **limits, RENDER_TIMEOUT=2)
        watch = Watch(process)
        run = finish(process, tmp_path)
    peak = watch.end()
    assert run.exit_code == 0, run
    # What a page may ask of another host is asked by the crawl, by its own rules; nothing else is.
    assert {path for path, _ in asked} == {"/robots.txt", "/fetch"}
    assert all(agent.startswith("archiver/") for _, agent in asked)
    assert run.report["rendered"] == {"loop": 1, "window": 1, "download": 1, "memory": 1, "rendered": 1}
    told = "\n".join(run.report["notes"])
    for name, why in {
        "loop": "its scripts did not come to rest",
        "windows": "it opened windows",
        "downloads": "it began downloads",
        "memory": "it needed too much memory",
    }.items():
        assert f"/hostile/{name} was ended in the browser: {why}" in told
    # A look at its memory comes ten times a second.
    assert run.report["render_memory_mb"] < 1.5 * 768
    assert 0 < peak["browser"] < 1.5 * 768, peak
    # The whole crawl: what docs/rendering.md promises of the rest, and the sum.
    assert 0 < peak["others"] < REST_MB, peak
    assert peak["sum"] < 1.5 * 768 + REST_MB, peak
    assert_whole(run)


_SHELL = '<html><body><div id="app"></div><script src="/app.js"></script></body></html>'
_APP = (
    "fetch('/story.json').then(a => a.json()).then(s => document.getElementById('app').innerHTML ="
    " '<article><h1>' + s.title + '</h1>' + s.text.map(t => '<p>' + t + '</p>').join('') + '</article>')"
)
_TEXT = [
    "The tide mill at Harrow Creek was stopped on Thursday when its wheel lost two of its paddles.",
    "The miller says that the timber had been sound in spring, and blames a barge that broke loose.",
    "Flour for the village bakery comes by road until the carpenter has cut new paddles from oak.",
]


def _story(*more: str) -> Answer:
    body = json.dumps({"title": "The mill stands still", "text": [*_TEXT, *more]})
    return Answer(headers=(("Content-Type", "application/json"),), body=body.encode())


@pytest.fixture
def mill() -> Iterator[Site]:
    """A page that never changes, and shows what another address says."""
    need_browser()
    with Site() as site:
        site.add("/feed.xml", rss([Entry(link="/mill", title="The mill stands still")]))
        site.add("/mill", conditional(html(_SHELL).but(("ETag", '"one"'))))
        site.add("/app.js", Answer(headers=(("Content-Type", "text/javascript"),), body=_APP.encode()))
        site.add("/story.json", _story())
        yield site


def test_a_page_that_is_not_modified_is_rendered_again(mill: Site, tmp_path: Path) -> None:
    mill.add("/story.json", _story(), _story("By Friday evening the wheel was turning again, slowly."))
    looks = {"RECHECK_SHARE": 0.9, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}
    seeds = write_seeds(tmp_path, [mill.url("/feed.xml")])
    first = crawl(tmp_path, seeds, **_ON, **looks)
    assert [one["version"] for one in first.objects] == [1], first
    second = crawl(tmp_path, seeds, clock_offset=2 * DAY, **_ON, **looks)
    assert [one["version"] for one in second.objects] == [1, 2], second
    assert "turning again" in second.objects[1]["text"]
    assert mill.paths.count("/app.js") == 1, "scripts of the same day come from the archive"
    third = crawl(tmp_path, seeds, clock_offset=4 * DAY, **_ON, **looks)
    assert len(third.objects) == 2, third


def test_without_rendering_such_a_page_is_empty(mill: Site, tmp_path: Path) -> None:
    run = crawl(tmp_path, [mill.url("/feed.xml")])
    assert run.report["outcomes"] == {"empty": 1}
    assert run.objects == []
    assert "/app.js" not in mill.paths


@pytest.mark.parametrize("boundary", RENDER_BOUNDARIES)
def test_a_crawl_killed_while_it_renders_is_completed_by_the_next(
    boundary: str, mill: Site, tmp_path: Path
) -> None:
    words = crawl_command(
        tmp_path, seeds=[mill.url("/feed.xml")], clock_offset=0, arguments={}, settings=_ON, spider="feeds"
    )
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, "1", *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=90, check=False)
    assert done.returncode == -signal.SIGKILL, f"{boundary} was never reached: {done.stdout}{done.stderr}"
    run = crawl(tmp_path, clock_offset=0, **_ON)
    assert run.exit_code == 0, run
    assert [one["title"] for one in run.objects] == ["The mill stands still"]
    assert mill.paths.count("/mill") == 1, "a captured page is not fetched again"
    kept = [record for record in run.records if record.type == "conversion"]
    assert len(kept) == (2 if boundary == "rendering-before-commit" else 1)
    assert_whole(run)
