"""Field wrappers in the browser: what is told of them, as pages and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")


def test_the_list_says_which_wrapper_fails(shop_shown: Shown) -> None:
    good, flawed = shop_shown.get("/fields.json").json()["wrappers"]
    assert (good["name"], good["state"], good["failing"], good["pages"]) == (
        "bookshop",
        "failing",
        ["price"],
        20,
    )
    assert (flawed["name"], flawed["state"]) == ("flawed", "flawed")
    page = shop_shown.get("/fields").text
    assert 'href="/fields/bookshop"' in page
    assert "<script>alert" not in page


def test_one_is_told_with_its_rates_its_values_and_the_pages_that_fail(shop_shown: Shown) -> None:
    told = shop_shown.get("/fields/bookshop.json").json()
    price = next(one for one in told["fields"] if one["field"] == "price")
    assert (price["pages"], price["filled"], price["rules"]) == (20, 12, ["td.price"])
    assert price["failing_since"]
    assert len(told["failing"]) == 8
    assert told["newest"][0]["values"]["price"].endswith("GBP")
    page = shop_shown.get("/fields/bookshop").text
    for text in (
        "Fails since",
        "12 of 20 pages had a value",
        'class="bar"',
        "td.price",
        told["failing"][0]["url"],
    ):
        assert text in page
    assert "<bdi>=HYPERLINK(&#34;http://evil.example&#34;)</bdi>" in page


def test_a_name_that_is_not_there_is_answered_with_the_nearest(shop_shown: Shown) -> None:
    answer = shop_shown.get("/fields/bookshpo")
    assert answer.status == 404
    assert "did you mean bookshop?" in answer.text
    assert shop_shown.get("/fields/..%2Fstate").status == 404
