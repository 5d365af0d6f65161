"""pywb behind the origin of frames: pages with their scripts, which can ask for nothing but the archive.

They have no origin: browsers give them neither cookies nor storage, nor let them read anything that is not
meant for all. What they ask for is asked by the same rule, so answers say that such pages may have them; no
other page can ask, since it cannot guess the name.
"""

from __future__ import annotations

import contextlib
import http.client
import re
from http import HTTPStatus
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from archiver.errors import ArchiveError, WithheldError
from archiver.web.asking import checked_url
from archiver.web.guard import frames_origin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from starlette.requests import Request

    from archiver.archive.withheld import Withheld
    from archiver.web.guard import GuardRules
    from archiver.web.opened import ArchiveReader
    from archiver.web.replaying.process import Pywb

REPLAY_POLICY = (
    "sandbox allow-scripts allow-forms; default-src {own} 'unsafe-inline' 'unsafe-eval' data: blob:; "
    "connect-src {own} data: blob:; frame-src {own}; object-src 'none'; worker-src blob:; "
    "manifest-src 'none'; form-action {own}; base-uri {own}"
)
# What browsers do with the answer is ours to say: no cookie, no policy, no link of a page gets through.
_PASSED_BACK = (
    "content-disposition", "content-encoding", "content-length", "content-type", "location",
    "memento-datetime",
)  # fmt: skip
_PASSED_ON = ("accept", "accept-encoding", "accept-language", "range")
_PIECE = 1 << 16
_ORIGINAL = '>; rel="original"'
_STATIC = re.compile(r"/static(?:/[\w-][\w.-]*)+", re.ASCII)
_PRINTABLE = re.compile(r"[\x20-\x7e]+")
# A time, perhaps with what pywb says of the kind of file behind it, and an address.
_CAPTURE = re.compile(r"(?P<stamp>\d{0,14})(?:[a-z]{2}_)?/(?P<url>https?:/.*)", re.DOTALL)


def replay_routes(reader: ArchiveReader, rules: GuardRules, pywb: Pywb) -> Sequence[Route]:
    def page(request: Request) -> Response:
        asked = _target(request)
        found = _CAPTURE.fullmatch(asked.split("/", 2)[-1])
        if found is None:
            raise ArchiveError("Only captures are replayed")
        url = checked_url(found["url"])
        if request.headers.get("sec-fetch-dest") == "document":
            return PlainTextResponse("A replayed page is shown in its frame only.\n", HTTPStatus.FORBIDDEN)
        with reader.opened() as archive:
            withheld = archive.withheld
        withheld.refuse(url)
        connection, answer = _asked(request, asked, pywb)
        try:
            _refuse_withheld(answer, withheld)
        except WithheldError:
            connection.close()
            raise
        return _passed(connection, answer, request, rules)

    def static(request: Request) -> Response:
        path = request.scope["raw_path"].decode("ascii", "replace")
        if not _STATIC.fullmatch(path):
            raise ArchiveError("pywb has no such file")
        return _passed(*_asked(request, path, pywb), request, rules)

    return (
        Route(f"/{pywb.name}/{{rest:path}}", page, methods=["GET"]),
        Route("/static/{rest:path}", static, methods=["GET"]),
    )


def _target(request: Request) -> str:
    path = request.scope["raw_path"].decode("ascii", "replace")
    query = request.scope["query_string"].decode("ascii", "replace")
    return f"{path}?{query}" if query else path


def _asked(
    request: Request, target: str, pywb: Pywb
) -> tuple[http.client.HTTPConnection, http.client.HTTPResponse]:
    headers = {name: request.headers[name] for name in _PASSED_ON if name in request.headers}
    # pywb writes addresses with it; a browser's name for this machine was checked before.
    headers["Host"] = request.headers.get("host", "")
    connection = pywb.connection()
    try:
        connection.request(request.method, target, headers=headers)
        return connection, connection.getresponse()
    except (OSError, http.client.HTTPException) as error:
        connection.close()
        raise ArchiveError(f"pywb does not answer: {error}") from error


def _passed(
    connection: http.client.HTTPConnection,
    answer: http.client.HTTPResponse,
    request: Request,
    rules: GuardRules,
) -> Response:
    headers = _marked(answer, request.headers.get("host", ""), rules)
    return StreamingResponse(_pieces(connection, answer), answer.status, headers=headers)


def _refuse_withheld(answer: http.client.HTTPResponse, withheld: Withheld) -> None:
    """pywb takes addresses for one that differ in parameters which say little: it tells what it found."""
    is_its_own = answer.status >= HTTPStatus.BAD_REQUEST and "memento-datetime" not in answer.headers
    if not withheld or is_its_own:
        return
    # The page may have told of links itself, in headers before: what pywb says is among them.
    told = (value.strip().partition(_ORIGINAL) for value in answer.headers.get_all("link", []))
    found = [target.removeprefix("<") for target, mark, _ in told if mark]
    for url in found:
        withheld.refuse(url)
    if not found:
        raise WithheldError("pywb does not tell which capture this is, and some are withheld: update pywb")


def _pieces(connection: http.client.HTTPConnection, answer: http.client.HTTPResponse) -> Iterator[bytes]:
    with contextlib.closing(connection):
        while piece := answer.read(_PIECE):
            yield piece


def _marked(answer: http.client.HTTPResponse, host: str, rules: GuardRules) -> dict[str, str]:
    given = {name: answer.headers[name] or "" for name in _PASSED_BACK}
    # An address of a page may have in it what no header can.
    kept = {name: value for name, value in given.items() if value and _PRINTABLE.fullmatch(value)}
    # Not who may frame it: frames within it have no origin that could be named, and others no address.
    own = frames_origin(host, rules.frames_port)
    return {
        **kept,
        "content-security-policy": REPLAY_POLICY.format(own=own),
        # Of a page without an origin, this is what browsers ask as.
        "access-control-allow-origin": "null",
        "cross-origin-resource-policy": "cross-origin",
        "referrer-policy": "no-referrer",
        "x-dns-prefetch-control": "off",
    }
