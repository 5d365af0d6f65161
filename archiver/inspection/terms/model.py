"""Terms over time. The names of the fields are those of the public JSON."""

from __future__ import annotations

from datetime import date, datetime  # noqa: TC003 - msgspec reads the annotations at run time

import msgspec


class TermArticle(msgspec.Struct, frozen=True, kw_only=True):
    """An article that is about a term."""

    id: str
    url: str
    title: str | None = None
    published: datetime | None = None
    channel: int


class TermNote(msgspec.Struct, frozen=True, kw_only=True):
    """A word, or two that stand together, and how many articles are about it."""

    term: str
    # Articles of the period, and of the weeks before it; and their shares, 0 to 1.
    articles: int
    before: int
    share: float
    share_before: float
    # The logarithm of the odds against those before, and its 95 % interval.
    log_odds: float
    low: float
    high: float
    is_new: bool = False
    examples: tuple[TermArticle, ...] = ()


class TermReport(msgspec.Struct, frozen=True, kw_only=True):
    """Terms of some weeks against those of the months before."""

    since: date
    until: date
    compared_since: date
    articles: int
    articles_before: int
    # The surest first. New ones are in no article before, as far back as the archive reaches.
    rising: tuple[TermNote, ...] = ()
    falling: tuple[TermNote, ...] = ()
    new: tuple[TermNote, ...] = ()
    # Bytes of objects files that are not counted yet.
    behind: int = 0
