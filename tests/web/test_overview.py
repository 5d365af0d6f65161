"""The overview of the sample archive, as a page and as JSON."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawl.running import Archived

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")


@pytest.fixture(scope="module")
def told(shown: Shown) -> dict[str, Any]:
    found: dict[str, Any] = shown.get("/index.json").json()
    return found


def test_channels_are_counted_as_the_list_has_them(shown: Shown, told: dict[str, Any]) -> None:
    assert told["states"] == shown.get("/channels.json").json()["states"]
    assert told["channels"] == sum(one["count"] for one in told["states"])
    page = shown.get("/").text
    assert 'href="/channels?state=failing"' in page


def test_what_came_lately_is_what_the_runs_told(told: dict[str, Any], sample_archive: Path) -> None:
    archived = Archived(sample_archive)
    new = {one["id"] for one in archived.objects}
    assert sum(one["articles"] for one in told["days"]) == len(new)
    assert sum(one["entries"] for one in told["days"]) == sum(run["entries_new"] for run in told["runs"])
    assert len(told["days"]) == told["lately"] == 30


def test_polls_and_bytes_are_summed(told: dict[str, Any], sample_archive: Path) -> None:
    assert told["polls"]["runs"] == len(told["runs"]) == 3
    assert told["polls"]["polls"] == sum(run["polls"] for run in told["runs"])
    assert 0 < told["polls"]["not_modified_share"] < 1
    sizes = [path.stat().st_size for path in (sample_archive / "warc").glob("*.warc.gz")]
    assert (told["kept"]["warc_files"], told["kept"]["warc_bytes"]) == (len(sizes), sum(sizes))


def test_the_page_shows_runs_plots_and_changes(shown: Shown, told: dict[str, Any]) -> None:
    page = html.unescape(shown.get("/").text)
    assert all(f"/runs/{run['name']}" in page for run in told["runs"])
    assert page.count("<svg") == 2
    assert told["events"][0]["title"] in page
    assert len(told["events"]) == 5
    assert page.count("<h1") == 1
