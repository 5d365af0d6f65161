"""The process that answers a question: the store cannot be interrupted, so its time is kept from outside."""

from __future__ import annotations

import resource
import sys
from itertools import islice
from typing import TYPE_CHECKING

import msgspec
from pyoxigraph import BlankNode, Literal, NamedNode, QueryBoolean, QuerySolutions, QueryTriples, Store

from archiver.inspection.rdf.question import check_question
from archiver.lexicon.vocabularies import PREFIXES

if TYPE_CHECKING:
    from collections.abc import Iterator

    Binding = dict[str, str]

_STRING = "http://www.w3.org/2001/XMLSchema#string"
TRIPLE = ("subject", "predicate", "object")


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What is asked, of which store, and what it may cost."""

    store: str
    question: str
    most: int  # rows; 0: all
    seconds: int
    memory: int  # bytes
    disk: int  # bytes


class AnswerHead(msgspec.Struct, frozen=True, kw_only=True):
    """What comes before the rows: the kind of the answer and its columns; or why there is none."""

    kind: str  # select, graph, ask; syntax, broken
    columns: tuple[str, ...] = ()
    is_true: bool = False
    error: str = ""


class AnswerEnd(msgspec.Struct, frozen=True, kw_only=True):
    """What comes behind the rows: without it the answer is not whole."""

    has_more: bool


def main() -> None:
    asked = msgspec.json.decode(sys.stdin.buffer.read(), type=Asked)
    _limit(asked)
    for one in answer(asked):
        sys.stdout.buffer.write(msgspec.json.encode(one) + b"\n")
    sys.stdout.buffer.flush()


def _limit(asked: Asked) -> None:
    """What holds where the parent is no more, and what keeps a machine from being filled up."""
    for which, most in (
        (resource.RLIMIT_CPU, asked.seconds + 1),
        (resource.RLIMIT_AS, asked.memory),
        (resource.RLIMIT_FSIZE, asked.disk),
    ):
        _, highest = resource.getrlimit(which)
        allowed = most if highest == resource.RLIM_INFINITY else min(most, highest)
        resource.setrlimit(which, (allowed, highest))


def answer(asked: Asked) -> Iterator[object]:
    """The head, a line for each row, and the end."""
    # Once more: nothing but what was looked through may reach a parser that can reach the network.
    check_question(asked.question)
    try:
        found = Store.read_only(asked.store).query(asked.question, prefixes=dict(PREFIXES))
    except SyntaxError as error:
        yield AnswerHead(kind="syntax", error=str(error))
        return
    except (OSError, RuntimeError) as error:
        yield AnswerHead(kind="broken", error=str(error))
        return
    if isinstance(found, QueryBoolean):
        yield AnswerHead(kind="ask", is_true=bool(found))
        yield AnswerEnd(has_more=False)
        return
    rows = _rows(found)
    yield (
        AnswerHead(kind="graph", columns=TRIPLE)
        if isinstance(found, QueryTriples)
        else AnswerHead(kind="select", columns=tuple(one.value for one in found.variables))
    )
    yield from islice(rows, asked.most or None)
    yield AnswerEnd(has_more=next(rows, None) is not None)


def _rows(found: QuerySolutions | QueryTriples) -> Iterator[list[Binding | None]]:
    if isinstance(found, QueryTriples):
        for triple in found:
            yield [_binding(term) for term in triple]
    else:
        names = [one.value for one in found.variables]
        for solution in found:
            yield [_binding(solution[name]) for name in names]


def _binding(term: object) -> Binding | None:
    """As SPARQL's JSON has a term; None where a variable has no value."""
    if isinstance(term, NamedNode):
        return {"type": "uri", "value": term.value}
    if isinstance(term, BlankNode):
        return {"type": "bnode", "value": term.value}
    if not isinstance(term, Literal):
        return None
    found = {"type": "literal", "value": term.value}
    if term.language:
        return found | {"xml:lang": term.language}
    return found if term.datatype.value == _STRING else found | {"datatype": term.datatype.value}


if __name__ == "__main__":
    main()
