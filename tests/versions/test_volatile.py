"""Lines that change by themselves: found by two captures a moment apart, noise from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.articles.versions.judge import judge
from tests.versions.captures import STORY, capture, changed

if TYPE_CHECKING:
    from archiver.articles.versions.model import Judgement, Spot

BEFORE = "<h2>What comes"
TIPS = (
    "Tip of the day: salt keeps the windows of a tower free of ice for a week.",
    "Tip of the day: never lend a ladder to a man who paints his boat in May.",
    "Tip of the day: a lamp that smokes wants a shorter wick and a little patience.",
    "Tip of the day: gulls leave the rock an hour before the wind turns to the north.",
)


def page(*tips: str, more: tuple[tuple[str, str], ...] = ()) -> str:
    """The story with lines in its midst that are others each time, in elements like all others."""
    lines = "".join(f"<p>{tip}</p>\n" for tip in tips)
    return changed((BEFORE, lines + BEFORE), *more)


def looked(before: str, now: str, spots: tuple[Spot, ...] = (), *, soon: bool = False) -> Judgement:
    return judge(capture(before), capture(now), volatile=spots, is_moment_later=soon)


@pytest.fixture(scope="module")
def spots() -> tuple[Spot, ...]:
    """What two looks a moment apart have taught."""
    found = looked(page(TIPS[0]), page(TIPS[1]), soon=True)
    assert found.change is None
    assert "volatile" in found.noise
    assert found.volatile
    return found.volatile


def test_a_random_line_is_a_change_until_it_is_known() -> None:
    judgement = looked(page(TIPS[0]), page(TIPS[1]))
    assert judgement.change is not None
    assert judgement.volatile is None


def test_what_changes_by_itself_makes_no_version(spots: tuple[Spot, ...]) -> None:
    judgement = looked(page(TIPS[0]), page(TIPS[2]), spots)
    assert judgement.change is None
    assert judgement.noise == ("volatile",)
    # It was seen to change for the third time: from now on it may be what it was at any look.
    assert judgement.volatile is not None
    later = looked(page(TIPS[0]), page(TIPS[1]), judgement.volatile)
    assert (later.change, later.volatile) == (None, None)


def test_what_stays_since_the_second_of_the_two_looks_was_written_by_somebody(
    spots: tuple[Spot, ...],
) -> None:
    judgement = looked(page(TIPS[0]), page(TIPS[1]), spots)
    assert judgement.change is not None
    assert judgement.volatile == ()


def test_a_paragraph_that_goes_for_good_in_that_moment_is_an_edit_at_the_next_look() -> None:
    found = looked(page(TIPS[0]), page(), soon=True)
    assert found.change is None
    assert found.volatile is not None
    assert looked(page(TIPS[0]), page(), found.volatile).change is not None
    assert looked(page(TIPS[0]), page(TIPS[1]), found.volatile).change is None


EDITS = {
    "elsewhere": ("after forty winters on a rock", "after fifty winters on a rock"),
    "in the paragraph before": ("break the windows every second year", "break the windows every year"),
    "in the heading behind": ("What comes after the lamp", "What will come after the lamp"),
    "a paragraph at the same spot": (
        BEFORE,
        f"<p>The board has not said yet who will look after the tower from the summer on.</p>{BEFORE}",
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_beside_it_is_still_an_edit(spots: tuple[Spot, ...], edit: str) -> None:
    judgement = looked(page(TIPS[0]), page(TIPS[2], more=(EDITS[edit],)), spots)
    assert judgement.change is not None
    assert "text" in judgement.change.kinds


def test_two_lines_in_a_row_may_change_together() -> None:
    found = looked(page(TIPS[0], TIPS[1]), page(TIPS[2], TIPS[3]), soon=True)
    assert found.volatile
    assert looked(page(TIPS[0], TIPS[1]), page(TIPS[3], TIPS[2]), found.volatile).change is None


def test_a_moment_in_which_nothing_changes_teaches_nothing() -> None:
    judgement = looked(STORY, changed(("218 shares", "219 shares")), soon=True)
    assert (judgement.change, judgement.volatile) == (None, None)


def test_a_title_that_changes_is_a_change_at_any_moment() -> None:
    other = changed(
        ("Lighthouse keeper leaves", "Keeper of the lighthouse leaves"), (BEFORE, f"<p>{TIPS[0]}</p>{BEFORE}")
    )
    judgement = looked(STORY, other, soon=True)
    assert judgement.change is not None
    assert judgement.change.kinds == ("title",)
