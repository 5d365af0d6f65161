"""What to ask a form next: the probe with the most new records expected for a request."""

from __future__ import annotations

from heapq import nlargest
from random import Random
from typing import TYPE_CHECKING

from archiver.acquisition.forms.choices import ProbeChoice, cut_pairs, main_text, next_page
from archiver.acquisition.forms.claims import ClaimedTotals
from archiver.acquisition.forms.coverage import estimated
from archiver.acquisition.forms.ledger import AnswerLedger
from archiver.acquisition.forms.model import Probe
from archiver.acquisition.forms.range_choices import RangeChoices
from archiver.acquisition.forms.sampling import SAMPLE_PAGES, SHORTEST_WORD, WordSamples
from archiver.acquisition.forms.yields import PageYields, Recaptures, SearchedColumns

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from archiver.acquisition.forms.coverage import Coverage
    from archiver.acquisition.forms.ledger import AskedQuery
    from archiver.acquisition.forms.model import Answered, ProbedInput

_EXPLORE = 0.05  # of the choices: a source by chance, weighted by what it brought
_SMOOTHING = 0.25  # of the latest answer in the freshness of a family
_COMPARED = 300  # words: the most frequent ones
# Answers of one input that are too often the same: it filters nothing (Madhavan et al. 2008).
_INFORMATIVE, _LEAST_ANSWERS = 0.25, 4
# Expected new records below which a request is not worth making.
_LEAST_WORTH = 0.15
_DEFAULT_PAGE = 10
# Of the further pages that are asked before probing ends: so many without a new record end it. Guess.
_LAST_IN_VAIN = 5
# Records before anything is known, and for each one that was seen while none was seen twice. Guess.
_FEWEST, _UNSEEN = 100.0, 3.0


