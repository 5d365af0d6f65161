"""Records of a form against an ontology: links, and words of it that are worth asking for."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pyoxigraph import RdfFormat, serialize

from archiver.documents.pages.words import tokens
from archiver.files import write_text
from archiver.inspection.rdf.mapping import expanded
from archiver.inspection.records.statements import PROVENANCE
from archiver.records.alignment.links import aligned_files
from archiver.records.alignment.reading import RdfFile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pyoxigraph import Triple

    from archiver.inspection.records.statements import RecordGraph
    from archiver.records.alignment.choosing import Show
    from archiver.records.alignment.graph import Graph
    from archiver.records.alignment.links import Alignment
    from archiver.records.objects.model import ArchivedRecord

_PART = 0.5  # of its facts, from which a relation is taken for the other
_MOST_WORDS = 10_000  # of an attribute
_LONGEST_WORD = 30
_LONGEST_VALUE = 60
_URL = expanded("schema:url")


def align_records(
    graph: RecordGraph, records: Sequence[ArchivedRecord], ontology: Path, show: Show, joins: int
) -> tuple[Alignment, Graph, Graph]:
    """What records and entities of an RDF file have in common."""
    with TemporaryDirectory() as folder:
        left = Path(folder) / "records.nt"
        with left.open("wb") as file:
            serialize(_facts(graph, records), file, RdfFormat.N_TRIPLES)
        return aligned_files(RdfFile(left), RdfFile(ontology), show, joins)


def _facts(graph: RecordGraph, records: Sequence[ArchivedRecord]) -> Iterator[Triple]:
    """What records say; not where they were read, nor the addresses of their pages."""
    for quad in graph.quads(records):
        if quad.graph_name != PROVENANCE and quad.predicate.value != _URL:
            yield quad.triple


def further_words(
    graph: RecordGraph, records: Sequence[ArchivedRecord], found: Alignment, ontology: Path
) -> dict[str, list[str]]:
    """For each attribute values of the relation that it is aligned with, without those that records have.

    Each is letters, digits and spaces alone: a form may be asked for it.
    """
    names = {name for record in records for name in record.attributes}
    wanted = dict(_wanted(graph, names, found))
    known = {
        name: {_plain(value.value) for record in records for value in record.attributes.get(name, ())}
        for name in names
    }
    words: dict[str, dict[str, None]] = {name: {} for name in wanted.values()}
    for fact in RdfFile(ontology):
        name = wanted.get(fact.relation)
        if name is None or not fact.literal or len(words[name]) >= _MOST_WORDS:
            continue
        plain = _plain(fact.literal)
        if plain and len(plain) <= _LONGEST_VALUE and plain not in known[name]:
            words[name][plain] = None
    return {name: list(found) for name, found in words.items() if found}


def _wanted(graph: RecordGraph, names: set[str], found: Alignment) -> Iterator[tuple[str, str]]:
    """Relations of the ontology whose values are those of an attribute; of a join, its last step."""
    by_iri = {graph.property(name).value: name for name in names}
    for part in found.relations:
        last = part.right.rpartition(" / ")[2]
        if part.left in by_iri and part.left_in_right >= _PART and not last.endswith("⁻"):
            yield last, by_iri[part.left]


def _plain(text: str) -> str:
    return " ".join(word for word in tokens(text) if len(word) <= _LONGEST_WORD)


def write_words(folder: Path, words: dict[str, list[str]]) -> list[str]:
    """A file for each attribute, a line a value, as `words: {file: …}` of a form takes it."""
    files = []
    for name, found in words.items():
        files.append(f"words-{name}.txt")
        write_text(folder / files[-1], "".join(f"{word}\n" for word in found))
    return files
