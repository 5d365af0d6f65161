"""Lists, tables and boxes: an edit counts where extraction left the list out, a box counts nowhere."""

from __future__ import annotations

from dataclasses import replace

import pytest

from archiver.versions.judge import judge
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
