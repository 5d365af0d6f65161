"""The description of a form that people edit: `forms/NAME.yaml`."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING, Literal, NewType, cast

import msgspec
import yaml

from archiver.documents.expressions.model import Expression
from archiver.documents.expressions.parsing import parse
from archiver.documents.nearest import did_you_mean
from archiver.documents.yaml_values.nodes import FileFlaw
from archiver.documents.yaml_values.structs import YamlRead, read_yaml
from archiver.errors import ConfigurationError, FileFlaws, advice_on
from archiver.lexicon.vocabularies import PREFIXES
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

# A time, written as 5s, 30m, 12h, 1d or 2w.
Wait = NewType("Wait", timedelta)
# A part of all, above 0 and up to 1.
Share = NewType("Share", float)
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
# A century, in seconds: far later there are no dates any more.
_LONGEST_WAIT, _MOST_DIGITS = 36_525 * 86400, 10
_NAME = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
_LONGEST_NAME = 60
_ATTRIBUTE = re.compile(r"[^\W_][\w-]{0,59}")
# What makes two records one, beside names of attributes: the address of the record's own page.
DETAIL_URL = "detail_url"
_MOST_JOINS = 2
# RFC 3987: what names may have behind their scheme.
_OF_IRIS = r"(?:[\w\-.~:/?@!$&'()*+,;=]|%[0-9A-Fa-f]{2})"
_IRI = re.compile(rf"(?:https?://[\w.-]+(?::\d+)?(?=[/?#]|$)|urn:(?=.)){_OF_IRIS}*(?:#{_OF_IRIS}*)?")
_LOCAL_NAME = re.compile(rf"{_OF_IRIS}+")
_KINDS = ("text", "option", "flag", "range", "date", "hidden", "trap", "submit")

InputType = Literal["", "year", "number", "date", "price"]
WordSource = Literal["options", "page", "archive", "ontology", "suggestions"]


class SelectedForm(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which form of the page is meant."""

    number: int = 1
    path: str = ""  # an expression that leads to it


class DescribedInput(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"low": "from", "high": "to"},
):
    """What is known of an input, and what is to be done with it."""

    kind: str
    label: str = ""
    values: tuple[str, ...] = ()
    fixed: str | None = None  # always sent so
    use: bool | None = None  # whether its values are tried one by one; None: as it shows
    keep: bool = False  # sent as it stands on the page
    until: str = ""  # of a range: the name of its upper end
    type: InputType = ""
    low: int | None = None
    high: int | None = None


class WordPlaces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """Where words to submit come from; a file has one on each line, an ontology is an RDF file."""

    file: str = ""
    ontology: str = ""
    sources: tuple[WordSource, ...] = msgspec.field(default=("options", "page", "suggestions"), name="from")


