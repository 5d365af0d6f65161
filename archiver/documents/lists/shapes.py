"""The form that the addresses of a channel's entries have, learned from those that are known."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, urlsplit

from archiver.lexicon.tracking import TRACKING_OR_REFERRER
from archiver.urls import is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A segment of a path that names one article, not a section: numbers, several words, something long.
_TELLING = re.compile(r"\d|[-_~%]|.{20}")
# Not the 18 of "go-1.18".
_ENDING = re.compile(r"[a-z][a-z0-9]{1,4}")
# Two sections are two sections; of more, there will be others.
_FEW = 2
# What ends in these is never an article.
FILES = re.compile(
    r"\.(?:jpe?g|png|gif|webp|svg|ico|css|js|xml|rss|atom|json|zip|gz|mp[34]|m4a|pdf|woff2?|txt)$",
    re.IGNORECASE,
)
# Where any word may stand, these still lead to lists of articles, unless an article was seen there.
LIST_NAMES = frozenset(
    """
    author authors tag tags category categories topic topics label labels user users profile people search
    page archive archives section sections series autor autoren thema themen schlagwort kategorie auteur
    etiqueta categoria
    """.split()  # noqa: SIM905 - a list to read
)
NUMBER, NAME, ANY = "#", "*", "?"


@dataclass(frozen=True, slots=True)
class _Parts:
    """An address taken apart: where it is, its segments, and the names of its parameters."""

    host: str
    segments: tuple[str, ...]
    parameters: tuple[str, ...]

    @property
    def family(self) -> tuple[object, ...]:
        return self.host, len(self.segments), _ending(self.segments), self.parameters


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """What all addresses of one family have in common, segment by segment."""

    family: tuple[object, ...]
    # For each place the words that stand there, or NUMBER, NAME (several words), ANY.
    places: tuple[frozenset[str], ...]

    def fits(self, parts: _Parts) -> bool:
        return parts.family == self.family and all(
            _kind(segment) in allowed or (ANY in allowed and segment not in LIST_NAMES)
            for allowed, segment in zip(self.places, parts.segments, strict=True)
        )


def learn(links: Iterable[str]) -> tuple[Shape, ...]:
    """The shapes of these addresses."""
    families: defaultdict[tuple[object, ...], list[_Parts]] = defaultdict(list)
    for link in links:
        parts = _parts(link)
        if parts is not None:
            families[parts.family].append(parts)
    return tuple(_shape(family, members) for family, members in families.items())


def _shape(family: tuple[object, ...], members: Sequence[_Parts]) -> Shape:
    return Shape(
        family=family,
        places=tuple(
            _allowed({_kind(segment) for segment in place})
            for place in zip(*(member.segments for member in members), strict=True)
        ),
    )


def _allowed(kinds: set[str]) -> frozenset[str]:
    words = kinds - {NUMBER, NAME}
    # One-word names among longer ones, or ever other words: what stands here is a name.
    if len(words) > _FEW or (words and NAME in kinds):
        return frozenset({ANY, *kinds})
    return frozenset(kinds)


def matches(link: str, shapes: Sequence[Shape]) -> bool:
    """True if an address looks like those that the shapes were learned from."""
    parts = _parts(link)
    if parts is None or (parts.segments and FILES.search(parts.segments[-1])):
        return False
    return any(shape.fits(parts) for shape in shapes)


def _parts(link: str) -> _Parts | None:
    try:
        url = urlsplit(request_url(link))
    except ValueError:
        return None
    if not is_web(link):
        return None
    segments = tuple(segment.lower() for segment in url.path.split("/") if segment)
    parameters = _parameters(url)
    # The root of a site is no article.
    if not segments and not parameters:
        return None
    return _Parts(host=_bare(url.netloc), segments=segments, parameters=parameters)


def _parameters(url: SplitResult) -> tuple[str, ...]:
    names = {name for name, _ in parse_qsl(url.query, keep_blank_values=True)}
    return tuple(sorted(name for name in names if not TRACKING_OR_REFERRER.fullmatch(name)))


def _bare(netloc: str) -> str:
    return netloc.lower().removeprefix("www.")


def _kind(segment: str) -> str:
    if segment.isdecimal():
        return NUMBER
    stem = segment.rpartition(".")[0] or segment
    return NAME if _TELLING.search(stem) else segment


def _ending(segments: tuple[str, ...]) -> str:
    """.html, .php: a site gives them to all of its articles or to none."""
    _, dot, ending = segments[-1].rpartition(".") if segments else ("", "", "")
    return ending if dot and _ENDING.fullmatch(ending) else ""
