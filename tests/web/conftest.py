"""An archive of three days of the sample web, shown by the real command."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from sample.server import SampleWeb
from sample.shop.serving import serve_shop
from sample.shop.truth import ontology
from tests.crawl import shop
from tests.crawl.flood_web import FloodWeb, campaign_text
from tests.crawl.running import DAY, crawl, finish, scrapy, start_scrapy
from tests.crawl.site import Site
from tests.web.browsing import browsing
from tests.web.planted import gazette, plant, plant_failure
from tests.web.whole_site import gazette_site

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
def shop_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A shop whose books have fields, one of which is no longer found."""
    archive = tmp_path_factory.mktemp("shop") / "archive"
    (archive / "wrappers").mkdir(parents=True)
    (archive / "wrappers" / "bookshop.yaml").write_text(shop.WRAPPER)
    (archive / "wrappers" / "flawed.yaml").write_text("wrapper: <script>alert(1)</script>")
    with Site() as site:
        done = crawl(archive, [shop.open_shop(site, shop.old, range(12))])
        assert done.exit_code == 1, "one of the wrappers has a flaw"
    plant_failure(archive)
    return archive


@pytest.fixture(scope="session")
def shop_shown(shop_archive: Path) -> Iterator[Shown]:
    with browsing(shop_archive) as found:
        yield found


@pytest.fixture(scope="session")
def site_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site that was crawled by all its links: two of its pages link to one that is not there."""
    archive = tmp_path_factory.mktemp("site") / "archive"
    with Site() as site:
        paths = gazette_site(site)
        done = crawl(archive, spider="site", arguments={"url": site.url("/"), "strategy": "blind"})
        assert done.exit_code == 0, done
        assert len(site.requests) == len(paths) + 3, "with the front page, robots.txt and the broken link"
    return archive


@pytest.fixture(scope="session")
def site_shown(site_archive: Path) -> Iterator[Shown]:
    with browsing(site_archive) as found:
        yield found


@pytest.fixture(scope="session")
def campaign_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign that has spent half of what its web would give it."""
    folder = tmp_path_factory.mktemp("campaign")
    with ExitStack() as sites:
        web = FloodWeb(lambda host: sites.enter_context(Site(host)), feeds=True)
        about = "about: Flood in the valley\nbudget: {requests: 40}\n"
        text = campaign_text(web, 40).replace("budget: {requests: 40}\n", about)
        (folder / "flood.yaml").write_text(text)
        given = {"file": str(folder / "flood.yaml")}
        done = crawl(folder / "archive", spider="campaign", arguments=given, CAMPAIGN_PER_HOST_DELAY="0")
        assert done.exit_code == 0, done
    return folder / "archive"


@pytest.fixture(scope="session")
def campaign_shown(campaign_archive: Path) -> Iterator[Shown]:
    with browsing(campaign_archive) as found:
        yield found


@pytest.fixture(scope="session")
def form_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A form that was asked for its records, some of which are linked."""
    folder = tmp_path_factory.mktemp("form")
    with serve_shop(count=30) as books:
        text = f"form: books\npage: {books.base}/list/\nselect: {{number: 2}}\nbudget: {{requests: 30}}\n"
        (folder / "books.yaml").write_text(text)
        given = {"file": str(folder / "books.yaml")}
        done = crawl(folder / "archive", spider="forms", arguments=given, CONTACT="https://archive.example/")
        assert done.exit_code == 0, done
        file = folder / "books.nt"
        file.write_text("".join(f"{line}\n" for line in ontology(books.books)))
    words = ["forms", "align", "books", "--with", str(file), "--keep"]
    assert scrapy(folder / "archive", *words).exit_code == 0
    return folder / "archive"


@pytest.fixture(scope="session")
def form_shown(form_archive: Path) -> Iterator[Shown]:
    with browsing(form_archive) as found:
        yield found


@pytest.fixture(scope="session")
def planted_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Captures of a site full of mischief."""
    return plant(tmp_path_factory.mktemp("planted") / "archive", gazette())


@pytest.fixture(scope="session")
def planted(planted_archive: Path) -> Iterator[Shown]:
    with browsing(planted_archive, "-s", "REPLAY_PYWB=") as found:
        yield found
