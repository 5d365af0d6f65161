"""Forms in the browser: what is told of them, their records and links, as pages and as JSON."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from tests.crawl.running import scrapy
from tests.web.browsing import browsing
from tests.web.chromium import chromium, watched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("web")]


def test_a_form_is_told_with_its_coverage_schema_and_runs(form_shown: Shown) -> None:
    (note,) = form_shown.get("/forms.json").json()["forms"]
    assert (note["name"], note["state"], note["records"]) == ("books", "done", 30)
    told = form_shown.get("/forms/books.json").json()
    assert "isbn" in [one["name"] for one in told["columns"]]
    assert told["curve"][-1][1] == 30
    assert told["relations"]["title"].endswith("/label")
    page = form_shown.get("/forms/books").text
    for text in (
        "30 records",
        "Chao",
        "Schema",
        "year_from – year_to",
        "/o/label",
        'aria-label="Runs of the form"',
    ):
        assert text in page


def test_records_are_shown_with_their_links_and_each_value_as_it_stands_in_warc(form_shown: Shown) -> None:
    found = form_shown.get("/forms/books/records.json").json()
    assert found["total"] == len(found["records"]) == 30
    linked = [one for one in found["records"] if one["same_as"]]
    assert len(linked) >= 28
    told = form_shown.get(f"/forms/books/records/{linked[0]['key']}.json").json()
    assert all(one["is_proven"] for one in told["values"])
    assert {one["name"] for one in told["values"]} == set(linked[0]["values"])
    page = form_shown.get(f"/forms/books/records/{linked[0]['key']}").text
    assert linked[0]["same_as"][0]["id"] in page
    assert linked[0]["values"]["isbn"][0] in page


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/forms/boks", 404),
        ("/forms/boks/records", 404),
        ("/forms/books/records?page=0", 400),
        ("/forms/books/records?page=99", 200),
        ("/forms/books/records/0000", 404),
        ("/forms/..%2Fstate", 404),
    ],
)
def test_what_is_not_there_is_told(form_shown: Shown, path: str, status: int) -> None:
    answer = form_shown.get(path)
    assert answer.status == status, answer.text
    assert "Internal" not in answer.text


def test_a_record_whose_page_is_withheld_is_not_shown(form_archive: Path, tmp_path: Path) -> None:
    archive = shutil.copytree(form_archive, tmp_path / "archive")
    with browsing(archive) as shown:
        one = shown.get("/forms/books/records.json").json()["records"][0]
        assert scrapy(archive, "withhold", one["url"], "--reason", "by order").exit_code == 0
        left = shown.get("/forms/books/records.json").json()["records"]
        assert one["key"] not in [each["key"] for each in left]
        assert shown.get(f"/forms/books/records/{one['key']}").status == 451


def test_a_record_is_reached_by_keyboard_without_scripts(form_shown: Shown) -> None:
    with chromium() as browser, watched(browser, java_script_enabled=False) as seen:
        page = seen.page
        page.goto(form_shown.address("/forms"))
        for name in ("books", "30 records"):
            page.get_by_role("main").get_by_role("link", name=name).focus()
            page.keyboard.press("Enter")
        page.wait_for_url("**/forms/books/records")
        page.get_by_role("rowheader").first.get_by_role("link").focus()
        page.keyboard.press("Enter")
        page.get_by_role("heading", name="Values").wait_for()
        assert (seen.complaints, seen.elsewhere) == ([], [])
