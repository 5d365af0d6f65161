"""The words of a text in any script: tokens to compare texts by, and terms, which are what it is about.

- A token is a word in lower case. Where a script puts no spaces between words, and in Hangul, whose endings
  vary, it is one character.
- A term is the stem of a token that is no stop word, so that "ferries" is "ferry". One character says little,
  and so unspaced scripts give what stands for words there: pairs of characters in Han and Hangul, fours in
  the alphabets of Thai, Lao, Khmer and Burmese, a run of katakana as it is, and nothing for hiragana, which
  writes endings and particles.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_HAN = "\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_HANGUL = "\uac00-\ud7af"
_HIRAGANA = "\u3041-\u3096\u309d-\u309f"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30ff"
_THAI_AND_LAO = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e50-\u0e59\u0e80-\u0eff"
_THAI_TO_KHMER = _THAI_AND_LAO + "\u1000-\u1049\u1050-\u109f\u1780-\u17d3\u17d7\u17dc-\u17ff"
# Characters of scripts that put no spaces between words, as a class of a regular expression has them.
UNSPACED = _HAN + _HANGUL + _HIRAGANA + _KATAKANA + _THAI_TO_KHMER
# A token of a text that is ASCII alone: this pattern takes a third less time.
_ASCII_TOKEN = re.compile(r"\w+", re.ASCII)
_TYPOGRAPHY = "\u2019\u201c\u201d\u2018\u2013\u2014\u2026\xa0"
_ANY_UNSPACED = re.compile(f"[{UNSPACED}]")
PAIR, FOUR = 2, 4

# Written or left out at will: hints of where a line may break and which way it runs, the stroke that makes
# Arabic words longer, and the vowel points of Arabic and Hebrew.
_AT_WILL = re.compile(
    "[\u00ad\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670"
    "\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+"
)

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "ne": "nepali",
    "nl": "dutch", "no": "norwegian", "pl": "polish", "pt": "portuguese", "ro": "romanian",
    "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish", "ta": "tamil", "tr": "turkish",
    "yi": "yiddish",
}  # fmt: skip


@lru_cache(maxsize=1)
def spaced() -> str:
    """A word of a script with spaces, as a regular expression; made when asked for, since that takes long."""
    # `\w` leaves out the vowel signs that many scripts write as characters of their own.
    marks = "".join(c for c in map(chr, range(0x300, 0xFFFF)) if unicodedata.category(c) in ("Mn", "Mc"))
    return rf"[^\W{UNSPACED}]+(?:[{marks}]+[^\W{UNSPACED}]*)*"


@lru_cache(maxsize=1)
def _token() -> re.Pattern[str]:
    return re.compile(rf"{spaced()}|[{UNSPACED}]")


@lru_cache(maxsize=1)
def _term() -> re.Pattern[str]:
    return re.compile(
        rf"({spaced()})|([{_HAN}]+|[{_HANGUL}]+)|([{_THAI_TO_KHMER}]+)|([{_KATAKANA}]+)|[{_HIRAGANA}]+"
    )


def tokens(text: str) -> list[str]:
    """The words of a text in any script, in lower case."""
    if not text.isascii():
        # Where nothing else is beyond ASCII, as in most English texts, it is read in a third of the time.
        for mark in _TYPOGRAPHY:
            text = text.replace(mark, " ")
    return _ASCII_TOKEN.findall(text.lower()) if text.isascii() else _token().findall(normal(text))


def terms(text: str, language: str | None) -> list[str]:
    """What a text is about, in its order and as often as it is said."""
    text, stop, stem = normal(text), stop_words(language), stemmer(language)
    if text.isascii() or not _ANY_UNSPACED.search(text):
        # A letter alone is left over from an elision or an initial.
        return [stem(word) for word in _token().findall(text) if word not in stop and len(word) > 1]
    found: list[str] = []
    for word, pairs, fours, katakana in _term().findall(text):
        if word and len(word) > 1 and word not in stop:
            found.append(stem(word))
        elif pairs and pairs not in stop:
            found += [pair for pair in _grams(pairs, PAIR) if pair not in stop]
        elif fours and fours not in stop:
            found += [four for four in _grams(fours, FOUR) if four not in stop]
        elif katakana:
            found.append(katakana)
    return found


def phrases(text: str, language: str | None) -> list[list[tuple[str, str]]]:
    """Words that stand together, with nothing but spaces between them: each as its stem and as it is written.

    Stop words and punctuation part them. Of scripts without spaces, each pair or four stands alone.
    """
    text, stop, stem = normal(text), stop_words(language), stemmer(language)
    found: list[list[tuple[str, str]]] = [[]]
    end = 0
    for match in _term().finditer(text):
        if text[end : match.start()].strip(" "):
            found.append([])
        end = match.end()
        word = match[1]
        if word and len(word) > 1 and word not in stop:
            found[-1].append((stem(word), word))
        elif word:
            found.append([])
        else:
            grams = terms(match[0], language)
            found += [*([(gram, gram)] for gram in grams), []]
    return [phrase for phrase in found if phrase]


def _grams(run: str, size: int) -> list[str]:
    """Every so many characters that stand together; a run that is too short is one."""
    return [run[start : start + size] for start in range(max(1, len(run) - size + 1))]


def normal(text: str) -> str:
    """In lower case, and in the one form of all that look alike."""
    if not text.isascii():
        text = _AT_WILL.sub("", unicodedata.normalize("NFKC", text))
    return text.lower()


@lru_cache(maxsize=64)
def stop_words(language: str | None) -> frozenset[str]:
    """The words that say nothing of a page, as terms would have them: also the pairs and fours in them."""
    import stopwordsiso  # noqa: PLC0415 - reads a large file

    if language not in stopwordsiso.langs():
        return frozenset()
    words = {normal(word) for word in stopwordsiso.stopwords(language) if " " not in word}
    found = [_term().findall(word) for word in words]
    grams = {
        gram for runs in found for run in runs for gram in (*_grams(run[1], PAIR), *_grams(run[2], FOUR))
    }
    return frozenset(words | {run[0] for runs in found for run in runs} | grams)


@lru_cache(maxsize=64)
def stemmer(language: str | None) -> Callable[[str], str]:
    """A function from a word to its stem, the word itself if the language is unknown."""
    name = _STEMMERS.get(language or "")
    if name is None:
        return str
    import snowballstemmer  # noqa: PLC0415 - a search index needs words, and no stems

    return lru_cache(maxsize=200_000)(snowballstemmer.stemmer(name).stemWord)
