"""`scrapy forms look` fetches the page of a form once, tells what robots.txt allows, and submits nothing."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from sample.shop.serving import serve_shop

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sample.shop.serving import ServedShop
    from tests.commands.here import Outcome, RunHere

pytestmark = pytest.mark.xdist_group("forms")
ROBOTS = "User-agent: *\nDisallow: /cart\n\nUser-agent: archiver\n# what is searched\nDisallow: /*/search?\n"


@pytest.fixture
def shop() -> Iterator[ServedShop]:
    with serve_shop(count=20) as served:
        yield served


def look(run_here: RunHere, archive: Path, *words: str, contact: str = "https://archive.example/") -> Outcome:
    settings = ("-s", f"CONTACT={contact}", "-s", "ALLOW_PRIVATE_ADDRESSES=True")
    return run_here("forms", archive, "look", *words, *settings)


def test_a_page_is_fetched_once_and_robots_txt_is_told(
    run_here: RunHere, archive: Path, shop: ServedShop
) -> None:
    shop.robots = ROBOTS  # type: ignore[misc] # of this one alone
    done = look(run_here, archive, f"{shop.base}/list/", "--json")
    assert done.exit_code == 0, done.told
    found = json.loads(done.out)
    assert [form["kind"] for form in found["forms"]] == ["login", "search"]
    assert [one["form"] for one in found["searches"]] == [2]
    verdict = found["searches"][0]["robots"]
    assert (verdict["is_allowed"], verdict["number"], verdict["line"]) == (False, 6, "Disallow: /*/search?")
    assert verdict["address"].startswith(f"{shop.base}/list/search?q=")
    again = look(run_here, archive, f"{shop.base}/list/")
    assert "forbids it by its line 6 (Disallow: /*/search?)" in again.text.replace("\n", " ")
    assert shop.asked == ["/robots.txt", "/list/"], "the second look read it from the archive"


def test_without_a_contact_nothing_is_fetched(run_here: RunHere, archive: Path, shop: ServedShop) -> None:
    done = look(run_here, archive, f"{shop.base}/list/", contact="")
    assert (done.exit_code, "was not fetched" in done.told) == (2, True), done.told
    assert shop.asked == []


@pytest.mark.zoo
def test_a_page_is_fetched_anew_where_that_is_asked_for(
    run_here: RunHere, archive: Path, shop: ServedShop
) -> None:
    shop.robots = None  # type: ignore[misc] # of this one alone
    url = f"{shop.base}/list/"
    assert "allows it" in look(run_here, archive, url).text
    shop.robots = ROBOTS  # type: ignore[misc] # as above
    assert "forbids it" in look(run_here, archive, url, "--fetch").text
    assert shop.asked == ["/robots.txt", "/list/"] * 2
    missing = look(run_here, archive, f"{shop.base}/nothing/")
    assert (missing.exit_code, "was not fetched" in missing.told) == (1, True)
    shop.robots = "User-agent: *\nDisallow: /\n"  # type: ignore[misc] # as above
    assert look(run_here, archive, url, "--fetch").exit_code == 1
    assert shop.asked[-1] == "/robots.txt", "what robots.txt forbids is not fetched"
