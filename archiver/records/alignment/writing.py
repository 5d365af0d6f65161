"""An alignment as files: links with confidences, and what the left graph would add to the right one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.files import whole_file
from archiver.records.alignment.reading import RDF_TYPE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from archiver.records.alignment.graph import Graph
    from archiver.records.alignment.links import Alignment, EntityLink, PartLink

_SAME = "http://www.w3.org/2002/07/owl#sameAs"
_CLOSE = "http://www.w3.org/2004/02/skos/core#closeMatch"
_ALIGN = "http://knowledgeweb.semanticweb.org/heterogeneity/alignment#"
_FLOAT = "http://www.w3.org/2001/XMLSchema#float"
_PROPERTY = "http://www.w3.org/1999/02/22-rdf-syntax-ns#Property"
_DOMAIN = "http://www.w3.org/2000/01/rdf-schema#domain"
_GRAPH = "urn:archiver:alignment"
# Half of its facts are facts of the other: from here on a relation is told by the other's name.
_PART = 0.5


def write_alignment(folder: Path, found: Alignment, graphs: Sequence[Graph], floor: float) -> list[str]:
    """Write all files and return their names. The files of the two graphs themselves are never changed."""
    folder.mkdir(parents=True, exist_ok=True)
    more = _Enrichment(found, graphs[0], graphs[1], floor)
    files = {
        "links.tsv": (f"{one.left}\t{one.right}\t{one.confidence:.4f}" for one in found.links),
        "links.nq": _link_lines(found, floor),
        "new-instances.nq": more.instances(),
        "new-facts.nq": more.facts(),
        "new-relations.ttl": more.relations(),
    }
    for name, lines in files.items():
        with whole_file(folder / name) as file:
            file.write("".join(f"{line}\n" for line in lines).encode())
    return list(files)


def _link_lines(found: Alignment, floor: float) -> Iterator[str]:
    """`owl:sameAs` from the floor on, else `skos:closeMatch`; beside each a cell of the Alignment format."""
    for number, link in enumerate(found.links):
        relation = _SAME if link.confidence >= floor else _CLOSE
        yield _quad(link.left, relation, _resource(link.right))
        yield from _cell(number, link)
    for number, part in enumerate((*found.relations, *found.classes), len(found.links)):
        yield from _cell(number, part)


def _cell(number: int, link: EntityLink | PartLink) -> Iterator[str]:
    cell = f"{_GRAPH}:cell:{number}"
    measure = getattr(link, "confidence", None)
    if measure is None:
        measure = max(getattr(link, "left_in_right", 0.0), getattr(link, "right_in_left", 0.0))
    yield _quad(cell, RDF_TYPE, _resource(f"{_ALIGN}Cell"))
    for end, name in (("entity1", link.left), ("entity2", link.right)):
        yield _quad(cell, f"{_ALIGN}{end}", _resource(name) if " " not in name else _literal(name))
    yield _quad(cell, f"{_ALIGN}measure", f"{_literal(f'{measure:.4f}')}^^{_resource(_FLOAT)}")


class _Enrichment:
    """What the left graph knows that the right one does not, in the words of the right one."""

    def __init__(self, found: Alignment, left: Graph, right: Graph, floor: float) -> None:
        self._left, self._right = left, right
        self._facing: dict[str, str] = {}
        for link in sorted(found.links, key=lambda one: (one.confidence, one.right)):
            if link.confidence >= floor:
                self._facing[link.left] = link.right
        self._relation = _facing_names(found.relations)
        self._class = _facing_names(found.classes)

    def instances(self) -> Iterator[str]:
        """Entities of an aligned class that have no counterpart."""
        for name, members in self._left.classes.items():
            if name in self._class:
                for one in sorted(members):
                    entity = self._left.entities[one]
                    if entity not in self._facing:
                        yield _quad(entity, RDF_TYPE, _resource(self._class[name]))
                        yield from (_quad(entity, relation, value) for relation, value in self._said(one))

    def facts(self) -> Iterator[str]:
        """Values of linked entities that their counterparts lack."""
        place = {name: at for at, name in enumerate(self._right.entities)}
        for one, entity in enumerate(self._left.entities):
            facing = self._facing.get(entity)
            if facing is None:
                continue
            known = set(_relations_of(self._right, place[facing]))
            for relation, value in self._said(one):
                if relation not in known:
                    yield _quad(facing, relation, value)

    def relations(self) -> Iterator[str]:
        """Relations that the right graph does not have, with the class whose members have them."""
        seen: set[str] = set()
        for name, members in self._left.classes.items():
            for one in sorted(members):
                for relation in _relations_of(self._left, one):
                    if relation in self._relation or relation in seen:
                        continue
                    seen.add(relation)
                    yield f"{_resource(relation)} a {_resource(_PROPERTY)} ."
                    if name in self._class:
                        yield f"{_resource(relation)} {_resource(_DOMAIN)} {_resource(self._class[name])} ."

    def _said(self, entity: int) -> Iterator[tuple[str, str]]:
        """Facts of a left entity whose relation the right graph has: with its name there."""
        facts, entities = self._left.facts, self._left.entities
        for at in range(facts.of_subject[entity], facts.of_subject[entity + 1]):
            relation, value = self._left.relations[facts.relation[at]], int(facts.object[at])
            if relation.is_inverse or relation.iri not in self._relation:
                continue
            name = self._relation[relation.iri]
            if value >= len(entities):
                yield name, _literal(self._left.texts[self._left.literals[value - len(entities)]])
            elif entities[value] in self._facing:
                yield name, _resource(self._facing[entities[value]])


def _facing_names(parts: Iterable[PartLink]) -> dict[str, str]:
    """The best name of the other side for each left one; inverses and joins have none."""
    found: dict[str, str] = {}
    for part in parts:
        if part.left_in_right >= _PART and not any(one in part.right for one in "⁻ "):
            found.setdefault(part.left, part.right)
    return found


def _relations_of(graph: Graph, entity: int) -> list[str]:
    facts = graph.facts
    own = (graph.relations[one] for one in facts.relation[slice(*facts.of_subject[entity : entity + 2])])
    return [one.iri for one in own if not one.is_inverse]


def _quad(subject: str, relation: str, value: str) -> str:
    return f"{_resource(subject)} {_resource(relation)} {value} {_resource(_GRAPH)} ."


def _resource(name: str) -> str:
    if name.startswith("_:"):
        return name
    return "<" + "".join(_percent(one) if one in '<>"{}|^`\\' or one <= " " else one for one in name) + ">"


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())


def _literal(text: str) -> str:
    kept = "".join(one for one in text if one >= " " or one in "\n\r\t")
    for plain, escaped in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\r", "\\r"), ("\t", "\\t")):
        kept = kept.replace(plain, escaped)
    return f'"{kept}"'
