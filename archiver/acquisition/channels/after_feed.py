"""What a feed, or the word that it is as it was, changes in its channel."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.confirming import untrue_in_words, was_untrue
from archiver.acquisition.channels.gaps.notice import new_gap
from archiver.acquisition.channels.merging import merge_after_poll, moved
from archiver.acquisition.channels.polling.estimate import last_look, learn, silence
from archiver.acquisition.channels.polling.forecast import chance_in_words, is_alarming
from archiver.acquisition.channels.polling.rhythm import moments_of
from archiver.acquisition.channels.polling.schedule import next_poll, state_of
from archiver.acquisition.channels.polling.wishes import joined
from archiver.acquisition.channels.polls import (
    KnownChannel,
    PageStagger,
    PollChanges,
    PollResult,
    not_before,
    polled,
    revived,
)
from archiver.acquisition.channels.websub.subscription import after_poll as subscription_after_poll
from archiver.acquisition.channels.websub.subscription import announced
from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Success
from archiver.documents.feeds.dates import datings
from archiver.documents.feeds.entries import identify
from archiver.documents.feeds.model import hints_of
from archiver.documents.feeds.sameness import identity_of, shown_by
from archiver.urls import is_web, redact, request_url

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from archiver.acquisition.channels.gaps.notice import NewGap
    from archiver.acquisition.channels.merging import Move
    from archiver.acquisition.channels.polling.estimate import Learned
    from archiver.acquisition.channels.polling.schedule import NextPoll
    from archiver.acquisition.channels.polling.wishes import Wishes
    from archiver.acquisition.channels.polls import Arrival, BeforePoll, PollRules
    from archiver.acquisition.channels.websub.subscription import Subscription
    from archiver.acquisition.items import ChannelPoll
    from archiver.documents.feeds.dates import Dating

_FIELDS = frozenset(field.name for field in fields(KnownChannel))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """What an answer tells, each by itself."""

    outcome: Success
    is_untrue: bool  # the 304s before it were
    wishes: Wishes
    subscription: Subscription | None
    gap: NewGap | None
    learned: Learned
    move: Move


def after_feed(before: BeforePoll, poll: ChannelPoll, rules: PollRules, arrival: Arrival) -> PollChanges:
    """Everything that a feed, a part of one or a 304 changes."""
    told = _told(before, poll, rules, arrival)
    decision = _next_poll(before, told, arrival)
    changed, notes = _fields(before, poll, told, decision, arrival)
    after = _changed(before.channel, changed)
    merge = merge_after_poll(after, told.move.twin, before.claimants, before.listed, arrival.now)
    notes += (merge.told,) if merge else ()
    is_document, is_new = poll.feed is not None, told.outcome is Success.NEW
    given = Validators() if told.wishes.ignores_validators else poll.validators
    return PollChanges(
        result=_result(before, told, notes),
        fields=changed,
        validators=given if is_document else None,
        entries=before.entries if is_document else None,
        is_whole=not poll.partial,
        datings=_datings(poll, arrival.recorded) if is_new else {},
        stagger=_stagger(before.channel, decision, rules, arrival.now),
        gap=told.gap,
        subscription=told.subscription if told.subscription != before.subscription else None,
        home=_home(poll, rules) if is_new else None,
        moves_to=told.move.to,
        merge=merge,
    )


def _told(before: BeforePoll, poll: ChannelPoll, rules: PollRules, arrival: Arrival) -> _Told:
    outcome = Success.NOT_MODIFIED if poll.feed is None else Success.UNCHANGED
    if before.entries.new or before.entries.changed:
        outcome = Success.NEW
    is_untrue = was_untrue(before, poll, arrival.recorded)
    gap = new_gap(before, poll, arrival, fill=rules.gap_pages > 0)
    return _Told(
        outcome=outcome,
        is_untrue=is_untrue,
        wishes=_wishes(before.channel, poll, arrival, is_untrue=is_untrue),
        subscription=_subscription(before, poll, arrival.now) if rules.websub else None,
        gap=gap,
        learned=_learned(before, poll, arrival, is_gap=gap is not None),
        move=moved(before.channel, poll.moved_to, before.at_new_address),
    )


def _next_poll(before: BeforePoll, told: _Told, arrival: Arrival) -> NextPoll:
    hub = told.subscription
    is_pushed = hub is not None and hub.trusted and hub.is_alive(arrival.now)
    state = replace(
        state_of(before.channel, told.wishes, pushed=is_pushed),
        rhythm=told.learned.rhythm,
        last_gap=arrival.now if told.gap else before.channel.last_gap,
    )
    return next_poll(state, told.outcome, before.policy, arrival.now)


def _fields(
    before: BeforePoll, poll: ChannelPoll, told: _Told, decision: NextPoll, arrival: Arrival
) -> tuple[dict[str, object], tuple[str, ...]]:
    """What changes of the channel itself, and what to tell the operator."""
    channel = before.channel
    overdue, alarm = _silence(channel, told.learned, new=len(before.entries.new))
    back, notes = revived(channel)
    changed = _described(poll) | told.move.fields | back | polled(decision, told.outcome, arrival)
    changed |= {
        "wishes": told.wishes,
        "rhythm": told.learned.rhythm,
        "overdue": overdue,
        "not_before": not_before(told.wishes.retry_after, arrival.now),
    }
    if told.gap:
        changed["last_gap"] = arrival.now
    if told.is_untrue:
        notes = (*notes, untrue_in_words(redact(channel.url)))
    return changed, (*notes, *alarm)


def _result(before: BeforePoll, told: _Told, notes: tuple[str, ...]) -> PollResult:
    return PollResult(
        url=before.channel.url,
        outcome=told.outcome,
        new=len(before.entries.new),
        changed=len(before.entries.changed),
        moved_to=told.move.to,
        notes=notes,
        gap=told.gap.state if told.gap else None,
    )


def _changed(channel: KnownChannel, changed: Mapping[str, object]) -> KnownChannel:
    known = {name: value for name, value in changed.items() if name in _FIELDS}
    return replace(channel, **known)  # type: ignore[arg-type] # each value is of its field's type


def _wishes(channel: KnownChannel, poll: ChannelPoll, arrival: Arrival, *, is_untrue: bool) -> Wishes:
    validators = None if poll.feed is None else bool(poll.validators.etag or poll.validators.last_modified)
    info = poll.feed.info if poll.feed else None
    wishes = joined(channel.wishes, poll.wishes, info, at=arrival.now, has_validators=validators)
    if not is_untrue and not wishes.ignores_validators:
        return wishes
    return replace(wishes, ignores_validators=True, has_validators=False)


def _subscription(before: BeforePoll, poll: ChannelPoll, now: datetime) -> Subscription | None:
    """What holds with the hub that the feed names."""
    known = before.subscription
    if poll.feed is not None and not poll.partial:
        hub = announced(poll.links, poll.feed.info, poll.url)
        known = subscription_after_poll(known, hub, before.channel.id, before.tokens, now)
    if known is None or not known.trusted or not before.entries.new:
        return known
    # What came without a word from the hub would have come late if we had relied on it.
    last = before.channel.wishes.at if before.channel.wishes else None
    was_told = last is None or (known.pinged is not None and known.pinged > last)
    return known if was_told else replace(known, trusted=False)


def _learned(before: BeforePoll, poll: ChannelPoll, arrival: Arrival, *, is_gap: bool) -> Learned:
    """How the channel publishes, after this poll."""
    channel = before.channel
    # A channel that came before rhythms were kept was seen all the same.
    last_poll = last_look(channel.rhythm) or (arrival.now if channel.last_success else None)
    moments = moments_of((one.entry for one in before.entries.new), last_poll, arrival.now)
    # A part of a feed does not show how much the whole of it holds.
    shown = len(poll.feed.entries) if poll.feed and not poll.partial else 0
    return learn(channel.rhythm, moments, shown=shown, is_gap=is_gap, now=arrival.now)


def _silence(channel: KnownChannel, learned: Learned, *, new: int) -> tuple[float, tuple[str, ...]]:
    """How many entries were expected since the last one, and what to tell where that is many."""
    if new:
        return 0.0, ()
    overdue = channel.overdue + learned.expected
    # By what was known then: a step that is passed since more is known would be told by neither poll.
    before, after = silence(channel.rhythm, channel.overdue), silence(learned.rhythm, overdue)
    if not is_alarming(before, after):
        return overdue, ()
    told = f"It should have published by now, the chance of such a silence is {chance_in_words(after)}"
    return overdue, (f"{told}: {channel.url}",)


def _described(poll: ChannelPoll) -> dict[str, object]:
    """What the document says of its channel."""
    if poll.feed is None:
        return {}
    info = poll.feed.info
    described: dict[str, object] = {
        "kind": "feed",
        "link": info.link,
        "language": info.language,
        "format": poll.feed.format,
    }
    # Without a title of its own, a feed goes by the name that a seeds file gave it.
    if info.title:
        described["title"] = info.title
    if not poll.partial:
        described |= {
            "identity": identity_of(poll.feed, poll.url),
            "shown": shown_by(poll.feed.entries),
            "hints": hints_of(poll.feed),
        }
    return described


def _datings(poll: ChannelPoll, recorded: datetime) -> dict[str, Dating]:
    """What the document says of its entries' dates, by their keys."""
    listed = identify(poll.feed.entries if poll.feed else ())
    found = datings([one.entry for one in listed], recorded)
    return {one.key: dating for one, dating in zip(listed, found, strict=False)}


def _stagger(channel: KnownChannel, decision: NextPoll, rules: PollRules, now: datetime) -> PageStagger:
    # A publisher's wishes are for polls, not for pages that are read.
    interval = min(decision.at - now, channel.every or rules.policy.interval)
    return PageStagger(at_once=rules.pages_at_once, interval=interval)


def _home(poll: ChannelPoll, rules: PollRules) -> str | None:
    link = poll.feed.info.link if poll.feed else None
    return request_url(link) if rules.channel_pages and link and is_web(link) else None
