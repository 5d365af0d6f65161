"""What is told of a campaign: as lines, and as JSON."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - read at run time

import msgspec

from archiver.store.campaigns.feeds import FoundFeed  # noqa: TC001 - read at run time


class HostYield(msgspec.Struct, frozen=True, kw_only=True):
    host: str
    fetched: int
    relevance: float
    quota: int


class CampaignStatus(msgspec.Struct, frozen=True, kw_only=True):
    """How a campaign stands."""

    name: str
    about: str
    state: str
    revision: int
    began: datetime
    # What was spent, and of how much; None: the file sets no such budget.
    requests: int
    budget: int
    bytes: int
    budget_bytes: int | None
    days: int
    budget_days: int | None
    requests_of_last_day: int | None  # None also where it was not counted
    budget_per_day: int | None
    fetched: int
    relevant: int
    failed: int
    twins: int
    waiting: int
    # Relevant pages that wait, with an interval; and by how many draws that is told.
    unfetched: float
    unfetched_low: float
    unfetched_high: float
    drawn: int
    # How much the learned parts of scores may say.
    vote: float
    feeds: int  # that it polls
    hosts: tuple[HostYield, ...]
    curve: tuple[tuple[int, float], ...]


class CampaignNote(msgspec.Struct, frozen=True, kw_only=True):
    """A campaign in a list."""

    name: str
    about: str
    state: str
    requests: int
    budget: int
    fetched: int
    relevant: int
    waiting: int
    feeds: int  # that it polls
    ordered: str | None = None  # stop or resume, where that waits to be taken up


class CampaignList(msgspec.Struct, frozen=True, kw_only=True):
    campaigns: tuple[CampaignNote, ...]
    is_running: bool  # whether a run is on


class RankedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a ranking."""

    rank: int
    url: str
    title: str
    score: float
    reasons: tuple[str, ...]
    judged: bool | None = None
    record: str = ""
    captured: str = ""  # the address of that record: an API's, where the page was read through it
    seen: datetime


class WaitingAddress(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate of the queue."""

    url: str
    score: float
    anchor: str
    found_by: str


class CampaignDetails(msgspec.Struct, frozen=True, kw_only=True):
    """All that is shown of a campaign."""

    status: CampaignStatus
    days_left: int | None
    ordered: str | None
    is_running: bool
    # Of the order that was asked for: best, doubtful or refused.
    pages: tuple[RankedPage, ...]
    total: int
    # What people said of pages, and no run has taken up yet: by their addresses.
    judging: dict[str, bool]
    waiting: tuple[WaitingAddress, ...]
    feeds: tuple[FoundFeed, ...]


class Inlink(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    anchor: str
    score: float


class WhyPage(msgspec.Struct, frozen=True, kw_only=True):
    """All that the score of a page or of an address consists of."""

    campaign: str = ""
    judged: bool | None = None
    url: str
    state: str
    found_by: str
    # Of the address, before it was fetched.
    priority: float
    parts: dict[str, float]
    vote: float
    hops: int
    worth: float  # by the knowledge base: its parts are multiplied by it; 0: nothing is known
    place: int | None  # in the queue
    inlinks: tuple[Inlink, ...]
    # Of the page, where it was fetched.
    relevance: float | None = None
    signals: dict[str, float | None] = {}
    terms: dict[str, float] = {}  # what each signal adds to the logit
    reasons: tuple[str, ...] = ()
    title: str = ""
    captured: str = ""  # the address of its record
