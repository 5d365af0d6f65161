"""What a version says: title, text, links and images, read from its object."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from archiver.errors import RecordError
from archiver.extract.model import Image, Link  # noqa: TC001 - msgspec reads the annotations at run time

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.history.model import Place


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """The parts of an object that are compared; the others are passed over."""

    title: str | None = None
    text: str = ""
    language: str | None = None
    links: tuple[Link, ...] = ()
    images: tuple[Image, ...] = ()


class _Title(msgspec.Struct):
    title: str | None = None


def read_said(folder: Path, place: Place) -> Said:
    """Raises RecordError where there is no object at this place."""
    return _read(folder, place, Said)


def title_at(folder: Path, place: Place) -> str | None:
    """The title alone; None also where it cannot be read."""
    try:
        return _read(folder, place, _Title).title
    except RecordError:
        return None


_Part = TypeVar("_Part", Said, _Title)


def _read(folder: Path, place: Place, kind: type[_Part]) -> _Part:
    path = folder / place.file
    try:
        with path.open("rb") as source:
            source.seek(place.offset)
            return msgspec.json.decode(source.readline(), type=kind)
    except (OSError, msgspec.DecodeError) as error:
        raise RecordError(f"{path}:{place.offset} is no object ({error}): run `scrapy verify`") from error
