"""Words to submit that come from elsewhere: a file, the archive's own articles, an ontology."""

from __future__ import annotations

from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.forms.words import words_in
from archiver.documents.pages.words import stop_words
from archiver.errors import ConfigurationError, advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from archiver.acquisition.forms.model import FormPlan
    from archiver.documents.pages.forms.description import WordPlaces

# Of a source: the most frequent ones. Guess.
_MOST_WORDS = 1000
_SHORTEST = 4
_MOST_ARTICLES = 20_000
_MOST_FACTS = 500_000


class _Titled(msgspec.Struct, frozen=True):
    title: str | None = None
    language: str | None = None


def words_from_elsewhere(
    said: WordPlaces, of_file: Iterable[str], ontology: Path | None, objects: Path
) -> dict[str, str]:
    """Words, each with where it comes from: the first of file, ontology and archive that has it."""
    found = dict.fromkeys(of_file, "file")
    if "ontology" in said.sources and ontology is not None:
        found = dict.fromkeys(_frequent(_literals(ontology)), "ontology") | found
    if "archive" in said.sources:
        found = dict.fromkeys(_frequent(_titles(objects)), "archive") | found
    return found


def _frequent(texts: Iterable[tuple[str, str]]) -> list[str]:
    """The words that most of these texts have, each text with its language; stop words are none."""
    counts: Counter[str] = Counter()
    stops: dict[str, frozenset[str]] = {}
    for text, language in texts:
        stop = stops.setdefault(language, stop_words(language) if language not in stops else frozenset())
        counts.update({word for word in words_in(text) if len(word) >= _SHORTEST and word not in stop})
    return [word for word, _ in counts.most_common(_MOST_WORDS)]


def _literals(ontology: Path) -> Iterator[tuple[str, str]]:
    from archiver.records.alignment.reading import RdfFile  # noqa: PLC0415 - needs an extra

    try:
        for fact in islice(RdfFile(ontology), _MOST_FACTS):
            if fact.literal:
                yield fact.literal, "en"
    except (OSError, SyntaxError) as error:
        advice = advice_on(error) if isinstance(error, OSError) else f": {error}"
        raise ConfigurationError(f"{ontology} cannot be read{advice}") from error


def _titles(objects: Path) -> Iterator[tuple[str, str]]:
    """Of the archive's articles, the latest files first."""
    return islice(_all_titles(objects), _MOST_ARTICLES)


def _all_titles(objects: Path) -> Iterator[tuple[str, str]]:
    decoder = msgspec.json.Decoder(_Titled)
    for path in sorted(objects.glob("articles-*.jsonl"), reverse=True):
        with path.open("rb") as file:
            for line in file:
                try:
                    one = decoder.decode(line)
                except msgspec.DecodeError:
                    continue  # a line that is being written
                if one.title:
                    yield one.title, (one.language or "")[:2]


def by_source(words: Mapping[str, str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for word, source in words.items():
        found.setdefault(source, []).append(word)
    return found


def option_words(plan: FormPlan) -> dict[str, str]:
    """Words of what can be chosen."""
    texts = [text for field in plan.inputs for text in field.texts]
    return {word: "options" for text in texts for word in words_in(text) if len(word) > 2}
