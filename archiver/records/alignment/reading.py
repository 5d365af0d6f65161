"""RDF files as a stream of facts: N-Triples and N-Quads line by line, other formats through pyoxigraph."""

from __future__ import annotations

import gzip
import re
from dataclasses import dataclass
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple, cast

from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import BinaryIO

    import numpy as np
    import numpy.typing as npt
    from pyoxigraph import BlankNode, NamedNode, Quad

    Booleans = npt.NDArray[np.bool_]

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
# A literal of more is a document, not a value.
_LONGEST_LINE = 10_000_000
_LINE = re.compile(
    r"""\s*(?:<([^<>"{}|^`\\\s]*)>|(_:[^\s<>]+))  # subject
        \s*<([^<>"{}|^`\s]*)>                     # predicate
        \s*(?:<([^<>"{}|^`\s]*)>|(_:[^\s<>]+)     # object: a resource
          |"((?:[^"\\]|\\.)*)"(?:\^\^<([^<>\s]*)>|@[A-Za-z0-9-]+)?)  # or a literal
        \s*(?:<[^<>\s]*>\s*|_:[^\s<>]+\s*)?\.\s*(?:\#.*)?""",
    re.VERBOSE,
)
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_ESCAPED = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}
_FORMATS = {
    "ttl": "text/turtle",
    "trig": "application/trig",
    "rdf": "application/rdf+xml",
    "owl": "application/rdf+xml",
    "xml": "application/rdf+xml",
    "n3": "text/n3",
}
_XML_ENCODING = re.compile(rb"""<\?xml[^>]*encoding=["']([A-Za-z0-9._-]+)""")
_DOCTYPE = re.compile(rb"<!ENTITY\b", re.IGNORECASE)


class Fact(NamedTuple):
    """A statement: about a resource, either to a resource or to a literal with its datatype."""

    subject: str
    relation: str
    resource: str  # empty: the object is a literal
    literal: str
    datatype: str


@dataclass(slots=True)
class RdfFile:
    """A file that is read as often as needed; it is never held as a whole."""

    path: Path
    bad_lines: int = 0

    def __iter__(self) -> Iterator[Fact]:
        return (fact for _, fact in self.numbered())

    def numbered(self, chosen: Booleans | None = None) -> Iterator[tuple[int, Fact]]:
        """Facts with their numbers, which have gaps; only those that are chosen by number, if any are."""
        self.bad_lines = 0
        kind = self.path.name.removesuffix(".gz").rpartition(".")[2].lower()
        if kind in {"nt", "nq"}:
            return self._lines(chosen)
        return (one for one in enumerate(self._parsed(kind)) if chosen is None or chosen[one[0]])

    def _open(self) -> BinaryIO:
        packed = self.path.suffix == ".gz"
        return cast("BinaryIO", gzip.open(self.path) if packed else self.path.open("rb"))

    def _lines(self, chosen: Booleans | None) -> Iterator[tuple[int, Fact]]:
        with self._open() as file:
            lines = enumerate(file) if chosen is None else compress(enumerate(file), chosen)
            for number, raw in lines:
                found = _LINE.fullmatch(raw.decode("utf-8", "replace").rstrip("\r\n"))
                if found is None or len(raw) > _LONGEST_LINE:
                    self.bad_lines += bool(raw.strip() and not raw.lstrip().startswith(b"#"))
                    continue
                subject, blank, relation, resource, blank_object, literal, datatype = found.groups()
                yield (
                    number,
                    Fact(
                        subject or blank,
                        relation,
                        resource or blank_object or "",
                        _unescaped(literal) if literal else "",
                        datatype or "",
                    ),
                )

    def _parsed(self, kind: str) -> Iterator[Fact]:
        if kind not in _FORMATS:
            known = ", ".join(f".{one}" for one in ("nt", "nq", *_FORMATS))
            raise ConfigurationError(f"{self.path}: unknown kind of RDF file: use {known}, each also as .gz")
        import pyoxigraph  # noqa: PLC0415 - an extra, which lines do not need

        format_ = pyoxigraph.RdfFormat.from_media_type(_FORMATS[kind])
        with self._open() as file:
            try:
                source = _as_utf8(file, self.path) if "xml" in _FORMATS[kind] else file
                for quad in pyoxigraph.parse(source, format_, base_iri=self.path.absolute().as_uri()):
                    yield _fact_of(quad)
            except SyntaxError as error:
                raise ConfigurationError(f"{self.path} is not valid RDF: {error}") from error


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    return _ESCAPE.sub(_character, text)


def _character(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    if not code:
        return _ESCAPED.get(found[3], found[3])
    number = int(code, 16)
    return chr(number) if number < 0x110000 else "\ufffd"


def _as_utf8(file: BinaryIO, path: Path) -> BinaryIO | bytes:
    """RDF/XML in another encoding, transcoded: the parser takes UTF-8 alone. Entities are refused."""
    head = file.read(100_000)
    if _DOCTYPE.search(head) and b"<!ENTITY" in head.upper() and b"SYSTEM" in head.upper():
        raise ConfigurationError(f"{path} names entities of other files: they are not loaded")
    stated = _XML_ENCODING.search(head[:200])
    file.seek(0)
    if stated is None or stated[1].lower() in {b"utf-8", b"utf8"}:
        return file
    text = file.read().decode(stated[1].decode(), "replace")
    return re.sub(r"""(<\?xml[^>]*?)\s+encoding=["'][^"']*["']""", r"\1", text, count=1).encode()


def _fact_of(quad: Quad) -> Fact:
    value = quad.object
    subject = _name(cast("NamedNode | BlankNode", quad.subject))
    kind = type(value).__name__
    if kind == "Literal":
        datatype = value.datatype.value  # type: ignore[union-attr] # said by the name of its class
        return Fact(subject, quad.predicate.value, "", value.value, datatype)  # type: ignore[union-attr] # likewise
    return Fact(subject, quad.predicate.value, _name(cast("NamedNode | BlankNode", value)), "", "")


def _name(node: NamedNode | BlankNode) -> str:
    return node.value if type(node).__name__ == "NamedNode" else f"_:{node.value}"
