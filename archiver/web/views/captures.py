"""Captures of an address: all of them, one with everything that was kept of it, and what it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.archive.memento.captures import memento_after, memento_before
from archiver.archive.retrieval import similar_urls
from archiver.errors import ArchiveError
from archiver.inspection.captures.addresses import AddressList, list_addresses, list_hosts
from archiver.inspection.captures.details import capture_details
from archiver.inspection.captures.listing import capture_named, capture_note, list_captures
from archiver.inspection.captures.model import CaptureDetails, CaptureNote
from archiver.inspection.showing.forms import ShownForm, form_of
from archiver.inspection.showing.kept import kept_at
from archiver.urls import redact
from archiver.web.asking import LONGEST_URL, checked_url, moment_of
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.archive.cdxj.lines import CdxLine
    from archiver.web.opened import OpenedArchive

Address = Annotated[
    str, msgspec.Meta(min_length=1, max_length=LONGEST_URL, description="An address of the Web")
]
CaptureName = Annotated[
    str,
    msgspec.Meta(
        pattern=r"^[0-9]{14}-[a-z0-9]{1,40}$",
        description="The name of a capture among those of its address, as /captures has it",
    ),
]
AskedTime = Annotated[
    str, msgspec.Meta(max_length=40, description="A time or a day, such as 2026-03-02T07:05:09Z")
]


class CapturesAsked(msgspec.Struct, frozen=True, kw_only=True):
    # With an asterisk behind it, the addresses that begin so; without an address, hosts.
    url: Address | None = None
    before: CaptureName | None = None
    after: (
        Annotated[str, msgspec.Meta(max_length=LONGEST_URL, description="The `next` of a list of addresses")]
        | None
    ) = None
    limit: Annotated[int, msgspec.Meta(ge=1, le=200)] = 50


class CapturesRead(msgspec.Struct, frozen=True, kw_only=True):
    """Captures of an address, the newest first; where there are none, addresses that are like it."""

    url: str | None = None
    captures: tuple[CaptureNote, ...] = ()
    # With it as `before`, the ones before them are listed.
    next: str | None = None
    similar: tuple[str, ...] = ()
    # Of hosts or of what begins alike; with its `next` as `after`, the ones behind them are listed.
    below: AddressList | None = None


def read_captures(archive: OpenedArchive, asked: CapturesAsked) -> CapturesRead:
    if asked.url is None:
        return CapturesRead(below=list_hosts(archive.index, after=asked.after))
    url = checked_url(asked.url)
    if url.endswith("*"):
        below = list_addresses(archive.index, url.removesuffix("*"), after=asked.after)
        return CapturesRead(url=redact(url), below=below)
    archive.withheld.refuse(url)
    found = list_captures(archive.index, archive.warc, url, limit=asked.limit, before=asked.before)
    similar = () if found.captures or asked.before else tuple(map(redact, similar_urls(archive.index, url)))
    return CapturesRead(url=found.url, captures=found.captures, next=found.next, similar=similar)


class CaptureAsked(msgspec.Struct, frozen=True, kw_only=True):
    url: Address
    name: CaptureName | None = None
    at: AskedTime | None = None


def read_capture(archive: OpenedArchive, asked: CaptureAsked) -> CaptureDetails:
    line = meant_capture(archive, asked)
    return capture_details(archive.index, archive.warc, line, archive.state)


def meant_capture(archive: OpenedArchive, asked: CaptureAsked) -> CdxLine:
    """The capture that is named, or the nearest to a time, or the newest. Raises ArchiveError."""
    url = checked_url(asked.url)
    archive.withheld.refuse(url)
    if asked.name is not None:
        line = capture_named(archive.index, url, asked.name)
        if line is None:
            raise ArchiveError(f"{redact(url)} has no capture {asked.name}")
        return line
    line = next(archive.index.newest(url), None)
    if line is not None and asked.at is not None:
        line = archive.index.nearest(url, moment_of(asked.at))
    if line is None:
        raise ArchiveError(_missing(archive, url))
    return line


class ReplayAsked(msgspec.Struct, frozen=True, kw_only=True):
    url: Address
    at: AskedTime | None = None
    plain: Annotated[bool, msgspec.Meta(description="Without scripts, also where replay is there")] = False


class ReplayRead(msgspec.Struct, frozen=True, kw_only=True):
    """What an address showed at a time: its capture, and those before and after it."""

    url: str
    capture: CaptureNote
    # A page, an image, text, or a file that browsers do not show.
    form: ShownForm
    # Where it sends its reader, where it is a redirect.
    location: str | None = None
    earlier: CaptureNote | None = None
    later: CaptureNote | None = None


def read_replay(archive: OpenedArchive, asked: ReplayAsked) -> ReplayRead:
    url = checked_url(asked.url)
    archive.withheld.refuse(url)
    at = moment_of(asked.at) if asked.at else archive.now
    copy = kept_at(archive.index, archive.warc, url, at)
    if copy is None:
        raise ArchiveError(_missing(archive, url))
    stamp = copy.line.timestamp
    return ReplayRead(
        url=redact(copy.line.url),
        capture=capture_note(archive.index, archive.warc, copy.line),
        form=form_of(copy),
        location=redact(copy.location) if copy.location else None,
        earlier=_noted(archive, memento_before(archive.index, url, stamp)),
        later=_noted(archive, memento_after(archive.index, url, stamp)),
    )


def _noted(archive: OpenedArchive, line: CdxLine | None) -> CaptureNote | None:
    return capture_note(archive.index, archive.warc, line) if line is not None else None


def _missing(archive: OpenedArchive, url: str) -> str:
    """What to look at instead."""
    told = f"{redact(url)} is not in the archive"
    return "\n".join((told, *(f"  like it: {redact(one)}" for one in similar_urls(archive.index, url))))


CAPTURES = WebView(
    name="captures",
    path="/captures",
    about="The captures of an address, the newest first; or the addresses that begin alike; or all hosts",
    parameters=CapturesAsked,
    answer=CapturesRead,
    read=read_captures,
    part="captures",
)
CAPTURE = WebView(
    name="capture",
    path="/capture",
    about="A capture with its headers and digests, and the versions of articles that came of it",
    parameters=CaptureAsked,
    answer=CaptureDetails,
    read=read_capture,
    part="captures",
)
REPLAY = WebView(
    name="replay",
    path="/replay",
    about="What an address showed at a time; as a page, with the archived page in a frame",
    parameters=ReplayAsked,
    answer=ReplayRead,
    read=read_replay,
    part="captures",
)
