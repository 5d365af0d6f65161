"""Links that go on within a series of pages: where they lead, without knowing how they are marked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.documents.expressions.model import Expression

# The last segment of a path that counts: `comment-page-2`, `page2`, `2`.
_COUNTING = re.compile(r"^(?P<stem>.*/)(?:[a-z][a-z-]{0,20}[-_]?)?(?P<number>\d{1,5})/?$", re.IGNORECASE)
_WORD = re.compile(r"(?:^|/)(?:page|seite|pagina|p)/$", re.IGNORECASE)
_PARAMETERS = frozenset({"page", "paged", "cpage", "p", "pg", "start", "offset", "seite", "pagina"})
_SECOND = 2
_BACK = re.compile(r"prev|back|left", re.IGNORECASE)
_ON = re.compile(r"next|forward|right", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SeriesPlace:
    """Of which series an address is a page, and which one; None: the page without a number."""

    stem: str
    number: int | None


def place_of(url: str) -> SeriesPlace:
    parts = urlsplit(url)
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    numbers = [int(value) for name, value in pairs if name.lower() in _PARAMETERS and value.isdecimal()]
    rest = "&".join(f"{name}={value}" for name, value in pairs if name.lower() not in _PARAMETERS)
    path, found = parts.path, _COUNTING.match(parts.path)
    if found and not numbers:
        path = found["stem"]
        numbers = [int(found["number"])]
    path = _WORD.sub("/", path)
    return SeriesPlace(f"{parts.netloc}{path.rstrip('/')}?{rest}", numbers[0] if numbers else None)


def direction_of(paths: Sequence[Expression]) -> int:
    """Whether paths are called after going on (1) or back (-1); 0 where they say neither, or both."""
    text = " ".join(map(str, paths))
    on, back = len(_ON.findall(text)), len(_BACK.findall(text))
    return (on > back) - (on < back)


def _numbered(own: str, links: Iterable[str]) -> dict[int | None, str]:
    """The other pages of the series that an address is of, by their numbers; one may have none."""
    here = place_of(own)
    pages: dict[int | None, str] = {}
    for link in links:
        there = place_of(link)
        if there.stem == here.stem and there.number != here.number:
            pages.setdefault(there.number, link)
    return pages


def ends_unnumbered(pages: Iterable[tuple[str, Iterable[str]]]) -> bool:
    """Whether pages without a number are the last of their series: some of them lead to the first."""
    return any(place_of(own).number is None and 1 in _numbered(own, links) for own, links in pages)


def neighbours(own: str, links: Iterable[str], direction: int, *, is_last: bool) -> frozenset[str]:
    """The links of a page to the one beside it in its series, on the side of the direction.

    `is_last`: a page without a number is the last one, not the first.
    """
    pages, number = _numbered(own, links), place_of(own).number
    unnumbered = pages.pop(None, None)
    numbers = [one for one in pages if one is not None]
    towards = -1 if is_last else 1  # from the page without a number to the others
    beside: str | None = None
    if number is None and numbers and direction == towards:
        beside = pages[max(numbers) if is_last else min(numbers)]
    elif number is not None and direction:
        beside = pages.get(number + direction)
        is_end = number >= max(numbers, default=0) if is_last else number == _SECOND
        if beside is None and direction == -towards and is_end:
            beside = unnumbered
    return frozenset({beside} if beside else ())
