"""One line of an objects file, read back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.errors import RecordError
from archiver.versions.compare import Change  # noqa: TC001 - msgspec reads the annotations at run time

if TYPE_CHECKING:
    from pathlib import Path


class _Line(msgspec.Struct):
    change: Change


def change_at(folder: Path, file: str, offset: int) -> Change:
    """What the object at this place says that had changed."""
    try:
        with (folder / file).open("rb") as source:
            source.seek(offset)
            return msgspec.json.decode(source.readline(), type=_Line).change
    except (OSError, msgspec.DecodeError) as error:
        raise RecordError(f"{folder / file}:{offset} is no object ({error}): run `scrapy verify`") from error
