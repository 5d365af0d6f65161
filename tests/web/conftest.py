"""An archive of three days of the sample web, shown by the real command."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from sample.server import SampleWeb
from tests.crawl.running import DAY, crawl, finish, start_scrapy
from tests.web.browsing import browsing
from tests.web.planted import gazette, plant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.browsing import Shown

_DAYS = 3
# Pages are looked at again every day; their styles and images are kept, as they are by default.
_SETTINGS = {"RECHECK_SHARE": None, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999, "REQUISITES": None}


@pytest.fixture(scope="session")
def sample_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three days of the sample web."""
    folder = tmp_path_factory.mktemp("web")
    with SampleWeb(day=0, port=0) as web:
        seeds = folder / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in web.seeds))
        for day in range(_DAYS):
            web.day = day
            done = crawl(folder / "archive", seeds=seeds, clock_offset=day * DAY, **_SETTINGS)
            assert done.exit_code == 0, done
    words = ["search", "--build", "-s", f"ARCHIVE_DIR={folder / 'archive'}"]
    assert finish(start_scrapy(words), folder / "archive").exit_code == 0
    return folder / "archive"


@pytest.fixture(scope="session")
def shown(sample_archive: Path) -> Iterator[Shown]:
    with browsing(sample_archive) as found:
        yield found


@pytest.fixture(scope="session")
def planted_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures of a site full of mischief."""
    return plant(tmp_path_factory.mktemp("planted") / "archive", gazette())


@pytest.fixture(scope="session")
def planted(planted_archive: Path) -> Iterator[Shown]:
    with browsing(planted_archive, "-s", "REPLAY_PYWB=") as found:
        yield found
