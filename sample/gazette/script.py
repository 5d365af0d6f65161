"""What happens to which article on which day."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from sample.gazette.model import Event
from sample.gazette.stories import SECTIONS, published

if TYPE_CHECKING:
    from collections.abc import Iterator

# A line a kind. `town-03 d5` is the article town-03 on day 5, `town d21` the whole section; with `!` the
# feed's own date moves too; `d5-7` is an absence from day 5 on that is over on day 7, `d5-` one for good.
SCRIPT = """
letter: farm-16 d27, arts-04 d28, live-15 d28
number: arts-10 d19, live-16 d30!, town-04 d22
word: live-03 d18, town-09 d28!, farm-08 d17!
small word: town-05 d19, farm-13 d26, arts-15 d13
sentence added: farm-04 d23, arts-11 d14, live-02 d16!
sentence removed: arts-06 d1, live-13 d9, town-10 d6
paragraph added: live-01 d18, town-06 d14, farm-07 d1
paragraph removed: town-07 d7, farm-14 d9, arts-09 d26!
paragraph replaced: farm-11 d13, arts-05 d11, live-11 d9!
paragraphs reordered: arts-02 d17, live-07 d18!, town-01 d25
rewritten: live-14 d28!, town-14 d23, farm-09 d8
quotation: town-16 d17!, farm-05 d4, arts-01 d19
list item added: farm-03 d4, arts-12 d25, live-09 d26
list item removed: arts-14 d15, live-12 d14, town-02 d9
table cell: live-08 d2, town-12 d24, farm-12 d23
subheading: town-08 d1, farm-02 d30, arts-08 d14!
correction: town-11 d10, farm-06 d13, arts-07 d20
note: farm-03 d8!, arts-12 d12, live-06 d5
live entries: arts-09 d21, live-11 d16!, town-12 d27
headline word: live-09 d23, town-02 d26, farm-01 d20!
headline: town-05 d10, farm-12 d20, arts-05 d8
link target: farm-05 d6!, arts-14 d25, live-08 d10!
link added: arts-04 d12, live-15 d16, town-06 d11!
link removed: live-16 d21, town-14 d16, farm-06 d11!
image swapped: town-08 d12!, farm-08 d7, arts-08 d18
image added: farm-10 d18, arts-03 d23, live-02 d30
image removed: arts-06 d18, live-07 d7, town-07 d30
caption: live-06 d11!, town-04 d10, farm-09 d15
headline and text: town-01 d14!, farm-07 d19, arts-13 d12
text and image: farm-02 d12, arts-01 d4, live-12 d23
everything: arts-16 d30, live-05 d15!, town-11 d22
back edited: live-14 d25, town-03 d7, farm-14 d26
not found: farm-15 d23-25, arts-16 d20-22, live-05 d4-6, live-14 d23-25, town-03 d5-7, farm-14 d24-26
gone: arts-13 d25-27, live-10 d11-13, town-15 d15-
to the front page: live-04 d21-23, town-03 d18-20, farm-10 d6-8
soft not found: town-13 d28-30, farm-01 d10-12, arts-03 d15-17
advertisement outside: town-10 d27, farm-15 d13, arts-07 d13
advertisement inside: farm-11 d18, arts-02 d29, live-10 d7
view counter: arts-15 d29, live-03 d10, town-15 d11
share counter: live-04 d16, town-13 d15, farm-16 d24
comment counter: town-09 d30, farm-04 d3, arts-10 d6
relative date: farm-13 d29, arts-11 d22, live-13 d23
updated at: arts-04 d5, live-01 d21, town-16 d22
related links: live-01 d26, town-14 d28, farm-01 d17
related inside: town-01 d18, farm-05 d26, arts-10 d22
most read: farm-04 d8, arts-16 d17, live-12 d8
comments: arts-02 d3, live-11 d3, town-05 d4
redesign: town d21, arts d24
side bars: town-02 d28, farm-03 d12, arts-01 d15
hashed classes: farm-12 d7, arts-06 d23, live-14 d17
session ids: arts-09 d9, live-10 d1, town-07 d4
tracking parameters: live-09 d3, town-04 d4, farm-11 d9
image query: town-10 d20, farm-07 d21, arts-14 d22
lazy images: farm-14 d14, arts-15 d16, live-16 d24
white space: arts-13 d17, live-02 d18, town-08 d18
entities: live-15 d23, town-11 d5, farm-09 d6
encoding: town-16 d24, farm-10 d21, arts-08 d26
attribute order: farm-02 d14, arts-05 d18, live-08 d19
dates in the head: arts-12 d7, live-05 d22, town-06 d1
newsletter box: live-13 d14, town-13 d9, farm-15 d15
cookie banner: town-12 d30, farm-06 d1, arts-07 d4
author box: farm-13 d21, arts-03 d8, live-06 d23
page weight: arts-11 d5, live-03 d15, town-15 d13
every request: live-04 d10, town-09 d9, farm-16 d21, arts-02 d25
"""
_WHERE = re.compile(r"(?P<name>[a-z]+(?:-\d\d)?) d(?P<day>\d+)(?P<span>-)?(?P<until>\d+)?(?P<announced>!)?")


@cache
def places() -> dict[str, str]:
    """What the script says of each kind."""
    lines = (line.partition(":") for line in SCRIPT.strip().splitlines())
    return {kind.strip(): where.strip() for kind, _, where in lines}


@cache
def events() -> tuple[Event, ...]:
    """All of the script, in the order of days."""
    found = [event for kind, where in places().items() for event in _events(kind, where)]
    return tuple(sorted(found, key=lambda event: (event.day, event.article, event.kind)))


def _events(kind: str, where: str) -> Iterator[Event]:
    for place in where.split(","):
        match = _WHERE.fullmatch(place.strip())
        if match is None:
            raise ValueError(f"the script has a line that cannot be read: {kind}: {place.strip()!r}")
        day, until = int(match["day"]), match["until"]
        for article in _articles(match["name"], day):
            yield Event(
                kind=kind,
                article=article,
                day=day,
                announced=bool(match["announced"]),
                until=int(until) if until else None,
            )


def _articles(name: str, day: int) -> list[str]:
    if name not in SECTIONS:
        return [name]
    return [one.name for one in published().values() if one.section == name and one.day < day]


@cache
def events_of(article: str) -> tuple[Event, ...]:
    return tuple(event for event in events() if event.article == article)
