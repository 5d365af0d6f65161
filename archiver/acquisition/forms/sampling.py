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
        now = _Draw(self._ledger, self._text, len(keys), len(self._ledger.queries), most)
        for key in self._chance.sample(keys, min(_LOOKED_AT, len(keys))):
            free = sorted(now.words(key))
            if free:
                self._since = 0
                return Probe(inputs={self._text: self._chance.choice(free)}, chosen_by="sample")
        return None

    def begin(self, query: str) -> None:
        """An answer is about to be taken for the first time."""
        self._begun[query] = self._ledger.seen

    def end(self, query: str, most: float) -> None:
        """The whole answer was seen."""
        asked = self._ledger.queries[query]
        before = self._begun.pop(query, 0)
        draw = _Draw(self._ledger, self._text, before, asked.number, most)
        self._weighed[query] = draw.weighed(asked.inputs[self._text], asked.keys)


class _Draw:
    """What a draw could have brought when so many records and queries were known; `most`: of these records
    that have a word."""

    def __init__(self, ledger: AnswerLedger, text: str, before: int, number: int, most: float) -> None:
        self._ledger, self._text = ledger, text
        self._before, self._number, self._most = before, number, most
        self._shares: dict[str, float] = {}

    def weighed(self, word: str, keys: list[str]) -> RecordSample:
        """The records that a word found, without the one by which it was drawn."""
        finder = self._finder(word)
        # What the answer has for another reason, such as a longer word, has another probability.
        exact = (key for key in keys if key != finder and word in self._ledger.records[key].words)
        chances = {key: self._probability(key) for key in exact}
        weights = {key: 1 / chance for key, chance in chances.items() if chance > 0}
        known = sum(weight for key, weight in weights.items() if self._ledger.order[key] < self._before)
        return RecordSample(sum(weights.values()), known, self._before)

    def words(self, key: str) -> Iterator[str]:
        """The words of a record that can be drawn."""
        for word in self._ledger.records[key].words:
            if not word.isalpha() or len(word) < SHORTEST_WORD or self._had(word) > self._most:
                continue
            asked = self._ledger.queries.get(f"{self._text}={word}")
            if asked is None or asked.number >= self._number:
                yield word

    def _had(self, word: str) -> int:
        """How many records with a word were known."""
        having, order = self._ledger.having.get(word, ()), self._ledger.order
        return bisect_left(having, self._before, key=order.__getitem__)

    def _finder(self, word: str) -> str:
        """The record by which a word was drawn: which of those that have it does not matter, so that it need
        not be kept."""
        seen = self._ledger.having.get(word, [])[: self._had(word)]
        shares = [self._share(key) for key in seen]
        drawn_by = Random(f"{word} {self._before}")  # noqa: S311 - a draw
        return drawn_by.choices(seen, shares)[0] if sum(shares) else ""

    def _share(self, key: str) -> float:
        """The probability of each word of a record, once the record was drawn."""
        if key not in self._shares:
            self._shares[key] = 1 / max(1, sum(1 for _ in self.words(key)))
        return self._shares[key]

    def _probability(self, key: str) -> float:
        """That a word is drawn which finds this record, by another record."""
        others = (other for word in self.words(key) for other in self._ledger.having[word][: self._had(word)])
        return sum(self._share(other) for other in others if other != key) / max(1, self._before)
