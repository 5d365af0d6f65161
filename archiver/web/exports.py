"""What can be taken away as a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import Response
from starlette.routing import Route

from archiver.inspection.channels.model import ChannelsWanted
from archiver.web.view import parameters_from
from archiver.web.views.channels import opml

if TYPE_CHECKING:
    from starlette.requests import Request

    from archiver.web.opened import ArchiveReader


def export_routes(reader: ArchiveReader) -> list[Route]:
    def channels(request: Request) -> Response:
        asked = parameters_from(ChannelsWanted, request.query_params, {})
        with reader.opened() as archive:
            content = opml(archive, asked)
        named = {"content-disposition": 'attachment; filename="channels.opml"'}
        return Response(content, media_type="text/x-opml", headers=named)

    return [Route("/channels.opml", channels)]
