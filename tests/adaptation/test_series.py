"""Links within a series of pages: which of them lead to the neighbours of a page."""

from __future__ import annotations

import pytest

from archiver.acquisition.sites.adaptation.series import (
    SeriesPlace,
    direction_of,
    ends_unnumbered,
    neighbours,
    place_of,
)
from archiver.documents.expressions.parsing import parse

POST = "http://blog.example/2026/11/ferry"
LIST = "http://blog.example"


@pytest.mark.parametrize(
    ("url", "stem", "number"),
    [
        (f"{POST}/", "blog.example/2026/11/ferry?", None),
        (f"{POST}/comment-page-2/", "blog.example/2026/11/ferry?", 2),
        (f"{POST}/?cpage=3", "blog.example/2026/11/ferry?", 3),
        (f"{LIST}/page/12/", "blog.example?", 12),
        (f"{LIST}/list?page=2&sort=new", "blog.example/list?sort=new", 2),
    ],
)
def test_which_page_of_which_series(url: str, stem: str, number: int | None) -> None:
    assert place_of(url) == SeriesPlace(stem, number)


def test_the_direction_is_in_the_names() -> None:
    assert direction_of([parse("a.nav-previous/@href"), parse("a.prev/@href")]) == -1
    assert direction_of([parse("a.pagination-next/@href")]) == 1
    assert direction_of([parse("a.pager/@href")]) == 0


def test_a_list_goes_on_from_its_first_page() -> None:
    links = [f"{LIST}/page/{number}/" for number in (2, 3, 9)]
    assert not ends_unnumbered([(f"{LIST}/", links)])
    assert neighbours(f"{LIST}/", links, 1, is_last=False) == {f"{LIST}/page/2/"}
    assert neighbours(f"{LIST}/", links, -1, is_last=False) == set()
    around = [f"{LIST}/", f"{LIST}/page/3/"]
    assert neighbours(f"{LIST}/page/2/", around, 1, is_last=False) == {f"{LIST}/page/3/"}
    assert neighbours(f"{LIST}/page/2/", around, -1, is_last=False) == {f"{LIST}/"}


def test_comments_go_back_from_their_last_page() -> None:
    """As WordPress has it: the post itself shows the newest comments."""
    first, second = (f"{POST}/comment-page-{number}/" for number in (1, 2))
    assert ends_unnumbered([(f"{POST}/", [first, second])])
    assert neighbours(f"{POST}/", [first, second], -1, is_last=True) == {second}
    assert neighbours(f"{POST}/", [first, second], 1, is_last=True) == set()
    assert neighbours(first, [second, f"{POST}/"], 1, is_last=True) == {second}
    assert neighbours(second, [first, f"{POST}/"], 1, is_last=True) == {f"{POST}/"}
    assert neighbours(second, [first, f"{POST}/"], -1, is_last=True) == {first}
