"""What sibling pages tell of each other."""

from __future__ import annotations

import pytest

from archiver.articles.methods.article.siblings import pool_of, shared_texts
from tests.extract.production.samples import outlined

FOOT = "<p class=foot>Island Post, 12 Quay Street</p>"
ONE = f"<div><p>The ferry sails</p><p>on Friday</p></div>{FOOT}"
OTHER = f"<div><p>Fog closes</p><p>the airport</p></div>{FOOT}"


def test_text_on_two_pages_is_the_template_s() -> None:
    assert shared_texts([outlined(ONE), outlined(OTHER)], [None, None]) == {"Island Post, 12 Quay Street"}


def test_text_that_a_page_says_twice_is_its_own() -> None:
    assert not shared_texts([outlined(ONE + ONE), outlined("<p>Fog</p>")], [None, None])


def test_page_alone_shares_nothing() -> None:
    assert not shared_texts([outlined(ONE)], [None])


@pytest.mark.parametrize(
    ("change", "titles"),
    [
        ("", [None, None]),
        ("", ["Ferry", "Fog"]),
        # Under two addresses with the same title, and with something else beside it.
        ("<p>Most read today</p><p>Fog</p>", ["Ferry", "Ferry"]),
    ],
)
def test_same_article_under_two_addresses_is_no_template(change: str, titles: list[str | None]) -> None:
    assert not shared_texts([outlined(ONE), outlined(ONE + change)], titles)


def test_same_article_counts_once_among_others() -> None:
    pages = [outlined(ONE), outlined(ONE), outlined(OTHER)]
    assert shared_texts(pages, [None, None, None]) == {"Island Post, 12 Quay Street"}


def test_same_title_on_different_pages_does_not_hide_the_template() -> None:
    assert shared_texts([outlined(ONE), outlined(OTHER)], ["News", "News"])


def test_mass_is_the_share_of_words_that_are_neither_shared_nor_linked() -> None:
    one = "<div class=a><p>one two three</p></div><ul><li><a href='/'>four five</a></li></ul>" + FOOT
    other = "<div class=a><p>six seven</p></div><div class=b><p>eight</p></div>" + FOOT
    pool = pool_of([outlined(one), outlined(other)], [None, None])
    assert pool.mass["body/div.a/p"] == pytest.approx(5 / 6)
    assert pool.mass["body/div.b/p"] == pytest.approx(1 / 6)
    assert pool.mass["body/ul/li"] == 0
    assert "body/p.foot" not in pool.mass
    assert pool.parent_mass["body/div.a"] == pytest.approx(5 / 6)


def test_group_without_words_has_no_mass() -> None:
    assert pool_of([outlined("")], [None]).mass == {}
