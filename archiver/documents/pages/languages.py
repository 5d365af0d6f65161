"""The language of a text: the one that is stated, if the script can be its, else a guess."""

from __future__ import annotations

import re
from bisect import bisect
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

import stopwordsiso

from archiver.documents.pages.words import stop_words, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

# The beginning of a text tells; reading a whole page would only take longer.
SAMPLE = 2000
LEAST_HITS = 2  # stop words in a text of a script that many languages share
# Japanese is written in Han too: this share of kana is never an accident.
LEAST_KANA = 0.05

# Where the letters of a script begin; the last range of a script ends where the next one begins.
_BLOCKS = (
    (0x41, "latin"), (0x5B, ""), (0x61, "latin"), (0x7B, ""), (0xC0, "latin"), (0x2B0, ""),
    (0x370, "greek"), (0x400, "cyrillic"), (0x530, "armenian"), (0x590, "hebrew"), (0x600, "arabic"),
    (0x700, ""), (0x750, "arabic"), (0x780, ""), (0x900, "devanagari"), (0x980, "bengali"),
    (0xA00, "gurmukhi"), (0xA80, "gujarati"), (0xB00, "oriya"), (0xB80, "tamil"), (0xC00, "telugu"),
    (0xC80, "kannada"), (0xD00, "malayalam"), (0xD80, "sinhala"), (0xE00, "thai"), (0xE80, "lao"),
    (0xF00, "tibetan"), (0x1000, "burmese"), (0x10A0, "georgian"), (0x1100, "hangul"),
    (0x1200, "ethiopic"), (0x1380, ""), (0x1780, "khmer"), (0x1800, ""), (0x1E00, "latin"),
    (0x1F00, "greek"), (0x2000, ""), (0x3040, "kana"), (0x3100, ""), (0x3400, "han"), (0xA000, ""),
    (0xAC00, "hangul"), (0xD7B0, ""), (0xF900, "han"), (0xFB00, ""), (0xFB50, "arabic"), (0xFE00, ""),
    (0xFE70, "arabic"), (0xFF00, ""), (0x20000, "han"), (0x40000, ""),
)  # fmt: skip
_LETTER = re.compile("[A-Za-z]")
_STARTS = [start for start, _ in _BLOCKS]

# The languages of each script but Latin's, which are all others; some of these are written in Latin too.
_WRITTEN_IN = {
    "greek": "el", "cyrillic": "ru uk bg be mk sr kk ky mn tg tt uz", "armenian": "hy",
    "hebrew": "he yi", "arabic": "ar fa ur ps ku ckb sd ug az", "devanagari": "hi mr ne sa",
    "bengali": "bn as", "gurmukhi": "pa", "gujarati": "gu", "oriya": "or", "tamil": "ta",
    "telugu": "te", "kannada": "kn", "malayalam": "ml", "sinhala": "si", "thai": "th", "lao": "lo",
    "tibetan": "bo dz", "burmese": "my", "georgian": "ka", "ethiopic": "am ti", "khmer": "km",
    "hangul": "ko", "kana": "ja", "han": "zh yue",
}  # fmt: skip
_LANGUAGES = {script: tuple(languages.split()) for script, languages in _WRITTEN_IN.items()}
_ALSO_LATIN = frozenset({"sr", "uz", "kk", "ku", "az", "tt", "mn"})
_NEVER_LATIN = frozenset(language for some in _LANGUAGES.values() for language in some) - _ALSO_LATIN
_LATIN = tuple(sorted(stopwordsiso.langs() - _NEVER_LATIN))

# Codes that were given up, or stand for one of several written norms.
_ALIASES = {"iw": "he", "in": "id", "ji": "yi", "nb": "no", "nn": "no"}


def base_language(tag: str | None) -> str | None:
    """The language of a tag such as `en-GB` or `pt_BR`."""
    language = (tag or "").replace("_", "-").partition("-")[0].strip().lower()
    known = 2 <= len(language) <= 3 and language.isascii() and language.isalpha()
    return _ALIASES.get(language, language) if known else None


def language_for(text: str, *stated: str | None) -> str | None:
    """The first of the stated languages that is written in the script of the text, else the likeliest one.

    Half of the Web's templates say `en`, also where every page is in Chinese.
    """
    sample = text[:SAMPLE]
    script = script_of(sample)
    possible = (language for language in map(base_language, stated) if language and _fits(language, script))
    return next(possible, None) or _guess(sample, script)


# A page is asked several times for the language of one text.
@lru_cache(maxsize=16)
def script_of(text: str) -> str:
    """The script of most of the letters, empty if there are none; any kana makes Han Japanese."""
    if text.isascii():
        return "latin" if _LETTER.search(text) else ""
    counts: Counter[str] = Counter()
    for character, count in Counter(text).items():
        counts[_BLOCKS[bisect(_STARTS, ord(character)) - 1][1] if character >= "A" else ""] += count
    del counts[""]
    if counts["kana"] > LEAST_KANA * (counts["kana"] + counts["han"]):
        counts["kana"] += counts.pop("han", 0)
    return max(counts, key=counts.__getitem__, default="")


def _fits(language: str, script: str) -> bool:
    if script == "latin":
        return language not in _NEVER_LATIN
    return not script or language in _LANGUAGES[script]


@lru_cache(maxsize=16)
def _guess(text: str, script: str) -> str | None:
    languages = _LATIN if script == "latin" else _LANGUAGES.get(script, ())
    return _by_stop_words(tokens(text), languages) or (
        None if script == "latin" else next(iter(languages), None)
    )


def _by_stop_words(words: Iterable[str], languages: tuple[str, ...]) -> str | None:
    """The language that has most of the words as stop words, if it has more than any other."""
    having, hits = _languages_having(languages), Counter[str]()
    for word, count in Counter(words).items():
        for language in having.get(word, ()):
            hits[language] += count
    (best, most), (_, second) = [*hits.most_common(2), ("", 0), ("", 0)][:2]
    return best if most >= LEAST_HITS and most > second else None


# There are as many groups of languages as scripts.
@lru_cache(maxsize=64)
def _languages_having(languages: tuple[str, ...]) -> dict[str, list[str]]:
    """For each stop word, which of the languages have it."""
    found: dict[str, list[str]] = {}
    for language in languages:
        for word in stop_words(language):
            found.setdefault(word, []).append(language)
    return found
