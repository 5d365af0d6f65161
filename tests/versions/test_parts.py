"""Lists, tables and boxes: an edit counts where extraction left the list out, a box counts nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archiver.articles.versions.boilerplate import boilerplate_of
from archiver.articles.versions.judge import judge
from tests.versions.captures import STORY, capture, changed, kinds

LETTER = (
    '<table border="1"><tr><td><b>Island letter</b><br>Ferries and weather by e-mail every Friday. '
    '<a href="/letter">Order it</a></td></tr></table>'
)
PORTRAIT = (
    '<table><tr><td><img src="/img/ann.jpg" width="60" height="80"></td><td><b>Ann Lee</b> has lived on the '
    "island for thirty years and writes about it on Sundays.</td></tr></table>"
)
PICTURE = '<table><tr><td><img src="/img/reef.jpg" width="640"></td></tr></table>'
COUNTER = '<h2>What comes after the lamp</h2><p>Kept by {} islanders. <a href="#letters">{} letters</a></p>'


def kinds_without_lists(before: str, now: str) -> tuple[str, ...]:
    """What changed, where extraction found the paragraphs alone."""
    readings = []
    for markup in (before, now):
        reading = capture(markup)
        lines = reading.article.text.splitlines()
        text = "\n".join(line for line in lines if not line.startswith("- ") and "\t" not in line)
        readings.append(replace(reading, article=replace(reading.article, text=text)))
    change = judge(*readings).change
    return change.kinds if change else ()


@pytest.mark.parametrize(
    "edit",
    [
        ("<li>Children", "<li>Dogs must be kept on a lead.</li><li>Children"),
        ("<li>Children under ten travel for nothing.</li>", ""),
        ("leaves at nine", "leaves at ten"),
        ("<td>418</td>", "<td>2,419</td>"),
    ],
)
def test_an_edit_in_a_list_that_was_not_extracted_counts(edit: tuple[str, str]) -> None:
    assert kinds_without_lists(STORY, changed(edit)) == ("text",)


def test_an_item_more_of_what_is_new_above_the_first_paragraph_counts() -> None:
    points = (
        '<div class="k3"><ul><li>She leaves on Friday.</li><li>A lamp needs nobody now.</li>{}</ul></div>'
    )
    start = '<div class="story-body">'
    old, new = (
        changed((start, start + points.format(more)))
        for more in ("", "<li>Her diaries go to the museum next year.</li>")
    )
    assert kinds_without_lists(old, new) == ("text",)


def test_buttons_above_the_first_paragraph_are_no_list_of_the_article() -> None:
    buttons = "<ul><li>Print</li><li>Listen</li><li>Save {}</li></ul>"
    start = '<div class="story-body">'
    old, new = (changed((start, start + buttons.format(count))) for count in ("31", "318"))
    assert kinds_without_lists(old, new) == ()


def test_a_list_of_links_is_no_list_of_the_article() -> None:
    lists = [f'<ul><li><a href="/{one}">Ferry {one} is late</a></li></ul><h2>' for one in ("north", "south")]
    assert kinds_without_lists(*(changed(("<h2>", one)) for one in lists)) == ()


@pytest.mark.parametrize("box", [LETTER, PORTRAIT])
def test_a_table_of_one_row_is_a_box_that_comes_and_goes(box: str) -> None:
    now = changed(("<h2>", f"{box}<h2>"))
    assert kinds(STORY, now) == ()
    assert kinds(now, STORY) == ()


def test_a_picture_in_a_table_of_one_row_is_a_picture() -> None:
    assert kinds(STORY, changed(("<h2>", f"{PICTURE}<h2>"))) == ("images",)


def test_what_leads_to_the_letters_below_counts_them() -> None:
    old, new = (
        changed(("<h2>What comes after the lamp</h2>", COUNTER.format(*n))) for n in ((48, 4), (51, 8))
    )
    assert kinds(old, new) == ()


SLIP = '<div class="q4"><div>You can have the island by post, with all of its news, every week.</div></div>'


def test_what_other_pages_have_too_is_furniture() -> None:
    before, now = (capture(markup) for markup in (STORY, changed(("<h2>", f"{SLIP}<h2>"))))
    # As where extraction took it for a part of the article.
    text = f"{now.article.text}\n\nYou can have the island by post, with all of its news, every week."
    now = replace(now, article=replace(now.article, text=text))
    assert judge(before, now).change is not None
    furniture = boilerplate_of([now.page, now.page])
    assert judge(before, now, lambda: furniture).noise == ("furniture",)
    assert judge(before, now, lambda: furniture).change is None
    # One other page is not enough.
    assert judge(before, now, lambda: boilerplate_of([now.page])).change is not None


def test_a_paragraph_that_other_articles_have_too_is_of_the_article() -> None:
    told = (
        "<p>A tower was built here in 1834, after three ships had been lost on that reef in one winter.</p>"
    )
    before, now = (capture(markup) for markup in (STORY, changed(("<h2>", f"{told}<h2>"))))
    other = capture(changed(("<h2>", f"{told}<h2>")).replace(" the ", " every ")).page
    change = judge(before, now, lambda: boilerplate_of([other, other])).change
    assert change is not None
    assert change.kinds == ("text",)


def test_an_image_that_other_pages_have_too_is_furniture() -> None:
    before, now = (capture(one) for one in (STORY, changed(("<h2>", '<img src="/img/seal.jpg"><h2>'))))
    assert judge(before, now).change is not None
    assert judge(before, now, lambda: boilerplate_of([now.page, now.page])).change is None
