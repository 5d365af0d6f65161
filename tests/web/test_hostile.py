"""A hostile archive in a real browser: nothing of it runs, nothing calls home, and no layout breaks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from zipfile import ZipFile

import feedparser
import pytest

from archiver.web.views import VIEWS
from tests.crawl.running import DAY, Archived, crawl, finish, scrapy, start_scrapy
from tests.crawl.site import Site
from tests.web.browsing import browsing
from tests.web.chromium import PHONE, chromium, is_too_wide, watched
from tests.web.hostile import put_up

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import Browser

    from tests.web.browsing import Shown

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("hostile")]
_MARKED = "self.marked || document.documentElement.dataset.marked || 0"


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    with Site() as found:
        yield found


@pytest.fixture(scope="module")
def hostile_archive(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two days of a hostile site; all of its pages are edited in between."""
    archive = tmp_path_factory.mktemp("hostile") / "archive"
    settings = {"REQUISITES": "page", "RECHECK_SHARE": None, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}
    for day, edit in enumerate(("As it was.", "As it is <b>now</b>.")):
        site.forget()
        feed = put_up(site, edit=edit)
        done = crawl(archive, [feed], clock_offset=day * DAY, CHANNEL_PAGES=True, **settings)
        assert done.exit_code == 0, done
    finish(start_scrapy(["search", "--build", "-s", f"ARCHIVE_DIR={archive}"]), archive)
    site.forget()
    return archive


@pytest.fixture(scope="module")
def shown(hostile_archive: Path) -> Iterator[Shown]:
    with browsing(hostile_archive) as found:
        yield found


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as found:
        yield found


def addresses(shown: Shown, archive: Path) -> list[str]:
    """Every view, and those of an article for every article."""
    archived = Archived(archive)
    urls = sorted({one["url"] for one in archived.objects})
    assert len(urls) > 10, "extraction found articles among the attacks"
    run = min((archive / "runs").glob("run-*.json")).stem.removeprefix("run-")
    of_one = [view.path for view in VIEWS if "url" in view.parameters.__struct_fields__]
    of_all = [view.path for view in VIEWS if "url" not in view.parameters.__struct_fields__]
    found = [shown.address(path, url=url) for path in of_one for url in urls]
    found += [shown.address(path.replace("{number}", "1").replace("{name}", run)) for path in of_all]
    found += [shown.address("/articles", q=word) for word in ("<script>", '"', "title", "alert")]
    return [*found, shown.address("/nowhere<script>"), shown.address("/article", url="<script>")]


def test_nothing_of_it_runs_and_no_layout_breaks(
    browser: Browser, shown: Shown, hostile_archive: Path, site: Site
) -> None:
    with watched(browser, viewport=PHONE) as seen:
        seen.page.on("dialog", lambda dialog: seen.complaints.append(f"dialog: {dialog.message}"))
        for address in addresses(shown, hostile_archive):
            answer = seen.page.goto(address)
            assert answer is not None
            assert answer.status < 500, address
            assert seen.page.evaluate(_MARKED) == 0, address
            for frame in seen.page.frames[1:]:
                assert frame.evaluate(_MARKED) == 0, (address, frame.url)
            assert not is_too_wide(seen.page), address
            assert seen.page.title().endswith("– archiver"), address
        # What the policy had to stop was not escaped.
        blocked = [told for told in seen.complaints if "Failed to load resource" not in told]
        assert blocked == []
        assert [url for url in seen.asked if "marked" in url or url.startswith(site.origin)] == []
    assert site.paths == []


@pytest.fixture(scope="module")
def written(hostile_archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages, books and feeds that commands write of it."""
    folder = tmp_path_factory.mktemp("written")
    archived = Archived(hostile_archive)
    edited = sorted({one["url"] for one in archived.objects if one["version"] == 2})
    assert len(edited) > 10
    commands = [["diff", url, "--html", f"diff-{number}.html"] for number, url in enumerate(edited)]
    commands += [["explain", url, "--html", f"explain-{number}.html"] for number, url in enumerate(edited)]
    commands += [
        ["rebuild", "1", "--at", "2099-01-01", "-o", "rebuild.html"],
        ["statistics", "--html", "statistics.html"],
        ["search", "title OR script OR harbour", "--html", "search.html", "--epub", "search.epub"],
        ["search", "title OR script OR harbour", "--atom", "search.atom"],
        ["changes", "--atom", "changes.atom"],
    ]
    for words in commands:
        there = [str(folder / word) if word.endswith((".html", ".epub", ".atom")) else word for word in words]
        done = scrapy(hostile_archive, *there)
        assert done.exit_code == 0, done
    with ZipFile(folder / "search.epub") as book:
        book.extractall(folder / "book")
    for name in ("search", "changes"):
        _as_a_careless_reader_shows_it(folder, name)
    return folder


def _as_a_careless_reader_shows_it(folder: Path, name: str) -> None:
    """A feed as pages in which its markup stands as it came."""
    feed = feedparser.parse((folder / f"{name}.atom").read_bytes(), sanitize_html=False)
    assert len(feed.entries) > 10
    for number, entry in enumerate(feed.entries):
        told = [value for part in entry.get("content", []) for value in [part.value]]
        told.append(entry.get("summary", ""))
        page = f"<!DOCTYPE html><meta charset=utf-8><title>{number}</title>{''.join(told)}"
        (folder / f"{name}-{number}.atom.html").write_text(page)


def test_nothing_runs_in_what_commands_write_of_it(browser: Browser, written: Path, site: Site) -> None:
    pages = sorted([*written.glob("*.html"), *written.rglob("*.xhtml")])
    kinds = Counter(page.name.partition("-")[0].partition(".")[0] for page in pages)
    assert {"diff", "explain", "rebuild", "statistics", "search", "changes"} <= set(kinds), kinds
    site.forget()
    with watched(browser, viewport=PHONE) as seen:
        seen.page.on("dialog", lambda dialog: seen.complaints.append(f"dialog: {dialog.message}"))
        for path in pages:
            seen.forget()
            seen.page.goto(path.as_uri())
            for frame in seen.page.frames:
                assert frame.evaluate(_MARKED) == 0, path
            outside = [url for url in seen.asked if not url.startswith((written.as_uri(), "data:"))]
            assert outside == [], path
            assert [told for told in seen.complaints if "dialog" in told] == [], path
    assert site.paths == []