class DescribedAnswer(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """How answers are read where that should not be learned."""

    none: str = ""  # words that stand on an answer without records
    record: Expression | None = None  # leads to each record
    next: Expression | None = None  # leads to the link to the next page


class DescribedAttribute(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """What people call an attribute that was learned under another name."""

    name: str = ""
    property: str = ""  # an IRI, or one with a known prefix: how RDF calls it
    many: bool | None = None  # whether a record may have several; None: as it was learned


class FollowedDetails(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """Whether records' own pages are fetched, and of which share of the records."""

    follow: bool = False
    share: Share = Share(1.0)


class FormBudget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What a form may be asked for."""

    requests: int = 2000
    per_day: int = 2000
    pages_a_query: int = 10
    # Between two requests; FORMS_DELAY is the least.
    delay: Wait | None = None


class DescribedAlignment(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"ontology": "with"},
):
    """What `scrapy forms align NAME` links records to, where its options do not say."""

    ontology: str = ""  # an RDF file, from the folder of the form's file
    joins: int | None = None  # steps of a relation, at most
    floor: Share | None = None


class FormDescription(
    msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True
):
    """A form as people write it down; see docs/forms.md."""

    form: str
    page: str
    method: str = "GET"
    allow_post: bool = False
    action: str = ""
    select: SelectedForm = SelectedForm()
    inputs: dict[str, DescribedInput] = {}
    words: WordPlaces = WordPlaces()
    answer: DescribedAnswer = DescribedAnswer()
    attributes: dict[str, DescribedAttribute] = {}
    key: tuple[str, ...] = ()  # what makes two records one; else it is inferred
    detail: FollowedDetails = FollowedDetails()
    budget: FormBudget = FormBudget()
    align: DescribedAlignment = DescribedAlignment()
    every: Wait | None = None


def written(expression: Expression | None) -> str:
    """The text of an expression; empty where there is none."""
    return "" if expression is None else expression.text


def form_as_yaml(description: FormDescription) -> str:
    plain = msgspec.to_builtins(description)
    return str(yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=110))


def load_form(path: Path) -> tuple[FormDescription, str]:
    """The description in a file, and its text; ConfigurationError or FileFlaws where it cannot be used."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}{advice_on(error)}") from error
    return read_form(content, str(path)), content.decode("utf-8-sig")


def read_form(content: bytes, file: str) -> FormDescription:
    """The description in a text; FileFlaws, with place and advice, where it cannot be used."""
    read = read_yaml(content, file, FormDescription, _readers())
    flaws = list(_wrong_in(read))
    if flaws:
        raise FileFlaws(flaws)
    return read.value


def _readers() -> Mapping[type, Callable[[str], object]]:
    return cast("Mapping[type, Callable[[str], object]]", {Wait: _wait, Share: _share, Expression: parse})


def _wait(text: str) -> Wait:
    number, unit = text.strip()[:-1], text.strip()[-1:]
    if unit not in _UNITS or not number.isdecimal():
        raise ValueError(f"{text} is not a time: write a number with s, m, h, d or w, such as 5s or 1d")
    if len(number) > _MOST_DIGITS or int(number) * _UNITS[unit] > _LONGEST_WAIT:
        raise ValueError(f"{text} is too long: write at most 36525d, which is a century")
    return Wait(timedelta(seconds=int(number) * _UNITS[unit]))


def _share(text: str) -> Share:
    try:
        share = float(text)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise ValueError(f"{text} is not a share: write a number up to 1, such as 0.3")
    return Share(share)


def _wrong_in(read: YamlRead[FormDescription]) -> Iterator[FileFlaw]:
    said = read.value

    def flaw(key: str, message: str, advice: str = "") -> FileFlaw:
        return FileFlaw(place=read.place(said, key), message=message, suggestion=advice)

    if not said.form or set(said.form) - _NAME or len(said.form) > _LONGEST_NAME:
        yield flaw("form", f"{said.form} is not a name", "use a-z, 0-9 and hyphens, at most 60 characters")
    if not is_web(said.page):
        yield flaw("page", f"{said.page} is not a web address")
    if said.method.upper() not in {"GET", "POST"}:
        yield flaw("method", f"{said.method} is not a method of forms", "write GET")
    for name, field in said.inputs.items():
        if field.kind not in _KINDS:
            yield flaw("inputs", f"{name}: {field.kind} is not a kind of input", f"use {', '.join(_KINDS)}")
    for key, message, advice in (*_wrong_numbers(said), *_wrong_attributes(said.attributes)):
        yield flaw(key, message, advice)
    yield from _wrong_key(read)
    if said.align.joins is not None and not 1 <= said.align.joins <= _MOST_JOINS:
        place, told = read.place(said.align, "joins"), f"{said.align.joins} is not possible here"
        yield FileFlaw(place=place, message=told, suggestion="write 1 or 2")


def _wrong_numbers(said: FormDescription) -> Iterator[tuple[str, str, str]]:
    for name in ("requests", "per_day", "pages_a_query"):
        if getattr(said.budget, name) < 1:
            yield "budget", f"{name} is too small", "write 1 or more"


def _wrong_attributes(said: Mapping[str, DescribedAttribute]) -> Iterator[tuple[str, str, str]]:
    told: dict[str, str] = {}
    for learned, one in said.items():
        name = one.name or learned
        if not _ATTRIBUTE.fullmatch(name):
            advice = "use letters, digits and hyphens"
            yield "attributes", f"{learned}: {name} is not a name of an attribute", advice
        if name in told:
            advice = "give each a name of its own"
            yield "attributes", f"{told[name]} and {learned} are both called {name}", advice
        told[name] = learned
        if one.property and not is_property(one.property):
            known = ", ".join(PREFIXES)
            yield (
                "attributes",
                f"{learned}: {one.property} is not a property",
                f"write an address, or a name with one of the prefixes {known}",
            )


def _wrong_key(read: YamlRead[FormDescription]) -> Iterator[FileFlaw]:
    said = read.value
    known = [DETAIL_URL, *said.attributes, *(one.name for one in said.attributes.values() if one.name)]
    for number, name in enumerate(said.key):
        place = read.place(said, "key", number)
        if name in said.key[:number]:
            yield FileFlaw(place=place, message=f"{name} stands here twice", suggestion="leave one out")
        elif not _ATTRIBUTE.fullmatch(name):
            advice = did_you_mean(name, known) or f"write {DETAIL_URL} or names of attributes"
            yield FileFlaw(place=place, message=f"{name} is not a name of an attribute", suggestion=advice)
        elif name not in known and did_you_mean(name, [DETAIL_URL]):
            advice = did_you_mean(name, [DETAIL_URL])
            yield FileFlaw(place=place, message=f"{name} is not what records have", suggestion=advice)


def is_property(text: str) -> bool:
    """True for an IRI, or for a name with a prefix that is known."""
    prefix, _, name = text.partition(":")
    return bool(_IRI.fullmatch(text)) or (prefix in PREFIXES and bool(_LOCAL_NAME.fullmatch(name)))
