"""Saving what was marked: a file of the archive, written whole, and never over what another hand wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.routing import Route

from archiver.errors import ConfigurationError
from archiver.fields.files import read_wrapper, save_wrapper
from archiver.web.view import parameters_from
from archiver.web.views.marking import MarkAsked, digest_of, read_marking, wrapper_file
from archiver.web.writing import check_near, see

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

    from archiver.web.guard import GuardRules
    from archiver.web.opened import ArchiveReader
    from archiver.web.writing import Writing

_CONFLICT = 409


def marking_routes(reader: ArchiveReader, writing: Writing, rules: GuardRules) -> list[Route]:
    async def save(request: Request) -> Response:
        check_near(request, rules, "Wrappers are saved")
        fields = await writing.form_once(request)
        asked = parameters_from(MarkAsked, fields, {})
        if "objects" not in fields:
            # What is not ticked is not sent.
            asked = msgspec.structs.replace(asked, objects=False)
        await run_in_threadpool(_save, reader, asked, fields.get("was", ""))
        shown = {"url": asked.url, "at": asked.at or "", "name": asked.name or "", "saved": "true"}
        return see(f"/mark?{urlencode(shown)}")

    return [Route("/mark/save", save, methods=["POST"])]


def _save(reader: ArchiveReader, asked: MarkAsked, was: str) -> None:
    if not asked.name:
        raise ConfigurationError("The wrapper has no name: write one, such as bookshop")
    if reader.wrappers is None:
        raise ConfigurationError("FIELD_WRAPPERS names no folder: set it, and start this anew")
    if digest_of(wrapper_file(reader.wrappers, asked.name)) != was:
        raise HTTPException(
            _CONFLICT,
            f"{asked.name}.yaml is there already, or was changed meanwhile: "
            f"open it with `scrapy mark {asked.url} --name {asked.name}`, or choose another name.",
        )
    with reader.opened() as archive:
        found = read_marking(archive, asked)
    if not found.tried.file:
        raise ConfigurationError("Nothing is marked that a rule was found for: mark a field first")
    made = read_wrapper(found.tried.file.encode(), f"{asked.name}.yaml")
    save_wrapper(reader.wrappers, made.value)
