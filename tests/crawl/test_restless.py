"""An article with a line that is another one at each request: a few versions, and then only real edits."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import pytest

from tests.crawl.documents import page, rss, stories
from tests.crawl.running import DAY, crawl

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.site import Answer, Request, Site

TIPS = (
    "Salt keeps the windows of a tower free of ice for all of a winter week.",
    "Never lend a ladder to a man who paints his boat in the month of May.",
    "A lamp that smokes wants a shorter wick and a little more patience.",
    "Gulls leave the rock an hour before the wind turns to the north again.",
    "Bread that was baked at sea is eaten before the anchor is on the ground.",
)
CHANGES = 3
DAYS = 6


@pytest.mark.zoo
@pytest.mark.parametrize(
    "settings",
    [{"RECHECK_SHARE": 0.5, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}, {}],
    ids=["by rechecks", "by entries"],
)
def test_a_line_that_is_another_each_time_does_not_make_a_version_each_time(
    archive: Path, site: Site, settings: dict[str, object]
) -> None:
    (told,) = stories(1)
    asked, polls, edits = count(), count(), list[str]()

    def restless(_: Request) -> Answer:
        number = next(asked)
        tip = f"{TIPS[number % len(TIPS)]} That was number {number * 7919}."
        first, *others = told.paragraphs
        return page(told.title, [first, tip, *others, *edits])

    def feed(_: Request) -> Answer:
        # Without rechecks, an entry that changed leads to its page again.
        return rss([told.entry if settings else replace(told.entry, summary=f"Look {next(polls)}")])

    site.add(told.path, restless)
    address = site.add("/feed.xml", feed)
    for day in range(DAYS):
        run = crawl(archive, [address], clock_offset=day * DAY, **settings)
        assert run.exit_code == 0
    assert len(run.objects) == 1 + CHANGES
    # One look for each day, and one a moment after the third change.
    assert len(site.to(told.path)) == DAYS + 1
    edits.append("The council has since said that the harbour will stay open for all of the winter to come.")
    run = crawl(archive, [address], clock_offset=DAYS * DAY, **settings)
    assert len(run.objects) == 2 + CHANGES
    assert edits[0] in run.objects[-1]["text"]
