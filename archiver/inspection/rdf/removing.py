"""Statements taken out of the store: those of some versions, and of nodes that nothing names any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pyoxigraph import NamedNode

from archiver.inspection.rdf.mapping import ADDRESS, CHANNEL, NODES, expanded
from archiver.lexicon.vocabularies import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pyoxigraph import Literal, Store

    Term = NamedNode | Literal

_IS_VERSION_OF = NamedNode(expanded("dcterms:isVersionOf"))
_IS_LIKE = NamedNode(expanded("prov:alternateOf"))
# These have lines of their own, and go with them.
_OWNERS = ("urn:archiver:article:", "urn:archiver:contribution:")
_WITH_LINES = (*_OWNERS, "urn:archiver:version:")
# Not all that is said: texts are not looked at.
_NAMING = sorted(
    {row.predicate for made in NODES.values() for row in made.statements if row.form in {ADDRESS, CHANNEL}}
)
_ADDRESSES = f"SELECT DISTINCT ?o {{VALUES ?p {{{' '.join(_NAMING)}}} ?s ?p ?o}}"


def remove_nodes(store: Store, names: Iterable[str]) -> None:
    """All that is said of these, and then of whatever only they named: accounts, captures, channels."""
    left = {NamedNode(name) for name in names}
    while left:
        said = (quad.object for node in left for quad in store.quads_for_pattern(node, None, None))
        named = {term for term in said if isinstance(term, NamedNode)}
        # One transaction for all of them, which takes a fraction of the time of one for each statement.
        store.update(f"DELETE {{?s ?p ?o}} WHERE {{VALUES ?s {{{' '.join(map(str, left))}}} ?s ?p ?o}}")
        left = {other for other in named if _is_alone(store, other)}


def _is_alone(store: Store, node: NamedNode) -> bool:
    """Whether something is said of a node that nothing names."""
    if node.value.startswith(_WITH_LINES):
        return False
    about, naming = store.quads_for_pattern(node, None, None), store.quads_for_pattern(None, None, node)
    return next(iter(about), None) is not None and next(iter(naming), None) is None


def owners_naming(store: Store, hidden: Callable[[str], bool]) -> set[str]:
    """The articles and contributions whose statements lead to an address that is hidden."""
    found = (solution["o"] for solution in store.query(_ADDRESSES, prefixes=dict(PREFIXES)))  # type: ignore[union-attr] # a SELECT
    named = [term for term in found if not term.value.startswith("urn:") and hidden(term.value)]
    return {owner for term in named for owner in _owners_of(store, term)}


def _owners_of(store: Store, term: Term) -> Iterator[str]:
    """Up from what is named to those that have lines."""
    left: list[Term] = [term]
    seen: set[NamedNode] = set()
    while left:
        found = _subjects(store, None, left.pop()) - seen
        seen |= found
        for subject in found:
            if subject.value.startswith(_WITH_LINES):
                yield from _having_lines(store, subject)
            else:
                left.append(subject)


def _having_lines(store: Store, subject: NamedNode) -> Iterator[str]:
    """The article or contribution itself, or that of a version; and what says that it is nearly the same."""
    if subject.value.startswith(_OWNERS):
        yield subject.value
        yield from (other.value for other in _subjects(store, _IS_LIKE, subject))
    else:
        owners = (quad.object for quad in store.quads_for_pattern(subject, _IS_VERSION_OF, None))
        yield from (owner.value for owner in owners if isinstance(owner, NamedNode))


def _subjects(store: Store, predicate: NamedNode | None, term: Term) -> set[NamedNode]:
    """What names a term; all of ours have names."""
    found = (quad.subject for quad in store.quads_for_pattern(None, predicate, term))
    return {subject for subject in found if isinstance(subject, NamedNode)}
