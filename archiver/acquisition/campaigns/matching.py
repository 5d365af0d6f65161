"""What a definition asks for, found in the text of a page: keywords, names, groups, time and language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.definition import NARROWER, Definition
from archiver.acquisition.campaigns.signals import Signals
from archiver.acquisition.campaigns.words import word_ids
from archiver.documents.pages.languages import base_language

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import date

# What a title and a heading say counts more than a text does, and a word that is repeated less each time.
_TITLE, _HEADING, _SATURATION = 3.0, 2.0, 1.2
# Terms of a usual article: what a much longer one says once counts less.
_USUAL_LENGTH = 400.0
# How sure a single keyword makes, said often enough: two make more so.
_ONE_KEYWORD = 0.7
# Words around a name in which what it needs is looked for.
_AROUND = 50
# An unknown day; a language that is unknown, or another one.
_NO_DAY, _NO_LANGUAGE, _OTHER_LANGUAGE = 0.6, 0.5, 0.15
_MOST_TOLD = 8
# The share of words that are sought from which a text is stuffed with them, and words that it must have.
_STUFFED, _LEAST_TEXT = 0.4, 40


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchedText:
    """The parts of a page that are looked through, in words of their language."""

    title: Sequence[int]
    headings: Sequence[int]
    text: Sequence[int]
    language: str | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """Something to be found by one of its forms."""

    name: str
    weight: float
    forms: tuple[tuple[int, ...], ...]
    # Forms that count only near these words.
    doubtful: tuple[tuple[int, ...], ...] = ()
    needs: frozenset[int] = frozenset()


class Matcher:
    """Finds what a definition asks for; made once for each language."""

    def __init__(self, definition: Definition, narrower: Sequence[str], language: str | None) -> None:
        self._definition = definition
        self._language = language
        self._narrower = narrower

    def _forms(self, *texts: str) -> tuple[tuple[int, ...], ...]:
        """Each as the stems of this language; a word of another language may be written as it is."""
        found = {tuple(word_ids(text, self._language)) or tuple(word_ids(text, None)) for text in texts}
        return tuple(sorted(one for one in found if one))

    @cached_property
    def _keywords(self) -> tuple[_Wanted, ...]:
        said = [(one.term, float(one.weight), one.forms) for one in self._definition.keywords]
        said += [(term, NARROWER, ()) for term in self._narrower]
        return tuple(
            _Wanted(name=term, weight=weight, forms=self._forms(term, *forms)) for term, weight, forms in said
        )

    @cached_property
    def _entities(self) -> tuple[_Wanted, ...]:
        return tuple(
            _Wanted(
                name=one.name,
                weight=float(one.weight),
                forms=self._forms(one.name, *(() if one.needs else one.also)),
                doubtful=self._forms(*one.also) if one.needs else (),
                needs=frozenset(word for text in one.needs for word in word_ids(text, self._language)),
            )
            for one in self._definition.entities
        )

    @cached_property
    def said(self) -> dict[int, float]:
        """The words of the definition with their weights; those of its description count little."""
        found: dict[int, float] = dict.fromkeys(word_ids(self._definition.about, self._language), 0.3)
        most = max((one.weight for one in (*self._keywords, *self._entities)), default=1.0)
        for one in (*self._keywords, *self._entities):
            for form in one.forms:
                for word in form:
                    share = one.weight / most / len(form)
                    found[word] = max(found.get(word, 0.0), share)
        return found

    def signals(self, page: MatchedText) -> Signals:
        """What a page says for its relevance; likeness to examples is not known here."""
        definition = self._definition
        keywords = {one.name: self._weighed(page, one) for one in self._keywords}
        entities = {one.name: self._weighed(page, one) for one in self._entities}
        both = keywords | entities
        best = sorted((name for name in both if both[name] > 0), key=lambda name: -both[name])
        return Signals(
            keywords=_one_of_many(keywords, _ONE_KEYWORD) if keywords else None,
            entities=_one_of_many(entities, 1.0) if entities else None,
            time=self._time(page.day) if definition.time else None,
            language=self._spoken(page.language) if definition.languages else None,
            missing=tuple(self._missing(page)),
            excluded=self._excluded(page),
            is_stuffed=self._is_stuffed(page),
            found=tuple(best[:_MOST_TOLD]),
        )

    def _weighed(self, page: MatchedText, wanted: _Wanted) -> float:
        """How much of something a page says, between 0 and 1, by its share of the greatest weight."""
        count = _TITLE * _count(page.title, wanted.forms) + _HEADING * _count(page.headings, wanted.forms)
        count += _count(page.text, wanted.forms) + _count_near(page.text, wanted.doubtful, wanted.needs)
        count /= 0.25 + 0.75 * max(1.0, len(page.text) / _USUAL_LENGTH)
        most = max(one.weight for one in (*self._keywords, *self._entities))
        return wanted.weight / most * count / (count + _SATURATION)

    def _is_stuffed(self, page: MatchedText) -> bool:
        """Whether a text says little but what is sought; that of an article is a few hundredths of it."""
        if len(page.text) < _LEAST_TEXT:
            return False
        sought = {word for one in (*self._keywords, *self._entities) for form in one.forms for word in form}
        return sum(word in sought for word in page.text) > _STUFFED * len(page.text)

    def _missing(self, page: MatchedText) -> Iterator[str]:
        for group in self._definition.all_of:
            forms = self._forms(*group)
            if not any(_count(part, forms) for part in (page.title, page.headings, page.text)):
                yield " or ".join(group)

    def _excluded(self, page: MatchedText) -> str:
        for word in self._definition.none_of:
            if any(_count(part, self._forms(word)) for part in (page.title, page.headings, page.text)):
                return word
        if self._definition.strict_languages and self._spoken(page.language) == _OTHER_LANGUAGE:
            return page.language or ""
        return ""

    def _time(self, day: date | None) -> float:
        span = self._definition.time
        if day is None or span is None:
            return _NO_DAY
        before = (span.begin - day).days if span.begin else 0
        after = (day - span.end).days if span.end else 0
        days = max(before, after, 0)
        return float(2 ** (-days / max(1, span.fade.days)))

    def _spoken(self, language: str | None) -> float:
        if language is None:
            return _NO_LANGUAGE
        listed = {base_language(one) for one in self._definition.languages}
        return 1.0 if base_language(language) in listed else _OTHER_LANGUAGE


def _one_of_many(found: Mapping[str, float], sure: float) -> float:
    """One is much, several are more, and a longer list of what is sought makes no page less relevant."""
    left = 1.0
    for value in found.values():
        left *= 1 - sure * min(1.0, value)
    return 1 - left


def _places(words: Sequence[int], form: tuple[int, ...]) -> Iterator[int]:
    first, size = form[0], len(form)
    for place, word in enumerate(words):
        if word == first and (size == 1 or tuple(words[place : place + size]) == form):
            yield place


def _count(words: Sequence[int], forms: Sequence[tuple[int, ...]]) -> int:
    return sum(1 for form in forms for _ in _places(words, form)) if words else 0


def _count_near(words: Sequence[int], forms: Sequence[tuple[int, ...]], needs: frozenset[int]) -> int:
    """How often one of the forms stands near one of the words that it needs."""
    return sum(
        not needs.isdisjoint(words[max(0, place - _AROUND) : place + _AROUND])
        for form in forms
        for place in _places(words, form)
    )
