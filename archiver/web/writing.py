"""What readers leave: by POST, from a page of ours alone. Nothing else here writes.

What is part of the archive's state goes to the inbox (`archive/inbox.py`), from where a run takes it up, or a
command that holds the lock. Saved searches are files beside it.
"""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import RedirectResponse
from starlette.routing import Route

from archiver.search.saved import forget_search, save_search
from archiver.web.view import parameters_from
from archiver.web.views.articles import ArticlesAsked, request_from

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from archiver.web.opened import ArchiveReader

_LARGEST_FORM = 64 << 10
_SEE_OTHER = 303


@dataclass(frozen=True, slots=True)
class Writing:
    """A word that only pages of ours have: another site can send a form, but does not know it."""

    token: str = field(default_factory=secrets.token_urlsafe)

    async def form(self, request: Request) -> dict[str, str]:
        """The fields of a form that a page of ours sent. Raises HTTPException for all others."""
        _check_origin(request)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > _LARGEST_FORM:
                raise HTTPException(413, "The form is too large.")
        fields = dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))
        if not hmac.compare_digest(fields.get("token", "").encode(), self.token.encode()):
            raise HTTPException(
                403, "This form is of another time: go back, reload the page, and send it again."
            )
        return fields


def _check_origin(request: Request) -> None:
    """Browsers say which site a form was sent from."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site")
    is_ours = origin == f"http://{request.headers.get('host')}" if origin else site == "same-origin"
    if not is_ours:
        raise HTTPException(403, "This form was not sent by a page of this application.")


def writing_routes(reader: ArchiveReader, writing: Writing) -> list[Route]:
    async def save(request: Request) -> Response:
        fields = await writing.form(request)
        asked = parameters_from(ArticlesAsked, QueryParams(fields.get("search", "")), {})
        name = fields.get("name", "").strip()
        await run_in_threadpool(save_search, reader.folder, name, request_from(asked))
        return _see(f"/articles?{urlencode({'saved': name})}")

    async def forget(request: Request) -> Response:
        fields = await writing.form(request)
        await run_in_threadpool(forget_search, reader.folder, fields.get("name", ""))
        return _see("/articles")

    return [
        Route("/searches", save, methods=["POST"]),
        Route("/searches/forget", forget, methods=["POST"]),
    ]


def _see(address: str) -> Response:
    return RedirectResponse(address, _SEE_OTHER)
