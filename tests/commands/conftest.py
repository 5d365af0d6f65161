"""An archive of two days of the sample web, crawled once for all commands."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest

from sample.server import SampleWeb
from tests.commands.here import run_here  # noqa: F401 - a fixture
from tests.crawl.running import DAY, Archived, crawl

if TYPE_CHECKING:
    from pathlib import Path

DAYS = 2


class Crawled(NamedTuple):
    """The archive, and the addresses of the sites that it was made from."""

    archived: Archived
    bases: dict[str, str]

    def url(self, site: str, path: str) -> str:
        return self.bases[site] + path


@pytest.fixture(scope="session")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    folder: Path = tmp_path_factory.mktemp("commands") / "archive"
    with SampleWeb(day=0, port=0) as web:
        for day in range(DAYS):
            web.day = day
            needs = {"REQUISITES": "page", "REQUISITES_SHARE": 1}
            run = crawl(folder, web.seeds, clock_offset=day * DAY, CHANNEL_PAGES=True, **needs)
            assert run.exit_code == 0, run
        return Crawled(Archived(folder), {name: web.base(name) for name in web.names})


@pytest.fixture
def archive(crawled: Crawled, tmp_path: Path) -> Path:
    """A copy that a test may damage."""
    return shutil.copytree(crawled.archived.folder, tmp_path / "archive")


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """Where a test writes a WACZ."""
    return tmp_path / "part.wacz"
