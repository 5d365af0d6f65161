"""The ZIP file of a WACZ, with the list and the digests of what is in it."""

from __future__ import annotations

import hashlib
import json
import struct
import zipfile
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Self

import archiver
from archiver.clock import rfc3339

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime
    from types import TracebackType
    from typing import BinaryIO

WACZ_VERSION = "1.1.1"
_SOFTWARE = f"archiver/{archiver.__version__}"


class PackageFile:
    """One file in the package while it is written."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._hash = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> None:
        self._stream.write(data)
        self._hash.update(data)
        self.size += len(data)

    def digest(self) -> str:
        return f"sha256:{self._hash.hexdigest()}"


class Package:
    """Writes one file after the other, none of them held in memory."""

    def __init__(self, file: BinaryIO, now: datetime) -> None:
        self._zip = zipfile.ZipFile(file, "w")
        self._now = now
        self._resources: list[dict[str, object]] = []

    @contextmanager
    def entry(self, path: str, *, deflate: bool = False) -> Iterator[PackageFile]:
        """A file of any size. What is compressed already must not be compressed again."""
        info = self._info(path, deflate=deflate)
        with self._zip.open(info, "w", force_zip64=True) as stream:
            entry = PackageFile(stream)
            yield entry
        name = path.rpartition("/")[2]
        self._resources.append({"name": name, "path": path, "hash": entry.digest(), "bytes": entry.size})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        # Of a package that failed nothing is kept.
        with suppress(OSError):
            self._zip.close()

    def finish(self, title: str) -> None:
        """Add the list of the files, and its digest."""
        package = _json(
            {
                "profile": "data-package",
                "wacz_version": WACZ_VERSION,
                "title": title,
                "software": _SOFTWARE,
                "created": f"{rfc3339(self._now)[:19]}Z",
                "resources": self._resources,
            }
        )
        digest = {"path": "datapackage.json", "hash": f"sha256:{hashlib.sha256(package).hexdigest()}"}
        self._zip.writestr(self._info("datapackage.json", deflate=True), package)
        self._zip.writestr(self._info("datapackage-digest.json", deflate=True), _json(digest))
        self._zip.close()

    def _info(self, path: str, *, deflate: bool) -> zipfile.ZipInfo:
        info = zipfile.ZipInfo(path, self._now.timetuple()[:6])
        info.compress_type = zipfile.ZIP_DEFLATED if deflate else zipfile.ZIP_STORED
        info.external_attr = 0o644 << 16
        # Info-ZIP's time of modification. Without any such field in the directory, wabac.js takes it that
        # none is in front of the file either, where ZIP64 has one, and would read from the wrong place.
        info.extra = struct.pack("<HHBl", 0x5455, 5, 1, int(self._now.timestamp()) & 0x7FFFFFFF)
        return info


def _json(value: object) -> bytes:
    return json.dumps(value, indent=2, ensure_ascii=False).encode() + b"\n"
