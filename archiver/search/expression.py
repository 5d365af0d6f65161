"""From what is asked to an expression of FTS5: every word is quoted, so that nothing typed is its syntax."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.languages import base_language
from archiver.documents.pages.words import normal
from archiver.search.folding import names_of, pairs, runs_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from archiver.search.query import Query, QueryTerm

# In every row: what is left where only words are named that must not be there.
ANYTHING = "anything"


def channel_tag(number: int) -> str:
    return f"channel{number}" if number >= 0 else f"scope{-number}"


def kind_tag(kind: str) -> str:
    return f"kind{kind}"


def change_tag(change: str) -> str:
    return f"change{change}"


def language_tags(language: str | None) -> list[str]:
    """Of `pt-BR`, one for the language and one for how it is written there."""
    base = base_language(language)
    if base is None:
        return []
    whole = "".join(filter(str.isalnum, normal(language or "")))
    return list(dict.fromkeys((f"language{base}", f"language{whole}")))


def expression(
    query: Query, tags: Iterable[Sequence[str]] = (), *, author: str = "", category: str = ""
) -> str:
    """For MATCH; empty where nothing is asked of the text. Of each group of tags, one has to be there."""
    parts = [_any(map(_term, group)) for group in query.groups]
    parts += [f"tags : {_any(map(_quoted, group))}" for group in tags]
    parts += [
        f"{column} : {_named(name)}"
        for column, name in (("authors", author), ("categories", category))
        if name
    ]
    if query.without and not parts:
        parts = [f"tags : {_quoted(ANYTHING)}"]
    found = " AND ".join(parts)
    return f"({found}) NOT {_any(map(_term, query.without))}" if query.without else found


def is_nameable(name: str) -> bool:
    """Whether there is anything in a name that can be looked for."""
    return bool(names_of(name))


def _any(parts: Iterable[str]) -> str:
    return f"({' OR '.join(parts)})"


def _term(term: QueryTerm) -> str:
    parts = [f"grams : {_run(run)}" for run in term.runs]
    if term.words:
        beginning = " *" if term.is_beginning else ""
        parts.append(f"{{title text}} : {_quoted(' '.join(term.words))}{beginning}")
    return f"({' AND '.join(parts)})"


def _run(run: str) -> str:
    if len(run) == 1:
        return f"{_quoted(run)} *"
    # Its last character begins another pair in the text, or ends a run.
    return _quoted(pairs(run).rpartition(" ")[0])


def _named(name: str) -> str:
    """A name by some of its words, in order; the beginning of one that is written without spaces."""
    beginning = " *" if runs_of(name) else ""
    return f"{_quoted(' '.join(names_of(name)))}{beginning}"


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
