"""Articles, histories and edits of the sample archive, as pages and as JSON."""

from __future__ import annotations

import html
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.crawl.running import Archived
from tests.web.browsing import Shown, browsing

pytestmark = pytest.mark.xdist_group("web")


@pytest.fixture(scope="module")
def edited(sample_archive: Path) -> dict[str, Any]:
    """An object of a second version."""
    return next(one for one in Archived(sample_archive).objects if one["version"] == 2)


def test_an_article_is_shown_as_its_object_has_it(shown: Shown, edited: dict[str, Any]) -> None:
    told = shown.get("/article.json", url=edited["url"]).json()
    assert told["object"]["digest"] == edited["digest"]
    assert told["version"] == 2
    page = shown.get("/article", url=edited["url"])
    assert page.status == 200
    assert edited["title"] in page.text
    assert edited["warc"]["record_id"].strip("<>") in page.text


def test_an_article_has_its_images_from_the_archive(shown: Shown, sample_archive: Path) -> None:
    objects = Archived(sample_archive).objects
    inside = next(one for one in objects if one["images"])
    above = next(one for one in objects if one["image"] and not one["images"])
    for one, image in ((inside, inside["images"][0]), (above, above["image"])):
        asked = {"url": one["url"], "version": one["version"]}
        assert image["url"] in shown.get("/article.json", **asked).json()["kept_images"]
        (source,) = re.findall(r'<img src="([^"]*)"', shown.get("/article", **asked).text)
        answer = Shown(html.unescape(source)).get("")
        assert (answer.status, answer.headers["content-type"]) == (200, "image/png")
        assert answer.body.startswith(b"\x89PNG")


def test_an_earlier_version_has_an_address_of_its_own(shown: Shown, edited: dict[str, Any]) -> None:
    assert shown.get("/article.json", url=edited["url"], version=1).json()["object"]["version"] == 1
    assert shown.get("/article", url=edited["url"], version=9).status == 404


def test_a_difference_has_the_words_that_came(shown: Shown, edited: dict[str, Any]) -> None:
    told = shown.get("/diff.json", url=edited["url"]).json()
    assert (told["before"]["version"], told["now"]["version"]) == (1, 2)
    for layout in ("inline", "columns"):
        page = shown.get("/diff", url=edited["url"], layout=layout)
        assert "<ins>" in page.text or "<del>" in page.text


def test_a_history_lists_its_versions(shown: Shown, edited: dict[str, Any]) -> None:
    assert len(shown.get("/history.json", url=edited["url"]).json()["versions"]) == 2
    assert "Version 2" in shown.get("/history", url=edited["url"]).text


def test_changes_come_newest_first_page_by_page(shown: Shown) -> None:
    told = shown.get("/changes.json", limit=2).json()
    times = [event["at"] for event in told["events"]]
    assert times == sorted(times, reverse=True)
    following = shown.get("/changes.json", limit=2, until=told["until"]).json()["events"]
    assert all(event["at"] <= times[-1] for event in following)


def test_what_is_asked_wrongly_is_told_in_words(shown: Shown) -> None:
    answer = shown.get("/changes.json", limit="many")
    assert answer.status == 400
    assert answer.json()["problem"].startswith("limit='many': ")
    assert shown.get("/article").status == 400
    missing = shown.get("/article", url="http://127.0.0.1/none")
    assert missing.status == 404
    assert "The archive has no article at http://127.0.0.1/none" in missing.text


def test_names_that_are_not_text_are_shown_as_far_as_they_are(sample_archive: Path, tmp_path: Path) -> None:
    """File systems take any bytes for a name, and Python hands them on in a form that UTF-8 has not."""
    archive = Path(shutil.copytree(sample_archive, tmp_path / "archive"))
    (archive / "runs" / os.fsdecode(b"run-20990101T000000\xff.json")).write_text("{}")
    with browsing(archive) as odd:
        told = odd.get("/runs.json")
        assert told.status == 200
        assert told.json()["runs"][0]["name"].startswith("20990101T000000")
        assert odd.get("/runs").status == 200
