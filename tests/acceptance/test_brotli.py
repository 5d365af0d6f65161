"""Why brotli is not asked for: with it, whether an archive passes depends on what a reader has installed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import brotli
import pytest

from archiver.archive.warc.reader import read_response
from archiver.profiles.default import ACCEPT_ENCODING
from tests.acceptance.tools import check_files, passes, run, tool
from tests.crawl.documents import rss, stories
from tests.crawl.running import crawl, scrapy
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Answer, Request

pytestmark = pytest.mark.zoo


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as site:
        yield site


def test_a_crawl_that_asks_for_brotli_is_read_by_most_tools_and_not_by_warcio_with_googles_package(
    archive: Path, site: Site
) -> None:
    run_with_brotli = crawl_feed(archive, site, ACCEPT_ENCODING="gzip, br")
    assert {request.header("Accept-Encoding") for request in site.requests} == {"gzip, br"}
    (story,) = run_with_brotli.objects
    pointer = story["warc"]
    stored = read_response(archive / "warc", pointer["file"], pointer["offset"])
    assert stories(1)[0].title.encode() in stored.content
    (path,) = run_with_brotli.warcs
    # brotlipy is among the tools; with it all is well.
    check_files([path], warcio=[tool("warcio")])
    assert passes(tool("cdxj-indexer"), path).count("\n") == 3
    # Brotli is among what we need ourselves. When this no longer fails, br can be asked for by default.
    done = run(sys.executable, "-m", "warcio.cli", "check", path)
    assert done.returncode != 0
    assert "has no attribute 'unused_data'" in done.stderr


def test_as_shipped_every_tool_reads_the_archive(archive: Path, site: Site) -> None:
    run_as_shipped = crawl_feed(archive, site)
    assert {request.header("Accept-Encoding") for request in site.requests} == {ACCEPT_ENCODING}
    for command in ([tool("warcio")], [sys.executable, "-m", "warcio.cli"]):
        check_files(run_as_shipped.warcs, warcio=command)


def test_brotli_that_was_not_asked_for_is_kept_read_and_passes_the_documented_check(
    archive: Path, site: Site
) -> None:
    (story,) = stories(1)
    packed = story.page.but(("Content-Encoding", "br"), body=brotli.compress(story.page.body))
    site.add(story.path, packed)
    unasked = crawl(archive, [site.add("/feed.xml", rss([story.entry]))])
    assert [one["title"] for one in unasked.objects] == [story.title]
    (response,) = unasked.responses(site.url(story.path))
    assert response.payload == packed.body
    # `pipx run warcio check`: an environment of its own has no Brotli.
    alone = (
        "import sys; sys.modules['brotli'] = None; from warcio.cli import main; main(['check', sys.argv[1]])"
    )
    for path in unasked.warcs:
        done = run(sys.executable, "-c", alone, path)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    verified = scrapy(archive, "verify")
    assert verified.exit_code == 0, verified.stdout


def crawl_feed(archive: Path, site: Site, **settings: object) -> CrawlRun:
    """One feed with one page, from a site that sends brotli to whoever reads it."""
    (story,) = stories(1)
    site.add(story.path, as_accepted(story.page))
    feed = site.add("/feed.xml", as_accepted(rss([story.entry])))
    return crawl(archive, [feed], **settings)


def as_accepted(plain: Answer) -> Callable[[Request], Answer]:
    packed = plain.but(("Content-Encoding", "br"), body=brotli.compress(plain.body))
    return lambda request: packed if "br" in (request.header("Accept-Encoding") or "") else plain
