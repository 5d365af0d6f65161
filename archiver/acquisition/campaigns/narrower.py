"""Narrower terms from a SKOS file: what a thesaurus puts below the words of a campaign."""

from __future__ import annotations

from collections import defaultdict
from importlib.util import find_spec
from typing import TYPE_CHECKING

from archiver.documents.pages.languages import base_language
from archiver.documents.pages.words import normal
from archiver.errors import ConfigurationError, advice_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from pyoxigraph import Quad

_SKOS = "http://www.w3.org/2004/02/skos/core#"
_LABELS = {f"{_SKOS}{name}" for name in ("prefLabel", "altLabel", "hiddenLabel")}
_DOWN = {f"{_SKOS}{name}" for name in ("narrower", "narrowerTransitive")}
_UP = {f"{_SKOS}{name}" for name in ("broader", "broaderTransitive")}
# Files of thesauri have hundreds of megabytes; a part of one is a file of its own.
MOST_BYTES = 64 * 1024 * 1024
MOST_TERMS = 10_000


def narrower_terms(path: Path, words: Sequence[str], languages: Sequence[str]) -> list[str]:
    """The labels of all concepts below those that have one of these words as a label."""
    labels: dict[str, list[tuple[str, str]]] = defaultdict(list)
    below: dict[str, set[str]] = defaultdict(set)
    for quad in _statements(path):
        subject, name, thing = str(quad.subject), quad.predicate.value, quad.object
        if name in _LABELS:
            text, language = getattr(thing, "value", ""), getattr(thing, "language", None)
            labels[subject].append((text, base_language(language) or ""))
        elif name in _DOWN:
            below[subject].add(str(thing))
        elif name in _UP:
            below[str(thing)].add(subject)
    wanted = {normal(word) for word in words}
    tops = {one for one, said in labels.items() if any(normal(text) in wanted for text, _ in said)}
    if not tops:
        raise ConfigurationError(f"{path} has no concept that is labelled like a keyword")
    allowed = {base_language(language) for language in languages}
    found = [
        text
        for concept in sorted(_all_below(tops, below) - tops)
        for text, language in labels[concept]
        if not allowed or not language or language in allowed
    ]
    unlike = dict.fromkeys(text for text in found if normal(text) not in wanted)
    return list(unlike)[:MOST_TERMS]


def _all_below(tops: Iterable[str], below: dict[str, set[str]]) -> set[str]:
    """A thesaurus may have circles."""
    found: set[str] = set()
    waiting = list(tops)
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += below.get(one, ())
    return found


def _statements(path: Path) -> Iterable[Quad]:
    if find_spec("pyoxigraph") is None:
        raise ConfigurationError('Narrower terms need pyoxigraph: pip install "archiver[rdf]"')
    from pyoxigraph import RdfFormat, parse  # noqa: PLC0415 - of the extra `rdf`

    form = RdfFormat.from_extension(path.suffix.removeprefix(".").replace("skos", "rdf"))
    if form is None:
        raise ConfigurationError(f"{path.name} is not RDF by its name: use .ttl, .nt, .rdf or .jsonld")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigurationError(f"{path} has more than {MOST_BYTES} bytes: use a part of it")
        return list(parse(path=str(path), format=form, base_iri="urn:skos:"))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}{advice_on(error)}") from error
    except ValueError as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from error
    except SyntaxError as error:
        raise ConfigurationError(f"{path} is not RDF: {error.msg}") from error
