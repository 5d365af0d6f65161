"""Before a crawl ends: lists behind which a part of the site may be left."""

from __future__ import annotations

from msgspec.structs import replace

from archiver.acquisition.sites.learning.labels import SITEMAP, TAIL
from archiver.acquisition.sites.learning.model import LabelRecord
from archiver.acquisition.sites.learning.remaining import left_behind
from archiver.acquisition.sites.learning.values import values_of
from archiver.acquisition.sites.traps.forms import Rank

CATEGORIES = LabelRecord(
    id=1,
    path="/html/body/footer/a",
    shape="category/w",
    rank=Rank.PAGES,
    waiting=40,
    fetched=20,
    gains=(0.0,) * 10,
    leads=((),) * 10,
    found=8,
)


def items(many: int) -> LabelRecord:
    """Items that were first seen on a category."""
    return LabelRecord(
        id=2,
        path="/html/body/ul/a",
        shape="w",
        rank=Rank.PAGES,
        fetched=many,
        gains=(100.0,) * 10,
        leads=((),) * 10,
        gained=100.0 * many,
        paid=many,
        source=1,
    )


def left(*records: LabelRecord, requests: int = 200) -> list[tuple[int, int]]:
    return left_behind(records, values_of(records), requests)


def test_lists_of_a_small_site_are_read_on() -> None:
    assert left(CATEGORIES, items(120)) == [(1, 4)]


def test_those_of_a_large_site_are_not() -> None:
    assert left(CATEGORIES, items(5000), requests=6000) == []


def test_the_longer_nothing_comes_the_less_may_be_left() -> None:
    read_on = replace(CATEGORIES, again=32, waiting=8)
    assert left(read_on, items(120), requests=300) == []


def test_lists_that_are_too_many_to_be_read_are_not_begun() -> None:
    assert left(replace(CATEGORIES, waiting=600), items(120)) == []


def test_what_never_led_to_an_item_is_left() -> None:
    assert left(CATEGORIES, replace(items(120), source=7)) == []


def test_what_has_parameters_or_misses_a_stroke_or_is_not_to_be_followed_is_left() -> None:
    for other in ({"rank": Rank.LOOKS}, {"path": TAIL}, {"is_last": True}):
        assert left(replace(CATEGORIES, **other), items(120)) == []


def test_a_handful_that_a_sitemap_names_is_asked_for() -> None:
    about = LabelRecord(
        id=3, path=SITEMAP, shape="w", rank=Rank.PAGES, waiting=2, fetched=2, gains=(0.0, 0.0), leads=((), ())
    )
    known = replace(items(120), source=None)
    assert left(about, known) == [(3, 2)]
    assert left(replace(about, waiting=40), known) == []
    assert left(replace(about, again=3), known) == []


def test_pages_that_say_a_little_are_asked_for_where_they_are_few_beside_what_was() -> None:
    chapters = replace(CATEGORIES, id=4, gains=(12.0, 0.0) * 5)
    assert left(chapters, items(5000), requests=6000) == [(4, 4)]
    assert left(replace(chapters, gains=(12.0, 0.0, 0.0, 0.0, 0.0) * 2), items(5000), requests=6000) == []
    # They would be too many, or what is little work was done.
    assert left(replace(chapters, waiting=400), items(5000), requests=6000) == []
    assert left(replace(chapters, again=280), items(5000), requests=6000) == []
    # Of a small site, lists are read on instead.
    assert left(replace(chapters, waiting=4), items(1000), requests=1200) == []
