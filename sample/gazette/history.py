"""An article through the days of the script: its story, its noise, its absences, and the truth."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random
from typing import TYPE_CHECKING

from sample import clock
from sample.gazette.kinds import KINDS
from sample.gazette.model import TrueAbsence, TrueChange, TrueHistory, texts
from sample.gazette.script import events_of
from sample.gazette.stories import published

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from sample.gazette.model import Absence, Story

LAST_DAY = 30
# Edits are made in the afternoon.
_HOUR = 15 * 60


@cache
def story_on(article: str, day: int) -> Story:
    story = published()[article].story
    for event in events_of(article):
        edit = KINDS[event.kind].edit
        if event.day <= day and edit is not None:
            story = edit(story, Random(f"{article} {event.kind} {event.day}"))
    return story


@cache
def noise_on(article: str, day: int) -> Mapping[str, int]:
    """How often each kind has struck, 0 for those that are still to come."""
    kinds = Counter(event.kind for event in events_of(article) if event.day <= day)
    return {event.kind: kinds[event.kind] for event in events_of(article)}


def absence_on(article: str, day: int) -> Absence | None:
    for event in events_of(article):
        is_over = event.until is not None and day >= event.until
        if KINDS[event.kind].absence and event.day <= day and not is_over:
            return KINDS[event.kind].absence
    return None


def updated_on(article: str, day: int) -> datetime:
    """The date that the feed gives: it moves with the edits that are announced, and with no others."""
    days = [event.day for event in events_of(article) if event.announced and event.day <= day]
    return clock.moment(max(days), _HOUR) if days else published()[article].published


def changed_on(article: str, day: int) -> datetime:
    """When the page last became another: the date of a server that tells the truth."""
    days = [event.day for event in events_of(article) if event.day <= day]
    days += [event.until for event in events_of(article) if event.until and event.until <= day]
    return clock.moment(max(days), _HOUR) if days else published()[article].published


def history(article: str, day: int, base: str) -> TrueHistory:
    """What is true of the article on a day on which it has been published."""
    one, story = published()[article], story_on(article, day)
    past = [event for event in events_of(article) if event.day <= day]
    changes = [
        TrueChange(
            day=event.day,
            kind=event.kind,
            kinds=KINDS[event.kind].kinds,
            either=KINDS[event.kind].either,
            announced=event.announced,
        )
        for event in past
        if not KINDS[event.kind].absence
    ]
    absences = [(event, KINDS[event.kind].absence) for event in past]
    return TrueHistory(
        article=article,
        link=base + one.path,
        template=one.section,
        published=one.published,
        first_day=max(one.day, 0),
        title=story.title,
        paragraphs=tuple(text for block in story.blocks for text in texts(block)),
        versions=1 + sum(bool(change.kinds) for change in changes),
        changes=tuple(changes),
        absences=tuple(
            TrueAbsence(day=event.day, how=how, back=event.until) for event, how in absences if how
        ),
    )
