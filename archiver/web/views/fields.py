"""Field wrappers: a list, and one with its rates day by day, its values and the pages that fail."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.inspection.fields.as_text import weeks_in_words
from archiver.inspection.fields.details import WrapperPlaces, read_details
from archiver.inspection.fields.listing import read_statuses
from archiver.inspection.fields.model import FieldStatus, WrapperDetails, WrapperStatusList
from archiver.inspection.fields.plot import rates_svg, rates_words
from archiver.web.rendering import trusted
from archiver.web.view import NothingAsked, WebView

if TYPE_CHECKING:
    from markupsafe import Markup

    from archiver.web.opened import OpenedArchive

_STATES = {
    "working": "its fields are found",
    "failing": "a field of it is no longer found",
    "suspended": "it is not used, since pages could not be read with it",
    "flawed": "its file cannot be used",
    "unused": "no page was read by it yet",
}


class WrapperAsked(msgspec.Struct, frozen=True, kw_only=True):
    wrapper: Annotated[str, msgspec.Meta(max_length=80, description="The name of a field wrapper")]


def _read_list(archive: OpenedArchive, _: NothingAsked) -> WrapperStatusList:
    return read_statuses(archive.state, archive.wrappers, archive.now)


def _read_one(archive: OpenedArchive, asked: WrapperAsked) -> WrapperDetails:
    places = WrapperPlaces(
        state=archive.state, objects=archive.objects, wrappers=archive.wrappers, withheld=archive.withheld
    )
    return read_details(places, asked.wrapper, archive.now)


def plot(field: FieldStatus) -> Markup:
    return trusted((rates_svg(field),))


_EXTRA = {"states": _STATES, "weeks_in_words": weeks_in_words}
FIELD_WRAPPERS = WebView(
    name="fields",
    path="/fields",
    about="Field wrappers, how many of their values are found by week, and which fail",
    parameters=NothingAsked,
    answer=WrapperStatusList,
    read=_read_list,
    part="fields",
    extra=_EXTRA,
)
FIELD_WRAPPER = WebView(
    name="field_wrapper",
    path="/fields/{wrapper}",
    about="All that is known of a field wrapper: its rates day by day, values, pages that fail",
    parameters=WrapperAsked,
    answer=WrapperDetails,
    read=_read_one,
    part="fields",
    extra={**_EXTRA, "plot": plot, "rates_words": rates_words},
)