class Prober:
    """Knows all answers so far and chooses the next probe. It never asks: that is done elsewhere."""

    def __init__(
        self,
        inputs: Sequence[ProbedInput],
        *,
        seed: int = 0,
        pages_a_query: int = 10,
    ) -> None:
        self._chance = Random(seed)  # noqa: S311 - which word is tried
        self.ledger = AnswerLedger(pages_a_query)
        self.text = main_text(inputs)
        self._inputs = [one for one in inputs if one.kind != "text"]
        self._sources: dict[str, str] = {}  # word → where it comes from
        self._fresh: dict[str, float] = {}  # family → freshness of its latest answers
        self._yields: dict[str, list[float]] = {}  # source → new records of each request
        self._pages = PageYields()
        self._columns = SearchedColumns()
        self._recaptures = Recaptures()
        self._ranges = RangeChoices(inputs, self.ledger)
        self._claims = ClaimedTotals(inputs, self.ledger)
        self._queue: list[Probe] = []
        self._samples = WordSamples(self.text, self.ledger, self._chance)
        self.operator = ""
        self.words_work = True
        self._coverage: Coverage | None = None
        self._last = ""  # the key of the further page that was asked last before the end
        self._last_in_vain = 0

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
        word = probe.inputs.get(self.text, "") if len(probe.inputs) == 1 else ""
        if word and probe.page == 1:
            self._columns.begin(word, self.ledger)
            self._samples.begin(probe.query)
        self._claims.take(answered)
        begin, expected = self._expected_on(probe, self.ledger.queries.get(probe.query))
        before, fresh = self.ledger.seen, self.ledger.take(answered)
        if probe.chosen_by == "sample" and answered.records:
            self._recaptures.note(len(answered.records), fresh, before)
        self._coverage = None
        if probe.key == self._last:
            self._last_in_vain = 0 if fresh else self._last_in_vain + 1
        query = self.ledger.queries[probe.query]
        if expected > 0:
            self._pages.note(begin, expected, fresh)
        self._learn(answered, fresh)
        if word and not query.next_url:
            self._end_word(word, query)
        if probe.chosen_by == "sample" and query.next_url and probe.page < SAMPLE_PAGES:
            self._queue.append(next_page(query))
        if probe.chosen_by == "range" and (
            self.ledger.is_cut(query) or (self._is_large(query) and probe.page == 1)
        ):
            self._ranges.bisect(query.inputs, self.expected, self._most_shown)
        return fresh

    def _end_word(self, word: str, query: AskedQuery) -> None:
        """A word whose answer was seen as a whole tells more."""
        if not self.ledger.is_cut(query):
            self._columns.end(word, query, self.ledger)
            if query.chosen_by == "sample":
                self._samples.end(f"{self.text}={word}", self._most_sampled)

    def _learn(self, answered: Answered, fresh: int) -> None:
        probe = answered.probe
        family = self._family(probe)
        if answered.records:
            share = fresh / len(answered.records)
            self._fresh[family] = (1 - _SMOOTHING) * self._fresh.get(family, 1.0) + _SMOOTHING * share
        if probe.chosen_by in {"word", "sample"} and self.text:
            word = probe.inputs.get(self.text, "")
            self._yields.setdefault(self._word_source(word), []).append(float(fresh))

    def _family(self, probe: Probe) -> str:
        names = sorted(probe.inputs)
        return "word" if names == [self.text] else "pair" if probe.chosen_by == "pair" else "+".join(names)

    # Coverage

    @property
    def coverage(self) -> Coverage:
        if self._coverage is None:
            self._coverage = estimated(self.ledger.times.values(), self._samples.all, self._claims.total)
        return self._coverage

    @property
    def expected(self) -> float:
        """Of all records: what samples tell; before that, what all answers to words do, though sites show the
        same records first; at least the largest answer."""
        guess = self._recaptures.estimate or _UNSEEN * self.ledger.seen
        estimate = self.coverage.estimate or max(_FEWEST, guess)
        return max(estimate, self.ledger.largest_total, self.ledger.seen)

    # ProbeChoice

    def next(self) -> Probe | None:
        """The next probe; None where nothing is worth a request."""
        if self._queue:
            return self._queue.pop(0)
        if self._samples.is_due(self.coverage.width) and (sample := self._sample()) is not None:
            return sample
        choices = list(self._choices())
        if not choices:
            return None
        best = max(choices, key=lambda one: (one.worth, one.probe.key))
        if self._chance.random() < _EXPLORE:
            best = self._explored(choices) or best
        # As long as nothing tells how many there are, a low expectation tells nothing either. Nor does it
        # where the site says that there are more.
        is_open = self.coverage.estimate is None or bool(self.coverage.lacks)
        return best.probe if best.worth >= _LEAST_WORTH or is_open else None

    def last_page(self) -> Probe | None:
        """A further page to ask before probing ends, however little it promises: of the answer to the empty
        form, of one that claims more records than were seen, or of one that still brought new ones. What a
        small catalogue has brings too little news to go on for, and no estimate."""
        if self._last_in_vain >= _LAST_IN_VAIN or self.coverage.lacks == 0:
            return None
        orders = [(self._open_order(one), one) for one in self.ledger.queries.values() if one.next_url]
        order, query = max(orders, key=lambda one: (one[0], -one[1].number), default=((), None))
        if query is None or not any(order):
            return None
        probe = next_page(query)
        self._last = probe.key
        return probe

    def _open_order(self, query: AskedQuery) -> tuple[float, ...]:
        return not query.inputs, (query.total or 0) > self.ledger.seen, query.fresh_share

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
        yield from self._intervals()
        if self.text and self.words_work:
            yield from self._words()
        yield from self._pairs()

    @property
    def _page(self) -> int:
        return self.ledger.page_size or _DEFAULT_PAGE

    def _worth(self, size: float, known: float) -> float:
        """New records for each request, where so many are expected and so many of them are known."""
        return self._pages.worth(size, 0, self._most_shown, max(0.0, size - known) / size, self._page)

    def _further_pages(self) -> Iterator[ProbeChoice]:
        for query in self.ledger.queries.values():
            if query.next_url and not (self._is_range(query) and self._is_large(query)):
                probe = next_page(query)
                yield ProbeChoice(probe, self._family(probe), self._rest_worth(query))

    def _rest_worth(self, query: AskedQuery) -> float:
        """New records for each request, of what an answer has not shown yet."""
        size, share = self._unshown(query.inputs, query)
        return self._pages.worth(size, len(query.keys), self._most_shown, share, self._page)

    def _unshown(self, inputs: dict[str, str], query: AskedQuery | None) -> tuple[float, float]:
        """How many records an answer has, and of those that it has yet to show, the share that is new: all
        that it finds, without those that are known to be among them."""
        shown = len(query.keys) if query is not None else 0
        size = self._size(query) if query is not None else self._expected_size(inputs)
        known = max(shown, self._known(inputs))
        return size, max(0.0, size - known) / max(1.0, size - shown)

    def _expected_on(self, probe: Probe, query: AskedQuery | None) -> tuple[float, float]:
        """Where a page begins in its answer, and the new records that were to be expected on it; 0 where
        nothing tells."""
        is_word = len(probe.inputs) == 1 and self.text in probe.inputs
        if query is None and not is_word and probe.chosen_by != "range":
            return 0.0, 0.0
        size, share = self._unshown(probe.inputs, query)
        shown = len(query.keys) if query is not None else 0
        rest = max(1.0, min(size, self._most_shown) - shown)
        return shown / max(1.0, size), min(rest, self._page) * share

    def _is_large(self, query: AskedQuery) -> bool:
        return self._size(query) > self._most_shown

    @property
    def _most_shown(self) -> float:
        return min(self.ledger.cut, self._page * self.ledger.pages_a_query)

    def _size(self, query: AskedQuery) -> float:
        """How many records an answer has in all, as it says or as it is expected."""
        if query.total is not None:
            return max(query.total, len(query.keys))
        if not query.next_url and not self.ledger.is_cut(query):
            return len(query.keys)
        least = len(query.keys) + (self._page / 2 if query.next_url else 0)
        return max(least, self._expected_size(query.inputs))

    def _expected_size(self, inputs: dict[str, str]) -> float:
        if (size := self._ranges.size(inputs, self.expected)) is not None:
            return size
        word = inputs.get(self.text, "") if len(inputs) == 1 else ""
        return self.expected * self.ledger.frequency(word) * self._columns.share(word, self.ledger)

    def _known(self, inputs: dict[str, str]) -> int:
        """The records that were seen and would be found by these inputs, where their values tell."""
        if (known := self._ranges.known(inputs)) is not None:
            return known
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
            for value in field.values:
                probe = Probe(inputs={field.name: value}, chosen_by="option")
                if value and probe.query not in self.ledger.queries:
                    size = self.expected / len(field.values)
                    known = min(size, self.ledger.valued[value.casefold()])
                    yield ProbeChoice(probe, field.name, self._worth(size, known))

    def _is_informative(self, field: ProbedInput) -> bool:
        names = {field.name, field.until} - {""}
        mine = [
            one.signature for one in self.ledger.queries.values() if one.inputs and one.inputs.keys() <= names
        ]
        return len(mine) < _LEAST_ANSWERS or len(set(mine)) >= _INFORMATIVE * len(mine)

    def _intervals(self) -> Iterator[ProbeChoice]:
        for field in self._inputs:
            if field.kind == "range" and self._is_informative(field):
                for probe in self._ranges.probes(field, self.expected, self._most_shown):
                    size, known = self._expected_size(probe.inputs), self._known(probe.inputs)
                    yield ProbeChoice(probe, self._family(probe), self._worth(size, known))

    def _words(self) -> Iterator[ProbeChoice]:
        having, queries, text = self.ledger.having, self.ledger.queries, self.text
        expected = self.expected
        free = (word for word in having if len(word) >= SHORTEST_WORD and f"{text}={word}" not in queries)
        for word in nlargest(_COMPARED, free, key=lambda one: (len(having[one]), one)):
            found = self._columns.share(word, self.ledger)
            known = found * len(having[word])
            size = max(known, expected * self.ledger.frequency(word) * found)
            yield self._word(word, self._columns.chance(word, self.ledger) * self._worth(size, known))
        for word, source in self._sources.items():
            if word not in having and f"{text}={word}" not in queries:
                brought = self._yields.get(source, [])
                yield self._word(word, (sum(brought) + self._page / 2) / (len(brought) + 1))

    def _word(self, word: str, worth: float) -> ProbeChoice:
        return ProbeChoice(Probe(inputs={self.text: word}, chosen_by="word"), "word", worth)

    def _pairs(self) -> Iterator[ProbeChoice]:
        """Two inputs together, where the answers to each of them alone were cut."""
        for probe, size in cut_pairs(self.ledger):
            yield ProbeChoice(probe, "pair", self._worth(size, size * (1 - self._fresh.get("pair", 0.8))))

    @property
    def _most_sampled(self) -> float:
        """Of seen records that have a word: more, and its answer is certainly too long for a sample. Were it
        less than certain, words would be drawn of which few records happen to be seen."""
        return max(10.0, 4 * SAMPLE_PAGES * self._page * self.ledger.seen / self.expected)

    def _sample(self) -> Probe | None:
        """A word drawn by chance among those with few records: its answer is seen as a whole."""
        if not self.text or not self.words_work or not self.ledger.seen:
            return None
        return self._samples.draw(self._most_sampled)
