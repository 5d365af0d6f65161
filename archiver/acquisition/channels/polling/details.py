"""All that is known of a channel: for people line by line, for programs as JSON."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.acquisition.channels.polling.estimate import rhythm_in_words, silence
from archiver.acquisition.channels.polling.forecast import chance_in_words, is_overdue
from archiver.acquisition.channels.polling.listing import is_failing, is_polled
from archiver.acquisition.outcome_words import GAPS, in_words, poll_in_words
from archiver.acquisition.rechecks.curve import curve_in_words
from archiver.acquisition.seeds.model import BY_HAND, interval_text
from archiver.clock import rfc3339
from archiver.display.tables import folded, printable
from archiver.display.when import when
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from sqlalchemy import Row

    from archiver.acquisition.channels.gaps.history import ChannelHistory

_LABEL_WIDTH = 11
_BY_HAND = "you, by hand"
_COPIED = ("kind", "status", "title", "labels", "entries", "polls", "outcome", "failures", "why")
_TIMES = ("added", "last_poll", "last_success", "failing_since", "next_poll")


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What the archive knows of channels beside their own rows."""

    gaps: Mapping[int, Mapping[str, int]] = field(default_factory=dict)  # by channel and state
    histories: Mapping[int, ChannelHistory] = field(default_factory=dict)  # by channel
    curve: bytes | None = None  # how all articles change
    sources: Mapping[int, Sequence[str]] = field(default_factory=dict)  # the seeds files that name each


def channel_details(
    row: Row[Any], around: Surroundings, now: datetime, *, width: int | None = None
) -> Iterator[str]:
    """A heading, then a line for each thing that is known."""
    yield f"Channel {row.id}: {printable(row.title or redact(row.url))}"
    for label, text in _told(row, around, now):
        yield folded(f"  {label:<{_LABEL_WIDTH}}{printable(text)}", width, indent=" " * (_LABEL_WIDTH + 2))


def _told(row: Row[Any], around: Surroundings, now: datetime) -> Iterator[tuple[str, str]]:
    yield "URL", redact(row.url)
    if row.seed_url != row.url:
        yield "Seed", redact(row.seed_url)
    yield "Kind", {"unknown": "not known yet"}.get(row.kind, row.kind)
    if row.site_id is not None:
        yield "Found on", f"the site that is channel {row.site_id}"
    if sources := around.sources.get(row.id):
        yield "Named by", redact(", ".join(_BY_HAND if one == BY_HAND else one for one in sources))
    if row.labels:
        yield "Labels", ", ".join(row.labels)
    yield "Status", _status(row, now)
    yield "Entries", str(row.entries)
    yield "Last poll", _last_poll(row, now)
    if is_polled(row):
        yield "Next poll", f"{_moment(row.next_poll, now) if row.next_poll > now else 'due now'}: {row.why}"
    if row.every:
        place = "by hand" if sources == [BY_HAND] else "in its seed"
        yield "Interval", f"{interval_text(timedelta(seconds=row.every))}, set {place}"
    yield from _habits(row, around)


def _status(row: Row[Any], now: datetime) -> str:
    if is_failing(row) and row.failing_since is not None:
        many = f"{row.failures} polls in a row failed, the first" if row.failures > 1 else "1 poll failed,"
        return f"{row.status}; {many} {_moment(row.failing_since, now)}"
    return f"{row.status}: {row.why}" if row.status not in {"active", "retired"} and row.why else row.status


def _last_poll(row: Row[Any], now: datetime) -> str:
    if row.last_poll is None:
        return "never"
    told = poll_in_words(row.outcome) if row.outcome else "not known how it ended"
    return f"{_moment(row.last_poll, now)}: {told}"


def _habits(row: Row[Any], around: Surroundings) -> Iterator[tuple[str, str]]:
    """How it publishes and edits, and what was missed of it."""
    if row.rhythm is not None:
        yield "Publishes", rhythm_in_words(row.rhythm)
        if is_overdue(chance := silence(row.rhythm, row.overdue)):
            yield (
                "Overdue",
                f"should have published by now (chance of this silence: {chance_in_words(chance)})",
            )
    if row.curve is not None:
        yield "Edits", curve_in_words(row.curve, around.curve)
    if gaps := around.gaps.get(row.id):
        yield "Gaps", ", ".join(f"{count} {in_words(state, GAPS)}" for state, count in sorted(gaps.items()))
    if history := around.histories.get(row.id):
        yield "History", history.in_words()


def _moment(moment: datetime, now: datetime) -> str:
    return f"{when(moment, now)} ({moment:%Y-%m-%d %H:%M} UTC)"


def channels_json(rows: Sequence[Row[Any]], around: Surroundings) -> str:
    """A list of objects, with codes and times as files have them."""
    return msgspec.json.format(
        msgspec.json.encode([_as_json(row, around) for row in rows]), indent=1
    ).decode()


def _as_json(row: Row[Any], around: Surroundings) -> dict[str, object]:
    times = {name: rfc3339(moment) if (moment := getattr(row, name)) else None for name in _TIMES}
    if not is_polled(row):
        times["next_poll"] = None
    return {
        "id": row.id,
        "url": redact(row.url),
        "seed_url": redact(row.seed_url),
        **{name: getattr(row, name) for name in _COPIED},
        **times,
        "every": row.every,
        "site": row.site_id,
        "merged_into": row.merged_into,
        "sources": [redact(source) for source in around.sources.get(row.id, ())],
        "gaps": around.gaps.get(row.id, {}),
        "history": history.in_words() if (history := around.histories.get(row.id)) else None,
        "publishes": rhythm_in_words(row.rhythm) if row.rhythm is not None else None,
        "is_overdue": row.rhythm is not None and is_overdue(silence(row.rhythm, row.overdue)),
        "edits": curve_in_words(row.curve, around.curve) if row.curve is not None else None,
    }
