"""The application: views become routes, errors become pages that say what to do next."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from archiver.errors import ArchiverError
from archiver.extensions.telling import in_words
from archiver.web.downloads import download_routes
from archiver.web.exports import export_routes
from archiver.web.feeds import feed_routes
from archiver.web.guard import Guard, GuardRules
from archiver.web.judging import judging_routes
from archiver.web.marking.saving import marking_routes
from archiver.web.memento import memento_routes
from archiver.web.openapi import description
from archiver.web.problems import status_of
from archiver.web.rendering import page
from archiver.web.selections import selection_routes
from archiver.web.view import WebView, parameters_from
from archiver.web.views import VIEWS
from archiver.web.writing import Writing, crawling_routes, writing_routes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.types import ASGIApp

    from archiver.web.crawling import SiteCrawls
    from archiver.web.framing import Frames
    from archiver.web.opened import ArchiveReader

logger = logging.getLogger(__name__)


def application(reader: ArchiveReader, rules: GuardRules, frames: Frames, crawls: SiteCrawls) -> ASGIApp:
    writing = Writing()
    routes = [
        Route("/openapi.json", lambda _: _json(description(VIEWS)), methods=["GET"]),
        *feed_routes(reader),
        *selection_routes(reader),
        *writing_routes(reader, writing),
        *crawling_routes(reader, writing, crawls, rules),
        *marking_routes(reader, writing, rules),
        *judging_routes(reader, writing, rules),
        *export_routes(reader),
        *(route for view in VIEWS for route in _routes(view, reader, frames, writing, crawls)),
        *memento_routes(reader),
        *download_routes(reader),
        Mount("/static", StaticFiles(packages=[("archiver.web", "static")])),
    ]
    handlers = {HTTPException: _of_http, ArchiverError: _of_ours, Exception: _unexpected}
    # Around everything: an error page is guarded like any other.
    return Guard(Starlette(routes=routes, exception_handlers=handlers), rules)


def _routes(
    view: WebView[Any, Any], reader: ArchiveReader, frames: Frames, writing: Writing, crawls: SiteCrawls
) -> Sequence[Route]:
    # Not async: Starlette runs them in threads, and a slow one keeps no other waiting.
    def answer(request: Request) -> tuple[Any, Any]:
        asked = parameters_from(view.parameters, request.query_params, request.path_params)
        with reader.opened() as archive:
            return asked, view.read(archive, asked)

    def as_page(request: Request) -> Response:
        asked, found = answer(request)
        told = _json_address(request, view)
        seen = frames.seen_from(request.headers.get("host", ""))
        shown = {"frames": seen, "token": writing.token, "once": writing.once.issue, "crawls": crawls}
        shown |= view.extra
        return HTMLResponse(page(view.name, view=view, asked=asked, found=found, json_address=told, **shown))

    def as_json(request: Request) -> Response:
        return _json(answer(request)[1])

    # The one for programs first: `/runs/{name}` would take its name for that of a run.
    return Route(view.json_path, as_json), Route(view.path, as_page, name=view.name)


def _json_address(request: Request, view: WebView[Any, Any]) -> str:
    path = "/index.json" if view.path == "/" else f"{request.url.path}.json"
    return f"{path}?{request.url.query}" if request.url.query else path


def _json(value: object, status: int = 200) -> Response:
    try:
        content = msgspec.json.encode(value)
    except UnicodeEncodeError:  # names of files may be any bytes
        content = json.dumps(msgspec.to_builtins(value), ensure_ascii=False).encode("utf-8", "replace")
    return Response(content, status, media_type="application/json")


def _of_http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - it is registered for these alone
    told = "There is no such page in this application." if error.status_code == 404 else error.detail
    answer = _told(request, error.status_code, told)
    answer.headers.update(error.headers or {})
    return answer


def _of_ours(request: Request, error: Exception) -> Response:
    return _told(request, status_of(error), str(error))


def _unexpected(request: Request, error: Exception) -> Response:
    logger.error("Internal error while answering %s", request.url.path, exc_info=error)
    return _told(request, 500, f"Internal error: {in_words(error)}. The log has more.")


def _told(request: Request, status: int, problem: str) -> Response:
    if request.url.path.endswith((".json", ".atom")):
        return _json({"status": status, "problem": problem}, status)
    return HTMLResponse(page("problem", status=status, problem=problem), status)
