"""Pages of the archive, from an origin of their own: without scripts, and without requests elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette

from archiver.web.guard import Guard

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from archiver.web.guard import GuardRules
    from archiver.web.opened import ArchiveReader


def frames_application(reader: ArchiveReader, rules: GuardRules) -> ASGIApp:
    del reader
    return Guard(Starlette(routes=[]), rules)
