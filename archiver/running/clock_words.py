"""A clock that was ahead: how far anything may be put off at all, and what is said where it was further."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.channels.merging import CHECK_EVERY
from archiver.acquisition.channels.websub.subscription import LONGEST_LEASE
from archiver.acquisition.outcomes import LONGEST_RETRY_AFTER
from archiver.clock import rfc3339
from archiver.store.clockwork import SLACK, Horizons

if TYPE_CHECKING:
    from archiver.running.archive import ArchiveConfig
    from archiver.store.clockwork import DoubtedRun, PulledBack


def horizons_of(config: ArchiveConfig) -> Horizons:
    """How far ahead the settings let anything be put off."""
    policy, rechecks = config.polls.policy, config.rechecks.policy
    politeness, backoff = policy.politeness, policy.backoff
    polls = max(
        policy.interval, policy.longest, policy.discovery, policy.pushed, politeness.floor,
        politeness.floor_blind, politeness.longest_wish, backoff.longest_passing, backoff.retired_interval,
        LONGEST_RETRY_AFTER, CHECK_EVERY,
    )  # fmt: skip
    return Horizons(
        polls=polls * (1 + policy.jitter) + SLACK,
        pages=max(config.pages.longest_wait, LONGEST_RETRY_AFTER) * (1 + policy.jitter) + SLACK,
        rechecks=rechecks.until + max(rechecks.interval or timedelta(), LONGEST_RETRY_AFTER) + SLACK,
        leases=LONGEST_LEASE + SLACK,
    )


def doubt_in_words(run: DoubtedRun) -> str:
    began = rfc3339(run.started)
    return (
        f"The clock was ahead in the run that began at {began}, or is behind now: {run.entries} entries and"
        f" {run.versions} versions have times of that run, which are not to be trusted"
    )


def pulled_in_words(pulled: PulledBack) -> list[str]:
    if not pulled:
        return []
    told = f"{pulled.polls} polls, {pulled.pages} pages, {pulled.rechecks} rechecks, {pulled.others} others"
    return [f"Put off further than any setting allows, as by a clock that was ahead, and due now: {told}"]
