"""How many records a site says that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.forms.ledger import AnswerLedger
    from archiver.acquisition.forms.model import Answered, ProbedInput


class ClaimedTotals:
    """Totals over everything: of the empty form, or of every value of an input together."""

    def __init__(self, inputs: Sequence[ProbedInput], ledger: AnswerLedger) -> None:
        self._options = [one for one in inputs if one.kind == "option"]
        self._ledger = ledger
        self._of_empty: int | None = None

    def take(self, answered: Answered) -> None:
        if answered.probe.chosen_by == "empty" and answered.kind == "results" and answered.total:
            self._of_empty = answered.total

    @property
    def total(self) -> int | None:
        if self._of_empty is not None and not self._is_narrowed():
            return self._of_empty
        for field in self._options:
            asked = [self._ledger.queries.get(f"{field.name}={value}") for value in field.values]
            totals = [one.total for one in asked if one is not None and one.total is not None]
            if len(totals) == len(field.values) > 1:
                return sum(totals)
        return None

    def _is_narrowed(self) -> bool:
        """True where the empty form is sent with a value that filters: another one finds as many no more."""
        others = (
            self._ledger.queries.get(f"{field.name}={value}")
            for field in self._options
            if field.unset
            for value in field.values
            if value != field.unset
        )
        return any(one is not None and one.total not in {None, self._of_empty} for one in others)
