"""Memento (RFC 7089) over HTTP: TimeGate, TimeMap, and the mementos themselves, as bytes for programs.

A browser that opens a memento is sent to the page that shows it in a frame: nothing of the archive is shown
in the origin of the application. To all others a memento is a file, of a type that runs and styles nothing.
"""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from w3lib.encoding import http_content_type_encoding

from archiver.archive.memento.captures import captures_of, nearest
from archiver.archive.memento.timemap import (
    MEDIA_TYPE,
    Addresses,
    as_uri,
    escaped,
    http_date,
    link_format,
)
from archiver.errors import ArchiveError, ConfigurationError
from archiver.inspection.showing.forms import IMAGES
from archiver.inspection.showing.kept import read_copy
from archiver.urls import redact
from archiver.web.asking import asked_capture, asked_url, moment_of
from archiver.web.rendering import address

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.inspection.showing.kept import KeptCopy
    from archiver.web.opened import ArchiveReader, OpenedArchive

# What browsers neither run nor apply; scripts and styles are handed out as text.
_OWN_TYPES = IMAGES | {
    "application/atom+xml", "application/feed+json", "application/json", "application/pdf",
    "application/rss+xml", "application/xhtml+xml", "application/xml", "text/html", "text/plain", "text/xml",
}  # fmt: skip
_POLICY = "sandbox; default-src 'none'; frame-ancestors 'none'"
_GATED = {"vary": "accept-datetime"}


class MementoAddresses(Addresses):
    """Where the application answers."""

    def timegate(self, url: str) -> str:
        return f"{self.base}timegate/{escaped(url)}"

    def memento(self, capture: CdxLine) -> str:
        return f"{self.base}memento/{capture.timestamp}/{escaped(capture.url)}"


def memento_routes(reader: ArchiveReader) -> Sequence[Route]:
    def route(path: str, answer: Callable[[Request, OpenedArchive], Response]) -> Route:
        def answered(request: Request) -> Response:
            with reader.opened() as archive:
                return answer(request, archive)

        return Route(path, answered, methods=["GET"])

    return (
        route("/timegate/{rest:path}", _timegate),
        route("/timemap/link/{rest:path}", _timemap),
        route("/memento/{rest:path}", _memento),
    )


def _timegate(request: Request, archive: OpenedArchive) -> Response:
    """The memento nearest to the time that is asked for, or the newest."""
    url = asked_url(request, 1)
    archive.withheld.refuse(url)
    found = nearest(archive.index, url, _wanted_time(request) or archive.now)
    if found is None:
        raise ArchiveError(f"{redact(url)} has no memento in the archive")
    addresses = _addresses(request)
    links = (
        *_links(addresses, url),
        _link(addresses.memento(found), "memento", datetime=http_date(found.date)),
    )
    headers = {**_GATED, "link": ", ".join(links)}
    return RedirectResponse(addresses.memento(found), HTTPStatus.FOUND, headers=headers)


def _wanted_time(request: Request) -> datetime | None:
    text = request.headers.get("accept-datetime")
    try:
        found = parsedate_to_datetime(text) if text else None
        return found and (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        told = "write it as in Mon, 02 Mar 2026 07:00:01 GMT"
        raise ConfigurationError(f"Accept-Datetime {(text or '')[:60]!r} is not a time: {told}") from error


def _timemap(request: Request, archive: OpenedArchive) -> Response:
    url = asked_url(request, 2)
    archive.withheld.refuse(url)
    captures = captures_of(archive.index, url)
    if not captures:
        raise ArchiveError(f"{redact(url)} has no memento in the archive")
    return Response(link_format(url, captures, _addresses(request)), media_type=MEDIA_TYPE)


def _memento(request: Request, archive: OpenedArchive) -> Response:
    """The bytes of a capture, its codings undone."""
    stamp, url = asked_capture(request, 1)
    archive.withheld.refuse(url)
    line = nearest(archive.index, url, moment_of(stamp))
    if line is None:
        raise ArchiveError(f"{redact(url)} has no memento in the archive")
    if request.headers.get("sec-fetch-dest") == "document":
        return RedirectResponse(address("/replay", url=url, at=line.timestamp), HTTPStatus.SEE_OTHER)
    addresses = _addresses(request)
    if line.timestamp != stamp:
        return RedirectResponse(addresses.memento(line), HTTPStatus.FOUND)
    return _payload(archive, line, addresses)


def _payload(archive: OpenedArchive, line: CdxLine, addresses: MementoAddresses) -> Response:
    copy = read_copy(archive.index, archive.warc, line)
    headers = {
        "memento-datetime": http_date(line.date),
        "link": ", ".join(_links(addresses, line.url)),
        "vary": "sec-fetch-dest",
        "content-disposition": "attachment",
        "content-security-policy": _POLICY,
    }
    if copy.location is not None and not archive.withheld.hides(copy.location):
        onward = f"{addresses.base}memento/{line.timestamp}/{escaped(copy.location)}"
        return Response(copy.body, HTTPStatus.FOUND, headers={**headers, "location": onward})
    return Response(copy.body, headers={**headers, "content-type": _harmless_type(copy)})


def _harmless_type(copy: KeptCopy) -> str:
    if copy.mime in _OWN_TYPES:
        charset = http_content_type_encoding(copy.content_type)
        return f"{copy.mime}; charset={charset}" if charset else copy.mime
    return "text/plain" if copy.mime.startswith("text/") else "application/octet-stream"


def _addresses(request: Request) -> MementoAddresses:
    return MementoAddresses(str(request.base_url))


def _links(addresses: MementoAddresses, url: str) -> tuple[str, ...]:
    return (
        _link(as_uri(url), "original"),
        _link(addresses.timegate(url), "timegate"),
        _link(addresses.timemap(url), "timemap", type=MEDIA_TYPE),
    )


def _link(target: str, rel: str, **parameters: str) -> str:
    told = "".join(f'; {name}="{value}"' for name, value in parameters.items())
    return f'<{target}>; rel="{rel}"{told}'
