"""What a version says: title, text, links and images, read from its object."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import read_part
from archiver.documents.pages.model import Image, Link  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.inspection.history.model import Place


class ObjectWords(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of an object that are compared; the others are passed over."""

    title: str | None = None
    text: str = ""
    language: str | None = None
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()


class _Title(msgspec.Struct):
    title: str | None = None


def read_said(folder: Path, place: Place) -> ObjectWords:
    """Raises RecordError where there is no object at this place."""
    return read_part(folder, place.file, place.offset, ObjectWords)


def title_at(folder: Path, place: Place) -> str | None:
    """The title alone; None also where it cannot be read."""
    try:
        return read_part(folder, place.file, place.offset, _Title).title
    except RecordError:
        return None
