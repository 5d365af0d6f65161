"""`scrapy site detect` on pages of the archive, `scrapy site patterns` on what a crawl has learned."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.learning.pattern_files import load_patterns
from archiver.acquisition.sites.model import Strategy
from archiver.extensions.places import sqlite_url
from archiver.store.database import Database
from archiver.store.whole_sites.choosing import SiteWish, choose_sites
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import NOW, walk

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")

GAZETTE = """
type: gazette
category: news
detect: http/header[@name='content-type'][contains(@value,'text/html')]
levels:
  - {name: page, kind: terminal, detect: "http[@status='200']", extract: [{field: title, path: title}]}
"""


def test_a_page_of_the_archive_is_read_with_what_the_server_said(
    crawled: Crawled, run_here: RunHere, tmp_path: Path
) -> None:
    (tmp_path / "gazette.yaml").write_text(GAZETTE)
    page = next(one for one in crawled.archived.objects if one["url"].startswith(crawled.bases["newspaper"]))
    known = ["-s", f"SITE_KNOWLEDGE={tmp_path / 'gazette.yaml'}"]
    told = run_here("site", crawled.archived.folder, "detect", page["url"], "--json", *known)
    found = json.loads(told.out)
    assert (told.exit_code, found["type"], found["level"]) == (0, "gazette", "page")
    assert found["actions"][0]["found"] == 1
    unknown = run_here("site", crawled.archived.folder, "detect", page["url"])
    assert (unknown.exit_code, unknown.text) == (1, "No type in the knowledge base matches this page.\n")


def test_what_is_not_there_or_not_a_page_is_told(crawled: Crawled, run_here: RunHere) -> None:
    folder = crawled.archived.folder
    told = run_here("site", folder, "detect", "http://nowhere.example/")
    assert (told.exit_code, "is not in the archive" in told.told) == (1, True)
    told = run_here("site", folder, "detect", crawled.url("newspaper", "/rss.xml"))
    assert (told.exit_code, "is not a page: the body is XML" in told.told) == (1, True)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive with a site whose links were learned."""
    folder = tmp_path_factory.mktemp("learned")
    database = Database(sqlite_url(folder))
    site = ComputedSite("blog", 1, 30, host="blog.example")
    walk(database, folder, site, wish=SiteWish(strategy=Strategy.LEARNED))
    database.close()
    return folder


def test_patterns_are_shown_within_the_window(
    learned: Path, run_here: RunHere, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    told = run_here("site", learned, "patterns", "blog.example")
    heading, first, *_ = told.text.splitlines()
    assert (told.exit_code, heading.split()[:6]) == (0, ["no.", "role", "gain", "pages", "waiting", "state"])
    assert first.split()[:2] == ["1", "content"]
    assert "aside" not in told.text
    assert "more do not pay or were not tried: --all shows them." in told.text
    assert "aside" in run_here("site", learned, "patterns", "1", "--all").text


def test_patterns_are_written_for_a_crawl_to_begin_with(
    learned: Path, run_here: RunHere, tmp_path: Path
) -> None:
    path = tmp_path / "blog.yaml"
    told = run_here("site", learned, "patterns", "1", "-o", str(path))
    assert (told.exit_code, f"{path}: " in told.text) == (0, True)
    shown = json.loads(run_here("site", learned, "patterns", "1", "--json").out)["patterns"]
    assert path.read_text().count("- path: ") == len([one for one in shown if one["pages"]])
    believed = load_patterns(path)
    assert len(believed) > 3
    assert believed[0].gains == (shown[0]["gain"],)


def test_a_site_without_patterns_is_told(learned: Path, run_here: RunHere, tmp_path: Path) -> None:
    database = Database(sqlite_url(tmp_path))
    database.run(choose_sites, ["http://a.example/"], SiteWish(), NOW, NOW)
    database.close()
    told = run_here("site", tmp_path, "patterns", "a.example")
    assert (told.exit_code, "no patterns were learned" in told.text) == (0, True)
    assert run_here("site", learned, "patterns", "7").exit_code == 1
    assert run_here("site", learned, "patterns").exit_code == 2
