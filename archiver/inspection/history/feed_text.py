"""The feed of edits in a terminal: two lines for each event."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.tables import printable
from archiver.inspection.history.model import BACK
from archiver.inspection.history.spoken import alike, how_gone, kinds_in_words, second, words_counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from archiver.inspection.history.model import Event

    Paint = Callable[[str, str], str]

_INDENT = " " * 21


def lines_of(event: Event, paint: Paint) -> Iterator[str]:
    """When and what; then where. Addresses are whole, to be copied."""
    told = "  ".join(part for part in (second(event.at), *_what(event, paint)) if part)
    yield f"{told}  {_titles(event)}".rstrip()
    channel = paint(f"  ({event.channel.number}  {_name(event)})", "grey") if event.channel else ""
    yield f"{_INDENT}{printable(event.url)}  version {event.version}{channel}"


def _what(event: Event, paint: Paint) -> Iterator[str]:
    if not event.is_edit:
        is_back = event.kinds == (BACK,)
        yield paint(event.kinds[0], "green" if is_back else "red")
        yield "" if is_back else how_gone(event.how or "")
        return
    yield paint(kinds_in_words(event.kinds), "bold")
    yield words_counted(event.added, event.removed)
    yield alike(event.similarity)


def _titles(event: Event) -> str:
    title = printable(event.title or "")
    before = printable(event.title_before or "")
    return f"{before} → {title}" if "title" in event.kinds and before and before != title else title


def _name(event: Event) -> str:
    channel = event.channel
    return printable((channel.title or channel.url) if channel else "")
