"""`scrapy layout`, `scrapy train visual`, `scrapy explain --method visual` and `scrapy induce --seen`."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.commands.conftest import Crawled
from tests.crawl.running import Archived

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


@pytest.fixture(scope="module")
def crawled(crawled: Crawled, tmp_path_factory: pytest.TempPathFactory) -> Crawled:
    """A copy: wrappers and models are written into it."""
    folder = tmp_path_factory.mktemp("visual") / "archive"
    return Crawled(Archived(shutil.copytree(crawled.archived.folder, folder)), crawled.bases)


def an_article(crawled: Crawled, site: str = "newspaper") -> dict[str, str]:
    return next(one for one in crawled.archived.objects if one["url"].startswith(crawled.bases[site]))


def test_boxes_of_an_archived_page_are_listed_and_drawn(
    crawled: Crawled, run_here: RunHere, tmp_path: Path
) -> None:
    found, out = an_article(crawled), tmp_path / "boxes.html"
    told = run_here("layout", crawled.archived.folder, found["url"], "--html", str(out))
    assert told.exit_code == 0
    assert told.out.decode().startswith("estimated, 1024 × ")
    assert "<svg" in out.read_text()
    shown = json.loads(run_here("layout", crawled.archived.folder, found["url"], "--json").out)
    title = max((one for one in shown["things"] if one["box"]), key=lambda one: one["size"])
    assert title["kind"] == "text"


def test_a_page_that_is_not_there_has_no_layout(crawled: Crawled, run_here: RunHere) -> None:
    told = run_here("layout", crawled.archived.folder, "http://nowhere.example/")
    assert told.exit_code == 1
    assert "is not in the archive" in told.told


def test_an_explanation_by_look_names_who_links_here(crawled: Crawled, run_here: RunHere) -> None:
    found = an_article(crawled)
    told = run_here("explain", crawled.archived.folder, found["url"], "--method", "visual")
    assert told.exit_code == 0
    assert f"looks like the title: {found['title']}" in told.out.decode()
    assert "who links here: " in told.out.decode()
    assert " px" in told.out.decode()


def test_training_says_how_many_pages_are_missing(crawled: Crawled, run_here: RunHere) -> None:
    told = run_here("train", crawled.archived.folder, "visual", "--field", "title", "--check")
    if told.exit_code:
        assert "pages have labels, 50 are needed" in told.told
    else:
        assert told.out.decode().startswith("title: ")
    assert not (crawled.archived.folder / "models").exists()
    assert run_here("train", crawled.archived.folder, "auditory").exit_code == 2


def test_a_channel_with_few_articles_gives_no_wrapper(crawled: Crawled, run_here: RunHere) -> None:
    told = run_here("induce", crawled.archived.folder, "seen", "--seen", "1", "--dry-run")
    few = "10 are needed" in told.told or "too few" in told.told
    assert (told.exit_code == 1 and few) or (told.exit_code == 0 and "headline" in told.out.decode())
