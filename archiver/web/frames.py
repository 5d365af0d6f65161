"""Pages of the archive, from an origin of their own: without scripts, and without requests elsewhere."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from archiver.archive.memento.timemap import as_uri, http_date
from archiver.documents.pages.dom import decode
from archiver.documents.requisites.css import decode_style
from archiver.errors import ArchiveError, ArchiverError, ConfigurationError
from archiver.inspection.marking.showing import markable_copy
from archiver.inspection.requisites import find_requisite
from archiver.inspection.showing.forms import FONTS, IMAGES, STYLE, form_of
from archiver.inspection.showing.kept import followed, kept_at, read_copy
from archiver.inspection.showing.places import ArchivePlaces, is_style_address, shown_copy
from archiver.inspection.showing.styles import rewritten_style
from archiver.urls import redact
from archiver.web.asking import asked_capture, moment_of
from archiver.web.framing import NEWEST
from archiver.web.guard import Guard, frames_origin
from archiver.web.marking.stage import stage_page, stage_policy
from archiver.web.problems import status_of
from archiver.web.replaying.proxy import replay_routes

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from archiver.inspection.showing.kept import KeptCopy
    from archiver.web.framing import Frames
    from archiver.web.guard import GuardRules
    from archiver.web.opened import ArchiveReader, OpenedArchive

# Scripts never run, and nothing is asked for elsewhere, whatever a page has in it. Its origin stays its own,
# so that its styles and images may come with a policy that lets no other site ask for them.
PLAIN_POLICY = (
    "sandbox allow-same-origin; default-src 'none'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "font-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors {pages}"
)
# What we draw loads nothing, and may say which address its links are read against.
DRAWN_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "frame-ancestors {pages}"
)
# The same as it lies on the stage, which is of the same origin.
MARKABLE_POLICY = PLAIN_POLICY.replace("frame-ancestors", "frame-ancestors 'self'")
# Bytes of a page that is made ready to be shown here: what pages of news have, mostly.
_LARGEST_HERE = 256_000
_MOST_DIGITS = 15


def frames_application(reader: ArchiveReader, rules: GuardRules, frames: Frames) -> ASGIApp:
    def route(
        kind: str, answer: Callable[[Request, OpenedArchive], Response], policy: str = PLAIN_POLICY
    ) -> Route:
        def answered(request: Request) -> Response:
            with reader.opened() as archive:
                response = answer(request, archive)
            pages = frames_origin(request.headers.get("host", ""), rules.pages_port)
            response.headers["content-security-policy"] = policy.format(pages=pages)
            response.headers["referrer-policy"] = "no-referrer"
            return response

        return Route(f"/{frames.name}/{kind}/{{rest:path}}", answered, methods=["GET"])

    routes = [
        route("plain", lambda request, archive: _plain(request, archive, frames)),
        route("kept", lambda request, archive: _kept(request, archive, frames)),
        route("markable", lambda request, archive: _markable(request, archive, frames), MARKABLE_POLICY),
        route("stage", lambda request, _: _stage(request, rules, frames), stage_policy()),
    ]
    routes += [route("rebuilt", _rebuilt, DRAWN_POLICY), route("explained", _explained, DRAWN_POLICY)]
    if frames.pywb is not None:
        routes += replay_routes(reader, rules, frames.pywb)
    handlers = {ArchiverError: _told}
    return Guard(Starlette(routes=routes, exception_handlers=handlers), rules.of_frames())


def _plain(request: Request, archive: OpenedArchive, frames: Frames) -> Response:
    """A capture as it can be looked at."""
    stamp, url = asked_capture(request, 2)
    archive.withheld.refuse(url)
    copy = kept_at(archive.index, archive.warc, url, moment_of(stamp))
    if copy is None:
        raise ArchiveError(f"{redact(url)} is not in the archive")
    if copy.location is not None:
        return RedirectResponse(frames.plain(stamp, copy.location), HTTPStatus.FOUND)
    found = _shown(copy, archive, frames)
    found.headers["memento-datetime"] = http_date(copy.line.date)
    found.headers["link"] = f'<{as_uri(copy.line.url)}>; rel="original"'
    return found


def _shown(copy: KeptCopy, archive: OpenedArchive, frames: Frames) -> Response:
    match form_of(copy):
        case "page":
            return _drawn(_page(copy, archive, frames))
        case "image":
            return Response(copy.body, media_type=copy.mime)
        case "text":
            return PlainTextResponse(decode(copy.body, copy.content_type).encode("utf-8", "replace"))
        case "file":
            return as_file(copy)


def _page(copy: KeptCopy, archive: OpenedArchive, frames: Frames) -> str:
    stamp, url = copy.line.timestamp, copy.line.url
    if len(copy.body) > _LARGEST_HERE:
        # It may take long, on purpose: in a process of its own it keeps nothing else waiting.
        return archive.workers.shown(url, stamp, frames.name, archive.withheld).html
    return shown_copy(copy, ArchivePlaces(archive.index, stamp, frames.paths))


def _stage(request: Request, rules: GuardRules, frames: Frames) -> Response:
    """A page of ours on which the archived one lies, to be marked."""
    stamp, url = asked_capture(request, 2)
    application = frames_origin(request.headers.get("host", ""), rules.pages_port)
    return _drawn(stage_page(frames.paths.markable(stamp, url), application))


def _markable(request: Request, archive: OpenedArchive, frames: Frames) -> Response:
    """The archived page on a stage."""
    stamp, url = asked_capture(request, 2)
    archive.withheld.refuse(url)
    copy = followed(archive.index, archive.warc, url, moment_of(stamp))
    if copy is None or form_of(copy) != "page":
        raise ArchiveError(f"{redact(url)} is not in the archive as a page")
    if len(copy.body) > _LARGEST_HERE:
        stamp, name = copy.line.timestamp, frames.name
        return _drawn(archive.workers.markable(copy.line.url, stamp, name, archive.withheld).html)
    places = ArchivePlaces(archive.index, copy.line.timestamp, frames.paths)
    return _drawn(markable_copy(copy, places))


def _rebuilt(request: Request, archive: OpenedArchive) -> Response:
    """A channel's page as it was, which is one file that loads nothing."""
    stamp, _, number = str(request.path_params["rest"]).partition("/")
    if not number.isdecimal() or len(number) > _MOST_DIGITS:
        raise ConfigurationError(f"{number[:20]!r} is not the number of a channel")
    return _drawn(archive.workers.rebuilt(int(number), moment_of(stamp), archive.withheld).html)


