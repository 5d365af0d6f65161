"""Marks that a person made on archived pages, and what they lead to, as the marking view tells it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from archiver.fields.checks import FIELD_NAME
from archiver.fields.model import FieldExample, FieldScope, FieldType  # noqa: TC001 - read at run time
from archiver.urls import LONGEST_URL

# What a mark stands for: a value, a record of a list, a link to the next page or to a record's own page, or
# what is to be set in a form.
MarkKind = Literal["field", "record", "next", "detail", "input"]
LONGEST_INPUT = 100
FIELD_PATTERN = f"^{FIELD_NAME.pattern}$"
LONGEST_VALUE = 500


class FieldMark(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An example that a person gave: on this page, that is the value of the field."""

    field: Annotated[str, msgspec.Meta(pattern=FIELD_PATTERN)]
    url: Annotated[str, msgspec.Meta(min_length=1, max_length=LONGEST_URL)]
    # The second of the capture; without one, the nearest to that of the page that is shown.
    at: Annotated[str, msgspec.Meta(pattern=r"^([0-9]{14})?$")] = ""
    # The number of the element that was pointed at; without one, the value is looked for.
    node: Annotated[int, msgspec.Meta(ge=0, le=10_000_000)] | None = None
    # The attribute of the element that is meant; empty: its text.
    of: Annotated[str, msgspec.Meta(pattern=r"^([a-z][a-z0-9-]{0,39})?$")] = ""
    # The part of the text that is meant; empty: all of it.
    value: Annotated[str, msgspec.Meta(max_length=LONGEST_VALUE)] = ""
    # Empty: it is guessed from the values.
    type: FieldType | None = None
    many: bool = False
    kind: MarkKind = "field"
    # Of the kind `input`: the name of the input, which gets the value.
    input: Annotated[str, msgspec.Meta(max_length=LONGEST_INPUT)] = ""


class DraftPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page with marks, and what a person said of the wrapper that they are for."""

    url: str
    # The second of its capture.
    at: str
    marks: tuple[FieldMark, ...] = ()
    name: str = ""
    # The name of a choice of scopes.
    scope: str = ""
    # Whether pages without an article become objects; None: as the file says.
    objects: bool | None = None
    # The file of this name as it is; empty: there is none.
    file: str = ""


class RuleTold(msgspec.Struct, frozen=True, kw_only=True):
    """A rule that was found: as the file has it, and in words."""

    rule: str
    words: str
    # Of the induction; the first has the highest.
    score: float | None = None
    # The share of the pages like this one on which it finds something; of a rule of the file, unknown.
    fill: float | None = None


class FieldQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A page on which two rules that are right so far give two values: which of them is meant?"""

    url: str
    at: str
    values: tuple[str, ...]


class FieldTold(msgspec.Struct, frozen=True, kw_only=True):
    """What the marks of a field lead to."""

    field: str
    type: FieldType
    many: bool
    required: bool
    marks: tuple[FieldMark, ...]
    # Values that the file names, with their pages.
    examples: tuple[FieldExample, ...] = ()
    rules: tuple[RuleTold, ...] = ()
    # On the page that is shown: what is found there, and where.
    values: tuple[str, ...] = ()
    nodes: tuple[int, ...] = ()
    # Of so many pages that were looked at, so many have a value, and so many one that reads as the type.
    pages: int = 0
    filled: int = 0
    typed: int = 0
    question: FieldQuestion | None = None
    # In words, where the marks lead to nothing.
    problem: str = ""


class ListFieldTold(msgspec.Struct, frozen=True, kw_only=True):
    """A value of each record of a list."""

    field: str
    type: FieldType
    rule: str
    # Records of the page that have it, and what the first ones have.
    filled: int
    values: tuple[str, ...]


class ListPageTold(msgspec.Struct, frozen=True, kw_only=True):
    """What a list gives on an archived page."""

    url: str
    at: str
    records: int
    first: dict[str, str]
    # Where it goes on, and how many records have a page of their own.
    next: str
    details: int


class ListTold(msgspec.Struct, frozen=True, kw_only=True):
    """What marks of a list lead to, replayed over up to three pages."""

    record: str = ""
    each: str = ""
    marks: tuple[FieldMark, ...] = ()
    nodes: tuple[int, ...] = ()
    # Elements beside the records, made like them, that the expression leaves out.
    left_out: int = 0
    fields: tuple[ListFieldTold, ...] = ()
    following: str = ""
    detail: str = ""
    form: str = ""
    inputs: dict[str, str] = {}
    pages: tuple[ListPageTold, ...] = ()
    problem: str = ""


class SiblingTold(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the same template, and what is found there for each field."""

    url: str
    at: str
    title: str
    values: dict[str, tuple[str, ...]]
    nodes: dict[str, tuple[int, ...]]


class ScopeChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Pages that the wrapper could be for, in words."""

    name: str
    words: str
    scope: FieldScope


class MarksTried(msgspec.Struct, frozen=True, kw_only=True):
    """What the marks lead to, on their pages and on pages like these."""

    url: str
    at: str
    title: str
    fields: tuple[FieldTold, ...] = ()
    siblings: tuple[SiblingTold, ...] = ()
    # The first fits best.
    scopes: tuple[ScopeChoice, ...] = ()
    # Whether pages without an article become objects, too.
    objects: bool = False
    # The list that was marked, or that the file has.
    listed: ListTold | None = None
    # Inputs of the page's GET forms, which can be set: their names and labels.
    inputs: dict[str, str] = {}
    # The wrapper as it would be saved, in YAML.
    file: str = ""
