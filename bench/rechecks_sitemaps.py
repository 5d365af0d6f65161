"""Ours with a sitemap for each channel, asked for once a day: one that tells of edits, or one that lies."""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from typing import TYPE_CHECKING

from rechecks_play import Ours, Tally, Watched

from archiver.acquisition.rechecks.lastmods import (
    GRACE,
    IGNORED_FOR,
    SitemapTrust,
    Telling,
    first_telling,
    is_build_time,
    is_untold,
    spared,
    telling,
)
from archiver.acquisition.rechecks.schedule import Decision
from archiver.acquisition.rechecks.sitemaps import ENOUGH_ARTICLES

if TYPE_CHECKING:
    from rechecks_histories import History
    from rechecks_play import Result

    from archiver.acquisition.rechecks.schedule import RecheckPolicy

_EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
_DAY = timedelta(days=1)
_GRACE, _IGNORED = GRACE / _DAY, IGNORED_FOR / _DAY


@dataclass(slots=True)
class Article(Watched):
    """An article that a sitemap may list; times in days, not ages."""

    due: float = 0.0
    lastmod: float | None = None  # None: not listed yet
    is_moved: bool = False
    untold: float | None = None
    # The last edit that was found came between these.
    edited: tuple[float, float] | None = None


@dataclass(slots=True)
class Site:
    """A channel's host: its articles, and how far its sitemap is believed."""

    articles: list[Article] = field(default_factory=list)
    trust: SitemapTrust = field(default_factory=SitemapTrust)
    ignored_until: float = 0.0


class WithSitemaps(Ours):
    """The crawl's own functions, with rounds of sitemaps among the looks."""

    def __init__(self, policy: RecheckPolicy, *, lies: bool = False) -> None:
        super().__init__(policy)
        self._lies = lies
        self._sites: dict[str, Site] = {}
        self._queue: list[tuple[float, int, Article | str]] = []
        self._order = count()

    def play(self, histories: list[History], name: str) -> Result:
        tally = Tally(histories)
        for history in histories:
            self._push(history.published + history.captured, Article(history, history.captured))
        last = max(history.published for history in histories) + self.policy.until / _DAY
        for channel in dict.fromkeys(history.channel for history in histories):
            self._sites[channel] = Site()
            for day in range(int(last)):
                heapq.heappush(self._queue, (day + 0.5, next(self._order), channel))
        while self._queue:
            now, _, what = heapq.heappop(self._queue)
            if isinstance(what, str):
                self._round(self._sites[what], now, tally)
            elif now == what.due:
                self._turn(what, now, tally)
        return tally.result(name)

    def _push(self, due: float, article: Article) -> None:
        article.due = due
        heapq.heappush(self._queue, (due, next(self._order), article))

    def _turn(self, article: Article, now: float, tally: Tally) -> None:
        """The first capture, or a look, and when the next one is."""
        site = self._sites[article.history.channel]
        age = now - article.history.published
        if article.is_captured:
            before, changes = article.history.published + article.last, article.changes
            self._look(article, age, tally)
            self._judge(site, article, now, before, changed=article.changes > changes)
        else:
            site.articles.append(article)
        article.is_captured = True
        wait = self._next(article)
        if wait is None:
            return
        if site.trust.is_full and article.lastmod is not None and article.untold is None:
            left = self.policy.until - timedelta(days=age)
            wait = (spared(Decision(wait=timedelta(days=wait), why=""), left).wait or _DAY) / _DAY
        self._push(now + wait, article)

    def _judge(self, site: Site, article: Article, now: float, before: float, *, changed: bool) -> None:
        if changed:
            article.edited = (before, now)
        if article.is_moved:
            site.trust = site.trust.after_true() if changed else site.trust.after_false_alarm()
            if site.trust.lie:
                self._ignore(site, now)
        elif changed and article.lastmod is not None and is_untold(_at(article.lastmod), _at(before)):
            article.untold = now
        article.is_moved = False

    def _round(self, site: Site, now: float, tally: Tally) -> None:
        """Ask for the sitemap, by its index, and look at what it tells of."""
        until = self.policy.until / _DAY
        site.articles = [one for one in site.articles if now - one.history.published < until]
        if len(site.articles) < ENOUGH_ARTICLES or now < site.ignored_until:
            return
        tally.requests += 2
        told = [(one, self._lastmod(one, now)) for one in site.articles]
        known = [(one, lastmod) for one, lastmod in told if one.lastmod is not None]
        moved = [_at(lastmod) for one, lastmod in known if lastmod > (one.lastmod or 0.0)]
        first = [_first(one, lastmod, now) for one, lastmod in told if one.lastmod is None]
        is_late = any(_is_late(*one, now) for one in known) or False in first
        if is_late or is_build_time(moved, len(known)):
            self._ignore(site, now)
            return
        for _ in range(first.count(True)):
            site.trust = site.trust.after_true()
        for article, lastmod in told:
            self._tell(site, article, lastmod, now)

    def _lastmod(self, article: Article, now: float) -> float:
        if self._lies:
            return now
        history = article.history
        edits = [edit for edit in history.edits if history.published + edit <= now]
        return history.published + (edits[-1] if edits else 0.0)

    def _tell(self, site: Site, article: Article, lastmod: float, now: float) -> None:
        before = None if article.lastmod is None else _at(article.lastmod)
        looked = article.history.published + article.last
        what = telling(before, _at(lastmod), _at(looked), _at(now))
        if what is Telling.SEEN and article.untold is not None:
            site.trust = site.trust.after_true()
        if what is not Telling.SAME:
            article.lastmod, article.untold = lastmod, None
        if what is Telling.MOVED:
            article.is_moved = True
            self._push(now, article)

    def _ignore(self, site: Site, now: float) -> None:
        site.trust, site.ignored_until = SitemapTrust(), now + _IGNORED
        for article in site.articles:
            article.lastmod, article.is_moved, article.untold = None, False, None


def _first(article: Article, lastmod: float, now: float) -> bool | None:
    before, found = map(_at, article.edited) if article.edited else (None, None)
    return first_telling(_at(lastmod), before, found, _at(now))


def _is_late(article: Article, lastmod: float, now: float) -> bool:
    """Whether an edit was found that the sitemap still does not tell of."""
    return article.untold is not None and lastmod == article.lastmod and now - article.untold >= _GRACE


def _at(days: float) -> datetime:
    return _EPOCH + timedelta(days=days)
