"""How many articles of some weeks are about each term."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sqlalchemy import select

from archiver.batches import batches
from archiver.store.schema import articles

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld

    Terms = NDArray[np.uint32]
    Counts = NDArray[np.int64]

_NO_TERMS = np.zeros(0, dtype="<u4")
_NO_COUNTS = np.zeros(0, dtype="<i8")


class TermCounts(NamedTuple):
    """Terms in order, and in how many of how many articles each of them is."""

    terms: Terms
    counts: Counts
    articles: int

    def of(self, wanted: Terms) -> NDArray[np.float64]:
        """The counts of these; nought for those that are not here."""
        if not len(self.terms):
            return np.zeros(len(wanted))
        places = np.minimum(np.searchsorted(self.terms, wanted), len(self.terms) - 1)
        return np.where(self.terms[places] == wanted, self.counts[places], 0).astype(float)


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleTerms:
    """Articles of some weeks, each with its terms; of those that say the very same, the first."""

    numbers: tuple[int, ...]
    channels: Counts
    places: tuple[tuple[int, int], ...]  # file and offset
    terms: Terms  # of all of them, one after another
    ends: Counts

    def counted(self) -> TermCounts:
        terms, counts = np.unique(self.terms, return_counts=True)
        return TermCounts(terms, counts, len(self.numbers))

    def about(self, term: int) -> NDArray[np.intp]:
        """The places of the articles that are about a term."""
        found = np.nonzero(self.terms == term)[0]
        return np.searchsorted(self.ends, found, side="right")


class TermWeeks:
    """Asks an index of terms: for all channels or for some, and never for what is withheld."""

    def __init__(
        self,
        index: sqlite3.Connection,
        hidden: frozenset[int],
        channels: Sequence[int] | None,
    ) -> None:
        self._index = index
        self._hidden = hidden
        self._channels = None if channels is None else json.dumps(list(channels))
        self._hidden_weeks = self._weeks_of(hidden)

    def last(self) -> int | None:
        """The newest week with articles."""
        query = f"SELECT max(week) FROM articles WHERE {self._mine}"  # noqa: S608 - one of two texts of ours
        (week,) = self._index.execute(query, self._values).fetchone()
        return None if week is None else int(week)

    def articles(self, first: int, last: int) -> ArticleTerms:
        """The articles of these weeks, both included."""
        query = f"""SELECT article, channel, file, place, terms FROM articles
            WHERE week BETWEEN ? AND ? AND {self._mine} ORDER BY article"""  # noqa: S608 - as above
        rows: dict[bytes, tuple[int, int, int, int]] = {}
        for number, channel, file, place, terms in self._index.execute(query, (first, last, *self._values)):
            if number not in self._hidden:
                rows.setdefault(terms, (number, channel, file, place))
        lengths = np.fromiter((len(one) // 4 for one in rows), dtype="<i8", count=len(rows))
        return ArticleTerms(
            numbers=tuple(row[0] for row in rows.values()),
            channels=np.fromiter((row[1] for row in rows.values()), dtype="<i8", count=len(rows)),
            places=tuple(row[2:] for row in rows.values()),
            terms=np.frombuffer(b"".join(rows), dtype="<u4"),
            ends=np.cumsum(lengths) if rows else _NO_COUNTS,
        )

    def counts(self, first: int, last: int) -> TermCounts:
        """The terms of these weeks, both included, week by week, as each of them is kept."""
        return summed(self._week(week) for week in range(first, last + 1))

    def known(self, terms: Terms, last: int) -> NDArray[np.bool_]:
        """Which of these terms any article has, from the beginning up to this week."""
        query = f"SELECT min(week) FROM articles WHERE {self._mine}"  # noqa: S608 - as above
        (first,) = self._index.execute(query, self._values).fetchone()
        if first is None or first > last:
            return np.zeros(len(terms), dtype=bool)
        if self._channels is not None:
            return self.articles(first, last).counted().of(terms) > 0
        found = np.zeros(len(terms), dtype=bool)
        for week in range(first, last + 1):
            found |= self._week(week).of(terms) > 0
        return found

    def _week(self, week: int) -> TermCounts:
        if self._channels is not None or week in self._hidden_weeks:
            return self.articles(week, week).counted()
        query = "SELECT articles, terms, counts FROM weeks WHERE week = ?"
        if row := self._index.execute(query, (week,)).fetchone():
            number, terms, counts = row
            return TermCounts(np.frombuffer(terms, "<u4"), np.frombuffer(counts, "<i8"), number)
        found = self.articles(week, week).counted()
        self._keep(week, found)
        return found

    def _keep(self, week: int, found: TermCounts) -> None:
        """For the next time, where it may be written; a week without articles costs nothing."""
        if found.articles:
            values = (
                week,
                found.articles,
                found.terms.astype("<u4").tobytes(),
                found.counts.astype("<i8").tobytes(),
            )
            try:
                self._index.execute("INSERT OR REPLACE INTO weeks VALUES (?, ?, ?, ?)", values)
            except sqlite3.OperationalError:
                return  # opened to be read, or another is writing

    def _weeks_of(self, numbers: Iterable[int]) -> frozenset[int]:
        listed = json.dumps(list(numbers))
        query = "SELECT DISTINCT week FROM articles WHERE article IN (SELECT value FROM json_each(?))"
        return frozenset(week for (week,) in self._index.execute(query, (listed,)))

    @property
    def _mine(self) -> str:
        return "1" if self._channels is None else "channel IN (SELECT value FROM json_each(?))"

    @property
    def _values(self) -> tuple[str, ...]:
        return () if self._channels is None else (self._channels,)


def summed(some: Iterable[TermCounts]) -> TermCounts:
    found = [one for one in some if one.articles]
    if not found:
        return TermCounts(_NO_TERMS, _NO_COUNTS, 0)
    every = np.concatenate([one.terms for one in found])
    terms, places = np.unique(every, return_inverse=True)
    weights = np.concatenate([one.counts for one in found])
    counts = np.bincount(places, weights=weights).astype("<i8")
    return TermCounts(terms, counts, sum(one.articles for one in found))


def hidden_articles(index: sqlite3.Connection, state: Connection, withheld: Withheld) -> frozenset[int]:
    """The articles that must not count: those of sites with orders are looked at one by one."""
    if not withheld:
        return frozenset()
    sites = index.execute("SELECT id, host FROM sites").fetchall()
    query = "SELECT article FROM articles WHERE site = ?"
    numbers = [
        number
        for site, host in sites
        if withheld.concerns(host)
        for (number,) in index.execute(query, (site,))
    ]
    return frozenset(
        row.id
        for some in batches(numbers)
        for row in state.execute(select(articles.c.id, articles.c.url).where(articles.c.id.in_(some)))
        if withheld.hides(row.url)
    )
