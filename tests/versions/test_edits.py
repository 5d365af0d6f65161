"""Edits: whatever a reader would call one is a change, with its kind."""

from __future__ import annotations

import pytest

from archiver.articles.versions.judge import judge
from tests.versions.captures import STORY, TITLE, capture, changed, judged, kinds

FIRST = STORY[STORY.index("<p>From June") : STORY.index("<h2>")]
SECOND = STORY[STORY.index("<p>Fishermen") : STORY.index("<ul><li>The tower")]

TEXT = {
    "one letter": ("packed her books", "packed her boots"),
    "one word": ("a small computer", "a large computer"),
    "a comma": ("on a rock that", "on a rock, that"),
    "a capital": ("northern lighthouse", "Northern lighthouse"),
    "a number in prose": ("12 people were saved", "13 people were saved"),
    "a date in prose": ("the fog of 2003", "the fog of 2004"),
    "a weekday in prose": ("her books on Friday", "her books on Saturday"),
    "years ago in prose": ("in those years", "12 years ago"),
    "a word more": ("nobody has to live", "nobody at all has to live"),
    "a sentence less": (
        "\nShe says that she has looked at it for long enough, and that the roses",
        "\nThe roses",
    ),
    "a quotation": ("She saw what no camera sees", "She heard what no camera sees"),
    "a subheading": ("What comes after the lamp", "What comes after her"),
    "an item of a list": ("leaves at nine", "leaves at ten"),
    "an item less": ("<li>Children under ten travel for nothing.</li>", ""),
    "a cell of a table": ("<td>418</td>", "<td>419</td>"),
    "a year in a table": ("<td>1984</td>", "<td>1985</td>"),
    "a caption": ("The tower in the winter of 1987", "The tower in the spring of 1987"),
    "a caption less": (
        "<figcaption>The tower in the winter of 1987,\nseen from the supply boat.</figcaption>",
        "",
    ),
    "a paragraph less": (FIRST, ""),
    "a paragraph more": (
        "<h2>",
        "<p>On Sunday the board met again, and a second computer was ordered.</p><h2>",
    ),
    "a correction": (
        "early.</p>\n</div>",
        "early.</p>\n<p>Correction: an earlier version gave the wrong year of the fog.</p></div>",
    ),
    "an entry of a live blog": (
        '<div class="story-body">',
        '<div class="story-body"><p><b>14:05</b> The helicopter has landed, and half the town came out.</p>',
    ),
    "two paragraphs in the other order": (
        STORY[STORY.index(FIRST) : STORY.index("<ul><li>The tower")],
        SECOND + "<h2>What comes after the lamp</h2>" + FIRST,
    ),
    "items in another order": (
        "<li>The tower is open on Sundays in summer.</li><li>The boat leaves at nine from the old pier.</li>",
        "<li>The boat leaves at nine from the old pier.</li><li>The tower is open on Sundays in summer.</li>",
    ),
}


@pytest.mark.parametrize("edit", TEXT)
def test_an_edit_of_the_words_is_a_change_of_the_text(edit: str) -> None:
    assert kinds(STORY, changed(TEXT[edit])) == ("text",)


@pytest.mark.parametrize("edit", TEXT)
def test_undoing_an_edit_adds_what_it_removed(edit: str) -> None:
    before, now = capture(STORY), capture(changed(TEXT[edit]))
    there, back = judge(before, now).change, judge(now, before).change
    assert there is not None
    assert back is not None
    assert (there.added, there.removed, there.similarity) == (back.removed, back.added, back.similarity)
    assert there.added + there.removed > 0
    assert there.similarity is not None
    assert 0.5 < there.similarity < 1


@pytest.mark.parametrize(
    ("edit", "wanted"),
    [
        (('href="/museum/diaries"', 'href="/museum/letters"'), ("links",)),
        (('<a href="/museum/diaries">all of the diaries</a>', "all of the diaries"), ("links",)),
        (("coal for one winter", '<a href="/coal">coal for one winter</a>'), ("links",)),
        (('src="/img/lighthouse-640x480.jpg"', 'src="/img/keeper-640x480.jpg"'), ("images",)),
        (('<img src="/img/lighthouse-640x480.jpg" alt="The tower">', ""), ("images",)),
        (("<h2>", '<p><img src="/img/computer.jpg" alt=""></p><h2>'), ("images",)),
    ],
)
def test_links_and_images_are_kinds_of_their_own(edit: tuple[str, str], wanted: tuple[str, ...]) -> None:
    assert kinds(STORY, changed(edit)) == wanted


def test_a_title_that_is_changed_everywhere_is_a_change_of_the_title_alone() -> None:
    assert kinds(STORY, changed((TITLE, "The lamp goes on without her"))) == ("title",)


def test_a_headline_that_only_readers_see_is_the_title() -> None:
    headline = f"<h1>{TITLE}</h1>"
    assert kinds(STORY, changed((headline, "<h1>The lamp goes on without her</h1>"))) == ("title",)


def test_a_title_and_the_text_are_two_kinds_of_one_change() -> None:
    both = changed((TITLE, "The lamp goes on without her"), TEXT["one word"])
    assert kinds(STORY, both) == ("title", "text")


def test_a_change_counts_the_words_that_came_and_went() -> None:
    change = judged(STORY, changed(("a small computer", "a very large computer"))).change
    assert change is not None
    assert (change.added, change.removed) == (2, 1)


def test_noise_beside_an_edit_does_not_hide_it() -> None:
    now = changed(TEXT["a number in prose"], ("218 shares", "301 shares"), ("Updated 12:31", "Updated 15:02"))
    assert kinds(STORY, now) == ("text",)
