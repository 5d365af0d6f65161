"""What is told of channels; as JSON, these are the public field names."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import Annotated, Literal

import msgspec

from archiver.inspection.channels.states import ChannelState  # noqa: TC001 - likewise

ChannelSort = Literal["title", "next_poll", "last_success", "entries", "failures"]
_Label = Annotated[str, msgspec.Meta(max_length=500)]


class ChannelsWanted(msgspec.Struct, frozen=True, kw_only=True):
    """Which channels, in which order, and how many of them."""

    q: Annotated[str, msgspec.Meta(max_length=500, description="Words in the title or the address")] = ""
    label: Annotated[tuple[_Label, ...], msgspec.Meta(max_length=50, description="One of these labels")] = ()
    state: ChannelState | None = None
    sort: ChannelSort = "title"
    reverse: bool = False
    after: Annotated[str, msgspec.Meta(max_length=500, description="`next` of the answer before")] | None = (
        None
    )
    limit: Annotated[int, msgspec.Meta(ge=1, le=500)] = 100


class ChannelNote(msgspec.Struct, frozen=True, kw_only=True):
    """A channel in one line."""

    number: int
    title: str | None = None
    url: str
    state: ChannelState
    # The state in words: of a failure, which.
    words: str
    labels: tuple[str, ...] = ()
    entries: int
    failures: int
    last_success: datetime | None = None
    # None: it is not polled.
    next_poll: datetime | None = None


class StateCount(msgspec.Struct, frozen=True, kw_only=True):
    """How many channels are in a state, and what that means."""

    state: ChannelState
    words: str
    count: int


class LabelCount(msgspec.Struct, frozen=True, kw_only=True):
    label: str
    count: int


class ChannelList(msgspec.Struct, frozen=True, kw_only=True):
    """Channels in the order that was asked for; with `next`, the ones behind them can be asked for."""

    channels: tuple[ChannelNote, ...]
    # Of all pages of this list.
    total: int
    # Of all that have these words and labels, whatever their state.
    states: tuple[StateCount, ...]
    labels: tuple[LabelCount, ...]
    # By the schedule's clock.
    now: datetime
    # How many have a password or token in their address: the OPML file leaves them out.
    secret: int = 0
    next: str | None = None


class PollNote(msgspec.Struct, frozen=True, kw_only=True):
    """An answer to a poll, as the index of the WARC files has it."""

    time: datetime
    url: str
    status: int | None = None
    # document, same (the same bytes as before), not_modified (304), redirect, failed
    outcome: str
    bytes: int  # of its WARC record


class WrapperNote(msgspec.Struct, frozen=True, kw_only=True):
    """What was learned of a template of the channel's pages, and what it was good for."""

    id: str
    xpath: str
    confidence: float
    samples: int  # pages that it was learned from
    learned: datetime
    last_used: datetime | None = None
    pages: int  # that it served
    outdated: datetime | None = None
    extractor: str


class GapNote(msgspec.Struct, frozen=True, kw_only=True):
    """Where two documents of a feed had nothing in common, and what became of it."""

    seen: datetime
    after: datetime | None = None
    before: datetime | None = None
    state: str
    words: str
    how: str
    filled: int  # entries that were found
    documents: int  # that were asked for
    ended: datetime | None = None


class ArticleNote(msgspec.Struct, frozen=True, kw_only=True):
    """An article that the channel announced."""

    url: str
    title: str | None = None
    published: datetime | None = None
    first_seen: datetime
    versions: int


class WeekHours(msgspec.Struct, frozen=True, kw_only=True):
    """At which hours (UTC) of the week entries were published: seven days from Monday, 24 hours each."""

    entries: int
    hours: tuple[tuple[int, ...], ...]


class ChannelDetails(msgspec.Struct, frozen=True, kw_only=True):
    """All that is known of a channel."""

    channel: ChannelNote
    seed_url: str
    kind: str
    format: str | None = None
    language: str | None = None
    page: str | None = None  # the page that the feed belongs to
    site: int | None = None  # the channel of the site on which it was found
    merged_into: int | None = None
    sources: tuple[str, ...] = ()  # the seeds files that name it
    status: str
    added: datetime
    every: float | None = None  # seconds, where its seed pins them
    polls: int
    last_poll: datetime | None = None
    outcome: str | None = None
    outcome_words: str | None = None
    failing_since: datetime | None = None
    why: str | None = None
    publishes: str | None = None
    silence: str | None = None  # the chance of it, where it is alarming
    edits: str | None = None
    rhythm: WeekHours
    history: tuple[PollNote, ...] = ()
    wrappers: tuple[WrapperNote, ...] = ()
    gaps: tuple[GapNote, ...] = ()
    # What was published before the first poll, where that was asked for: how far it has come, in words.
    earlier: str = ""
    articles: tuple[ArticleNote, ...] = ()
    # By the schedule's clock.
    now: datetime
