"""Channels whose history an operator wants: which ones are meant, and what to say of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from archiver.acquisition.seeds.address import web_address
from archiver.extensions.arguments import CHANNELS_LISTED
from archiver.store.polling.channels import find_channel
from archiver.store.polling.due import family
from archiver.store.polling.history import ask_for_history, last_history, stop_history
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

_WHO_ASKS = "the next crawl asks for it, and one that watches begins within half a minute"


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryWish:
    """What is wanted, and when that was said."""

    since: datetime | None = None
    most: int | None = None
    stops: bool = False
    recorded: datetime
    now: datetime


@dataclass(slots=True, kw_only=True)
class HistoryTold:
    """What was done, and what could not be."""

    done: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def wish_for_history(state: Connection, names: Sequence[str], wish: HistoryWish) -> HistoryTold:
    """Note as wanted what these channels published before their first poll; or as wanted no more."""
    told = HistoryTold()
    rows = {row.id: row for name in names for row in _named(state, name, told)}
    for row in rows.values():
        told.done.append(_stopped(state, row, wish) if wish.stops else _asked(state, row, wish))
    return told


def _named(state: Connection, name: str, told: HistoryTold) -> list[Row[Any]]:
    """The channel; of a site, the feeds that were found on it."""
    row = find_channel(state, name) or find_channel(state, web_address(name))
    if row is None:
        told.problems.append(f"No channel is called {redact(name)}: {CHANNELS_LISTED}")
        return []
    others = [find_channel(state, str(number)) for number in family(state, row.id)]
    feeds = [one for one in others if one is not None and one.kind == "feed" and one.status != "merged"]
    usable = [one for one in feeds if one.status in {"active", "retired"} and one.last_success]
    if not usable:
        told.problems.append(f"{redact(row.url)} {_why_not(row)}")
    return usable


def _why_not(row: Row[Any]) -> str:
    if row.status == "merged":
        return f"is {row.why}: ask for the history of that channel"
    if row.status not in {"active", "retired"}:
        return f"is {row.status} and not asked: `scrapy channels resume {row.id}` brings it back"
    return "was not polled yet, so nothing is known of its feed: run `scrapy crawl feeds` first"


def _asked(state: Connection, row: Row[Any], wish: HistoryWish) -> str:
    url, before = redact(row.url), last_history(state, row.id)
    if before is not None and before.is_open:
        return f"{url}: history {before.in_words()}. --stop ends it."
    ask_for_history(state, row, since=wish.since, most=wish.most, recorded=wish.recorded, now=wish.now)
    limits = f" back to {wish.since:%Y-%m-%d}" if wish.since else ""
    limits += f", {wish.most} entries at most" if wish.most else ""
    last = f" The last time, it was {before.in_words()}." if before else ""
    return (
        f"{url}: all that it published before its first poll is wanted{limits}: {_WHO_ASKS}."
        f" `scrapy channels show {row.id}` tells how far it has come.{last}"
    )


def _stopped(state: Connection, row: Row[Any], wish: HistoryWish) -> str:
    url, before = redact(row.url), last_history(state, row.id)
    if before is None or not before.is_open:
        return f"{url}: its history is not being asked for."
    stop_history(state, row.id, wish.recorded)
    return f"{url}: no more of its history is asked for. What was found stays, and its pages are fetched."
