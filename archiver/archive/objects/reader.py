"""One line of an objects file, read back: as much of it as is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from archiver.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path

Part = TypeVar("Part", bound=msgspec.Struct)


def read_part(folder: Path, file: str, offset: int, part: type[Part]) -> Part:
    """The fields of the object at this place that `part` has; RecordError where there is no object."""
    path = folder / file
    try:
        with path.open("rb") as source:
            source.seek(offset)
            return msgspec.json.decode(source.readline(), type=part)
    except (OSError, msgspec.DecodeError) as error:
        raise RecordError(f"{path}:{offset} is not an object ({error}): run `scrapy verify`") from error
