"""The channels of an archive: searched, filtered, sorted, and handed out page by page."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from archiver.acquisition.channels.polling.listing import chosen, is_polled, schedule_now
from archiver.errors import ConfigurationError
from archiver.inspection.channels.model import ChannelList, ChannelNote, LabelCount, StateCount
from archiver.inspection.channels.states import STATES, state_in_words, states_of
from archiver.store.schema import channels
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import ColumnElement, Connection, Row

    from archiver.archive.withheld import Withheld
    from archiver.inspection.channels.model import ChannelsWanted
    from archiver.inspection.channels.states import ChannelState

    Key = tuple[Any, int]  # text or a number, which is the same for all of a list

# Without what is long and not shown.
_COLUMNS: tuple[ColumnElement[Any], ...] = (
    channels.c.id, channels.c.url, channels.c.kind, channels.c.status, channels.c.title, channels.c.labels,
    channels.c.link, channels.c.entries, channels.c.last_poll, channels.c.last_success, channels.c.next_poll,
    channels.c.outcome, channels.c.failures, channels.c.rhythm, channels.c.overdue,
)  # fmt: skip
_TITLE_KEY = 80
_MOST_LABELS = 200
_NEVER = 2**62
# These are looked at for their highest values.
_HIGHEST_FIRST = {"last_success", "entries", "failures"}


def slim_channels(state: Connection, withheld: Withheld) -> list[Row[Any]]:
    """All channels, as far as lists need them. There are thousands: they are sorted here, not there."""
    found = state.execute(select(*_COLUMNS).order_by(channels.c.id))
    return [row for row in found if not withheld.hides(row.url)]


def read_channels(
    state: Connection,
    wanted: ChannelsWanted,
    now: datetime,
    withheld: Withheld,
) -> ChannelList:
    """A page of channels. Raises ConfigurationError where `after` is not of such a list."""
    known = slim_channels(state, withheld)
    alike, states = _alike(known, wanted), states_of(known)
    rows = _selected(alike, states, wanted)
    left = _behind(rows, wanted)
    shown = left[: wanted.limit]
    return ChannelList(
        channels=tuple(channel_note(row, states[row.id]) for row in shown),
        total=len(rows),
        states=counted_states(states[row.id] for row in alike),
        labels=_labels(known),
        now=schedule_now(known, now),
        secret=sum(has_secret(row) for row in rows),
        next=_cursor(shown[-1], wanted) if len(left) > wanted.limit else None,
    )


def selected_channels(state: Connection, wanted: ChannelsWanted, withheld: Withheld) -> list[Row[Any]]:
    """All channels that are wanted, in the order of the list, whatever page of it is asked for."""
    known = slim_channels(state, withheld)
    return _selected(_alike(known, wanted), states_of(known), wanted)


def channel_note(row: Row[Any], state: ChannelState) -> ChannelNote:
    return ChannelNote(
        number=row.id,
        title=row.title,
        url=redact(row.url),
        state=state,
        words=state_in_words(row, state),
        labels=row.labels,
        entries=row.entries,
        failures=row.failures,
        last_success=row.last_success,
        next_poll=row.next_poll if is_polled(row) else None,
    )


def counted_states(states: Iterable[ChannelState]) -> tuple[StateCount, ...]:
    """Each state that a channel is in, in one order; the first three also where none is."""
    counts = Counter(states)
    always = {"healthy", "failing", "silent"}
    return tuple(
        StateCount(state=state, words=words, count=counts[state])
        for state, words in STATES.items()
        if counts[state] or state in always
    )


def has_secret(row: Row[Any]) -> bool:
    """Whether a password or token is in its address, or in that of its page."""
    return any(redact(url) != url for url in (row.url, row.link or ""))


def _alike(known: Sequence[Row[Any]], wanted: ChannelsWanted) -> list[Row[Any]]:
    """Those with one of the labels, and with all of the words in their title or address."""
    words = wanted.q.casefold().split()
    return [
        row
        for row in chosen(known, labels=wanted.label)
        # What is hidden of an address cannot be searched for, letter by letter.
        if all(word in f"{row.title or ''} {redact(row.url)}".casefold() for word in words)
    ]


def _selected(
    rows: Iterable[Row[Any]], states: Mapping[int, ChannelState], wanted: ChannelsWanted
) -> list[Row[Any]]:
    """Those of the wanted state, in the wanted order."""
    some = [row for row in rows if wanted.state in {None, states[row.id]}]
    return sorted(some, key=lambda row: _key(row, wanted), reverse=_is_downward(wanted))


def _behind(rows: list[Row[Any]], wanted: ChannelsWanted) -> list[Row[Any]]:
    """What follows the channel that was shown last."""
    if wanted.after is None:
        return rows
    last, is_downward = _key_from(wanted.after, wanted), _is_downward(wanted)
    return [row for row in rows if (_key(row, wanted) < last) is is_downward and _key(row, wanted) != last]


def _is_downward(wanted: ChannelsWanted) -> bool:
    return (wanted.sort in _HIGHEST_FIRST) is not wanted.reverse


def _key(row: Row[Any], wanted: ChannelsWanted) -> Key:
    return _value(row, wanted.sort), row.id


def _value(row: Row[Any], sort: str) -> str | int:
    if sort == "title":
        return str(row.title or redact(row.url).partition("://")[2]).casefold().strip()[:_TITLE_KEY]
    if sort == "next_poll":
        return _micros(row.next_poll) if is_polled(row) else _NEVER
    if sort == "last_success":
        return _micros(row.last_success) if row.last_success else 0
    return int(getattr(row, sort))


def _micros(moment: datetime) -> int:
    return int(moment.timestamp() * 1_000_000)


def _cursor(row: Row[Any], wanted: ChannelsWanted) -> str:
    return f"{row.id}.{_value(row, wanted.sort)}"


def _key_from(text: str, wanted: ChannelsWanted) -> Key:
    number, _, value = text.partition(".")
    try:
        return (value if wanted.sort == "title" else int(value), int(number))
    except ValueError as error:
        raise ConfigurationError(
            f"after={text!r} is not the `next` of a list that is sorted by {wanted.sort}: leave it out"
        ) from error


def _labels(known: Iterable[Row[Any]]) -> tuple[LabelCount, ...]:
    counts = Counter(label for row in known for label in row.labels)
    most = sorted(counts.most_common(_MOST_LABELS), key=lambda pair: pair[0].casefold())
    return tuple(LabelCount(label=label, count=count) for label, count in most)
