"""Field wrappers: the structs of their YAML files, and what one of them reads off a page."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from archiver.documents.expressions.model import Expression  # noqa: TC001 - read at run time

FORMAT = 1
# Pages of a list that are looked at; the default of Faheem's OWET.
MOST_PAGES = 30

FieldType = Literal[
    "text",
    "integer",
    "number",
    "price",
    "date",
    "moment",
    "url",
    "image",
    "email",
    "phone",
    "isbn",
    "enum",
    "html",
]


class PieceOf(msgspec.Struct, frozen=True, kw_only=True):
    """The n-th piece of a text that a separator divides; the first is 1, the last -1, and 0 means all."""

    by: str
    nth: int = 1


class Take(msgspec.Struct, frozen=True, kw_only=True):
    """Which part of a text is the value; what is given is done in this order."""

    after: str = ""
    before: str = ""
    split: PieceOf | None = None
    # A regular expression of RE2 with one group.
    match: str = ""
    # The one part of the text that reads as the field's type.
    typed: bool = False


class FieldRule(msgspec.Struct, frozen=True, kw_only=True):
    """One way to a field: an expression, or a path into what the page states for machines."""

    shorthand: ClassVar[str] = "path"

    path: Expression | None = None
    # Such as `Book.isbn`: the type of a thing in JSON-LD or microdata, and its properties.
    statement: str = ""
    take: Take | None = None


class FieldExample(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a person found on a page."""

    url: str
    value: str
    # The WARC record that it was seen in.
    capture: str = ""


class Field(msgspec.Struct, frozen=True, kw_only=True):
    """A named value: its type, and the rules that lead to it, of which the first that gives one is taken."""

    field: str
    type: FieldType = "text"
    # All values that a rule finds, and not the first alone.
    many: bool = False
    required: bool = False
    # Whether another value makes a version; false for counters.
    versioned: bool = True
    # Of an enumeration: what it may be.
    values: tuple[str, ...] = ()
    # Of a date such as 04/11/2026: whether the day comes first; without it, such a date is not read.
    day_first: bool | None = None
    rules: tuple[FieldRule, ...] = ()
    examples: tuple[FieldExample, ...] = ()


class FieldScope(msgspec.Struct, frozen=True, kw_only=True):
    """Which pages a wrapper is for: those that are all of this."""

    # The address of a feed.
    channel: str = ""
    # A registered domain, with its subdomains, or one host.
    site: str = ""
    # A form of the path and the query: `*` is a part of a segment, `**` anything.
    url: str = ""


class RecordsPart(msgspec.Struct, frozen=True, kw_only=True):
    """A list on the pages of a scope: what leads to each of its records, and fields within a record."""

    record: str
    each: Expression
    # Their rules begin at the record.
    fields: tuple[Field, ...]


class NavigatedForm(msgspec.Struct, frozen=True, kw_only=True):
    """A form of the first page that is sent by GET, with these values and its own defaults."""

    shorthand: ClassVar[str] = "path"

    path: Expression
    set: dict[str, str] = {}

    def __hash__(self) -> int:
        return hash((self.path, tuple(sorted(self.set.items()))))


class NextLink(msgspec.Struct, frozen=True, kw_only=True):
    """The link to the next page of a list, and how many pages are looked at."""

    shorthand: ClassVar[str] = "path"

    path: Expression
    most: int = MOST_PAGES


class Navigation(msgspec.Struct, frozen=True, kw_only=True):
    """Which pages have the lists of a wrapper: from where on, and which links are followed."""

    start: str
    form: NavigatedForm | None = None
    # Without it, the next page is what the page itself calls so.
    next: NextLink | None = None
    # Of each record: the link to its own page, which is read by the wrapper's own fields.
    detail: Expression | None = None


class FieldWrapper(msgspec.Struct, frozen=True, kw_only=True):
    """Where named values stand on the pages of a scope."""

    wrapper: str
    format: int = FORMAT
    scope: FieldScope
    # Pages without an article become objects, too, where a required field is found.
    objects: bool = False
    fields: tuple[Field, ...] = ()
    # Lists, which `scrapy records --wrapper` reads.
    records: tuple[RecordsPart, ...] = ()
    # How a crawl gets to these lists.
    navigate: Navigation | None = None


class FieldValue(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A value as it is written into objects, and the text that stood there."""

    # Numbers as decimals, days as 2026-11-17, moments in RFC 3339.
    value: str
    text: str
    # Of a price, as ISO 4217 has it, where the text names it.
    currency: str = ""


class FieldReading(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the rules of a field gave on a page."""

    # Without any: not found.
    values: tuple[FieldValue, ...] = ()
    # The number of the rule that gave them; 0: none did.
    rule: int = 0
    # Some rule found a text that does not read as the field's type.
    mistyped: bool = False


class FieldsRead(msgspec.Struct, frozen=True, kw_only=True):
    """What a wrapper read off a page."""

    # Its name and digest, such as `bookshop/9c1f…`.
    wrapper: str
    readings: dict[str, FieldReading]
    # In words, where the wrapper could not be followed to its end.
    trouble: str = ""


class ObjectField(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A field as an object has it; of a field of many, the values and texts in their order."""

    value: str | tuple[str, ...]
    # What stood there, so that a better reader can be applied to it.
    text: str | tuple[str, ...]
    # The number of the rule that gave it.
    rule: int
    currency: str | tuple[str, ...] = ""
