"""Examples that rules are induced from, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.errors import ArchiverError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.expressions.document import VirtualDocument
    from archiver.fields.model import Field, FieldRule


class ValueNotOnPageError(ArchiverError):
    """An example's value does not stand on its page."""

    def __init__(self, url: str, value: str, nearest: Sequence[str]) -> None:
        self.url = url
        self.value = value
        self.nearest = tuple(nearest)
        told = "".join(f"\n  {one}" for one in nearest)
        super().__init__(f"{value!r} is not on {url}" + (f"; the nearest texts there:{told}" if told else ""))


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamplePage:
    """A page with a value that a person found there, or the element that they pointed at."""

    document: VirtualDocument
    value: str = ""
    # Of a field of many values: all of them. Of another: texts of which each is right.
    values: tuple[str, ...] = ()
    node: Element | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one for one in (self.value, *self.values) if one.strip()))


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRule:
    """A rule with what speaks for it."""

    rule: FieldRule
    score: float
    # How easily it breaks: see costs.py.
    cost: float
    # On the examples.
    f1: float
    # The share of the other pages where it finds a value, and how much these look like the examples.
    fill: float
    typed: float
    # What it finds on the examples' pages and then on the others, as text; empty where nothing.
    found: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleQuestion:
    """A page where the best rule and one that is about as good find different values."""

    url: str
    first: str
    second: str
    # Their places among the ranked.
    rules: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Induced:
    """Rules for a field, best first."""

    # With its type and with the chosen rules, which share no condition.
    field: Field
    ranked: tuple[RankedRule, ...]
    chosen: tuple[RankedRule, ...]
    question: RuleQuestion | None = None
    # Of the examples, those that rule 1 does not find.
    missed: tuple[str, ...] = ()
