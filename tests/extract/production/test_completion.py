"""What is added to a choice because the feed carries it, or because it is a list in mid-article."""

from __future__ import annotations

import pytest

from archiver.articles.methods.article.completion import completed
from archiver.articles.methods.article.hints import Hints
from tests.extract.production.samples import outlined

FERRY = "The night ferry sails again this Friday"
DOGS = "Dogs travel for nothing on the ferry"
HINTS = Hints(title=["night", "ferry", "returns", "at", "last"])


def kept_of(markup: str, kept: list[int], content: str | None = None) -> list[str]:
    outline = outlined(markup)
    return [outline.blocks[place].text for place in completed(outline, kept, content, HINTS)]


CARRIED = f"<p>{FERRY}</p><h2>Home</h2><p>{DOGS}</p><p>Ask Ann</p>"


@pytest.mark.parametrize(
    ("beside", "added"),
    [
        (f"<div class='promo'><p>{DOGS}</p></div>", [DOGS]),
        (f"<h2>Home</h2><p>{DOGS}</p><p>Ask Ann</p>", ["Home", DOGS, "Ask Ann"]),
        # A short text is the feed's only where it follows on what is kept there.
        ("<p>Home</p>", ["Home"]),
        ("<p>Ask Ann</p>", []),
        ("<p>sails</p>", []),
        # Once, and neither what readers quote nor what is told elsewhere.
        (f"<aside><p>{FERRY}</p></aside>", []),
        (f"<div id='comments'><p>{DOGS}</p></div>", []),
        (f"<figure><figcaption>{DOGS}</figcaption></figure>", []),
        (f"<p><a href='/x'>{DOGS}</a></p>", []),
    ],
)
def test_block_whose_words_the_feed_carries_is_kept(beside: str, added: list[str]) -> None:
    assert kept_of(f"<p>{FERRY}</p>{beside}", [0], CARRIED) == [FERRY, *added]
    assert kept_of(f"<p>{FERRY}</p>{beside}", [0]) == [FERRY]


def test_headline_that_the_feed_repeats_is_not_text() -> None:
    page = f"<h1>Night ferry returns at last</h1><p>{FERRY}</p>"
    assert kept_of(page, [1], f"<h1>Night ferry returns at last</h1><p>{FERRY}</p>") == [FERRY]


@pytest.mark.parametrize(
    ("items", "is_kept"),
    [
        ("<ul><li>rope</li><li>tar</li></ul>", True),
        ("<ol><li>rope</li><li>tar</li></ol>", True),
        ("<ul><li>rope</li><li><a href='/tar'>tar</a></li></ul>", False),
        ("<ul class='share'><li>rope</li><li>tar</li></ul>", False),
    ],
)
def test_list_in_mid_article_is_kept_unless_it_holds_links(items: str, is_kept: bool) -> None:
    page = f"<p>{FERRY * 3}</p>{items}<p>{DOGS * 3}</p>"
    assert kept_of(page, [0, 3]) == [FERRY * 3, *(["rope", "tar"] if is_kept else []), DOGS * 3]


def test_list_behind_the_article_is_left_to_the_vote() -> None:
    assert kept_of(f"<p>{FERRY}</p><ul><li>rope</li><li>tar</li></ul>", [0]) == [FERRY]
