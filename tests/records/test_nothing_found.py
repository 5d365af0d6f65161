"""Answers that say nothing but what answers to nonsense say, and those that list a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.forms.model import Probe
from archiver.running.workers.forms import KeptAnswer, LearnRecords
from tests.records.pages import page_of
from tests.records.test_excerpts import NAMES, archived

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from archiver.records.model import AnswerPage, RecordWrapper

KINDS = ("dock", "boat", "water")


def shop(said: str, names: Sequence[str], query: str) -> AnswerPage:
    listed = "".join(
        f"<li class=hit><h3>{name} model</h3><p>{name} is a {KINDS[number % 3]} of wood.</p></li>"
        for number, name in enumerate(NAMES)
        if name in names
    )
    return page_of(f"<p>{said}</p><ul>{listed}</ul>", f"https://shop.example/?{query}", query.split("=")[1:])


def learned(folder: Path, nonsense: AnswerPage, *pages: AnswerPage) -> RecordWrapper | None:
    kept = [
        KeptAnswer(
            url=page.url,
            file=one.file,
            offset=one.offset,
            probe=Probe(inputs=dict([page.url.rpartition("?")[2].split("=")]), chosen_by="word"),
        )
        for page, one in zip((nonsense, *pages), archived(folder, nonsense, *pages), strict=True)
    ]
    return LearnRecords(folder=str(folder), answers=tuple(kept[1:]), nonsense=(kept[0],)).perform().wrapper


def test_a_form_that_takes_no_words_lists_a_part_of_what_nonsense_lists(tmp_path: Path) -> None:
    """Its basket is empty, which sounds like an answer without records."""
    basket = "Your basket: 0 items"
    parts = [shop(basket, NAMES[number::3], f"kind={KINDS[number]}") for number in range(3)]
    assert learned(tmp_path, shop(basket, NAMES, "q=bogadi"), *parts) is not None


def test_what_only_says_that_nothing_was_found_lists_nothing(tmp_path: Path) -> None:
    none = [shop(f"No results for {word}", NAMES[:4], f"q={word}") for word in ("bogadi", "boat", "dock")]
    assert learned(tmp_path, *none) is None
