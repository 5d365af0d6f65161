"""Channels that an operator wants polled now: which ones are meant, and what to say of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.acquisition.seeds.address import web_address
from archiver.extensions.arguments import CHANNELS_LISTED
from archiver.store.polling.channels import find_channel
from archiver.store.polling.due import family, labelled, poll_now
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.store.polling.due import MadeDue

_WHO_POLLS = "the next crawl polls {}, and one that watches does so within half a minute"


@dataclass(slots=True, kw_only=True)
class PollTold:
    """What was done, and what could not be."""

    done: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def poll_channels(
    state: Connection, names: Sequence[str], now: datetime, *, failing: bool = False
) -> PollTold:
    """Make the channels due that are named by number, address or label; all of them where none is named."""
    told = PollTold()
    ids = {number for name in names for number in _named(state, name, told)} if names else None
    if ids is not None and not ids:
        return told
    made = poll_now(state, now, ids=ids, failing=failing)
    told.done = [
        _due_in_words(made, failing=failing, are_named=bool(names)),
        *map(redact, made.held_in_words(now)),
    ]
    return told


def _named(state: Connection, name: str, told: PollTold) -> list[int]:
    row = find_channel(state, name) or find_channel(state, web_address(name))
    if row is None:
        found = labelled(state, name)
        if not found:
            told.problems.append(f"No channel and no label is called {redact(name)}: {CHANNELS_LISTED}")
        return found
    if row.status == "active":
        return family(state, row.id)
    if row.status == "merged":
        told.problems.append(f"{redact(row.url)} is {row.why}: poll that channel")
    else:
        back = f"`scrapy channels resume {row.id}` brings it back"
        told.problems.append(f"{redact(row.url)} is {row.status} and not polled: {back}")
    return []


def _due_in_words(made: MadeDue, *, failing: bool, are_named: bool) -> str:
    if made.due == 0 and failing and not made.waiting:
        return "None of these channels fails." if are_named else "No channel fails."
    if made.due == 0:
        return "No channel is due now."
    if made.due == 1:
        return f"1 channel is due now: {_WHO_POLLS.format('it')}."
    return f"{made.due} channels are due now: {_WHO_POLLS.format('them')}."
