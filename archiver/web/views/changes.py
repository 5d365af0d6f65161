"""What was edited lately, over all channels or some of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Literal

import msgspec

from archiver.display.spans import parse_span
from archiver.errors import ConfigurationError
from archiver.inspection.history.changes import Wanted, find_events
from archiver.inspection.history.model import KINDS, Event
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.web.opened import OpenedArchive

EditKind = Literal["text", "title", "links", "images", "fields", "changed", "gone", "back"]


class ChangesAsked(msgspec.Struct, frozen=True, kw_only=True):
    channel: Annotated[int, msgspec.Meta(ge=1, le=2**53, description="The number of a channel")] | None = None
    kind: tuple[EditKind, ...] = ()
    min_words: Annotated[int, msgspec.Meta(ge=0, le=10**6)] = 0
    until: Annotated[str, msgspec.Meta(description="Only what was seen up to this time or day")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Edits, the newest first; and from where to go on."""

    events: tuple[Event, ...]
    until: datetime | None = None


def read_changes(archive: OpenedArchive, asked: ChangesAsked) -> Changes:
    wanted = Wanted(
        until=last_moment(asked.until),
        channels=(asked.channel,) if asked.channel else None,
        kinds=asked.kind,
        min_words=asked.min_words,
        limit=asked.limit + 1,
    )
    found = list(find_events(archive.state, wanted, archive.withheld))[::-1]
    return Changes(
        events=tuple(found[: asked.limit]), until=found[asked.limit].at if len(found) > asked.limit else None
    )


def last_moment(text: str) -> datetime | None:
    """The end of the time or day that is meant; a moment with fractions of a second is meant as it is."""
    try:
        if text and "." in text:
            return datetime.fromisoformat(text).astimezone(UTC)
        return parse_span(text).last if text else None
    except (ValueError, OverflowError) as error:
        raise ConfigurationError(str(error)) from error


CHANGES = WebView(
    name="changes",
    path="/changes",
    about="Edits of articles, and articles that went or came back, the newest first",
    parameters=ChangesAsked,
    answer=Changes,
    read=read_changes,
    part="changes",
    extra={"kinds": KINDS},
)
