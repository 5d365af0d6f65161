"""Lists marked on archived pages: records, values, links and inputs, replayed over three pages and saved."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest

from archiver.documents.pages.dom import parse_html
from archiver.fields.files import load_wrapper
from archiver.inspection.marking.numbers import numbers_of
from tests.crawl.running import scrapy
from tests.web.browsing import browsing
from tests.web.planted import Planted, plant

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("marking")
HOMES = "http://homes.example"
PER_PAGE = 6


def page_of(number: int) -> str:
    offers = "".join(
        f'<div class="proplist_wrap"><h2><a href="/home/{one}">House {one}</a></h2>'
        f'<span class="prop_price">£{100 + one},000</span><p>A place by the water, number {one}.</p></div>'
        for one in range(number * PER_PAGE, (number + 1) * PER_PAGE)
    )
    return f"""<!DOCTYPE html><html lang="en"><head><title>Homes, page {number}</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<form id="find" action="/list"><label>Type <select name="sale_type"><option value="">All</option>
<option>Lettings</option></select></label><input type="submit" value="Find"></form>
<div id="found">{offers}</div>
<div class="pages"><a href="/list?page={number - 1}">PREVIOUS</a>
<a href="/list?page={number + 1}">NEXT</a></div>
</body></html>"""


@pytest.fixture(scope="module")
def homes_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = [Planted(url=f"{HOMES}/list?page={number}", body=page_of(number)) for number in range(4)]
    return plant(tmp_path_factory.mktemp("homes") / "archive", pages)


@pytest.fixture(scope="module")
def homes(homes_archive: Path) -> Iterator[Shown]:
    with browsing(homes_archive, "-s", "REPLAY_PYWB=") as found:
        yield found


URL = f"{HOMES}/list?page=0"


def mark(kind: str, xpath: str, **said: object) -> str:
    tree = parse_html(page_of(0).encode(), "text/html; charset=utf-8", URL)
    (node,) = numbers_of(tree, tree.xpath(xpath)[:1])
    return json.dumps({"field": kind, "kind": kind, "url": URL, "node": node, **said})


RECORD = mark("record", "//div[@class='proplist_wrap'][2]//a")
MARKS = [
    RECORD,
    mark("field", "//div[@class='proplist_wrap'][2]//span", field="price"),
    mark("field", "//div[@class='proplist_wrap'][2]//a", field="place"),
    mark("next", "//a[.='NEXT']"),
    mark("detail", "//div[@class='proplist_wrap'][1]//a"),
    json.dumps({"field": "input", "kind": "input", "url": URL, "input": "sale_type", "value": "Lettings"}),
]


def tried(homes: Shown, marks: list[str]) -> dict[str, Any]:
    answer = homes.get("/mark.json", url=URL, mark=marks)
    assert answer.status == 200, answer.text
    found: dict[str, Any] = answer.json()["tried"]
    return found


def test_marks_of_one_record_lead_to_all_and_are_replayed_over_three_pages(homes: Shown) -> None:
    found = tried(homes, MARKS)
    listed = found["listed"]
    assert listed["problem"] == ""
    assert len(listed["nodes"]) == PER_PAGE
    price, place = listed["fields"]
    assert (price["field"], price["type"], price["filled"]) == ("price", "price", PER_PAGE)
    assert place["values"][0] == "House 0"
    assert [one["records"] for one in listed["pages"]] == [PER_PAGE] * 3
    assert [one["first"]["place"] for one in listed["pages"]] == ["House 0", "House 6", "House 12"]
    assert all(one["details"] == PER_PAGE for one in listed["pages"])
    assert listed["inputs"] == {"sale_type": "Lettings"}
    page = homes.get("/mark", url=URL, mark=MARKS).text
    for text in ("Replayed", "6 records on this page", "House 12", "Remove this mark of next"):
        assert text in page


def test_what_cannot_be_meant_is_told(homes: Shown) -> None:
    assert "Mark a value within a record" in tried(homes, [RECORD])["listed"]["problem"]
    assert "Mark a record of the list" in tried(homes, MARKS[3:4])["listed"]["problem"]
    elsewhere = mark("detail", "//nav/a")
    assert "stands in the record" in tried(homes, [*MARKS[:3], elsewhere])["listed"]["problem"]
    nowhere = json.dumps({"field": "input", "kind": "input", "url": URL, "input": "colour", "value": "red"})
    assert "No form of the page has" in tried(homes, [*MARKS[:3], nowhere])["listed"]["problem"]
    gone = json.dumps({"field": "record", "kind": "record", "url": URL, "node": 9_999_999})
    assert "The page has no element" in tried(homes, [gone])["listed"]["problem"]
    assert homes.get("/mark", url=URL, kind="next").status == 400


def test_a_list_is_saved_and_stays_where_a_field_is_marked_later(homes_archive: Path, homes: Shown) -> None:
    def save(marks: list[str]) -> None:
        shown = homes.get("/mark", url=URL, mark=marks, name="homes").text
        token = re.search(r'name="token" value="([^"]+)"', shown)
        digest = re.search(r'name="was" value="([^"]*)"', shown)
        assert token is not None
        assert digest is not None
        answer = homes.post("/mark/save", token=token[1], was=digest[1], url=URL, name="homes", mark=marks)
        assert answer.status == 200, answer.text

    title = json.dumps({"field": "heading", "url": URL, "value": "Homes, page 0"})
    save(MARKS)
    save([title])
    wrapper = load_wrapper(homes_archive / "wrappers" / "homes.yaml")
    (part,) = wrapper.records
    assert [one.field for one in part.fields] == ["price", "place"]
    assert wrapper.navigate is not None
    assert wrapper.navigate.next is not None
    assert wrapper.navigate.next.path.text == "a[.='NEXT']"
    assert [one.field for one in wrapper.fields] == ["heading"]
    read = scrapy(homes_archive, "records", URL, "--wrapper", "homes")
    assert read.exit_code == 0, read
    assert "House 5" in read.stdout
