"""Views that can be followed in a feed reader, as Atom."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from starlette.responses import Response
from starlette.routing import Route

from archiver.inspection.history.atom import FeedHead, document
from archiver.inspection.history.changes import store_name
from archiver.inspection.history.model import urn_of
from archiver.web.view import parameters_from
from archiver.web.views.changes import ChangesAsked, read_changes

if TYPE_CHECKING:
    from starlette.requests import Request

    from archiver.web.opened import ArchiveReader, OpenedArchive

MEDIA_TYPE = "application/atom+xml"


def feed_routes(reader: ArchiveReader) -> list[Route]:
    def changes(request: Request) -> Response:
        asked = parameters_from(ChangesAsked, request.query_params, {})
        with reader.opened() as archive:
            return Response(_changes(archive, asked), media_type=MEDIA_TYPE)

    return [Route("/changes.atom", changes)]


def _changes(archive: OpenedArchive, asked: ChangesAsked) -> str:
    events = read_changes(archive, asked).events
    chosen = msgspec.json.encode(asked).decode()
    head = FeedHead(
        id=urn_of(("changes", *store_name(archive.state), chosen)),
        title="What changed lately",
        updated=events[0].at if events else archive.now,
    )
    # An object that cannot be read leaves its entry without the difference.
    return "".join(document(head, events, archive.objects, lambda _: None))
