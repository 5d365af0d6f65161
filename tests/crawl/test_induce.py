"""`scrapy induce`: from values on archived pages to a wrapper that reads the others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

from archiver.fields.files import load_wrapper
from tests.crawl import shop
from tests.crawl.running import crawl, scrapy
from tests.crawl.site import Site

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import CrawlRun

# One process crawls for all tests of this file, and a dozen commands take longer than a unit test may.
pytestmark = [pytest.mark.xdist_group("induce"), pytest.mark.zoo]


class Shop(NamedTuple):
    archive: Path
    url: str

    def book(self, number: int) -> str:
        return self.url + shop.path_of(number)

    def induce(self, *words: str) -> CrawlRun:
        return scrapy(self.archive, "induce", *words)


@pytest.fixture(scope="module")
def bookshop(tmp_path_factory: pytest.TempPathFactory) -> Shop:
    archive = tmp_path_factory.mktemp("induced") / "archive"
    with Site() as site:
        feed = shop.open_shop(site, shop.old, range(8))
        crawl(archive, [feed])
    return Shop(archive, feed.removesuffix("/feed.xml"))


def test_two_values_of_one_page_are_found_on_all(bookshop: Shop) -> None:
    values = [f"name={shop.name_of(1)}", f"price=£{shop.price_of(1)}"]
    done = bookshop.induce("books", "--url", bookshop.book(1), *values)
    assert done.exit_code == 0, done
    assert "price: price, from 1 example and 7 other pages" in done.stdout
    wrapper = load_wrapper(bookshop.archive / "wrappers" / "books.yaml")
    assert [(field.field, field.type) for field in wrapper.fields] == [("name", "text"), ("price", "price")]
    assert wrapper.fields[1].examples[0].capture.startswith("<urn:uuid:")
    tested = json.loads(scrapy(bookshop.archive, "fields", "books", "--test", "--json").stdout)
    for field in tested["fields"]:
        assert (field["pages"], field["filled"], field["distinct"]) == (8, 8, 8)
    again = bookshop.induce("books", "--again", "price", "--dry-run", "--json")
    told = json.loads(again.stdout)
    assert [one["field"] for one in told["fields"]] == ["price"]
    assert told["written"] is False


def test_what_is_not_there_is_told_with_what_is(bookshop: Shop) -> None:
    wrong = bookshop.induce("books", "--url", bookshop.book(1), "name=The harbor, volume 1")
    assert (wrong.exit_code, "is not on" in wrong.stderr) == (1, True), wrong
    missing = bookshop.induce("books", "--url", f"{bookshop.url}/book/77.html", "name=Salt")
    assert (missing.exit_code, "like it:" in missing.stderr) == (1, True), missing


def test_wrong_usage_is_said(bookshop: Shop) -> None:
    page = ("--url", bookshop.book(1))
    for words, told in (
        (["Books", *page, "a=b"], "not a name of a wrapper"),
        (["books", *page, "Price=1"], "not a name of a field"),
        (["books", *page, "title=Salt"], "Objects have title already"),
        (["books", *page], "has no value behind it"),
        (["others", "--again"], "no field wrapper others"),
        (["books", *page, "price=£8.11", "--type", "price=prize"], "did you mean price?"),
    ):
        done = bookshop.induce(*words)
        assert (done.exit_code, told in done.stderr) == (2, True), done
