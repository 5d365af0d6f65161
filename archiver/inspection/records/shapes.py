"""What was learned of records as a SHACL shape, so that others can validate them."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from pyoxigraph import BlankNode, Literal, NamedNode, RdfFormat, Triple, serialize

from archiver.inspection.rdf.mapping import expanded
from archiver.inspection.rdf.statements import TYPE
from archiver.inspection.records.statements import literal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

    from archiver.inspection.records.statements import RecordGraph
    from archiver.records.objects.model import ArchivedRecord

SHACL = "http://www.w3.org/ns/shacl#"
_LITERAL = NamedNode(f"{SHACL}Literal")


def shape_of(graph: RecordGraph, records: Sequence[ArchivedRecord]) -> Iterator[Triple]:
    """A shape for the class of records: each attribute with its type, and how often it is there.

    How often an excerpt is there depends on what was asked for: nothing is said of that.
    """
    shape = NamedNode(f"{graph.type.value}Shape")
    yield Triple(shape, TYPE, NamedNode(f"{SHACL}NodeShape"))
    yield Triple(shape, _sh("targetClass"), graph.type)
    counts: defaultdict[str, list[int]] = defaultdict(list)
    types: defaultdict[str, Counter[str]] = defaultdict(Counter)
    excerpts: set[str] = set()
    for record in records:
        for name, values in record.attributes.items():
            counts[name].append(len({literal(value) for value in values}))
            types[name].update(literal(value).datatype.value for value in values)
            excerpts |= {name for value in values if value.origin == "excerpt"}
    for number, name in enumerate(counts):
        node = BlankNode(f"p{number}")
        yield Triple(shape, _sh("property"), node)
        yield Triple(node, _sh("path"), graph.property(name))
        yield Triple(node, _sh("name"), Literal(name))
        yield Triple(node, _sh("nodeKind"), _LITERAL)
        if len(types[name]) == 1:
            yield Triple(node, _sh("datatype"), NamedNode(next(iter(types[name]))))
        if name in excerpts:
            continue
        if len(counts[name]) == len(records):
            yield Triple(node, _sh("minCount"), Literal(min(counts[name])))
        if max(counts[name]) == 1:
            yield Triple(node, _sh("maxCount"), Literal(1))


def _sh(name: str) -> NamedNode:
    return NamedNode(f"{SHACL}{name}")


def write_shape(output: BinaryIO, graph: RecordGraph, records: Sequence[ArchivedRecord]) -> None:
    prefixes = {"sh": SHACL, "xsd": expanded("xsd:")}
    serialize(shape_of(graph, records), output, RdfFormat.TURTLE, prefixes=prefixes)
