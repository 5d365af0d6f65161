"""Campaigns, the addresses that they may fetch, and what came of those that they did."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.campaigns.definition import Definition  # noqa: TC001 - read at run time
from archiver.acquisition.campaigns.signals import Signals
from archiver.acquisition.campaigns.words import PageWords, address_words, word_ids
from archiver.documents.apis.named import NamedApi  # noqa: TC001 - as above
from archiver.documents.pages.model import Announcement

if TYPE_CHECKING:
    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.pages import PageValidators
    from archiver.archive.warc.records import Capture

# The source of leads, and what the labels of channels begin with.
CAMPAIGNS = "candidates"
# Of an anchor, for people.
_LONGEST_TOLD = 80


class CampaignState(StrEnum):
    RUNNING = "running"
    STOPPED = "stopped"  # by a person
    SPENT = "spent"  # its budget is
    ENDED = "ended"  # its days are over


class FoundBy(StrEnum):
    """What led to an address."""

    SEED = "seed"
    EXAMPLE = "example"
    LINK = "link"
    API = "api"
    FEED = "feed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Campaign:
    """A campaign as the state store has it."""

    id: int
    name: str
    state: CampaignState
    file: str
    revision: int
    began: datetime
    requests: int
    bytes: int
    definition: Definition
    seeds: tuple[str, ...]
    narrower: tuple[str, ...]
    ended: datetime | None = None  # since when it does not run

    def is_over(self, now: datetime) -> bool:
        """Whether its days are."""
        days = self.definition.budget.days
        return days is not None and now >= self.began + timedelta(days=days)

    def is_spent(self, requests: int, size: int) -> bool:
        """Whether its budget is, of requests or of bytes, once so much was."""
        budget = self.definition.budget
        return requests >= budget.requests or (budget.bytes is not None and size >= budget.bytes)


class FoundLink(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    """A link to an address that a campaign may fetch."""

    url: str
    anchor: tuple[int, ...] = ()
    context: tuple[int, ...] = ()
    address: tuple[int, ...] = ()
    told: str = ""
    # How much the page that it stands on says for it, by its place there.
    weight: float = 1.0
    # People who posted it.
    posters: int = 0
    # What the knowledge base says of where it leads; 0: nothing.
    worth: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class WayThere:
    """What led to some links: the page that they stand on, where there is one."""

    found_by: FoundBy = FoundBy.LINK
    relevance: float = 0.5  # of the page, the post or the entry that has them
    hops: int = 0  # pages that are not relevant before them
    page_id: int | None = None


def found_link(
    url: str,
    anchor: str,
    context: str,
    language: str | None,
    *,
    weight: float = 1.0,
    posters: int = 0,
    worth: float = 0.0,
) -> FoundLink:
    """A link, with the words that say something of where it leads."""
    return FoundLink(
        url=url,
        anchor=tuple(word_ids(anchor, language)),
        context=tuple(word_ids(context, language)),
        address=tuple(address_words(url, language)),
        told=anchor[:_LONGEST_TOLD],
        weight=weight,
        posters=posters,
        worth=worth,
    )


class NamedFeed(msgspec.Struct, frozen=True, kw_only=True, array_like=True):
    url: str
    title: str = ""


class CandidateRead(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says of a campaign's subject, and where it leads."""

    title: str = ""
    language: str | None = None
    day: date | None = None
    signals: Signals = Signals()
    words: PageWords = PageWords(counts={})
    # Of what it says: the same text at another address is not a second page.
    digest: str = ""
    links: tuple[FoundLink, ...] = ()
    feeds: tuple[NamedFeed, ...] = ()
    # The address that it names as its own, where that is another one.
    canonical: str = ""
    # The application that its site runs on, where that is known.
    software: str = ""
    # The API of its site that it names.
    api: NamedApi | None = None
    said: Announcement = Announcement()
    is_page: bool = False
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingCandidate:
    """An address to fetch for a campaign."""

    id: int
    url: str
    host: str
    campaign_id: int
    campaign: str  # its name
    chosen_by: str  # best, explore, seed
    via: str = ""

    @property
    def source(self) -> str:
        return CAMPAIGNS


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateFetch:
    """What came of a candidate."""

    candidate: PendingCandidate
    url: str  # the address that answered, after redirects
    read: CandidateRead | None = None
    capture: Capture | None = None
    size: int = 0
    failed: Failed | None = None
    validators: PageValidators | None = None
    is_known: bool = False  # a redirect led to an address of the campaign, which was not asked for again
