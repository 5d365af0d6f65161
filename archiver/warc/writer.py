"""WARC files: opened when there is something to keep, named `.open` until they are whole."""

from __future__ import annotations

import os
import socket
import zlib
from typing import TYPE_CHECKING

from archiver.clock import machine_now
from archiver.errors import ArchiveFull
from archiver.warc.records import Capture, Exchange, Record, exchange_records, warcinfo

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from typing import BinaryIO

OPEN_SUFFIX = ".open"
_GZIP = zlib.MAX_WBITS | 16


def gzip_member(data: bytes, level: int) -> bytes:
    """One gzip member without a time in it: the same record is always the same bytes."""
    compressor = zlib.compressobj(level, zlib.DEFLATED, _GZIP)
    return compressor.compress(data) + compressor.flush()


class WarcWriter:
    """Writes exchanges to one file after another. Not thread-safe: one thread owns it."""

    def __init__(
        self, folder: Path, *, prefix: str, info: Mapping[str, str], max_bytes: int, level: int, fsync: bool
    ) -> None:
        self._folder = folder
        self._prefix = prefix
        self._info = info
        self._max_bytes = max_bytes
        self._level = level
        self._fsync = fsync
        self._serial = 0
        self._file: BinaryIO | None = None
        self._name = ""
        self._warcinfo_id = ""
        self._offset = 0
        self.files: list[str] = []
        self.bytes_written = 0
        self.records = 0

    def write(self, exchanges: Sequence[Exchange]) -> list[Capture | None]:
        """Write every exchange; a capture for each that has a response."""
        return [self._write_exchange(exchange) for exchange in exchanges]

    def sync(self) -> None:
        """Make what was written survive a power cut, where that was asked for."""
        if self._file is not None and self._fsync:
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Give the current file its final name."""
        if self._file is None:
            return
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        self._file = None
        path = self._folder / self._name
        path.with_name(self._name + OPEN_SUFFIX).rename(path)
        sync_folder(self._folder)

    def _write_exchange(self, exchange: Exchange) -> Capture | None:
        if self._file is None or self._offset >= self._max_bytes:
            self._next_file()
        response, request = exchange_records(exchange, self._warcinfo_id)
        offset = self._append(request if response is None else response)
        if response is None:
            return None
        self._append(request)
        return Capture(
            url=exchange.url,
            file=self._name,
            offset=offset,
            record_id=response.id,
            date=exchange.started,
            digest=response.payload_digest or "",
        )

    def _next_file(self) -> None:
        self.close()
        self._serial += 1
        now = machine_now()
        stamp = f"{now:%Y%m%d%H%M%S}{now.microsecond // 1000:03d}"
        self._name = f"{self._prefix}-{stamp}-{self._serial:05d}-{socket.gethostname()}.warc.gz"
        self._folder.mkdir(parents=True, exist_ok=True)
        # Exclusive: an archive never writes over what it has. Unbuffered: what write() took, the system has.
        self._file = (self._folder / (self._name + OPEN_SUFFIX)).open("xb", buffering=0)
        self._offset = 0
        self.files.append(self._name)
        record = warcinfo(self._name, now, self._info)
        self._warcinfo_id = record.id
        self._append(record)

    def _append(self, record: Record) -> int:
        assert self._file is not None  # noqa: S101 - callers open a file first
        offset = self._offset
        member = memoryview(gzip_member(record.data, self._level))
        try:
            written = 0
            while written < len(member):
                written += self._file.write(member[written:]) or 0
        except OSError as error:
            self._file.truncate(offset)
            self._file.seek(offset)
            raise ArchiveFull(
                f"Cannot write to {self._file.name}: {error.strerror}. Free some space and run again."
            ) from error
        self._offset += len(member)
        self.bytes_written += len(member)
        self.records += 1
        return offset


def sync_folder(folder: Path) -> None:
    """Make a rename in this folder survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
