"""Records as RDF: each fact in the graph of the WARC record that it was read from."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Triple, serialize

from archiver.inspection.rdf.mapping import expanded
from archiver.inspection.rdf.nodes import record_node
from archiver.inspection.rdf.statements import TYPE, moment, node_of, text, words
from archiver.lexicon.vocabularies import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import BinaryIO

    from archiver.records.model import RecordValue
    from archiver.records.objects.model import ArchivedRecord, RecordAnswer

PROVENANCE = NamedNode("urn:archiver:provenance")
_ROOT = "urn:archiver:"
_XSD = {
    "integer": "integer",
    "decimal": "decimal",
    "price": "decimal",
    "year": "gYear",
    "date": "date",
    "url": "anyURI",
}
FORMATS = {
    "nquads": RdfFormat.N_QUADS,
    "turtle": RdfFormat.TURTLE,
    "jsonld": RdfFormat.JSON_LD,
}


class RecordGraph:
    """Makes statements of the records of one form; `properties` are IRIs that a person gave to names."""

    def __init__(self, form: str, properties: Mapping[str, str] | None = None) -> None:
        self._base = f"{_ROOT}{quote(form, safe='')}:"
        self._properties = properties or {}
        self.type = NamedNode(f"{self._base}Record")

    def node(self, key: str) -> NamedNode:
        return NamedNode(f"{self._base}{quote(key, safe='')}")

    def property(self, name: str) -> NamedNode:
        """The IRI that was given for a name, as a whole or with a known prefix; else one of our own."""
        given = self._properties.get(name, "")
        prefix = given.partition(":")[0]
        if prefix in PREFIXES:
            return NamedNode(expanded(given))
        return NamedNode(given or f"{self._base}{quote(name, safe='')}")

    def quads(self, records: Iterable[ArchivedRecord]) -> Iterator[Quad]:
        told: set[str] = set()
        for record in records:
            yield from self._facts(record)
            for answer in _answers(record):
                if answer.warc.record_id not in told:
                    told.add(answer.warc.record_id)
                    yield from _provenance(answer, record)

    def _facts(self, record: ArchivedRecord) -> Iterator[Quad]:
        subject, graphs = self.node(record.key), _graphs(record)
        first = next(iter(graphs.values()))
        yield Quad(subject, TYPE, self.type, first)
        if record.url:
            yield Quad(subject, NamedNode(expanded("schema:url")), node_of(record.url), first)
        for name, values in record.attributes.items():
            for value in values:
                yield Quad(subject, self.property(name), literal(value), graphs.get(value.origin, first))

    def triples(self, records: Iterable[ArchivedRecord]) -> Iterator[Triple]:
        for quad in self.quads(records):
            yield quad.triple

    def write(self, output: BinaryIO, format_: str, records: Iterable[ArchivedRecord]) -> None:
        if format_ == "turtle":
            own = {**PREFIXES, "": self._base}
            serialize(self.triples(records), output, FORMATS[format_], prefixes=own)
        else:
            serialize(self.quads(records), output, FORMATS[format_])


def literal(value: RecordValue) -> Literal:
    """A value with its type; texts with their language."""
    if value.lang:
        return words(value.value, value.lang)
    name = _XSD.get(value.type)
    if name is None:
        return text(value.value)
    return Literal(value.value, datatype=NamedNode(expanded(f"xsd:{name}")))


def _answers(record: ArchivedRecord) -> list[RecordAnswer]:
    return [*record.answers, *([record.detail] if record.detail else [])]


def _graphs(record: ArchivedRecord) -> dict[str, NamedNode]:
    """For each origin the graph of its WARC record."""
    found = {"list": record.answers[0]} if record.answers else {}
    if record.detail:
        found["detail"] = record.detail
    return {origin: NamedNode(record_node(answer.warc.record_id)) for origin, answer in found.items()}


def _provenance(answer: RecordAnswer, record: ArchivedRecord) -> Iterator[Quad]:
    """What a graph is made from: the WARC record, its page, when it was captured, and by what it was read."""
    node = NamedNode(record_node(answer.warc.record_id))

    def said(name: str, value: NamedNode | Literal) -> Quad:
        return Quad(node, NamedNode(expanded(name)), value, PROVENANCE)

    yield said("rdf:type", NamedNode(expanded("prov:Entity")))
    yield said("prov:wasDerivedFrom", node_of(answer.url))
    yield said("prov:generatedAtTime", moment(record.captured))
    yield said("archiver:warcFile", text(answer.warc.file))
    yield said("archiver:warcOffset", Literal(answer.warc.offset))
    yield said("archiver:wrapper", text(record.wrapper))
