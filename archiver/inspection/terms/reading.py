"""Terms that are new, that rise and that fall, against the months before, each with its articles."""

from __future__ import annotations

import os
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from archiver.errors import ArchiveError
from archiver.inspection.terms.counting import TermWeeks, hidden_articles
from archiver.inspection.terms.feeding import TermCounter, behind, lengths_of_articles
from archiver.inspection.terms.index import monday_of, open_counted, open_to_count, week_of
from archiver.inspection.terms.model import TermNote, TermReport
from archiver.inspection.terms.odds import chance_of_fewer, chance_of_more, log_odds, surest
from archiver.inspection.terms.showing import TermReader, without_boilerplate
from archiver.search.choosing import channels_asked
from archiver.search.model import SearchRequest

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from datetime import date
    from pathlib import Path

    from numpy.typing import NDArray
    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld
    from archiver.inspection.terms.counting import ArticleTerms, TermCounts, Terms
    from archiver.inspection.terms.odds import LogOdds

    Places = NDArray[np.intp]

# Half a year: the months before.
WEEKS_BEFORE = 26
# guess: what fewer articles say is chance.
LEAST_ARTICLES = 3
# guess: with fewer before, everything would be new.
LEAST_BEFORE = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsAsked:
    """Which channels, from which week on, and how many terms of each list."""

    channels: tuple[int, ...] | None = None
    since: date | None = None
    limit: int = 20
    examples: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class _Compared:
    """All terms of both times, with their counts and odds."""

    terms: Terms
    now: TermCounts
    before: TermCounts
    odds: LogOdds
    is_known: NDArray[np.bool_]  # before

    def rising(self) -> Places:
        return self._surest(self.now, 1, chance_of_more)

    def falling(self) -> Places:
        return self._surest(self.before, -1, chance_of_fewer)

    def _surest(self, counts: TermCounts, way: int, chance: Callable[[int, int, float], float]) -> Places:
        often = (counts.of(self.terms) >= LEAST_ARTICLES).nonzero()[0]
        now, before = self.now.of(self.terms[often]), self.before.of(self.terms[often])
        share = self.now.articles / (self.now.articles + self.before.articles)

        def chances(place: int) -> float:
            return chance(int(now[place]), int(before[place]), share)

        # All that could have been listed were tested, also those that were said too seldom.
        return often[surest(way * self.odds.score[often], chances, len(self.terms))]

    def new(self) -> Places:
        """Those of most articles first."""
        counts = self.now.of(self.terms)
        found = ((counts >= LEAST_ARTICLES) & ~self.is_known).nonzero()[0]
        return found[np.argsort(-counts[found], kind="stable")]

    def note(self, place: int) -> TermNote:
        """Without its words, which only its articles have."""
        number = self.terms[place : place + 1]
        now, before = int(self.now.of(number)[0]), int(self.before.of(number)[0])
        return TermNote(
            term="",
            articles=now,
            before=before,
            share=now / self.now.articles,
            share_before=before / self.before.articles,
            log_odds=round(float(self.odds.ratio[place]), 3),
            low=round(float(self.odds.low[place]), 3),
            high=round(float(self.odds.high[place]), 3),
            is_new=not self.is_known[place],
        )


def counted_terms(
    folder: Path,
    state: Connection,
    withheld: Withheld,
    asked: TermsAsked,
    *,
    show: Callable[[int, int], object] = lambda _done, _total: None,
    seconds: float | None = None,
) -> TermReport:
    """The report, with all articles counted before that were not yet; with `seconds`, as many as that allows.

    Where nothing may be written, of those that were counted.
    """
    if not os.access(folder, os.W_OK):
        with open_counted(folder) as index:
            return read_terms(index, state, folder / "objects", withheld, asked)
    with open_to_count(folder) as index:
        TermCounter(index, state, folder / "objects").catch_up(show, seconds=seconds)
        return read_terms(index, state, folder / "objects", withheld, asked)


def chosen(state: Connection, names: Sequence[str], labels: Sequence[str]) -> tuple[int, ...] | None:
    """The channels that are named and have one of the labels, with the feeds of sites; None: all."""
    found = channels_asked(state, SearchRequest(channel=tuple(names), label=tuple(labels)))
    if labels and not found:
        raise ArchiveError(
            f"No channel has the label {' or '.join(labels)}: `scrapy channels` shows the labels"
        )
    return None if found is None else tuple(found)


def read_terms(
    index: sqlite3.Connection, state: Connection, objects: Path, withheld: Withheld, asked: TermsAsked
) -> TermReport:
    """The report of the last two weeks, of which the second may not be over, or of all since a day."""
    weeks = TermWeeks(index, hidden_articles(index, state, withheld), asked.channels)
    last = weeks.last()
    if last is None:
        raise ArchiveError("No article was counted: crawl first, or ask for other channels")
    first = min(week_of(asked.since), last) if asked.since else last - 1
    articles = weeks.articles(first, last)
    before = weeks.counts(first - WEEKS_BEFORE, first - 1)
    made = TermReport(
        since=monday_of(first),
        until=monday_of(last + 1) - timedelta(days=1),
        compared_since=monday_of(first - WEEKS_BEFORE),
        articles=len(articles.numbers),
        articles_before=before.articles,
        behind=behind(index, lengths_of_articles(state)),
    )
    if before.articles < LEAST_BEFORE or not articles.numbers:
        return made
    compared = _compared(articles.counted(), before, weeks, first)
    reader = TermReader(index, objects)
    earlier = weeks.articles(first - _WEEKS_LOOKED_AT, first - 1)
    return msgspec.structs.replace(
        made,
        rising=_shown(compared, compared.rising(), articles, reader, asked),
        falling=_shown(compared, compared.falling(), earlier, reader, asked),
        new=_shown(compared, compared.new(), articles, reader, asked),
    )


# Articles of terms that fall are looked for in so many weeks before.
_WEEKS_LOOKED_AT = 4
# So many times as many terms are looked at as are wanted: some are boilerplate, or say the same.
_SPARE = 3


def _compared(now: TermCounts, before: TermCounts, weeks: TermWeeks, first: int) -> _Compared:
    terms = np.union1d(now.terms, before.terms)
    odds = log_odds(now.of(terms), before.of(terms), now.articles, before.articles)
    is_known = before.of(terms) > 0
    unknown = (~is_known & (now.of(terms) >= LEAST_ARTICLES)).nonzero()[0]
    is_known[unknown] = weeks.known(terms[unknown], first - WEEKS_BEFORE - 1)
    return _Compared(terms=terms, now=now, before=before, odds=odds, is_known=is_known)


def _shown(
    compared: _Compared,
    places: Places,
    articles: ArticleTerms,
    reader: TermReader,
    asked: TermsAsked,
) -> tuple[TermNote, ...]:
    some = [int(place) for place in places[: _SPARE * asked.limit]]
    numbers = {int(compared.terms[place]): place for place in some}
    kept = without_boilerplate(articles, list(numbers))
    notes = ((number, compared.note(numbers[number])) for number in kept)
    return tuple(reader.told(articles, notes, asked.limit, asked.examples))
