"""Lists that a later crawl looks at again: in which order, for how long, and which further pages."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from archiver.acquisition.sites.learning.labels import AGAIN, ONWARD
from archiver.acquisition.sites.learning.looks import (
    Age,
    ListedItem,
    ListLook,
    goes_on,
    look_of,
    next_list,
    next_page,
)
from archiver.acquisition.sites.learning.model import LabelRecord
from archiver.acquisition.sites.model import Strategy
from archiver.acquisition.sites.traps.forms import Rank
from archiver.store.whole_sites.choosing import SiteWish
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import NOW, walk

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.store.database import Database

SECTIONS = LabelRecord(id=1, path=AGAIN, shape="section/w", rank=Rank.PAGES, waiting=8, found=100)
TOPICS = LabelRecord(id=2, path=AGAIN, shape="topic/w", rank=Rank.PAGES, waiting=40, found=20)
UNKNOWN, RECENT, OLD = Age.UNKNOWN, Age.RECENT, Age.OLD


def shown(*ages: Age) -> list[ListedItem]:
    return [ListedItem("/ul/li/a", age) for age in ages]


def test_what_a_list_shows_is_new_or_known_by_others_or_old() -> None:
    assert look_of(shown(RECENT, UNKNOWN, OLD)) is ListLook.FRESH
    assert look_of(shown(RECENT, OLD)) is ListLook.COVERED
    assert look_of(shown(OLD, OLD)) is ListLook.IDLE
    assert look_of([]) is ListLook.IDLE


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        ((UNKNOWN, UNKNOWN), True),
        ((UNKNOWN, RECENT), True),
        ((UNKNOWN, OLD), False),
        ((RECENT, RECENT), False),
        ((OLD, UNKNOWN, OLD), True),  # not in the order of time: what is new may stand anywhere
        ((OLD, OLD), False),
    ],
)
def test_a_list_is_read_on_as_long_as_its_pages_end_with_what_is_new(
    ages: tuple[Age, ...], expected: bool
) -> None:
    assert goes_on(shown(*ages)) is expected


def test_links_beside_a_list_do_not_say_where_it_ends() -> None:
    assert goes_on([*shown(UNKNOWN, UNKNOWN), ListedItem("/aside/a", OLD)])


def test_the_smallest_kind_of_lists_comes_first() -> None:
    assert next_list([TOPICS, SECTIONS]) == SECTIONS
    assert next_list([replace(SECTIONS, waiting=0, fetched=8, fresh=8), TOPICS]) is not None
    assert next_list([replace(SECTIONS, path=ONWARD)]) is None


def test_lists_with_news_that_others_have_shown_are_enough_after_a_few() -> None:
    read = replace(SECTIONS, waiting=0, fetched=8, fresh=8)
    assert next_list([read, replace(TOPICS, waiting=38, fetched=2, covered=2)]) is None
    third = LabelRecord(id=3, path=AGAIN, shape="author/w", rank=Rank.PAGES, waiting=30, found=1)
    assert next_list([read, replace(TOPICS, waiting=38, fetched=2, covered=2), third]) is None


def test_lists_that_led_to_nearly_all_are_looked_at_longer_than_others() -> None:
    idle = replace(SECTIONS, waiting=3, fetched=5, idle=5)
    assert next_list([idle]) == idle
    assert next_list([replace(TOPICS, waiting=35, fetched=5, idle=5), replace(SECTIONS, waiting=0)]) is None


def test_the_page_behind_a_page_is_the_next_by_number_or_the_one_that_is_linked() -> None:
    pages = [f"http://b.example/page/{number}" for number in (9, 3, 2, 1)]
    assert next_page("http://b.example/", pages[:3]) == pages[2]
    assert next_page("http://b.example/page/2", pages) == pages[1]
    assert next_page("http://b.example/page/9", pages[1:]) is None
    assert next_page("http://b.example/", ["http://b.example/older"]) == "http://b.example/older"
    assert next_page("http://b.example/", []) is None


@pytest.mark.zoo
def test_later_crawls_find_all_that_is_new_with_few_requests(database: Database, tmp_path: Path) -> None:
    walk(database, tmp_path, ComputedSite("news", 1, 40), wish=SiteWish(strategy=Strategy.LEARNED))
    known = 0
    for week, grown in enumerate((12, 24), 1):
        site = ComputedSite("news", 1, 40, grown=grown)
        at = NOW + timedelta(days=7 * week)
        walked = walk(database, tmp_path, site, wish=SiteWish(again="new"), at=at)
        new = [site.addresses.item(40 + number, 1) for number in range(known, grown)]
        assert walked.content >= set(new)
        # Of so small a site, what is tried beside weighs more than on one of a thousand pages.
        assert walked.requests <= 2 * len(new) + 10
        known = grown
