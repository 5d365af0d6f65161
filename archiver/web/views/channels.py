"""Channels: a list to search in, and one with all that is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.acquisition.seeds.export import exported, write_opml
from archiver.inspection.channels.details import ChannelPlaces, read_channel
from archiver.inspection.channels.listing import has_secret, read_channels, selected_channels
from archiver.inspection.channels.model import ChannelDetails, ChannelList, ChannelsWanted
from archiver.inspection.channels.states import STATES
from archiver.inspection.statistics.plots import WEEKDAYS, week_svg, week_words
from archiver.web.rendering import trusted
from archiver.web.view import WebView

if TYPE_CHECKING:
    from markupsafe import Markup

    from archiver.web.opened import OpenedArchive

_SORTS = {
    "title": "title",
    "next_poll": "next poll",
    "last_success": "last success",
    "entries": "entries",
    "failures": "failures in a row",
}
_OUTCOMES = {
    "document": "a document",
    "same": "the same bytes as before",
    "not_modified": "not modified",
    "redirect": "a redirect",
    "failed": "failed",
}


class ChannelAsked(msgspec.Struct, frozen=True, kw_only=True):
    number: Annotated[int, msgspec.Meta(ge=1, le=2**53, description="The number of a channel")]


def _read_list(archive: OpenedArchive, asked: ChannelsWanted) -> ChannelList:
    return read_channels(archive.state, asked, archive.now, archive.withheld)


def _read_one(archive: OpenedArchive, asked: ChannelAsked) -> ChannelDetails:
    places = ChannelPlaces(state=archive.state, index=archive.index, withheld=archive.withheld)
    return read_channel(places, asked.number, archive.now)


def opml(archive: OpenedArchive, asked: ChannelsWanted) -> bytes:
    """The channels of a list as a seeds file; without those whose address is a secret."""
    rows = selected_channels(archive.state, asked, archive.withheld)
    # As `scrapy channels --opml`: what is no longer collected is written where it is asked for.
    chosen = [row for row in rows if asked.state or row.status not in {"unlisted", "merged"}]
    return write_opml((exported(row) for row in chosen if not has_secret(row)), archive.now)


def heat_map(found: ChannelDetails) -> Markup:
    return trusted((week_svg(found.rhythm.hours, "rhythm", "Entries by hour of the week"),))


CHANNELS = WebView(
    name="channels",
    path="/channels",
    about="Channels, searched, sorted and filtered",
    parameters=ChannelsWanted,
    answer=ChannelList,
    read=_read_list,
    part="channels",
    extra={"states": STATES, "sorts": _SORTS},
)
CHANNEL = WebView(
    name="channel",
    path="/channels/{number}",
    about="All that is known of a channel",
    parameters=ChannelAsked,
    answer=ChannelDetails,
    read=_read_one,
    part="channels",
    extra={
        "heat_map": heat_map,
        "outcomes": _OUTCOMES,
        "states": STATES,
        "week_words": week_words,
        "weekdays": WEEKDAYS,
    },
)
