"""Forms: a list, one with its schema and coverage, its records, and one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.inspection.records.shown import (
    PER_PAGE,
    FormDetails,
    FormNotes,
    FormPlaces,
    RecordPage,
    RecordShown,
    read_form_details,
    read_forms,
    read_record,
    read_records,
)
from archiver.inspection.statistics.growth import HEIGHT, growth_parts
from archiver.inspection.statistics.svg import drawing
from archiver.web.rendering import trusted
from archiver.web.view import NothingAsked, WebView

if TYPE_CHECKING:
    from markupsafe import Markup

    from archiver.acquisition.forms.model import FormBehaviour
    from archiver.records.model import Origin
    from archiver.web.opened import OpenedArchive

_STATES = {
    "running": "it goes on with the next crawl",
    "done": "it was asked to the end",
    "resting": "its site refused: it is asked again after a day",
    "refused": "it is not asked",
}
Name = Annotated[str, msgspec.Meta(max_length=60, description="The name of a form")]


class FormAsked(msgspec.Struct, frozen=True, kw_only=True):
    name: Name


class RecordsAsked(msgspec.Struct, frozen=True, kw_only=True):
    name: Name
    page: Annotated[int, msgspec.Meta(ge=1, le=1_000_000, description=f"{PER_PAGE} records each")] = 1


class RecordAsked(msgspec.Struct, frozen=True, kw_only=True):
    name: Name
    key: Annotated[str, msgspec.Meta(max_length=64, description="The key of a record")]


def _places(archive: OpenedArchive) -> FormPlaces:
    return FormPlaces(state=archive.state, folder=archive.folder, withheld=archive.withheld)


def plot(found: FormDetails) -> Markup:
    parts = growth_parts(found.curve, "records")
    return trusted((drawing("harvest", "Records", curve_words(found), parts, HEIGHT),))


def curve_words(found: FormDetails) -> str:
    """What the line shows, in a sentence."""
    requests, seen = found.curve[-1]
    return f"{seen:,.0f} records came of {requests:,} requests of the last run."


def does_words(found: FormDetails) -> list[str]:
    """What the form does with words, as its first answers showed."""
    does = found.behaviour
    if does is None:
        return []
    told = [words[0] if value else words[1] for words, value in _said(does) if value is not None]
    operator = {"and": "several words must all be there", "or": "one of several words is enough"}
    return [*told, *([operator[does.operator]] if does.operator else [])]


def _said(does: FormBehaviour) -> list[tuple[tuple[str, str], bool | None]]:
    return [
        (("the empty form finds everything", "the empty form finds nothing"), does.empty_all),
        (("stop words find something", "stop words find nothing"), does.stop_words),
        (("single letters find something", "single letters find nothing"), does.letters),
        (("mistakes are forgiven", "mistakes are not forgiven"), does.forgives),
    ]


# Where a value is from.
ORIGINS: dict[Origin, str] = {"list": "list", "detail": "own page", "excerpt": "excerpt"}
_EXTRA = {"states": _STATES, "per_page": PER_PAGE}
FORMS = WebView(
    name="forms",
    path="/forms",
    about="Forms that are asked for the records behind them, and how many records there are and may be",
    parameters=NothingAsked,
    answer=FormNotes,
    read=lambda archive, _: read_forms(_places(archive)),
    part="forms",
    extra=_EXTRA,
)
FORM = WebView(
    name="form",
    path="/forms/{name}",
    about="A form: what it is asked, what it does, how far its records are covered, their attributes",
    parameters=FormAsked,
    answer=FormDetails,
    read=lambda archive, asked: read_form_details(_places(archive), asked.name),
    part="forms",
    extra={**_EXTRA, "plot": plot, "curve_words": curve_words, "does_words": does_words},
)
FORM_RECORDS = WebView(
    name="form_records",
    path="/forms/{name}/records",
    about="The records behind a form, with what they are linked to",
    parameters=RecordsAsked,
    answer=RecordPage,
    read=lambda archive, asked: read_records(_places(archive), asked.name, asked.page),
    part="forms",
    extra=_EXTRA,
)
FORM_RECORD = WebView(
    name="form_record",
    path="/forms/{name}/records/{key}",
    about="A record: each value, read again from WARC at its path; its pages and links",
    parameters=RecordAsked,
    answer=RecordShown,
    read=lambda archive, asked: read_record(_places(archive), asked.name, asked.key),
    part="forms",
    extra={**_EXTRA, "origin_words": ORIGINS},
)
