"""What a form does with nonsense, stop words, letters, and several words, by its first answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from archiver.acquisition.forms.model import FormBehaviour

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from archiver.acquisition.forms.model import Answered


def behaviour_of(answers: Sequence[Answered]) -> FormBehaviour:
    """What the first answers show; later ones with the same words count as well."""
    by_kind: dict[str, list[Answered]] = {}
    for one in answers:
        by_kind.setdefault(one.probe.chosen_by, []).append(one)
    firsts = [one for one in answers if one.probe.page == 1]
    return FormBehaviour(
        empty_all=_found(by_kind, "empty"),
        stop_words=_found(by_kind, "stop"),
        letters=_found(by_kind, "letter"),
        operator=_operator(by_kind.get("both", ()), {one.probe.query: one for one in firsts}),
        forgives=_found(by_kind, "typo"),
        invents=bool(_found(by_kind, "nonsense")),
        page_size=max((len(one.records) for one in firsts), default=0),
        tells_total=any(one.total is not None for one in answers),
    )


def _found(by_kind: Mapping[str, Sequence[Answered]], kind: str) -> bool | None:
    found = by_kind.get(kind)
    return any(one.kind == "results" for one in found) if found else None


def _operator(both: Sequence[Answered], firsts: Mapping[str, Answered]) -> Literal["and", "or", ""]:
    """All words must be there if both together find less than each; any of them, if they find more."""
    for one in both:
        (name, value), *_ = one.probe.inputs.items()
        parts = [firsts.get(f"{name}={word}") for word in value.split()]
        sizes = [_size(part) for part in parts if part is not None]
        if len(sizes) == len(parts):
            if _size(one) > max(sizes):
                return "or"
            if _size(one) < min(sizes):
                return "and"
            # Pages of one size tell nothing: which words the records have does.
            words = value.casefold().split()
            shares = [sum(word in record.words for record in one.records) for word in words]
            if one.records and all(share == len(one.records) for share in shares):
                return "and"
            if one.records and all(share < len(one.records) for share in shares):
                return "or"
    return ""


def _size(one: Answered | None) -> int:
    if one is None or one.kind != "results":
        return 0
    return one.total if one.total is not None else len(one.records)
