"""Captures to take away: the records of one as WARC, or a page with what it needs as WACZ."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.background import BackgroundTask
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Route

from archiver.inspection.showing.kept import followed
from archiver.inspection.showing.records import capture_records
from archiver.inspection.wacz.build import WaczRequest, WaczWriter
from archiver.inspection.wacz.model import CaptureSelection, WaczFolders
from archiver.urls import host_of, redact
from archiver.web.view import parameters_from
from archiver.web.views.captures import CaptureAsked, meant_capture

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from starlette.requests import Request

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.web.opened import ArchiveReader, OpenedArchive


def download_routes(reader: ArchiveReader) -> Sequence[Route]:
    def route(path: str, answer: Callable[[OpenedArchive, CdxLine], Response]) -> Route:
        def answered(request: Request) -> Response:
            asked = parameters_from(CaptureAsked, request.query_params, {})
            with reader.opened() as archive:
                return answer(archive, meant_capture(archive, asked))

        return Route(path, answered, methods=["GET"])

    return route("/capture.warc.gz", _as_warc), route("/capture.wacz", _as_wacz)


def _as_warc(archive: OpenedArchive, line: CdxLine) -> Response:
    records = capture_records(archive.index, archive.warc, line)
    return StreamingResponse(records, media_type="application/warc", headers=_attached(line, "warc.gz"))


def _as_wacz(archive: OpenedArchive, line: CdxLine) -> Response:
    folder = tempfile.TemporaryDirectory(prefix="archiver-wacz-")
    try:
        path = Path(folder.name) / "capture.wacz"
        folders = WaczFolders(warc=archive.warc, index=archive.folder / "index", objects=archive.objects)
        # Versions have fractions of a second.
        wanted = WaczRequest(
            selection=CaptureSelection(
                captures=_with_target(archive, line), first=line.date, last=line.date + timedelta(seconds=1)
            ),
            title=redact(line.url),
            now=archive.now,
        )
        WaczWriter(folders, archive.state, archive.withheld).write(path, wanted)
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        path,
        media_type="application/wacz",
        headers=_attached(line, "wacz"),
        background=BackgroundTask(folder.cleanup),
    )


def _with_target(archive: OpenedArchive, line: CdxLine) -> tuple[CdxLine, ...]:
    """A redirect with what it leads to."""
    if not (line.status or "").startswith("3"):
        return (line,)
    found = followed(archive.index, archive.warc, line.url, line.date)
    return (line,) if found is None or found.line == line else (line, found.line)


def _attached(line: CdxLine, ending: str) -> dict[str, str]:
    host = "".join(
        one if one.isascii() and (one.isalnum() or one in ".-") else "_" for one in host_of(line.url)
    )
    return {"content-disposition": f'attachment; filename="{host}-{line.timestamp}.{ending}"'}
