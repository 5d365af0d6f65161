"""What to ask a form next: the probe with the most new records expected for a request."""

from __future__ import annotations

from heapq import nlargest
from math import ceil
from random import Random
from typing import TYPE_CHECKING

from archiver.acquisition.forms.choices import ProbeChoice, cut_pairs, main_text, next_page
from archiver.acquisition.forms.coverage import RecordSample, estimated
from archiver.acquisition.forms.ledger import AnswerLedger
from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.ranges import RangeInterval, column_of, first_intervals, numbers_of, share_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from archiver.acquisition.forms.coverage import Coverage
    from archiver.acquisition.forms.ledger import AskedQuery
    from archiver.acquisition.forms.model import Answered, ProbedInput

# Every so many requests a word is drawn by chance, to measure coverage.
_SAMPLE_EVERY = 9
_SAMPLE_PAGES = 3  # a word with more records is not a sample
_EXPLORE = 0.05  # of the choices: a source by chance, weighted by what it brought
_SMOOTHING = 0.25  # of the latest answer in the freshness of a family
_CUT = 0.6  # freshness of answers that are cut, beside others. Fitted by bench/deepweb.py
_COMPARED = 300  # words: the most frequent ones
# Answers of one input that are too often the same: it filters nothing (Madhavan et al. 2008).
_INFORMATIVE, _LEAST_ANSWERS = 0.25, 4
# Expected new records below which a request is not worth making.
_LEAST_WORTH = 0.15
_DEFAULT_PAGE = 10
# The shortest word that is drawn or chosen by itself.
_SHORTEST = 3


