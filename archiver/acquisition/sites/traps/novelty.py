"""Which text of a page is new to its site: marks of its runs of text, compared with those of other pages.

A run of text is known where it stood on another page word for word. It is known as well where only its
numbers, names of months and words of the page's own address are others: `Events in March 2031`, `No page
/red-shoes here`.
"""

from __future__ import annotations

import hashlib
import re
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.traps.evidence import PageVerdict
from archiver.acquisition.sites.traps.forms import words_of
from archiver.lexicon.dates import MONTHS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

# Of a page, the longest ones: an article, or the items of a list.
MOST_MARKS = 24
MOST_PICTURES = 8
# New words that make a page worth it, or new figures.
LEAST_WORDS = 6
# A page of a list may have no more than the title of one item.
LEAST_WORDS_OF_SERIES = 2
LEAST_FIGURES = 12
_TOKENS = re.compile(r"\w+(?:[.,:/-]\w+)*")
_WORDS = re.compile(r"\w+")
_FIGURE = re.compile(r"\d(?:[\d.,:%-]*\d)?\w{0,2}")
_MASK = "#"


class TextMark(msgspec.Struct, frozen=True, array_like=True):
    """A run of text of a page."""

    exact: int
    masked: int  # without what may vary
    words: int  # that do not vary
    figures: int = 0
    is_owned: bool = False  # by the page that a link beside it leads to: it is an item of a list


class Novelty(msgspec.Struct, frozen=True, kw_only=True):
    """What a page may add to what is known of its site."""

    marks: tuple[TextMark, ...] = ()
    # Of all text, in whatever order; empty: the page has none.
    digest: str = ""


def novelty_of(
    texts: Iterable[tuple[str, bool]], pictures: Iterable[str], url: str, whole: Sequence[str] = ()
) -> Novelty:
    """The marks of a page: of its texts, each with whether a link beside it owns it, and of its pictures."""
    own = words_of(url)
    plain = {_plain(text): is_owned for text, is_owned in texts}
    found = {text: _mark(text, own, is_owned=is_owned) for text, is_owned in plain.items() if text}
    seen = sorted(found.values(), key=lambda mark: (-mark.words - mark.figures, mark.exact))
    addresses = dict.fromkeys(filter(None, pictures))
    shown = [TextMark(number, number, LEAST_WORDS) for number in map(_hashed, addresses)]
    # All that is seen, whatever its order and whatever the address of the page says of its links.
    seen_texts = map(_hashed, filter(None, map(_plain, whole))) if whole else (one.exact for one in seen)
    numbers = sorted({*seen_texts, *(mark.exact for mark in shown)})
    return Novelty(
        marks=(*seen[:MOST_MARKS], *shown[:MOST_PICTURES]),
        digest=hashlib.sha256(repr(numbers).encode()).hexdigest()[:24] if numbers else "",
    )


def hashes_of(marks: Sequence[TextMark], family: str = "") -> list[tuple[int, int]]:
    """What is kept of each mark, for the whole site or within a family."""
    salt = _hashed(family) if family else 0
    return [(mark.exact ^ salt, mark.masked ^ salt) for mark in marks]


def judged(
    marks: Sequence[TextMark],
    hashes: Sequence[tuple[int, int]],
    known: Collection[int],
    *,
    is_series: bool = False,
) -> PageVerdict:
    """What a page adds to what is known; of a series, to what the series has shown."""
    least = LEAST_WORDS_OF_SERIES if is_series else LEAST_WORDS
    words, figures, own = 0, 0, 0
    for mark, (exact, masked) in zip(marks, hashes, strict=True):
        if exact in known:
            continue
        figures += mark.figures
        new = 0 if masked in known else mark.words
        words += new
        own += 0 if mark.is_owned else new
    if words < least and figures < LEAST_FIGURES:
        return PageVerdict.BARREN if words or figures else PageVerdict.NOTHING
    return PageVerdict.FRESH if own >= least or own >= words / 2 else PageVerdict.LISTED


def _mark(text: str, own: Collection[str], *, is_owned: bool) -> TextMark:
    words, mark = _known_mark(text)
    if not words.isdisjoint(own):
        mark = _marked(text, own)
    return msgspec.structs.replace(mark, is_owned=True) if is_owned else mark


# Menus and teasers stand on many pages of a site.
@lru_cache(maxsize=10_000)
def _known_mark(text: str) -> tuple[frozenset[str], TextMark]:
    """The words of a text that may be of an address, and its mark where none of them is."""
    tokens = _TOKENS.findall(text)
    return frozenset((*tokens, *_WORDS.findall(text))), _marked(text, ())


def _marked(text: str, own: Collection[str]) -> TextMark:
    tokens = _TOKENS.findall(text)
    kept = [_MASK if _varies(token, own) else token for token in tokens]
    words = sum(token is not _MASK for token in kept)
    # A number of the address is an echo of what was asked for.
    figures = sum(len(token) > 2 and token not in own and _is_figure(token) for token in tokens)
    return TextMark(_hashed(text), _hashed(" ".join(kept)), words, figures)


def _varies(token: str, own: Collection[str]) -> bool:
    if token in own or token in MONTHS:
        return True
    # Most are words of letters alone, which end here.
    return not token.isalpha() and (any(letter.isdigit() for letter in token) or _is_own(token, own))


def _is_own(token: str, own: Collection[str]) -> bool:
    """`/red-shoes/` as a whole."""
    return not token.isalnum() and all(word in own for word in _WORDS.findall(token))


def _is_figure(token: str) -> bool:
    # A year says little.
    return bool(_FIGURE.fullmatch(token)) and not (len(token) == 4 and token[:2] in {"19", "20"})


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _hashed(text: str) -> int:
    """63 bits: databases count with a sign."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=8).digest()) >> 1
