"""Whether what a path finds may be what it is taken for, where no witness tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.sites.adaptation.series import place_of
from archiver.acquisition.sites.adaptation.slots import SlotValue
from archiver.acquisition.sites.adaptation.values import values_of
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from archiver.acquisition.sites.adaptation.lessons import ActionLesson
    from archiver.documents.expressions.model import Expression

_LONGEST_NAME = 6  # words
_LONGEST_TITLE = 40
_HALF = 0.5


def is_plausible(lesson: ActionLesson, path: Expression) -> bool:
    """Whether each value that a path finds on a page fits its field. Where all is known, none does."""
    if lesson.page.witnesses.is_complete:
        return False
    slot, known = lesson.slot, lesson.page.known
    if slot.kind is SlotValue.PART or slot.is_within:
        return True  # which contributions a page shows is not known for sure
    values = values_of(known, slot, [path])
    return all(_fits(lesson, value) for value in values)


def _fits(lesson: ActionLesson, value: str) -> bool:
    slot, words = lesson.slot, value.split()
    if slot.follow is not None:
        own, there = place_of(same_page_key(lesson.page.url)), place_of(value)
        return own != there and (own.stem == there.stem) is slot.follow.repeat
    if slot.field == "title":
        heads = lesson.page.known.page.tree.iter("title")
        head = set(" ".join(head.text or "" for head in heads).split())
        return len(words) <= _LONGEST_TITLE and sum(one in head for one in words) >= _HALF * len(words)
    return slot.kind in {SlotValue.DATE, SlotValue.BODY} or len(words) <= _LONGEST_NAME