def _explained(request: Request, archive: OpenedArchive) -> Response:
    """The extractor's decision on a page, which is one file that loads nothing."""
    stamp, url = asked_capture(request, 2)
    at = None if stamp == NEWEST else moment_of(unquote(stamp))
    archive.withheld.refuse(url)
    return _drawn(archive.workers.explained(url, at, archive.withheld).html)


def _drawn(html: str) -> Response:
    return Response(html.encode("utf-8", "replace"), media_type="text/html; charset=utf-8")


def as_file(copy: KeptCopy) -> Response:
    """What a browser does not show: it may be saved."""
    name = re.sub(
        r"[^\w.-]+", "_", copy.line.url.partition("?")[0].rstrip("/").rpartition("/")[2], flags=re.ASCII
    )
    told = f'attachment; filename="{name[-100:] or "capture"}"'
    return Response(copy.body, media_type="application/octet-stream", headers={"content-disposition": told})


def _kept(request: Request, archive: OpenedArchive, frames: Frames) -> Response:
    """What a page needs to look as it did: styles, images and fonts, and nothing else."""
    stamp, url = asked_capture(request, 2)
    copy = _requisite(archive, url, moment_of(stamp))
    if copy is None or copy.mime not in {STYLE, *IMAGES, *FONTS}:
        raise ArchiveError(f"{redact(url)} was not kept as a style, image or font")
    # It is asked for again with every page of its site, and does not change.
    stays = {
        "cache-control": "private, max-age=3600",
        # The application shows images, too, from another port. To browsers, an address of numbers is not the
        # same site as itself at another port; and other sites cannot guess the name.
        "cross-origin-resource-policy": "cross-origin",
    }
    if copy.mime != STYLE:
        return Response(copy.body, media_type=copy.mime, headers=stays)
    places = ArchivePlaces(archive.index, stamp, frames.paths, copy.line.url)
    css = rewritten_style(decode_style(copy.body, copy.content_type), places.kept)
    return Response(css.encode("utf-8", "replace"), media_type="text/css; charset=utf-8", headers=stays)


def _requisite(archive: OpenedArchive, url: str, at: datetime) -> KeptCopy | None:
    copy = followed(archive.index, archive.warc, url, at)
    if copy is not None or not is_style_address(url):
        return copy
    # A style with another query on every page was fetched with some of them.
    line = find_requisite(archive.index, url, at, "style")
    return read_copy(archive.index, archive.warc, line) if line is not None else None


def _told(_: Request, error: Exception) -> Response:
    return PlainTextResponse(f"{error}\n", status_of(error))
