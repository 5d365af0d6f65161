"""Which kind of answer a page is: records, none, an error, or the same whatever was asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import msgspec

from archiver.records.model import ListedRecord  # noqa: TC001 - msgspec reads annotations

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.forms.model import AnswerKind

# Words of answers without records, in the languages of most catalogues.
_NONE = re.compile(
    r"\b(?:no|0|zero)\s+(?:\w+\s+){0,3}?"
    r"(?:results?|matches|matching|hits?|records?|items?|entries|posts?|books?|found)"
    r"|nothing (?:was )?found|not found|did not match|there were no results"
    r"|keine (?:\w+ ){0,2}(?:treffer|ergebnisse)"
    r"|nichts gefunden|aucun (?:résultat|\w+ trouvé)|sin resultados|no se (?:han )?encontr|nessun risultato"
    r"|nenhum resultado|geen resultaten|inga (?:träffar|resultat)|ingen (?:treff|resultater)|brak wynik",
    re.IGNORECASE,
)
# How alike two shapes are that are taken for one.
ALIKE = 0.9


class AnswerPageRead(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a worker read on an answer."""

    records: tuple[ListedRecord, ...] = ()
    total: int | None = None
    next_url: str = ""
    says_none: bool = False
    echoes: bool = False
    shape: dict[str, int] = {}  # kinds of paths, and how many of each
    is_outdated: bool = False  # the wrapper does not fit
    problem: str = ""


class NonePages(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How answers to nonsense look."""

    shapes: tuple[dict[str, int], ...] = ()
    keys: tuple[frozenset[str], ...] = ()
    echoes: bool = False


def says_none(text: str, own: str = "") -> bool:
    """True for a text that says that nothing was found, in these words or in those of the form's file."""
    return bool(_NONE.search(text)) or bool(own and own.casefold() in text.casefold())


def likeness(one: dict[str, int], other: dict[str, int]) -> float:
    """Dice's measure of two shapes."""
    common = sum(min(count, other.get(path, 0)) for path, count in one.items())
    return 2 * common / max(1, sum(one.values()) + sum(other.values()))


def answer_kind(read: AnswerPageRead, nones: NonePages, before: Sequence[frozenset[str]]) -> AnswerKind:
    """`before` are the records of the answers to other queries, on their first pages."""
    if read.problem:
        return "error"
    keys = frozenset(record.key for record in read.records)
    if keys and keys in nones.keys:
        return "none"  # what is shown to those who find nothing
    says_none = read.total == 0 or read.says_none
    looks_none = any(likeness(read.shape, shape) >= ALIKE for shape in nones.shapes)
    # A single record looks much like none: what the page says decides.
    if not keys or (len(keys) == 1 and says_none and (looks_none or (nones.echoes and read.echoes))):
        return "none"
    return "same" if len(keys) > 1 and keys in before else "results"
