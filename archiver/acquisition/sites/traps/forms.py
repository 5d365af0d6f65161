"""What the form of an address tells alone: which are refused, which wait for others, and their families."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from archiver.documents.lists.shapes import NAME, NUMBER
from archiver.lexicon.tracking import SESSION, TRACKING
from archiver.lexicon.variants import COPIES, COPIES_IN_PATH, LOOKS, LOOKS_IN_PATH, MOMENTS, PAGING
from archiver.urls import LONGEST_URL, host_of

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SEGMENTS = 20
# A word in a path that stands there so often comes from links that are resolved wrongly.
MOST_REPEATS = 2
# What has more than one word, or a number, or is long: the name of one thing.
_TELLING = re.compile(r"\d|[-_~%+]|.{20}")
# What a wiki has before the names of pages that are no articles.
_NAMESPACE = re.compile(r"[^\W\d]\w{0,29}:")
_DIGITS = re.compile(r"\d+")
_NUMERIC = re.compile(r"[\d.:/_-]+")
# As no person writes a name: ids of sessions and databases. Letters and digits take turns in them.
_RANDOM = re.compile(r"~?(?:\w{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)
_TURNS = re.compile(r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", re.IGNORECASE)
_LEAST_TURNS = 4
# Digits of base 16 alone: a word of them is short, so one turn is enough.
_HEXADECIMAL = re.compile(r"~?[0-9a-f]+", re.IGNORECASE)
_PARAMETER = re.compile(r"(?<=[?&])([^=&]+)=([^&]*)")
_NUMBERS_AT_END = re.compile(r"(?<=/)\d+(?:/\d+)*(?=/?$)")
WORD, ANYTHING = "w", "~"


class SkipReason(StrEnum):
    """Why an address is not asked for."""

    LONG = "too_long"
    DEEP = "too_deep"
    REPEATS = "repeats"
    HOST = "host_in_path"
    NOTHING_NEW = "nothing_new"  # its family was tried
    SAME = "same_as"  # with other parameters
    OF_SAME = "of_same"  # it stands only on a page that is the same as another


def refusal(url: str) -> SkipReason | None:
    """Why an address is not asked for, by its form alone."""
    if len(url.encode("utf-8", "replace")) > LONGEST_URL:
        return SkipReason.LONG
    parts = urlsplit(url)
    segments = _segments(parts)
    if len(segments) > MOST_SEGMENTS:
        return SkipReason.DEEP
    # `<a href="www.blog.example/page">`.
    own = {parts.netloc.lower(), parts.netloc.lower().removeprefix("www."), "http:", "https:"}
    if own.intersection(segments):
        return SkipReason.HOST
    return SkipReason.REPEATS if _repeats(segments) else None


def _repeats(segments: Sequence[str]) -> bool:
    """`/a/b/a/b`, or one word more than twice; the numbers of a date may well be the same."""
    counts = Counter(segment for segment in segments if not segment.isdecimal())
    if any(count > MOST_REPEATS for count in counts.values()):
        return True
    twice = sum(count == MOST_REPEATS for count in counts.values())
    return twice > 1 and any(
        segments[at : at + size] == segments[at + size : at + 2 * size]
        for size in range(2, len(segments) // 2 + 1)
        for at in range(len(segments) - 2 * size + 1)
    )


class Rank(IntEnum):
    """What is asked for first has the lowest."""

    LISTS = 0
    SERIES = 1
    PAGES = 2
    ONE = 3  # parameter
    TWO = 4
    MANY = 5
    AGAIN = 6  # lists of what others have shown
    LOOKS = 7  # orders, print views, months
    LAST = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """What an address has in common with others."""

    family: str  # the form of its path, the names of its parameters
    kin: str = ""  # all with parameters on the same path, by which one that was never tried is judged
    parameters: tuple[str, ...] = ()
    # It is one of a series, such as the pages of a list or the months of a calendar.
    is_ordered: bool = False
    is_copy: bool = False  # by its name, of a page that has an address of its own
    # What looks like the id of a session in it, as `difference` names it.
    random: tuple[str, ...] = ()


@lru_cache(maxsize=20_000)
def labels_of(url: str) -> Labels:
    parts = urlsplit(url)
    segments = _segments(parts)
    kinds = [_kind(segment) for segment in segments]
    pairs = _pairs(parts)
    names = tuple(sorted({name for name, _ in pairs}))
    # The first word is that of a section, or of a program; a page alone at the root is one like any other.
    is_section = kinds[:1] == [WORD] and (len(segments) > 1 or bool(names))
    path = "/".join([*(segments[:1] if is_section else kinds[:1]), *kinds[1:]])
    family = f"{path}?{'&'.join(names)}" if names else path
    random = [f"?{name}" for name, value in pairs if is_random(value)]
    # The id of a session tells nothing of the parameters beside it, nor of the path.
    others = [name for name in names if not PAGING.fullmatch(name) and f"?{name}" not in random]
    random += [f"/{at}" for at, segment in enumerate(segments) if is_random(segment)]
    return Labels(
        family=f"{family} {' '.join(random)}" if random else family,
        random=tuple(random),
        kin=f"{path}?{ANYTHING}" if others else "",
        parameters=tuple(others),
        is_ordered=_is_ordered(kinds, segments, pairs),
        is_copy=_is_copy(segments, names),
    )


def family_of(url: str) -> tuple[str, str]:
    """The host of an address, and its form."""
    return host_of(url), labels_of(url).family


def _is_ordered(kinds: Sequence[str], segments: Sequence[str], pairs: Sequence[tuple[str, str]]) -> bool:
    counted = [(name, value) for name, value in pairs if _is_counted(name)]
    if counted:
        return all(_NUMERIC.fullmatch(value) for _, value in counted)
    # `/page/3`, `/2031/04`: numbers at the end. A single number is more often that of a thing.
    if pairs or not kinds or kinds[-1] != NUMBER:
        return False
    before = segments[-2] if len(segments) > 1 else ""
    return before.isdecimal() or bool(PAGING.fullmatch(before))


def _is_copy(segments: Sequence[str], names: Sequence[str]) -> bool:
    return bool(COPIES_IN_PATH.intersection(segments)) or any(COPIES.fullmatch(name) for name in names)


def is_copying(name: str) -> bool:
    """Whether a parameter of this name makes a copy of the page without it."""
    return bool(COPIES.fullmatch(name))


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberedAddress:
    """An address of a series whose members only differ in their number, or in a month."""

    before: str  # what all of them begin with
    after: str
    place: tuple[int, ...]


@lru_cache(maxsize=20_000)
def series_of(url: str) -> NumberedAddress | None:
    """The series that an address is one of; None: it is of none, or has several numbers to count by."""
    if not labels_of(url).is_ordered:
        return None
    if "?" in url:
        counted = [found.span(2) for found in _PARAMETER.finditer(url) if _is_counted(unquote(found[1]))]
    else:
        counted = [found.span() for found in _NUMBERS_AT_END.finditer(url)]
    if len(counted) != 1:
        return None
    start, end = counted[0]
    place = tuple(map(int, _DIGITS.findall(url[start:end])))
    return NumberedAddress(before=url[:start], after=url[end:], place=place)


def _is_counted(name: str) -> bool:
    return bool(PAGING.fullmatch(name) or MOMENTS.fullmatch(name))


@lru_cache(maxsize=20_000)
def rank_of(url: str) -> Rank:
    """The place of a page in the order of asking: lists first, and late what may only be another look."""
    parts = urlsplit(url)
    segments, names = _segments(parts), {name for name, _ in _pairs(parts)}
    if LOOKS_IN_PATH.intersection(segments) or any(LOOKS.fullmatch(name) for name in names):
        return Rank.LOOKS
    if any(MOMENTS.fullmatch(name) for name in names):
        return Rank.LOOKS
    others = [name for name in names if not PAGING.fullmatch(name)]
    if others:
        return Rank(min(Rank.PAGES + len(names), Rank.MANY))
    if names or (len(segments) > 1 and segments[-1].isdecimal() and PAGING.fullmatch(segments[-2])):
        return Rank.SERIES
    is_date = bool(segments) and all(segment.isdecimal() for segment in segments[-2:])
    return Rank.ONE if is_date else Rank.PAGES


def head_of(url: str) -> str:
    """The form of what stands before the last segment, with its first word: where a wrong link stood."""
    before = _segments(urlsplit(url))[:-1]
    kinds = [_kind(segment) for segment in before]
    return "/".join([*(before[:1] if kinds[:1] == [WORD] else kinds[:1]), *kinds[1:]])


def tails_of(url: str) -> list[str]:
    """The addresses that a page would have whose own path ends this one: by a link that misses a stroke."""
    parts = urlsplit(url)
    segments = [segment for segment in parts.path.split("/") if segment]
    end = "/" if parts.path.endswith("/") else ""
    rests = (segments[at:] for at in range(1, min(len(segments), 6)))
    # A number, or one word, may well stand at the end of other addresses.
    return [
        parts._replace(path=f"/{'/'.join(rest)}{end}", query="").geturl()
        for rest in rests
        if not rest[0].isdecimal() and not _is_numbered(rest)
    ]


def _is_numbered(segments: Sequence[str]) -> bool:
    """`page/3`: every list of a site has one."""
    return len(segments) == 2 and bool(PAGING.fullmatch(segments[0])) and segments[1].isdecimal()


def difference(url: str, other: str) -> frozenset[str] | None:
    """In what two addresses differ: names of parameters, or a place of the path; None: in more."""
    one, two = urlsplit(url), urlsplit(other)
    segments, others = _segments(one), _segments(two)
    pairs, other_pairs = dict(_pairs(one)), dict(_pairs(two))
    names = {name for name in pairs.keys() | other_pairs.keys() if pairs.get(name) != other_pairs.get(name)}
    if segments == others:
        return frozenset(f"?{name}" for name in names)
    if names:
        return None
    if abs(len(segments) - len(others)) == 1:
        return _added(*sorted((segments, others), key=len))
    if len(segments) != len(others):
        return None
    places = [at for at, (a, b) in enumerate(zip(segments, others, strict=True)) if a != b]
    if len(places) == 1 and is_random(segments[places[0]]) and is_random(others[places[0]]):
        return frozenset({f"/{places[0]}"})
    return None


def _added(fewer: Sequence[str], more: Sequence[str]) -> frozenset[str] | None:
    """Where one of two paths has an id of a session that the other has not."""
    for at, segment in enumerate(more):
        if is_random(segment) and [*more[:at], *more[at + 1 :]] == list(fewer):
            return frozenset({f"/{at}"})
    return None


def is_random(value: str) -> bool:
    least = 1 if _HEXADECIMAL.fullmatch(value) else _LEAST_TURNS
    return bool(_RANDOM.fullmatch(value)) and len(_TURNS.findall(value)) >= least


def value_of(url: str, name: str) -> str:
    """The value that an address has for what `difference` names; empty: none."""
    parts = urlsplit(url)
    if name.startswith("?"):
        return dict(_pairs(parts)).get(name[1:], "")
    segments = _segments(parts)
    at = int(name[1:])
    return segments[at] if at < len(segments) else ""


def without(url: str, names: frozenset[str]) -> str:
    """An address without what says nothing: parameters, and random words of its path."""
    parts = urlsplit(url)
    query = "&".join(
        pair for pair in parts.query.split("&") if f"?{unquote(pair.partition('=')[0])}" not in names
    )
    path = parts.path
    if any(name.startswith("/") for name in names):
        at, kept = -1, []
        for segment in path.split("/"):
            at += bool(segment)
            if not (segment and f"/{at}" in names and is_random(segment)):
                kept.append(segment)
        path = "/".join(kept)
    return parts._replace(query=query, path=path).geturl()


def words_of(url: str) -> frozenset[str]:
    """What an address says in words: a page that repeats them says nothing new by it."""
    parts = urlsplit(url)
    return frozenset(re.findall(r"\w+", unquote(f"{parts.path} {parts.query}").lower()))


def _segments(parts: SplitResult) -> list[str]:
    return [segment.lower() for segment in parts.path.split("/") if segment]


def _pairs(parts: SplitResult) -> list[tuple[str, str]]:
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    return [pair for pair in pairs if not (TRACKING.match(pair[0]) or SESSION.match("=".join(pair)))]


def _kind(segment: str) -> str:
    if segment.isdecimal():
        return NUMBER
    # `Special:Log`, `Category:Boats`: a wiki's pages of one kind say nothing of those of another.
    if namespace := _NAMESPACE.match(segment):
        return namespace[0]
    stem = segment.rpartition(".")[0] or segment
    return NAME if _TELLING.search(stem) else WORD
