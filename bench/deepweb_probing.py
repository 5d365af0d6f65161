"""Probing in a simulator: records found by so many requests, beside random words and a tf-idf iteration."""

from __future__ import annotations

import math
import statistics
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).parents[1]))

from archiver.acquisition.forms.model import Answered, Probe, ProbedInput, ProbedRecord
from archiver.acquisition.forms.probed import as_probed
from archiver.acquisition.forms.prober import Prober
from sample.shop.books import make_books
from sample.shop.catalogue import Catalogue, Query, words_of
from sample.shop.habits import HABITS
from sample.shop.names import CATEGORIES
from sample.shop.truth import attributes_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sample.shop.books import Book
    from sample.shop.habits import Habits

REQUESTS = 200
INPUTS = (
    ProbedInput(name="q", kind="text", label="Keyword"),
    ProbedInput(name="category", kind="option", label="Category", values=CATEGORIES, texts=CATEGORIES),
    ProbedInput(name="year_from", kind="range", label="Year from", until="year_to"),
    ProbedInput(name="price_from", kind="range", label="Price from", until="price_to"),
)


class SimulatedForm:
    """Answers probes as a search of the shop does, without pages."""

    def __init__(self, habits: Habits, seed: int, count: int = 5000) -> None:
        self.habits = habits
        self.books = make_books(count, seed)
        self.catalogue = Catalogue(self.books, habits.semantics, habits.stop)
        self.records = {book.number: _record(book) for book in self.books}
        self._found: dict[str, list[Book]] = {}

    def answer(self, probe: Probe) -> Answered:
        found = self._all(probe)
        size = self.habits.page_size
        start = size * (probe.page - 1)
        shown = found[: self.habits.cut][start : start + size]
        is_more = start + size < min(len(found), self.habits.cut)
        return Answered(
            probe=probe,
            kind="results" if shown else "none",
            records=tuple(self.records[book.number] for book in shown),
            total=len(found) if self.habits.tells_total else None,
            next_url="next" if is_more else "",
        )

    def _all(self, probe: Probe) -> list[Book]:
        if probe.query not in self._found:
            self._found[probe.query] = self._find(probe.inputs)
        return self._found[probe.query]

    def _find(self, inputs: dict[str, str]) -> list[Book]:
        def ends(name: str, unit: int) -> tuple[int | None, int | None]:
            low, high = inputs.get(f"{name}_from"), inputs.get(f"{name}_to")
            return (int(low) * unit if low else None, int(high) * unit + unit - 1 if high else None)

        query = Query(
            q=inputs.get("q", ""),
            category=inputs.get("category", ""),
            years=ends("year", 1),
            prices=ends("price", 100),
        )
        return [] if query.is_empty and not self.habits.answers_empty else self.catalogue.find(query)


def _record(book: Book) -> ProbedRecord:
    return as_probed(str(book.number), attributes_of(book))


def begin_words(form: SimulatedForm, chance: Random) -> list[str]:
    """As the page of a form shows a few of its books."""
    return sorted(
        {word for book in chance.sample(form.books, 4) for word in words_of(book.title) if len(word) > 3}
    )


def ours(form: SimulatedForm, chance: Random, requests: int, *, words_only: bool) -> Prober:
    prober = Prober(INPUTS[:1] if words_only else INPUTS, seed=chance.randrange(10**6))
    prober.offer(begin_words(form, chance), "page")
    for _ in range(requests):
        probe = prober.next()
        if probe is None:
            break
        prober.take(form.answer(probe))
    return prober


def by_words(form: SimulatedForm, chance: Random, requests: int, choose: str) -> int:
    """Words of the same pool: at random, or the one of the highest tf-idf over what was seen."""
    seen: dict[str, ProbedRecord] = {}
    df: Counter[str] = Counter()
    asked: set[str] = set()
    pool = begin_words(form, chance)
    for record_words in _pages_of(form, pool, asked, df, seen, chance, choose, requests):
        df.update(record_words)
    return len(seen)


def _pages_of(form, pool, asked, df, seen, chance, choose, requests) -> Iterator[frozenset[str]]:  # noqa: ANN001 - one loop of the bench
    spent = 0
    while spent < requests:
        free = sorted({word for word in (*pool, *df) if word not in asked and len(word) >= 3})
        if not free:
            return
        if choose == "random":
            word = chance.choice(free)
        else:
            count = max(1, len(seen))
            word = max(free, key=lambda one: (df[one] * math.log((count + 1) / (df[one] + 1)), one))
        asked.add(word)
        page = 1
        while spent < requests:
            answer = form.answer(Probe(inputs={"q": word}, chosen_by="word", page=page))
            spent += 1
            for record in answer.records:
                if record.key not in seen:
                    seen[record.key] = record
                    yield record.words
            if not answer.next_url or page == 10:
                break
            page += 1


def probing_rows(runs: int = 40, requests: int = REQUESTS) -> list[dict[str, object]]:
    rows = []
    for habits in HABITS:
        found: dict[str, list[float]] = {"random": [], "tf-idf": [], "ours": [], "ours-all": []}
        holds, widths = [], []
        for seed in range(max(1, runs // len(HABITS) + (runs % len(HABITS) > 0))):
            form = SimulatedForm(habits, seed + 1)
            for method in ("random", "tf-idf"):
                found[method].append(by_words(form, Random(seed), requests, method))
            for method, words_only in (("ours", True), ("ours-all", False)):
                prober = ours(form, Random(seed), requests, words_only=words_only)
                found[method].append(prober.ledger.seen)
                got = prober.coverage
                if got.low is not None and got.high is not None:
                    holds.append(got.low <= len(form.books) <= got.high)
                    widths.append(got.high / got.low)
                else:
                    holds.append(False)
                    widths.append(float("inf"))
                print(habits.name, seed, method, prober.ledger.seen, got, file=sys.stderr)
        for method, counts in found.items():
            rows.append({"set": habits.name, "method": method, "records": round(statistics.mean(counts))})
        rows[-1] |= {"interval_holds": f"{sum(holds)}/{len(holds)}", "widest": round(max(widths), 2)}
    return rows
