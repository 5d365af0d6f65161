"""Probes of a form, and what their answers say."""

from __future__ import annotations

from typing import Literal

import msgspec

# Why a probe is made. The first ones show what a form does with words; `sample` measures coverage.
ChosenBy = Literal[
    "page", "opensearch", "suggestions", "nonsense", "empty", "stop", "letter", "both", "typo",
    "word", "option", "range", "pair", "sample", "mapping", "canary", "detail", "redirect", "robots",
]  # fmt: skip
# Requests that others bring with them: they count, and nothing is read of them.
BROUGHT: frozenset[ChosenBy] = frozenset({"redirect", "robots"})
# Requests that submit nothing: the form's page, what it says of words, records' own pages.
BESIDE: frozenset[ChosenBy] = BROUGHT | {"page", "opensearch", "suggestions", "detail"}
AnswerKind = Literal["results", "none", "error", "same", "refused"]


class Probe(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One request of a form: the inputs that are set, and which page of the answer."""

    inputs: dict[str, str] = {}
    chosen_by: ChosenBy
    page: int = 1
    url: str = ""  # of a further page, as the one before names it; of a detail page
    # Of a canary: the same words are submitted again. Of what a probe brought with it: which one did.
    number: int = 0

    @property
    def query(self) -> str:
        """The same for all pages of one answer."""
        told = "&".join(f"{name}={value}" for name, value in sorted(self.inputs.items()) if value)
        return f"{told}#{self.number}" if self.number else told

    @property
    def key(self) -> str:
        """Probes with one key are one probe: it is made once."""
        if self.chosen_by in BESIDE:
            told = f"{self.chosen_by} {self.url}"
            return f"{told}#{self.number}" if self.number else told
        return f"{self.query}|{self.page}"

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(word for value in self.inputs.values() for word in value.split())


class ProbedInput(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An input that can be set: text, one of several values, or a range with two names."""

    name: str
    kind: Literal["text", "option", "range"]
    label: str = ""
    values: tuple[str, ...] = ()
    # What people see for each of these.
    texts: tuple[str, ...] = ()
    until: str = ""
    low: float | None = None
    high: float | None = None
    # What is sent while other inputs are tried; None: nothing at all.
    unset: str | None = ""


class ProbedRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What probing needs to know of a record."""

    key: str
    words: frozenset[str] = frozenset()
    # By the names of columns; numbers where the column has them.
    values: dict[str, tuple[str, ...]] = {}
    numbers: dict[str, float] = {}
    column_words: dict[str, frozenset[str]] = {}

    def columns_of(self, word: str) -> list[str]:
        """The columns in which a word stands."""
        return [name for name, words in self.column_words.items() if word in words]


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a probe."""

    probe: Probe
    kind: AnswerKind
    records: tuple[ProbedRecord, ...] = ()
    total: int | None = None  # as the page claims
    next_url: str = ""


class FormBehaviour(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a form does with words, as its first answers showed; None: not known."""

    echoes: bool | None = None
    empty_all: bool | None = None
    stop_words: bool | None = None
    letters: bool | None = None
    operator: Literal["and", "or", ""] = ""
    forgives: bool | None = None
    invents: bool = False  # nonsense finds records: words say nothing
    page_size: int = 0
    tells_total: bool = False


class FormPlan(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A form that may be asked: where to, what is always sent, and what can be set."""

    action: str
    method: str = "GET"
    always: dict[str, str] = {}
    inputs: tuple[ProbedInput, ...] = ()
    # Check boxes as the page has them: several may have one name.
    checked: tuple[tuple[str, str], ...] = ()