class Prober:
    """Knows all answers so far and chooses the next probe. It never asks: that is done elsewhere."""

    def __init__(
        self,
        inputs: Sequence[ProbedInput],
        *,
        seed: int = 0,
        pages_a_query: int = 10,
        words_only: bool = False,
    ) -> None:
        self._chance = Random(seed)  # noqa: S311 - which word is tried
        self.ledger = AnswerLedger(pages_a_query)
        self.text = main_text(inputs)
        self._inputs = [one for one in inputs if one.kind != "text" and not words_only]
        self._sources: dict[str, str] = {}  # word → where it comes from
        self._fresh: dict[str, float] = {}  # family → freshness of its latest answers
        self._yields: dict[str, list[float]] = {}  # source → new records of each request
        self._hits: dict[bool, tuple[int, int]] = {}  # words of letters, and others: hits and misses
        self._intervals: dict[str, list[RangeInterval]] = {}
        self._queue: list[Probe] = []
        self._samples: dict[str, tuple[int, frozenset[str]]] = {}  # query → records seen before, words then
        self._finders: dict[str, str] = {}  # words drawn by chance → the records they were drawn by
        self._since_sample = 0
        self.operator = ""
        self.words_work = True
        self.claimed: int | None = None
        self._coverage: Coverage | None = None

    # Words

    def offer(self, words: Iterable[str], source: str) -> None:
        """Words that could be submitted, from outside the answers."""
        for word in words:
            self._sources.setdefault(word.casefold(), source)

    def _word_source(self, word: str) -> str:
        return self._sources.get(word, "answers")

    # Answers

    def take(self, answered: Answered) -> int:
        """Note what came of a probe; how many records were new."""
        probe = answered.probe
        if probe.chosen_by == "sample" and probe.page == 1:
            self._samples[probe.query] = (self.ledger.seen, frozenset(self.ledger.records))
        self._claim(answered)
        fresh = self.ledger.take(answered)
        self._learn(answered, fresh)
        self._coverage = None
        query = self.ledger.queries[probe.query]
        if probe.chosen_by == "sample" and query.next_url and probe.page < _SAMPLE_PAGES:
            self._queue.append(next_page(query))
        is_large = self._size(query) > self._most_shown
        if probe.chosen_by == "range" and (self.ledger.is_cut(query) or (is_large and probe.page == 1)):
            self._bisect(query)
        return fresh

    def _claim(self, answered: Answered) -> None:
        """A total over everything is what the empty form tells."""
        if answered.probe.chosen_by == "empty" and answered.kind == "results" and answered.total:
            self.claimed = answered.total

    def _learn(self, answered: Answered, fresh: int) -> None:
        probe = answered.probe
        family = self._family(probe)
        if answered.records:
            share = fresh / len(answered.records)
            self._fresh[family] = (1 - _SMOOTHING) * self._fresh.get(family, 1.0) + _SMOOTHING * share
        if probe.chosen_by in {"word", "sample"} and self.text:
            word = probe.inputs.get(self.text, "")
            self._yields.setdefault(self._word_source(word), []).append(float(fresh))
            hits, misses = self._hits.get(word.isalpha(), (0, 0))
            self._hits[word.isalpha()] = (hits + bool(answered.records), misses + (not answered.records))

    def _family(self, probe: Probe) -> str:
        names = sorted(probe.inputs)
        return "word" if names == [self.text] else "+".join(names)

    def _bisect(self, query: AskedQuery) -> None:
        for field in self._inputs:
            if field.kind == "range" and query.inputs.keys() <= {field.name, field.until}:
                values = numbers_of(column_of(field, self.ledger.records.values()), self.ledger.records)
                low, high = (
                    int(query.inputs[name]) if name in query.inputs else None
                    for name in (field.name, field.until)
                )
                asked = RangeInterval(low=low, high=high)
                self._intervals.setdefault(field.name, []).extend(asked.halves(values))

    # Coverage

    @property
    def coverage(self) -> Coverage:
        if self._coverage is None:
            self._coverage = estimated(self.ledger.times.values(), self._weighed(), self._total())
        return self._coverage

    def _total(self) -> int | None:
        """What the site claims in all: by the empty form, or by every value of an input together."""
        if self.claimed is not None:
            return self.claimed
        for field in self._inputs:
            asked = [self.ledger.queries.get(f"{field.name}={value}") for value in field.values]
            totals = [one.total for one in asked if one is not None and one.total is not None]
            if field.kind == "option" and len(totals) == len(field.values) > 1:
                return sum(totals)
        return None

    def _weighed(self) -> list[RecordSample]:
        """Samples, each record weighted by how few words would have found it."""
        found = []
        for name, (before, seen) in self._samples.items():
            query = self.ledger.queries[name]
            word = query.inputs.get(self.text, "")
            if query.next_url or self.ledger.is_cut(query):
                continue
            # The record by which the word was drawn; after a resumption, one that has it.
            finder = self._finders.get(word) or next(iter(self.ledger.having.get(word, ())), None)
            keys = [key for key in query.keys if key != finder]
            weights = {key: 1 / max(1, len(self.ledger.records[key].words)) for key in keys}
            known = sum(weight for key, weight in weights.items() if key in seen)
            # In records: so that the number of samples counts, not the length of their texts.
            scale = 10.0
            found.append(RecordSample(scale * sum(weights.values()), scale * known, before))
        return found

    @property
    def expected(self) -> float:
        """Of all records; before anything is known of that, twice what was seen, or the largest answer."""
        told = max((one.total or 0 for one in self.ledger.queries.values()), default=0)
        return max(self.coverage.estimate or max(100.0, 2.0 * self.ledger.seen), told)

    # ProbeChoice

    def next(self) -> Probe | None:
        """The next probe; None where nothing is worth a request."""
        if self._queue:
            return self._queue.pop(0)
        self._since_sample += 1
        if self._since_sample >= _SAMPLE_EVERY and (sample := self._sample()) is not None:
            self._since_sample = 0
            return sample
        choices = list(self._choices())
        if not choices:
            return None
        best = max(choices, key=lambda one: (one.worth, one.probe.key))
        if self._chance.random() < _EXPLORE:
            best = self._explored(choices) or best
        return best.probe if best.worth >= _LEAST_WORTH else None

    def _explored(self, choices: Sequence[ProbeChoice]) -> ProbeChoice | None:
        """One of a source by chance, drawn by what sources brought so far."""
        draws = {
            source: self._chance.gammavariate(1 + sum(brought), 1.0) / (1 + len(brought))
            for source, brought in self._yields.items()
        }
        if not draws:
            return None
        source = max(draws, key=lambda one: draws[one])
        words = [one for one in choices if one.family == "word" and one.probe.page == 1]
        mine = [one for one in words if self._word_source(one.probe.inputs[self.text]) == source]
        return max(mine, key=lambda one: one.worth, default=None)

    def _choices(self) -> Iterator[ProbeChoice]:
        yield from self._further_pages()
        yield from self._options()
        yield from self._ranges()
        if self.text and self.words_work:
            yield from self._words()
        yield from self._pairs()

    @property
    def _page(self) -> int:
        return self.ledger.page_size or _DEFAULT_PAGE

    def _worth(self, expected: float, fresh: float) -> float:
        """New records for each request, where so many are expected."""
        most = self._most_shown
        # Of an answer that is cut, the first ones are shown: other answers begin with them as well.
        fresh *= _CUT if expected > most else 1.0
        shown = min(expected, most)
        return fresh * shown / max(1, ceil(shown / self._page)) if shown > 0 else 0.0

    def _further_pages(self) -> Iterator[ProbeChoice]:
        for query in self.ledger.queries.values():
            if query.next_url and not (self._is_range(query) and self._size(query) > self._most_shown):
                probe = next_page(query)
                yield ProbeChoice(probe, self._family(probe), self._rest_worth(query))

    def _rest_worth(self, query: AskedQuery) -> float:
        """New records for each request, of what an answer has not shown yet: all that it finds, without the
        records that are known to be among them."""
        size, shown = self._size(query), len(query.keys)
        rest = max(1.0, min(size, self._most_shown) - shown)
        known = max(shown, self._known(query.inputs))
        new = max(0.0, size - known) * rest / max(1.0, size - shown)
        by_count = new / max(1, ceil(rest / self._page))
        # What the last page brought says the same where nothing else is known, and less surely.
        by_page = min(rest, self._page) * query.fresh_share
        return by_count if query.total is not None else (by_count + by_page) / 2

    @property
    def _most_shown(self) -> float:
        return min(self.ledger.cut, self._page * self.ledger.pages_a_query)

    def _size(self, query: AskedQuery) -> float:
        """How many records an answer has in all, as it says or as it is expected."""
        if query.total is not None:
            return max(query.total, len(query.keys))
        least = len(query.keys) + (self._page / 2 if query.next_url else 0)
        word = query.inputs.get(self.text, "") if len(query.inputs) == 1 else ""
        return max(least, self.expected * self.ledger.frequency(word)) if word else least

    def _known(self, inputs: dict[str, str]) -> int:
        """The records that were seen and would be found by these inputs, where their values tell."""
        if len(inputs) == 1:
            ((name, value),) = inputs.items()
            if name == self.text:
                return len(self.ledger.having.get(value, ()))
            return self.ledger.valued[value.casefold()]
        return 0

    def _is_range(self, query: AskedQuery) -> bool:
        return query.chosen_by == "range"

    def _options(self) -> Iterator[ProbeChoice]:
        for field in self._inputs:
            if field.kind != "option" or not self._is_informative(field):
                continue
            fresh = self._fresh.get(field.name, 1.0)
            for value in field.values:
                probe = Probe(inputs={field.name: value}, chosen_by="option")
                if value and probe.query not in self.ledger.queries:
                    worth = self._worth(self.expected / len(field.values), fresh)
                    yield ProbeChoice(probe, field.name, worth)

    def _is_informative(self, field: ProbedInput) -> bool:
        names = {field.name, field.until} - {""}
        mine = [
            one.signature for one in self.ledger.queries.values() if one.inputs and one.inputs.keys() <= names
        ]
        return len(mine) < _LEAST_ANSWERS or len(set(mine)) >= _INFORMATIVE * len(mine)

    def _ranges(self) -> Iterator[ProbeChoice]:
        for field in self._inputs:
            if field.kind != "range" or not self._is_informative(field):
                continue
            column = column_of(field, self.ledger.records.values())
            values = numbers_of(column, self.ledger.records) if column else []
            if field.name not in self._intervals:
                most = self._most_shown
                intervals = list(first_intervals(field, values, self.expected, most))
                if not intervals:
                    continue
                self._intervals[field.name] = intervals
            yield from self._of_range(field, values)

    def _of_range(self, field: ProbedInput, values: list[float]) -> Iterator[ProbeChoice]:
        family = "+".join(sorted({field.name, field.until}))
        extent = values[-1] - values[0] + 1 if values else 1.0
        for interval in self._intervals[field.name]:
            probe = Probe(inputs=interval.inputs(field), chosen_by="range")
            if probe.query in self.ledger.queries:
                continue
            share = share_in(interval, values, extent) if values else 1 / len(self._intervals[field.name])
            known = sum(map(interval.has, values))
            size = max(known, self.expected * share, 1.0)
            yield ProbeChoice(probe, family, self._worth(size, (size - known) / size))

    def _words(self) -> Iterator[ProbeChoice]:
        having, queries, text = self.ledger.having, self.ledger.queries, self.text
        expected = self.expected
        free = (word for word in having if len(word) >= _SHORTEST and f"{text}={word}" not in queries)
        for word in nlargest(_COMPARED, free, key=lambda one: (len(having[one]), one)):
            known = len(having[word])
            size = max(known, expected * self.ledger.frequency(word))
            yield self._word(word, self._hit_rate(word) * self._worth(size, (size - known) / size))
        for word, source in self._sources.items():
            if word not in having and f"{text}={word}" not in queries:
                brought = self._yields.get(source, [])
                yield self._word(word, (sum(brought) + self._page / 2) / (len(brought) + 1))

    def _hit_rate(self, word: str) -> float:
        """How often words like this one, of letters or of digits, found something."""
        hits, misses = self._hits.get(word.isalpha(), (0, 0))
        return (hits + 2) / (hits + misses + 2)

    def _word(self, word: str, worth: float) -> ProbeChoice:
        return ProbeChoice(Probe(inputs={self.text: word}, chosen_by="word"), "word", worth)

    def _pairs(self) -> Iterator[ProbeChoice]:
        """Two inputs together, where the answers to each of them alone were cut."""
        for probe, size in cut_pairs(self.ledger):
            yield ProbeChoice(probe, "pair", self._worth(size, self._fresh.get("pair", 0.8)))

    def _sample(self) -> Probe | None:
        """A word drawn by chance among those with few records: its answer is seen as a whole."""
        if not self.text or not self.words_work or not self.ledger.seen:
            return None
        # By a record first: without that one, its word is as likely to find seen records as others.
        for key in self._chance.sample(sorted(self.ledger.records), min(20, self.ledger.seen)):
            words = (
                word for word in self.ledger.records[key].words if word.isalpha() and len(word) >= _SHORTEST
            )
            free = sorted(word for word in words if f"{self.text}={word}" not in self.ledger.queries)
            if free:
                word = self._chance.choice(free)
                self._finders[word] = key
                return Probe(inputs={self.text: word}, chosen_by="sample")
        return None
