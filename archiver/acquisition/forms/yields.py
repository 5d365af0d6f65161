"""What requests brought beside what was expected of them: by depth of the page, and by column of the word."""

from __future__ import annotations

from bisect import bisect
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archiver.acquisition.forms.ledger import AnswerLedger, AskedQuery

# Of a page that was noted before, in each later one of its kind: what is fresh changes while a run goes on.
_KEPT = 0.95
# New records, in pages, that stand for what was expected before anything was noted. Guess.
_PRIOR_PAGES = 1.0
_PRIOR_WORDS = 1.0
# Where parts of an answer begin, of all its records. Guess.
_PARTS = (0.05, 0.15, 0.3, 0.5)


class PageYields:
    """Sites show the same records first, whatever is asked: the beginning of an answer brings less than its
    end. How much less, the answers of a site tell, by the part of the answer that a page begins with."""

    def __init__(self) -> None:
        self._noted: list[tuple[float, float]] = [(0.0, 0.0)] * (len(_PARTS) + 1)

    def note(self, begin: float, expected: float, fresh: int) -> None:
        came, hoped = self._noted[bisect(_PARTS, begin)]
        self._noted[bisect(_PARTS, begin)] = (_KEPT * came + fresh, _KEPT * hoped + expected)

    def ratios(self, page_size: int) -> list[float]:
        """New records for each one that was expected, by parts; of a part that is not known yet, as of the
        one before."""
        found, prior, ratio = [], _PRIOR_PAGES * page_size, 1.0
        for came, hoped in self._noted:
            ratio = (came + prior * ratio) / (hoped + prior)
            found.append(ratio)
        return found

    def worth(self, size: float, shown: int, most: float, share: float, page_size: int) -> float:
        """New records for each request, of what an answer with so many records has not shown yet, this share
        of them new: the mean over its pages, up to the page where it is best to stop."""
        best = total = 0.0
        ratios = self.ratios(page_size)
        rest = max(1.0, min(size, most) - shown)
        for number in range(max(1, ceil(rest / page_size))):
            begin = (shown + number * page_size) / max(1.0, size)
            on_page = min(page_size, rest - number * page_size)
            total += on_page * min(1.0, share * ratios[bisect(_PARTS, begin)])
            best = max(best, total / (number + 1))
        return best


class SearchedColumns:
    """Which columns of the records a form searches: of records known to have a word there, its answer shows
    them or does not."""

    def __init__(self) -> None:
        self._noted: dict[str, tuple[float, float]] = {}
        self._known: dict[str, tuple[str, ...]] = {}  # word that is being asked → records that have it

    def begin(self, word: str, ledger: AnswerLedger) -> None:
        self._known[word] = tuple(ledger.having.get(word, ()))

    def end(self, word: str, query: AskedQuery, ledger: AnswerLedger) -> None:
        """The whole answer was seen."""
        shown, by_column = set(query.keys), dict[str, list[bool]]()
        for key in self._known.pop(word, ()):
            columns = ledger.records[key].columns_of(word)
            if len(columns) == 1:
                by_column.setdefault(columns[0], []).append(key in shown)
        for column, held in by_column.items():
            had, tried = self._noted.get(column, (0.0, 0.0))
            self._noted[column] = (had + sum(held) / len(held), tried + 1)

    def share(self, word: str, ledger: AnswerLedger) -> float:
        """Of the records that have a word, those that are found by it."""
        places = ledger.places.get(word)
        if not places:
            return 1.0
        found = sum(count * self._rate(column) for column, count in places.items())
        return min(1.0, found / places.total())

    def chance(self, word: str, ledger: AnswerLedger) -> float:
        """That a word finds anything."""
        return max(map(self._rate, ledger.places.get(word, ())), default=1.0)

    def _rate(self, column: str) -> float:
        had, tried = self._noted.get(column, (0.0, 0.0))
        return (had + _PRIOR_WORDS) / (tried + _PRIOR_WORDS)


class Recaptures:
    """Of the records of each page, those that were seen before: the share of all that was seen by then."""

    def __init__(self) -> None:
        self._caught = self._recaught = 0.0

    def note(self, shown: int, fresh: int, before: int) -> None:
        """Note a page of an answer to a word; the latest ones count most."""
        self._caught = _KEPT * self._caught + shown * before
        self._recaught = _KEPT * self._recaught + shown - fresh

    @property
    def estimate(self) -> float:
        """Of all records; 0 where none was seen twice."""
        return self._caught / self._recaught if self._recaught else 0.0
