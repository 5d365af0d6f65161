"""The archive that everybody's tools are held against: three days of crawling, made once for all tests."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

import pytest

from sample.server import SampleWeb
from tests.acceptance import gazette
from tests.acceptance.pywb import Wayback
from tests.crawl.running import DAY, Archived, crawl, scrapy, write_seeds
from tests.crawl.site import Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DAYS = 3
# The collection under which pywb has it.
ARCHIVE = "archive"


class ThreeDays(Archived):
    """The sample web and the gazette, both gone by the time that anybody reads what was kept of them."""

    def __init__(self, folder: Path, origin: str) -> None:
        super().__init__(folder)
        self.origin = origin  # of the gazette


@pytest.fixture(scope="session")
def archived(tmp_path_factory: pytest.TempPathFactory) -> ThreeDays:
    """Full answers, redirects, errors, feeds that did not change, payloads that came before."""
    folder: Path = tmp_path_factory.mktemp("acceptance") / "archive"
    with SampleWeb(day=0, port=0) as web, Site() as site:
        gazette.put_up(site)
        seeds = write_seeds(folder, [*web.seeds, site.url(gazette.FEED)])
        for day in range(DAYS):
            web.day = day
            run = crawl(folder, seeds=seeds, clock_offset=day * DAY)
            assert run.exit_code == 0, run
        return ThreeDays(folder, site.origin)


@pytest.fixture(scope="session")
def wacz(archived: ThreeDays, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same archive in one file."""
    if find_spec("archiver.commands.wacz") is None:
        pytest.skip("there is no `scrapy wacz` yet")
    path = tmp_path_factory.mktemp("wacz") / "archive.wacz"
    made = scrapy(archived.folder, "wacz", "-o", str(path))
    assert made.exit_code == 0, made
    return path


@pytest.fixture(scope="session")
def wayback(archived: ThreeDays, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Wayback]:
    """pywb over the archive's own WARCs and index."""
    with Wayback(tmp_path_factory.mktemp("pywb")) as wayback:
        wayback.add(ARCHIVE, archived.warcs, (archived.folder / "index").glob("*.cdxj"))
        yield wayback
