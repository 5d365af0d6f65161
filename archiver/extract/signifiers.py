"""The words that point at the article: keywords and n-grams of what the feed said of a page."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from math import log
from typing import TYPE_CHECKING, TypeVar

import snowballstemmer
import stopwordsiso

from archiver.extract.text import plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from archiver.extract.model import Announcement

N = 3  # the paper's compromise between false positives and false negatives
MOST_KEYWORDS = 20
MOST_WORDS = 400  # a feed may carry whole articles; their beginning says enough
# What stands in half of the channel's texts or more says nothing of one page. Two texts prove nothing yet.
LEAST_IDF = log(2)
LEAST_OTHERS = 2

# Scripts written without spaces, and Hangul, whose endings vary: one character is one token.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])"
)
# `\w` leaves out the vowel signs that many scripts write as characters of their own.
_MARKS = "".join(c for c in map(chr, range(0x300, 0xFFFF)) if unicodedata.category(c) in ("Mn", "Mc"))
_WORD = re.compile(rf"[\w{_MARKS}]+")

_STEMMERS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque",
    "fa": "persian", "fi": "finnish", "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian",
    "hy": "armenian", "id": "indonesian", "it": "italian", "lt": "lithuanian", "nb": "norwegian",
    "ne": "nepali", "nl": "dutch", "nn": "norwegian", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

Gram = tuple[str, ...]
Term = TypeVar("Term", str, Gram)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signifiers:
    """What to look for on one page."""

    ngrams: frozenset[Gram]
    keywords: tuple[str, ...]
    language: str | None

    def __bool__(self) -> bool:
        return bool(self.keywords or self.ngrams)


def signifiers_of(announcement: Announcement, page_language: str | None = None) -> Signifiers:
    """The signifiers of title and description; what recurs over the channel is left out."""
    language = base_language(announcement.language or page_language)
    described = announcement.summary or announcement.content or ""
    parts = [words_of(announcement.title or ""), words_of(described)[:MOST_WORDS]]
    others = [words_of(other) for other in announcement.other_summaries]
    grams = Counter(gram for words in parts for gram in ngrams(words))
    terms = Counter(term for words in parts for term in keywords(words, language))
    return Signifiers(
        ngrams=frozenset(_telling(grams, [set(ngrams(words)) for words in others])),
        keywords=tuple(_telling(terms, [set(keywords(words, language)) for words in others])[:MOST_KEYWORDS]),
        language=language,
    )


def base_language(tag: str | None) -> str | None:
    """The language of a tag such as `en-GB` or `pt_BR`."""
    language = re.split(r"[-_]", tag or "")[0].strip().lower()
    return language if 2 <= len(language) <= 3 and language.isalpha() else None


def tokens(text: str) -> list[str]:
    """The words of a text in any script, in lower case."""
    if not text.isascii():
        text = _UNSPACED.sub(r" \1 ", unicodedata.normalize("NFKC", text))
    return _WORD.findall(text.lower())


@lru_cache(maxsize=4096)  # the same summaries are the others of every entry of a channel
def words_of(markup: str) -> tuple[str, ...]:
    return tuple(tokens(plain(markup)))


def ngrams(words: Sequence[str], n: int = N) -> Iterable[Gram]:
    return zip(*(words[i:] for i in range(n)), strict=False)


def keywords(words: Iterable[str], language: str | None) -> Iterable[str]:
    """The stems of the words that mean something."""
    stop, stem = stop_words(language), stemmer(language)
    return (stem(word) for word in words if word not in stop and _tells(word))


def _tells(word: str) -> bool:
    # A letter alone is left over from an elision or an initial; a Chinese character is a word.
    return len(word) > 1 or bool(_UNSPACED.match(word))


def _telling(counts: Mapping[Term, int], others: Sequence[set[Term]]) -> list[Term]:
    """The terms by falling tf-idf, the first written first among equals, without those that recur."""
    idf = {term: log((len(others) + 1) / (1 + sum(term in other for other in others))) for term in counts}
    if len(others) < LEAST_OTHERS:
        return sorted(counts, key=lambda term: -counts[term])
    telling = [term for term in counts if idf[term] >= LEAST_IDF]
    return sorted(telling, key=lambda term: -counts[term] * idf[term])


@lru_cache(maxsize=64)
def stop_words(language: str | None) -> frozenset[str]:
    known = language if language in stopwordsiso.langs() else None
    return frozenset(stopwordsiso.stopwords(known)) if known else frozenset()


@lru_cache(maxsize=64)
def stemmer(language: str | None) -> Callable[[str], str]:
    """A function from a word to its stem, the word itself if the language is unknown."""
    name = _STEMMERS.get(language or "")
    if name is None:
        return str
    return lru_cache(maxsize=200_000)(snowballstemmer.stemmer(name).stemWord)
