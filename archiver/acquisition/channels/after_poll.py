"""What a poll changes: a pure function of what was known, what came and the time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.acquisition.channels.after_feed import after_feed
from archiver.acquisition.channels.gaps.detect import Shown, moment_of, overlaps
from archiver.acquisition.channels.merging import elsewhere, moved, place
from archiver.acquisition.channels.polling.schedule import next_poll, state_of
from archiver.acquisition.channels.polls import (
    PageStagger,
    PollChanges,
    PollResult,
    not_before,
    polled,
    revived,
)
from archiver.acquisition.items import Validators
from archiver.acquisition.outcomes import Failure, Success
from archiver.documents.feeds.entries import identify
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.channels.polls import Arrival, BeforePoll, PollRules
    from archiver.acquisition.items import ChannelPoll
    from archiver.acquisition.outcomes import Failed
    from archiver.documents.feeds.discovered import DiscoveredFeed
    from archiver.documents.feeds.entries import EntryChanges


def after_poll(before: BeforePoll, poll: ChannelPoll, rules: PollRules, arrival: Arrival) -> PollChanges:
    """Everything that this poll changes."""
    if poll.failed is not None:
        return _after_failure(before, poll, poll.failed, rules, arrival)
    if poll.discovered is not None:
        return _after_site(before, poll, rules, arrival)
    return after_feed(before, poll, rules, arrival)


# ── A failure ────────────────────────────────────────────────────────────────────────────────────────────


def _after_failure(
    before: BeforePoll, poll: ChannelPoll, failed: Failed, rules: PollRules, arrival: Arrival
) -> PollChanges:
    channel, now = before.channel, arrival.now
    decision = next_poll(state_of(channel), failed, before.policy, now)
    changes = _elsewhere(before, poll, failed, decision.failures)
    changed, notes = dict(changes.fields), changes.result.notes
    is_gone = failed.failure is Failure.GONE
    if decision.retired and channel.status != "retired" and not is_gone:
        notes = (*notes, f"{channel.url}: {decision.why}")
    if decision.failures == 1:
        changed["failing_since"] = now
    if "url" in changed:  # it may be well where it is asked now
        sooner = min(decision.at, now + rules.policy.interval)
        decision = replace(decision, at=sooner, why=f"{failed.failure} at its old address")
    changed |= polled(decision, failed.failure, arrival)
    changed |= {"not_before": not_before(failed.retry_after, now), "cause": rules.causes.get(failed.failure)}
    kept = _kept_entries(before, poll)
    new = len(kept.new) if kept else 0
    return replace(
        changes,
        result=replace(changes.result, new=new, retired=is_gone, detail=failed.detail, notes=notes),
        fields=changed,
        validators=Validators() if poll.forgets else None,
        entries=kept,
        is_whole=False,
        stagger=PageStagger(at_once=rules.pages_at_once, interval=rules.policy.interval),
    )


def _elsewhere(before: BeforePoll, poll: ChannelPoll, failed: Failed, failures: int) -> PollChanges:
    """Where a failing channel is asked next: at the feed that it names, or at a merged one's address."""
    channel = before.channel
    changed, notes = _named(before, poll)
    moves_to = str(changed["url"]) if "url" in changed else None
    swap = None if moves_to else elsewhere(channel, before.merged, failures)
    if swap is not None:
        changed |= place(swap.url)
        notes = (*notes, f"{channel.url} fails, and is asked at {swap.url} from now on")
    result = PollResult(url=channel.url, outcome=failed.failure, notes=notes)
    swaps_with = swap.id if swap else None
    return PollChanges(result=result, fields=changed, moves_to=moves_to, swaps_with=swaps_with)


def _named(before: BeforePoll, poll: ChannelPoll) -> tuple[dict[str, object], tuple[str, ...]]:
    """The feed that a page names in whose place there was one, believed when it is named again."""
    channel = before.channel
    if poll.names is None:
        return {}, ()
    move = moved(channel, poll.names, None)
    if move.to is None:
        return move.fields, ()
    if before.at_new_address is not None:
        return {}, (f"{channel.url} is a web page now; the feed that it names, {move.to}, is polled already",)
    return move.fields, (f"{channel.url} is a web page now: followed to its feed {move.to}",)


def _kept_entries(before: BeforePoll, poll: ChannelPoll) -> EntryChanges | None:
    """The new entries that came before a feed broke off; nothing else of it is believed.

    Only where nothing can be missing between them and those that were known. Otherwise they are left to the
    next document: were they known by then, it would not show the gap.
    """
    if poll.feed is None or not before.entries.new:
        return None
    new = {one.key for one in before.entries.new}
    shown = [Shown(known=one.key not in new, at=moment_of(one.entry)) for one in identify(poll.feed.entries)]
    if before.channel.entries and not overlaps(shown):
        return None
    # What changed may be what was cut: it is told by the next document that is whole.
    return replace(before.entries, changed=(), renamed=())


# ── A site ───────────────────────────────────────────────────────────────────────────────────────────────


def _after_site(before: BeforePoll, poll: ChannelPoll, rules: PollRules, arrival: Arrival) -> PollChanges:
    channel = before.channel
    state = state_of(channel, replace(poll.wishes, at=arrival.now))
    decision = next_poll(state, Success.SITE, rules.policy, arrival.now)
    changed, notes = revived(channel)
    changed |= polled(decision, Success.SITE, arrival)
    changed |= {"kind": "site", "not_before": not_before(poll.wishes.retry_after, arrival.now)}
    result = PollResult(url=channel.url, outcome=Success.SITE, notes=notes)
    return PollChanges(result=result, fields=changed)


def site_result(result: PollResult, poll: ChannelPoll, added: int, most: int) -> PollResult:
    """The result with what became of the feeds that a site names."""
    found: Sequence[DiscoveredFeed] = poll.discovered or ()
    notes = result.notes
    if poll.found_on and added:
        feeds = ", ".join(redact(feed.url) for feed in found[:most])
        notes = (*notes, f"{result.url} names no feed itself; found on {redact(poll.found_on)}: {feeds}")
    if len(found) > most:
        told = f"{result.url} names {len(found)} feeds: at most MAX_FEEDS_PER_SITE={most} are polled"
        notes = (*notes, told)
    return replace(result, discovered=added, notes=notes)
