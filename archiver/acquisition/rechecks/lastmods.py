"""How far a sitemap's `lastmod` is believed: what its moves came to, and edits that it kept to itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

from archiver.acquisition.rechecks.schedule import Decision

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

# Why an article is looked at whose date moved.
MOVED = "its sitemap says that it changed"
# From so many edits on that were told of in a row, articles that are not told of are looked at less often …
TRUSTED = 20
# … by this factor.
SPARING = 10
SPARED = "a tenth as often, since its sitemap tells of edits"
# The sitemap must have been had within three rounds.
LATELY = timedelta(days=3)
# So many articles in a row whose `lastmod` had moved and whose words had not: it moves for other reasons.
FALSE_ALARMS = 3
IGNORED_FOR = timedelta(days=30)
# An edit is told of by then; many sitemaps are made once an hour.
GRACE = timedelta(hours=2)
# So many articles, more than half of those listed, of which nearly all moved to the same hour: not edits but
# the time at which the sitemap was made. Guesses; a newsroom edits many, but over a day.
_MANY, _MOST, _NEARLY_ALL, _SAME_HOUR = 10, 0.5, 0.8, timedelta(hours=1)
# Clocks differ; a date without a time of day ends as late as this in the west.
_AHEAD = timedelta(hours=36)


class Lie(StrEnum):
    """Why a sitemap is not believed."""

    BUILD_TIME = "all its dates move together"
    FALSE_ALARMS = "its dates move and the articles do not change"
    UNTOLD = "an article changed and its date did not"


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapTrust:
    """How often in a row a host's sitemaps told of an edit, or of one that was none."""

    told_true: int = 0
    false_alarms: int = 0

    @property
    def is_full(self) -> bool:
        return self.told_true >= TRUSTED

    def after_true(self) -> SitemapTrust:
        return SitemapTrust(told_true=self.told_true + 1)

    def after_false_alarm(self) -> SitemapTrust:
        return SitemapTrust(false_alarms=self.false_alarms + 1)

    @property
    def lie(self) -> Lie | None:
        return Lie.FALSE_ALARMS if self.false_alarms >= FALSE_ALARMS else None


class Telling(StrEnum):
    """What a sitemap says of a page that it lists."""

    FIRST = "first"  # nothing to compare with
    SAME = "same"
    MOVED = "moved"  # it was edited since our last look
    SEEN = "seen"  # it was edited, and we have looked since


def telling(
    before: datetime | None,
    lastmod: datetime,
    looked: datetime | None,
    now: datetime,
    found: datetime | None = None,
) -> Telling:
    """Compare what a sitemap says with what it said before. A date that is far ahead says nothing.

    A day without a time tells of an edit that was found on it: to look again would be a false alarm.
    """
    if before is None:
        return Telling.FIRST
    if lastmod <= before or is_far_ahead(lastmod, now):
        return Telling.SAME
    is_found = found is not None and lastmod.time() == time.max and found.date() == lastmod.date()
    return Telling.SEEN if is_found or (looked is not None and looked >= lastmod) else Telling.MOVED


def is_far_ahead(lastmod: datetime, now: datetime) -> bool:
    """Whether no clock or zone explains a date: no later one would ever be another."""
    return lastmod > now + _AHEAD


def first_telling(
    lastmod: datetime, after: datetime | None, found: datetime | None, now: datetime
) -> bool | None:
    """Whether the first date that is seen of an article tells of its last edit, found after a look before.

    True where it lies between the two, False where it is older; None where it says more, or there was none.
    """
    if after is None or found is None:
        return None
    if lastmod < after:
        return False if now - found >= GRACE else None
    return True if lastmod <= found else None


def is_build_time(moved: Sequence[datetime], known: int) -> bool:
    """Whether dates that moved, of so many that are known, are rather the time when the sitemap was made."""
    if len(moved) < _MANY or len(moved) <= _MOST * known:
        return False
    ordered = sorted(moved)
    nearly = max(int(len(ordered) * _NEARLY_ALL), 1)
    spans = zip(ordered, ordered[nearly - 1 :], strict=False)
    return any(last - first <= _SAME_HOUR for first, last in spans)


def is_untold(lastmod: datetime, looked_before: datetime | None) -> bool:
    """Whether an edit that was just found must have come after the `lastmod` that is known.

    It came after the look before. A date without a time of day lasts to its end: an edit of that day is told.
    """
    return looked_before is not None and looked_before >= lastmod


def spared(decision: Decision, left: timedelta) -> Decision:
    """The decision, a tenth as often, for an article that is watched for so long yet."""
    if decision.wait is None:
        return decision
    wait = max(decision.wait, min(decision.wait * SPARING, left))
    return Decision(wait=wait, why=f"{decision.why}; {SPARED}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldPage:
    """What a sitemap says of a page that was just looked at."""

    host: str
    lastmod: datetime
    told: datetime
    # Since when an edit is known that it did not tell of.
    untold: datetime | None = None
    # When its date moved, and no look came since.
    moved: datetime | None = None


class SitemapWords:
    """What sitemaps say of pages that were just looked at, held against what the looks show."""

    def __init__(self, pages: Mapping[int, ToldPage], trust: Mapping[str, SitemapTrust]) -> None:
        self._pages = pages
        self.trust = dict(trust)  # by host
        self.untold: dict[int, datetime | None] = {}  # by page, after its look
        self.lies: dict[str, Lie] = {}

    def looked(
        self, page_id: int, *, changed: bool, is_seen: bool, looked_before: datetime | None, now: datetime
    ) -> None:
        """What a look showed; where it did not show the article, the sitemap told of something."""
        told = self._pages.get(page_id)
        if told is None:
            return
        untold = told.untold
        if told.moved is not None and is_seen:
            trust = self.trust[told.host]
            trust = self.trust[told.host] = trust.after_true() if changed else trust.after_false_alarm()
            if trust.lie is not None:
                self.lies[told.host] = trust.lie
        elif told.moved is None and changed and is_untold(told.lastmod, looked_before):
            untold = untold or now
        self.untold[page_id] = untold

    def is_spared(self, page_id: int, now: datetime) -> bool:
        """Whether an article need not be looked at as often as others."""
        told = self._pages.get(page_id)
        if told is None or told.untold is not None:
            return False
        return self.trust[told.host].is_full and now - told.told <= LATELY
