"""What is told of sites that are crawled as a whole; as JSON, these are the public field names."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time

import msgspec

from archiver.acquisition.sites.adaptation.model import LearnedFrom  # noqa: TC001 - likewise
from archiver.acquisition.sites.learning.told import PatternRole, PatternState
from archiver.acquisition.sites.model import SiteState, Strategy  # noqa: TC001 - likewise
from archiver.store.whole_sites.orders import SiteAction  # noqa: TC001 - likewise


class CountOf(msgspec.Struct, frozen=True, kw_only=True):
    """How many documents came to something, by its code and in words."""

    code: str
    words: str
    count: int


class SiteNote(msgspec.Struct, frozen=True, kw_only=True):
    """A site in one line."""

    number: int
    url: str
    scope: str  # what the addresses of its pages begin with
    state: SiteState
    why: str | None = None  # it is in that state
    # What a person ordered and no run has taken up yet: start, pause, resume, stop.
    ordered: SiteAction | None = None
    type: str = ""  # of its software; empty: not known
    strategy: Strategy  # that was asked for
    way: str = ""  # the strategy that was found to work
    plan: str | None = None  # what was found, and expected, in words
    requests: int
    limit: int | None = None  # of requests, where the site has its own
    visited: int
    waiting: int
    held: int  # asked for only where a cheaper way fails
    deferred: int = 0  # until more is known of others like them
    skipped: int
    failed: int
    skips: tuple[CountOf, ...] = ()  # by reason
    failures: tuple[CountOf, ...] = ()
    articles: int
    contributions: int
    # Distinct pairs of words that were seen; of them, how many are new in the last so many requests.
    text: int
    text_new: int
    text_requests: int
    added: datetime
    ended: datetime | None = None
    last_visit: datetime | None = None


class SiteList(msgspec.Struct, frozen=True, kw_only=True):
    """Sites, in the order in which they were added."""

    sites: tuple[SiteNote, ...]
    # Whether a run is working on the archive at this moment.
    is_running: bool
    # Sites that are to be begun by the run that is on, or by the next one.
    begins: tuple[str, ...] = ()
    now: datetime


class LevelCount(msgspec.Struct, frozen=True, kw_only=True):
    """Documents of a level: a kind of page that the site's software makes."""

    level: str  # empty: not known
    visited: int
    waiting: int
    content: int  # that had something to keep


class SkippedKind(msgspec.Struct, frozen=True, kw_only=True):
    """Addresses of one kind that are not asked for, and why."""

    reason: str
    words: str
    kind: str  # what they have in common
    count: int
    examples: tuple[str, ...] = ()


class BrokenLink(msgspec.Struct, frozen=True, kw_only=True):
    """A document of the site that is not there, and the pages that lead to it."""

    url: str
    failure: str
    words: str
    pages: tuple[str, ...]
    # Whether there may be more of them.
    has_more: bool = False


class FailedAction(msgspec.Struct, frozen=True, kw_only=True):
    """What the knowledge base expects on pages of a level, and was not there."""

    level: str
    action: str
    pages: int
    example: str
    seen: datetime


class AdaptedAction(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned on the site in place of an action of the knowledge base that fails there."""

    level: str
    action: str
    path: str
    # From what the values came: earlier captures (`earlier`), or what the pages say of themselves (`page`).
    learned_from: LearnedFrom
    cost: float  # how far the path is from those of the knowledge base
    pages: tuple[str, ...]  # that it was learned from
    tried: int  # pages beyond these that it was tried on
    passed: int  # of them, those that it read as expected
    learned: datetime
    outdated: datetime | None = None  # since when it is no longer used


class PatternNote(msgspec.Struct, frozen=True, kw_only=True):
    """Links that lead from the entry page to pages of one kind, and what these brought."""

    pattern: str  # its steps, as text
    links: str  # the path of the last step: the elements around the link
    addresses: str  # the form of the URLs that it leads to
    role: PatternRole
    state: PatternState
    gain: float  # new pairs of words a request, of a list with those for what it led to
    pages: int  # fetched
    waiting: int
    example: str = ""
    wrapper: str | None = None  # what its pages are read with

    @property
    def is_worth_it(self) -> bool:
        return self.role in {PatternRole.CONTENT, PatternRole.LIST} or self.state is PatternState.EXPECTED


class SitePatterns(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned of the links of a site."""

    number: int
    url: str
    requests: int
    seed: int
    patterns: tuple[PatternNote, ...] = ()


class TextPoint(msgspec.Struct, frozen=True, kw_only=True):
    """How many distinct pairs of words were seen after so many requests."""

    requests: int
    text: int


class VisitNote(msgspec.Struct, frozen=True, kw_only=True):
    """A document of the site that was visited."""

    url: str
    level: str
    visited: datetime
    is_content: bool


class SiteDetails(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a site."""

    site: SiteNote
    levels: tuple[LevelCount, ...] = ()
    broken: tuple[BrokenLink, ...] = ()
    broken_total: int = 0
    skipped: tuple[SkippedKind, ...] = ()
    actions: tuple[FailedAction, ...] = ()
    adapted: tuple[AdaptedAction, ...] = ()
    patterns: tuple[PatternNote, ...] = ()  # that pay
    curve: tuple[TextPoint, ...] = ()
    newest: tuple[VisitNote, ...] = ()
    is_running: bool
    now: datetime
