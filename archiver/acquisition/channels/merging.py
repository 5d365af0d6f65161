"""One channel under two addresses: when a redirect is believed, which channels are one, when they part."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.documents.feeds.sameness import show_the_same
from archiver.domains import same_owner
from archiver.urls import LONGEST_URL, host_of, redact, with_credentials_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime

    from archiver.acquisition.channels.polls import KnownChannel
    from archiver.acquisition.items import ChannelPoll

# A guess: one request a week, and a feed that goes its own way is noticed within that.
CHECK_EVERY = timedelta(days=7)
# An entry that the other channel still does not have after this is not on its way there.
CONFIRM_AFTER = timedelta(days=1)
# A channel that failed so often in a row is asked at the address of one that was merged into it.
_TRIES_ELSEWHERE = 3
_REDIRECTS = "one redirects to the other for good"
_SAME = "it says that it is the same feed, and shows the same entries"


# ── Moving ───────────────────────────────────────────────────────────────────────────────────────────────


def place(url: str) -> dict[str, object]:
    """Where a channel is, and the host whose patience it takes."""
    return {"url": url, "host": host_of(url)}


def seen_again(channel: KnownChannel, target: str | None) -> str | None:
    """The new address, where the last poll named it as well: once may be a slip."""
    if target is None or target != channel.moved_to:
        return None
    url = with_credentials_of(target, channel.url)
    # What no index takes cannot be a channel's address; the redirect is followed each time.
    return url if len(url.encode("utf-8", "replace")) <= LONGEST_URL else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Where a channel is from now on, or what is remembered of where it may be next time."""

    to: str | None = None
    seen_once: str | None = None
    # What is behind a redirect that was seen before is left as it is.
    is_noted: bool = True
    twin: KnownChannel | None = None  # the channel that is polled there: both are one

    @property
    def fields(self) -> dict[str, object]:
        if self.to is not None:
            return place(self.to) | {"moved_to": None}
        return {"moved_to": self.seen_once} if self.is_noted else {}


def moved(channel: KnownChannel, target: str | None, other: KnownChannel | None) -> Move:
    """A permanent redirect is believed when it is seen for the second time.

    Where it leads to another channel's address, these are one by their server's word: also that channel.
    """
    url = seen_again(channel, target)
    if url is None:
        return Move(seen_once=target)
    if other is None:
        return Move(to=url)
    if not _may_merge(channel, other):
        return Move(is_noted=False)
    return Move(to=url if channel.id < other.id else None, is_noted=False, twin=other)


def elsewhere(channel: KnownChannel, merged: Sequence[KnownChannel], failures: int) -> KnownChannel | None:
    """The merged channel with which a failing one changes places, in turn where there are several."""
    if failures % _TRIES_ELSEWHERE:
        return None
    # One that once redirected here could otherwise answer for a feed that is down.
    fit = [other for other in merged if same_owner(other.url, channel.url)]
    return fit[(failures // _TRIES_ELSEWHERE - 1) % len(fit)] if fit else None


# ── Merging ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """The younger of two channels becomes a part of the older."""

    older: int
    younger: int
    labels: tuple[str, ...]
    every: timedelta | None
    why: str
    next_poll: datetime  # of the younger: a look at whether they still are one
    told: str


def merge_after_poll(
    channel: KnownChannel,
    twin: KnownChannel | None,
    claimants: Sequence[KnownChannel],
    listed: frozenset[int],
    now: datetime,
) -> Merge | None:
    """Whether the channel, as it is after a poll, is one with another; `twin` is one by a redirect."""
    reason = _REDIRECTS if twin else _SAME
    other = twin or _twin_among(channel, claimants, listed)
    if other is None or channel.status != "active":
        return None
    older, younger = sorted((channel, other), key=lambda one: one.id)
    why = f"merged into channel {older.id}, {redact(older.url)}: {reason}"
    return Merge(
        older=older.id,
        younger=younger.id,
        labels=tuple(dict.fromkeys((*older.labels, *younger.labels))),
        every=older.every or younger.every,
        why=why,
        next_poll=now + CHECK_EVERY,
        told=f"{redact(younger.seed_url)} {why}",
    )


def _may_merge(one: KnownChannel, other: KnownChannel) -> bool:
    """Whether the operator did not ask for these to be kept apart, or not to be polled."""
    polled = {"active", "retired"}
    return not (one.apart or other.apart) and one.status in polled and other.status in polled


def _twin_among(
    channel: KnownChannel, claimants: Sequence[KnownChannel], listed: frozenset[int]
) -> KnownChannel | None:
    """Another channel that claims to be this feed and shows the same entries."""
    if not channel.shown or channel.apart:
        return None
    same = (one for one in claimants if show_the_same(one.shown or (), channel.shown))
    return next((one for one in same if _may_be_one(channel, one, listed)), None)


def _may_be_one(one: KnownChannel, other: KnownChannel, listed: frozenset[int]) -> bool:
    """Feeds of two domains are never one by their own word: one could silence the other.

    Feeds that were found on two sites stay with them: if one site goes, the other's feed must stay.
    So does a feed that is asked for with a password or a token: it may be another one some day.
    """
    if any(redact(each.url) != each.url for each in (one, other)) or not same_owner(one.url, other.url):
        return False
    return one.site_id == other.site_id or bool({one.id, other.id} & listed)


# ── Parting ──────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class MergedLook:
    """What a look at a merged channel changes."""

    fields: Mapping[str, object]
    is_parted: bool = False
    notes: tuple[str, ...] = ()


def look_at_merged(
    channel: KnownChannel, kept: KnownChannel, poll: ChannelPoll, lacking: Sequence[str], now: datetime
) -> MergedLook:
    """What a poll of a merged channel shows: it is parted where it is another feed.

    `lacking` are short names of the entries that came since and that `kept`, with which it is one, lacks.
    """
    if reason := _parts(channel, kept, poll, lacking):
        why = f"parted from channel {kept.id}, {redact(kept.url)}: {reason}"
        fields: dict[str, object] = {"failures": 0, "failing_since": None, "shown": ()}
        fields |= {"status": "active", "merged_into": None, "apart": True, "next_poll": now, "why": why}
        return MergedLook(fields=fields, is_parted=True, notes=(f"{redact(channel.seed_url)} {why}",))
    before = tuple(name for name in channel.shown or () if name in lacking)
    wait = CONFIRM_AFTER if lacking else CHECK_EVERY
    return MergedLook(fields={"next_poll": now + wait, "shown": before or tuple(lacking)})


def _parts(channel: KnownChannel, kept: KnownChannel, poll: ChannelPoll, lacking: Sequence[str]) -> str:
    # An address that fails, or became a page, has no entries that could be lost.
    if poll.feed is None or poll.partial:
        return ""
    if not any(same_owner(url, kept.url) for url in (channel.url, poll.url)):
        return "it is of another domain, and does not redirect there"
    # Since the last look the other one was polled, and had its chance to show them.
    had_its_chance = channel.last_poll and kept.last_success and kept.last_success > channel.last_poll
    if had_its_chance and set(channel.shown or ()) & set(lacking):
        return "it shows entries that the other does not"
    return ""
