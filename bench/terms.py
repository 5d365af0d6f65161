"""Words over time: how sure the lists are on made-up streams, and how fast they are on a million articles.

python -m bench.terms            intervals and lists, on streams with and without bursts
python -m bench.terms --speed    an index of a million articles: its size, and the time of a question
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from archiver.inspection.terms.counting import TermWeeks
from archiver.inspection.terms.index import FILE, open_to_count
from archiver.inspection.terms.odds import chance_of_more, log_odds, surest
from archiver.inspection.terms.reading import LEAST_ARTICLES, WEEKS_BEFORE
from archiver.inspection.terms.wording import packed, terms_of

if TYPE_CHECKING:
    import sqlite3

VOCABULARY = 30_000
TERMS = 40  # of an article
BURSTS = 40
ROUNDS = 40


class Stream(NamedTuple):
    """Counts of articles for each term: of the weeks that are looked at, and of those before."""

    now: np.ndarray
    before: np.ndarray
    articles: int
    articles_before: int
    planted: set[int]
    ratio: np.ndarray  # the true logarithm of the odds


def shares(random: np.random.Generator) -> np.ndarray:
    """Shares of articles, as Zipf has them: the most common term is in a tenth."""
    ranks = np.arange(1, VOCABULARY + 1)
    return random.permutation(np.minimum(0.1, TERMS * (1 / ranks) / np.sum(1 / ranks)))


def stream(random: np.random.Generator, a_week: int, *, bursts: int) -> Stream:
    share = shares(random)
    now_share = share.copy()
    # Terms of one article in two hundred to one in ten thousand become three to ten times as common.
    eligible = np.nonzero((share > 1e-4) & (share < 5e-3))[0]
    planted = random.choice(eligible, bursts, replace=False) if bursts else np.zeros(0, dtype=int)
    now_share[planted] = np.minimum(share[planted] * random.uniform(3, 10, len(planted)) + 2 / a_week, 0.3)
    articles, before = 2 * a_week, WEEKS_BEFORE * a_week
    return Stream(
        random.binomial(articles, now_share).astype(float),
        random.binomial(before, share).astype(float),
        articles,
        before,
        set(map(int, planted)),
        np.log(now_share / (1 - now_share)) - np.log(share / (1 - share)),
    )


def listed(one: Stream, score: np.ndarray) -> list[int]:
    often = np.nonzero(one.now >= LEAST_ARTICLES)[0]
    share = one.articles / (one.articles + one.articles_before)
    tests = int(np.count_nonzero(one.now + one.before))

    def chances(place: int) -> float:
        return chance_of_more(int(one.now[often[place]]), int(one.before[often[place]]), share)

    return [int(place) for place in often[surest(score[often], chances, tests)]]


def coverage(random: np.random.Generator, a_week: int) -> None:
    """How often the interval has no change in it, where there is none, by how often a term is said."""
    bands = ((0, 1), (1, 3), (3, 10), (10, 100), (100, 1e9))
    inside, seen, alarms, lists = np.zeros(len(bands)), np.zeros(len(bands)), 0, 0
    for _ in range(ROUNDS):
        one = stream(random, a_week, bursts=0)
        odds = log_odds(one.now, one.before, one.articles, one.articles_before)
        covers = (odds.low <= 0) & (odds.high >= 0)
        expected = (one.now + one.before) * one.articles / (one.articles + one.articles_before)
        for place, (low, high) in enumerate(bands):
            mine = (expected >= low) & (expected < high) & (one.now + one.before > 0)
            inside[place] += covers[mine].sum()
            seen[place] += mine.sum()
        found = listed(one, odds.score)
        alarms += len(found)
        lists += bool(found)
    told = ", ".join(
        f"{low}–{high if high < 1e9 else '…'} expected: {hit / of:.1%}"
        for (low, high), hit, of in zip(bands, inside, seen, strict=True)
        if of
    )
    print(
        f"  {a_week} articles a week, no change: interval has 0 in {inside.sum() / seen.sum():.1%} ({told});"
    )
    print(f"    {alarms} false terms in {ROUNDS} lists, {lists} lists with any")


def precision(random: np.random.Generator, a_week: int) -> None:
    first, told, right, covered, of = 0.0, 0, 0, 0, 0
    for _ in range(ROUNDS):
        one = stream(random, a_week, bursts=BURSTS)
        odds = log_odds(one.now, one.before, one.articles, one.articles_before)
        found = listed(one, odds.score)
        first += sum(place in one.planted for place in found[:20]) / max(len(found[:20]), 1)
        told += len(found)
        right += sum(place in one.planted for place in found)
        for place in one.planted:
            of += 1
            covered += odds.low[place] <= one.ratio[place] <= odds.high[place]
    print(
        f"  {a_week} articles a week, {BURSTS} bursts: precision of the first 20 {first / ROUNDS:.1%},"
        f" of all listed {right / max(told, 1):.1%}; {right / (ROUNDS * BURSTS):.1%} of bursts are listed;"
        f" interval has the true ratio in {covered / of:.1%}"
    )


def speed(articles: int) -> None:
    random = np.random.default_rng(7)
    text = " ".join(f"word{number}" for number in random.zipf(1.3, 300) % 5000)
    started = time.thread_time()
    for _ in range(500):
        packed(terms_of("A title of six words here", text, "en"))
    print(f"  terms of an article of 300 words: {(time.thread_time() - started) / 500 * 1e3:.2f} ms")
    with tempfile.TemporaryDirectory() as folder, open_to_count(Path(folder)) as index:
        fill(index, random, articles)
        size = (Path(folder) / FILE).stat().st_size
        print(f"  {articles:,} articles: {size / 1e6:.0f} MB")
        weeks = TermWeeks(index, frozenset(), None)
        for name in ("first", "again"):
            started = time.perf_counter()
            last = weeks.last() or 0
            now, before = (
                weeks.articles(last - 1, last).counted(),
                weeks.counts(last - 1 - WEEKS_BEFORE, last - 2),
            )
            often = now.terms[now.counts >= LEAST_ARTICLES]
            weeks.known(often[before.of(often) == 0], last - 2 - WEEKS_BEFORE)
            print(
                f"  all channels, {name}: {time.perf_counter() - started:.2f} s, {before.articles:,} before"
            )
        mine = TermWeeks(index, frozenset(), [7])
        started = time.perf_counter()
        mine.counts(last - 1 - WEEKS_BEFORE, last)
        print(f"  one channel: {time.perf_counter() - started:.3f} s")


def fill(index: sqlite3.Connection, random: np.random.Generator, articles: int) -> None:
    """Articles of three years and a thousand channels."""
    some = 10_000
    index.execute("BEGIN")
    for start in range(0, articles, some):
        terms = np.sort((random.zipf(1.15, (some, TERMS)) * 2_654_435_761 % 2**32).astype("<u4"), axis=1)
        rows = [
            (
                start + number,
                106_000 + (start + number) * 156 // articles,
                number % 1000,
                1,
                1,
                number,
                one.tobytes(),
            )
            for number, one in enumerate(terms)
        ]
        index.executemany("INSERT INTO articles VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    index.execute("COMMIT")
    index.execute("PRAGMA wal_checkpoint (TRUNCATE)")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--speed", action="store_true")
    parser.add_argument("--articles", type=int, default=1_000_000)
    given = parser.parse_args()
    if given.speed:
        speed(given.articles)
        return
    random = np.random.default_rng(42)
    for a_week in (100, 1000, 7000):
        coverage(random, a_week)
        precision(random, a_week)


if __name__ == "__main__":
    main()
