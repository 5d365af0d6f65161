"""A poll in values: what was known before it, and what it changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.documents.feeds.entries import EntryChanges

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime, timedelta

    from archiver.acquisition.channels.gaps.notice import EarlierEntry, NewGap
    from archiver.acquisition.channels.merging import Merge
    from archiver.acquisition.channels.polling.schedule import NextPoll, PollPolicy
    from archiver.acquisition.channels.polling.wishes import Wishes
    from archiver.acquisition.channels.websub.subscription import Subscription
    from archiver.acquisition.items import Validators
    from archiver.acquisition.outcomes import Outcome
    from archiver.archive.warc.records import Capture
    from archiver.documents.feeds.dates import Dating
    from archiver.documents.feeds.model import FeedHints
    from archiver.documents.lists.model import GapState

_NO_ENTRIES = EntryChanges(new=(), changed=(), renamed=())


@dataclass(frozen=True, slots=True, kw_only=True)
class PollRules:
    """What the operator set."""

    policy: PollPolicy
    # Of a feed with thousands of new entries, this many pages are asked for at a time.
    pages_at_once: int
    # The channel's own page is kept whenever its feed has something new.
    channel_pages: bool = False
    # Hubs are subscribed to where feeds name one.
    websub: bool = False
    # Polls for each channel and day, on average over all; None: as many as they are worth.
    budget: float | None = None
    # So many documents are asked for to fill a gap; with none, gaps are only noted.
    gap_pages: int = 20
    # By kind of failure: a digest of the settings that may have caused it.
    causes: Mapping[str, str] = field(default_factory=dict)
    # So many feeds of those that a site names become channels.
    feeds_per_site: int = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownChannel:
    """A channel as the state store has it: each field is a column of that name."""

    id: int
    url: str
    seed_url: str
    host: str = ""
    kind: str = "unknown"
    status: str = "active"
    site_id: int | None = None
    labels: tuple[str, ...] = ()
    every: timedelta | None = None
    entries: int = 0
    outcome: str | None = None
    failures: int = 0
    failing_since: datetime | None = None
    last_poll: datetime | None = None
    last_success: datetime | None = None
    moved_to: str | None = None
    wishes: Wishes | None = None
    hints: FeedHints | None = None
    rhythm: bytes | None = None
    overdue: float = 0.0
    last_gap: datetime | None = None
    identity: str | None = None
    shown: tuple[str, ...] | None = None
    merged_into: int | None = None
    apart: bool = False

    @property
    def shown_before(self) -> int | None:
        """How many entries the last whole document had."""
        return self.hints.shown if self.hints else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """When and where entries were seen: the same for all of one poll."""

    recorded: datetime  # machine time
    now: datetime  # the schedule's time
    capture: Capture | None = None
    # Where they were found, if not in the feed itself: see archiver.acquisition.channels.gaps.
    found_by: str | None = None
    # By the keys of entries, as far as the document says something of their dates.
    datings: Mapping[str, Dating] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageStagger:
    """Of a feed with thousands of new entries, some pages are asked for now and some at later polls."""

    at_once: int
    interval: timedelta

    def of(self, number: int, now: datetime) -> datetime:
        return now + (number // self.at_once) * self.interval if self.at_once else now


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforePoll:
    """What was known when an answer came, as far as the answer makes it matter."""

    channel: KnownChannel
    policy: PollPolicy  # with what a poll costs at present
    # How the document's entries compare with those that are known.
    entries: EntryChanges = _NO_ENTRIES
    # To which the server answered before.
    validators: Validators | None = None
    subscription: Subscription | None = None
    # The path and the secret of a new subscription, should there be one.
    tokens: tuple[str, str] = ("", "")
    # The newest entries that its documents showed, where the document may show a gap.
    newest: Sequence[EarlierEntry] = ()
    # The number of the channel's last entry, wherever it was found.
    last_entry: int = 0
    # When the last gap for which the site was asked was seen, if that gave nothing.
    searched_in_vain: datetime | None = None
    # The channel that is polled where this one moves to.
    at_new_address: KnownChannel | None = None
    # Those that were merged into it.
    merged: Sequence[KnownChannel] = ()
    # Those that claim to be the same feed, and which of all of them a seeds file names.
    claimants: Sequence[KnownChannel] = ()
    listed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class PollResult:
    """What a poll came to."""

    url: str
    outcome: Outcome
    new: int = 0
    changed: int = 0
    discovered: int = 0
    moved_to: str | None = None
    retired: bool = False
    detail: str = ""
    # What an operator may want to know.
    notes: tuple[str, ...] = ()
    gap: GapState | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PollChanges:
    """What a poll changes, for the store to write."""

    result: PollResult
    # Of the channel, by the names of its fields.
    fields: Mapping[str, object]
    # Of the address that answered; empty: forgotten; None: they stay as they are.
    validators: Validators | None = None
    # To be stored, with whether the document shows all that the feed lists.
    entries: EntryChanges | None = None
    is_whole: bool = True
    datings: Mapping[str, Dating] = field(default_factory=dict)
    stagger: PageStagger | None = None
    gap: NewGap | None = None
    subscription: Subscription | None = None
    # The channel's own page, to be kept as it is now.
    home: str | None = None
    # Where it is polled from now on.
    moves_to: str | None = None
    # The merged channel with which it changes places.
    swaps_with: int | None = None
    merge: Merge | None = None


# ── What every poll changes ──────────────────────────────────────────────────────────────────────────────


def polled(decision: NextPoll, outcome: Outcome, arrival: Arrival) -> dict[str, object]:
    """What every poll changes: the schedule's decision, and how it ended."""
    changed: dict[str, object] = {
        "last_poll": arrival.recorded,
        "next_poll": decision.at,
        "why": decision.why,
        "failures": decision.failures,
        "outcome": outcome,
    }
    if decision.retired:
        changed["status"] = "retired"
    if decision.failures == 0:
        changed |= {"last_success": arrival.recorded, "failing_since": None}
    return changed


def not_before(retry_after: timedelta | None, now: datetime) -> datetime | None:
    """The moment before which a server asked not to be asked again, by whatever is due."""
    return None if retry_after is None else now + retry_after


def revived(channel: KnownChannel) -> tuple[dict[str, object], tuple[str, ...]]:
    """A retired channel that answers is a channel again."""
    if channel.status != "retired":
        return {}, ()
    return {"status": "active"}, (f"{channel.url} answers again, and is polled as before",)
