"""Which element holds the article, and which of its blocks are kept."""

from __future__ import annotations

from archiver.articles.methods.article.selection import KEEP, NEUTRAL, choose, kept_blocks
from tests.extract.production.samples import outlined

PAGE = """<nav><p>Home and sport</p></nav><main><article><h1>The ferry</h1><p>It sails again on Friday</p>
    <p>from the old harbour at last</p></article><aside><p>Most read of all</p></aside></main>"""


def chosen(likelihoods: list[float]) -> str:
    node = choose(outlined(PAGE), likelihoods)
    assert node is not None
    return node.tag


def test_element_with_most_likely_words_is_chosen() -> None:
    assert chosen([0.1, 0.6, 0.9, 0.9, 0.1]) == "article"


def test_unlikely_block_may_stand_between_likely_ones() -> None:
    assert chosen([0.1, 0.1, 0.9, 0.9, 0.8]) == "main"


def test_inner_element_wins_where_both_hold_the_same() -> None:
    node = choose(outlined("<main><div><p>The ferry</p><p>sails</p></div></main>"), [0.9, 0.9])
    assert node is not None
    assert (node.tag, node.start, node.end) == ("div", 0, 2)


def test_block_that_says_nothing_does_not_widen_the_choice() -> None:
    assert chosen([0.1, 0.9, 0.9, 0.9, NEUTRAL]) == "article"


def test_some_element_is_chosen_where_nothing_is_likely() -> None:
    assert chosen([0.1, 0.1, 0.2, 0.1, 0.1])


def test_page_without_text_has_no_choice() -> None:
    assert choose(outlined("<div></div>"), []) is None


def test_likely_blocks_of_the_element_are_kept() -> None:
    outline = outlined(PAGE)
    likelihoods = [0.9, 0.1, 0.9, KEEP, 0.9]
    article = next(node for node in outline.nodes if node.tag == "article")
    assert kept_blocks(article, likelihoods) == [2, 3]
    assert kept_blocks(article, likelihoods, least=0.5) == [2]
