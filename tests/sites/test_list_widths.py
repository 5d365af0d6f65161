"""A page of a list with fewer items than the others is the last one."""

from __future__ import annotations

from dataclasses import replace

from archiver.acquisition.sites.learning.model import LabelRecord
from archiver.acquisition.sites.learning.widths import ListWidth
from archiver.acquisition.sites.model import WantedVisit
from archiver.acquisition.sites.traps.forms import Rank
from archiver.store.whole_sites.label_book import LabelBook
from archiver.store.whole_sites.labels import Learner, with_width

SITE = "https://a.example"
ITEMS, BESIDE, PAGER = "/html/body/main/a", "/html/body/aside/a", "/html/body/nav/a"


def width(*pages: dict[str, int]) -> ListWidth:
    made = ListWidth()
    for page in pages:
        made.add(page)
    return made


def test_a_page_with_fewer_items_than_two_others_is_short() -> None:
    known = width({ITEMS: 10}, {ITEMS: 10})
    assert known.is_short({ITEMS: 9})
    assert known.is_short({})
    assert not known.is_short({ITEMS: 10})
    assert not known.is_short({ITEMS: 12})


def test_one_page_tells_nothing_nor_do_numbers_that_vary() -> None:
    assert not width({ITEMS: 10}).is_short({ITEMS: 3})
    assert not width({BESIDE: 95}, {BESIDE: 96}, {BESIDE: 95}).is_short({BESIDE: 90})


def test_what_stands_beside_every_list_says_nothing() -> None:
    known = width(*({ITEMS: 10, BESIDE: 7},) * 3)
    assert not known.is_short({ITEMS: 10, BESIDE: 7})
    assert known.is_short({ITEMS: 2, BESIDE: 7})


def page(book: LabelBook, items: int) -> Learner:
    """A page of a list with so many items and a link to a further page."""
    links = [WantedVisit(url=f"{SITE}/{n}", via=SITE, action="link", path=ITEMS) for n in range(items)]
    learner = Learner(visit_id=1, book=book)
    return with_width(learner, [*links, replace(links[0], url=f"{SITE}/page/2", path=PAGER, is_next=True)])


def test_a_page_of_a_site_is_short_where_its_list_ends() -> None:
    items = LabelRecord(
        id=1, path=ITEMS, shape="#", rank=Rank.PAGES, fetched=4, gains=(90.0,) * 4, gained=360.0, paid=4
    )
    book = LabelBook(1, [items], 0, 1)
    assert [page(book, many).is_short for many in (10, 10, 10, 4, 10, 1)] == [
        False,
        False,
        False,
        True,
        False,
        True,
    ]


def test_links_that_lead_to_no_items_do_not_tell_how_long_a_list_is() -> None:
    tags = LabelRecord(id=1, path=ITEMS, shape="#", rank=Rank.PAGES, fetched=4, gains=(0.0,) * 4)
    book = LabelBook(1, [tags], 0, 1)
    assert not any(page(book, many).is_short for many in (10, 10, 4))
