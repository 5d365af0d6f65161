"""From the line of an object to the statements that the mapping makes of it."""

from __future__ import annotations

import re
from functools import lru_cache
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, Triple

from archiver.inspection.rdf import mapping
from archiver.inspection.rdf.mapping import NODES, expanded
from archiver.inspection.rdf.nodes import article_node, contribution_node, record_node

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import date, datetime

    from archiver.inspection.rdf.lines import ObjectLine, RdfNode

    Term = NamedNode | Literal

# What RFC 3987 allows beside letters and digits, and escapes that are whole.
_ALLOWED = "!#$%&'()*+,/:;=?@[]~"
_BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
# Brackets belong to addresses of hosts alone.
_BRACKETS = str.maketrans({"[": "%5B", "]": "%5D"})
_SURROGATE = re.compile("[\ud800-\udfff]")

TYPE = NamedNode(expanded("rdf:type"))
_XSD = {
    name: NamedNode(expanded(f"xsd:{name}")) for name in ("dateTime", "date", "integer", "double", "anyURI")
}


class _Row(NamedTuple):
    """A row of the mapping, ready to be used."""

    predicate: NamedNode
    values: Callable[[Any], Any]
    form: str


class _Made(NamedTuple):
    types: tuple[NamedNode, ...]
    rows: tuple[_Row, ...]


_NODES = {
    kind: _Made(
        tuple(NamedNode(expanded(name)) for name in made.types),
        tuple(_Row(NamedNode(expanded(row[0])), attrgetter(row[1]), row[2]) for row in made.statements),
    )
    for kind, made in NODES.items()
}
_TYPES_OF_CONTRIBUTIONS = {
    kind: tuple(NamedNode(expanded(name)) for name in names)
    for kind, names in mapping.CONTRIBUTION_TYPES.items()
}


class LineStatements:
    """Makes the statements of lines, without those that name an address that is `hidden`."""

    def __init__(self, hidden: Callable[[str], bool] | None = None) -> None:
        self._hidden = hidden
        self.is_trimmed = False  # whether any of the last line was left out

    def hides(self, line: ObjectLine) -> bool:
        """Whether nothing may be told of a line at all."""
        return self._hidden is not None and self._hidden(line.page)

    def of(self, line: ObjectLine) -> list[Triple]:
        self.is_trimmed = False
        return [triple for node in line.nodes() for triple in self._about(node, line)]

    def _about(self, node: RdfNode, line: ObjectLine) -> Iterator[Triple]:
        subject = node_of(node.name)
        if not isinstance(subject, NamedNode) or self._is_hidden(node.name):
            return
        made = _NODES[node.kind]
        for type_ in made.types or _types_of(node):
            yield Triple(subject, TYPE, type_)
        for row in made.rows:
            for value in _listed(row.values(node.said)):
                term = self._term(row.form, value, line)
                if term is not None:
                    yield Triple(subject, row.predicate, term)

    def _term(self, form: str, value: Any, line: ObjectLine) -> Term | None:  # noqa: ANN401 - whatever a field has
        if form in _LITERALS:
            return _LITERALS[form](value)
        if form == mapping.WORDS:
            return words(value, line.language)
        if form == mapping.ACCOUNT:
            return node_of(line.account(value).node)
        address = getattr(value, "url", value)
        if (form not in _NAMES or form == mapping.ARTICLE) and self._is_hidden(address):
            return None
        return node_of(_NAMES[form](value) if form in _NAMES else address)

    def _is_hidden(self, address: str) -> bool:
        is_hidden = self._hidden is not None and not address.startswith("urn:") and self._hidden(address)
        self.is_trimmed |= is_hidden
        return is_hidden


def _types_of(node: RdfNode) -> tuple[NamedNode, ...]:
    return _TYPES_OF_CONTRIBUTIONS.get(getattr(node.said, "kind", ""), ())


def _listed(value: Any) -> Iterable[Any]:  # noqa: ANN401 - as above
    if value is None or value == "":
        return ()
    return value if type(value) is tuple else (value,)


@lru_cache(maxsize=20_000)
def node_of(name: str) -> Term:
    """The node of an address; one that cannot be mended becomes a literal, so that it is not lost."""
    try:
        return NamedNode(name)
    except ValueError:  # UnicodeEncodeError is one
        mended = _mended(name)
    try:
        return NamedNode(mended)
    except ValueError:
        return Literal(_whole(name), datatype=_XSD["anyURI"])


def _mended(name: str) -> str:
    """With what no IRI may hold escaped, as browsers do."""
    start, colon, rest = _whole(name).strip().partition("://")
    authority, slash, path = rest.partition("/")
    path = path.translate(_BRACKETS)
    return quote(_BROKEN_ESCAPE.sub("%25", f"{start}{colon}{authority}{slash}{path}"), safe=_ALLOWED)


def _whole(value: str) -> str:
    """Text without halves of characters, which UTF-8 cannot hold."""
    return value if value.isascii() else _SURROGATE.sub("\ufffd", value)


def text(value: str) -> Literal:
    return Literal(_whole(value))


def words(value: str, language: str | None) -> Literal:
    """Text in a language, where the object names one that is well-formed."""
    tag = language_tag(language) if language else None
    return Literal(_whole(value), language=tag) if tag else text(value)


@lru_cache(maxsize=1000)
def language_tag(language: str) -> str | None:
    tag = language.strip().replace("_", "-")
    try:
        return Literal("", language=tag).language
    except ValueError:
        return None


def moment(value: datetime) -> Literal:
    return Literal(value.isoformat().replace("+00:00", "Z"), datatype=_XSD["dateTime"])


def day(value: date) -> Literal:
    return Literal(value.isoformat(), datatype=_XSD["date"])


_LITERALS: dict[str, Callable[[Any], Literal]] = {
    mapping.TEXT: text,
    mapping.NUMBER: lambda value: Literal(str(value), datatype=_XSD["integer"]),
    mapping.DECIMAL: lambda value: Literal(str(float(value)), datatype=_XSD["double"]),
    mapping.MOMENT: moment,
    mapping.DAY: day,
}
_NAMES: dict[str, Callable[[Any], str]] = {
    mapping.ARTICLE: lambda value: article_node(getattr(value, "id", value)),
    mapping.CONTRIBUTION: contribution_node,
    mapping.VERSION: str,
    mapping.CAPTURE: lambda value: value.node,
    mapping.RECORD: record_node,
}
