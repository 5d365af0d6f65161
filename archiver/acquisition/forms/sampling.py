"""Words drawn by chance, whose answers tell how many records were not seen yet."""

from __future__ import annotations

from bisect import bisect_left
from random import Random
from typing import TYPE_CHECKING

from archiver.acquisition.forms.coverage import RecordSample
from archiver.acquisition.forms.model import Probe

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.acquisition.forms.ledger import AnswerLedger

SAMPLE_PAGES = 3  # a word with more records is not a sample
# Every so many requests a word is drawn: more often while the interval is wide. Guess.
_EVERY, _EVERY_WIDE = 12, 7
_WIDE = 2.0
# Records that are looked at for a word.
_LOOKED_AT = 30
SHORTEST_WORD = 3


class WordSamples:
    """A record is drawn, then one of its words. What else the word finds is a sample of all records in which
    each has a probability that is known: so it counts by its inverse (Horvitz and Thompson)."""

    def __init__(self, text: str, ledger: AnswerLedger, chance: Random) -> None:
        self._text, self._ledger, self._chance = text, ledger, chance
        self._since = 0
        self._begun: dict[str, int] = {}  # query → records seen before
        self._weighed: dict[str, RecordSample] = {}

    @property
    def all(self) -> list[RecordSample]:
        return list(self._weighed.values())

    def is_due(self, width: float) -> bool:
        """`width`: the upper end of the interval in terms of the lower one."""
        self._since += 1
        return self._since >= (_EVERY_WIDE if width > _WIDE else _EVERY)

    def draw(self, most: float) -> Probe | None:
        """A word of a record that was drawn; `most`: of seen records that have it."""
        keys = list(self._ledger.records)
        for key in self._chance.sample(keys, min(_LOOKED_AT, len(keys))):
            free = sorted(self._eligible(key, len(keys), len(self._ledger.queries), most))
            if free:
                self._since = 0
                return Probe(inputs={self._text: self._chance.choice(free)}, chosen_by="sample")
        return None

    def _eligible(self, key: str, before: int, number: int, most: float) -> Iterator[str]:
        """The words of a record that could be drawn when so many records and queries were known."""
        for word in self._ledger.records[key].words:
            if not word.isalpha() or len(word) < SHORTEST_WORD or self._had(word, before) > most:
                continue
            asked = self._ledger.queries.get(f"{self._text}={word}")
            if asked is None or asked.number >= number:
                yield word

    def _had(self, word: str, before: int) -> int:
        return bisect_left(self._ledger.having.get(word, ()), before, key=self._ledger.order.__getitem__)

    def begin(self, query: str) -> None:
        """An answer is about to be taken for the first time."""
        self._begun[query] = self._ledger.seen

    def end(self, query: str, most: float) -> None:
        """The whole answer was seen."""
        before, asked = self._begun.pop(query, 0), self._ledger.queries[query]
        word = asked.inputs[self._text]
        having = self._ledger.having.get(word, [])
        seen = having[: self._had(word, before)]
        # What the answer has for another reason, such as a longer word, has another probability.
        exact = [key for key in asked.keys if word in self._ledger.records[key].words]
        finder = self._finder(word, seen, before, asked.number, most)
        weights = {
            key: 1 / chance
            for key in exact
            if key != finder and (chance := self._probability(key, before, asked.number, most)) > 0
        }
        known = sum(weight for key, weight in weights.items() if self._ledger.order[key] < before)
        self._weighed[query] = RecordSample(sum(weights.values()), known, before)

    def _finder(self, word: str, seen: list[str], before: int, number: int, most: float) -> str:
        """The record by which the word was drawn: which of them it was does not matter, so that it need not
        be kept."""
        if not seen:
            return ""
        drawn_by = Random(f"{word} {before}")  # noqa: S311 - a draw
        shares = [self._share(key, before, number, most) for key in seen]
        return drawn_by.choices(seen, shares)[0] if sum(shares) else seen[0]

    def _share(self, key: str, before: int, number: int, most: float) -> float:
        """The probability of each word of a record, once the record was drawn."""
        count = sum(1 for _ in self._eligible(key, before, number, most))
        return 1 / count if count else 0.0

    def _probability(self, key: str, before: int, number: int, most: float) -> float:
        """That a word is drawn which finds this record, by another record."""
        shares: dict[str, float] = {}
        total = 0.0
        for word in self._eligible(key, before, number, most):
            for other in self._ledger.having[word][: self._had(word, before)]:
                if other != key:
                    if other not in shares:
                        shares[other] = self._share(other, before, number, most)
                    total += shares[other]
        return total / max(1, before)
