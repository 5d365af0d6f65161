"""WARC files: opened when there is something to keep, named `.open` until they are whole."""

from __future__ import annotations

import hashlib
import os
import zlib
from dataclasses import dataclass, replace
from datetime import timedelta  # noqa: TC003 - msgspec reads the annotations at run time
from itertools import chain
from typing import TYPE_CHECKING, Protocol

from archiver.archive.warc import records
from archiver.archive.warc.manifest import add_to_manifest
from archiver.archive.warc.records import Capture, Exchange, Fields, Record, Revisit
from archiver.archive.warc.rendered import Rendered
from archiver.archive.warc.spool import Spools, write_all
from archiver.clock import machine_now
from archiver.digests import sha256_digest
from archiver.errors import ArchiveFull, RecordError
from archiver.files import sync_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.warc.records import Response

OPEN_SUFFIX = ".open"
_GZIP = zlib.MAX_WBITS | 16
# A compressed payload as large as this is stored as it is: the head that stays large beside it is nothing.
_STORED_FROM = 16 * 1024
_SHARED_FROM = 1024


class Payloads(Protocol):
    """Knows which payloads were kept before, and where."""

    def find(self, digest: str) -> Capture | None: ...

    def add(self, capture: Capture) -> None: ...

    def flush(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcOptions:
    """What the operator set."""

    prefix: str = "archiver"
    writer: str = "archiver"
    info: Fields = ()
    max_bytes: int = 1 << 30
    max_age: timedelta | None = None
    level: int = 5
    fsync: bool = True
    exact_wire: bool = False


def gzip_member(data: bytes, level: int) -> bytes:
    """One gzip member without a time in it: the same record is always the same bytes."""
    return zlib.compress(data, level, _GZIP)


class WarcWriter:
    """Writes exchanges to one file after another. Not thread-safe: one thread owns it."""

    def __init__(
        self,
        folder: Path,
        options: WarcOptions,
        payloads: Payloads | None = None,
        between: Callable[[], None] | None = None,
    ) -> None:
        self._folder = folder
        # Called now and then while a large response is written.
        self._between = between
        self._options = options
        self._payloads = payloads
        self._serial = 0
        self._file: BinaryIO | None = None
        self._spools = Spools(folder)
        self._opened = machine_now()
        self._name = ""
        self._warcinfo_id = ""
        self._offset = 0
        self._hash = hashlib.sha256()
        self.files: list[str] = []
        self.bytes_written = 0
        self.records = 0

    def add(self, stream: int, data: bytes) -> None:
        """Take a part of a response that is still coming in: an exchange will name its stream."""
        self._spools.add(stream, data)

    def drop(self, stream: int) -> None:
        """Forget what was taken: no exchange is going to name it."""
        self._spools.drop(stream)

    def write(self, exchanges: Sequence[Exchange]) -> list[Capture | None]:
        """Write every exchange; a capture for each that has a response."""
        return [self._write_exchange(exchange) for exchange in exchanges]

    def write_metadata(self, url: str, refers_to: str, fields: Iterable[tuple[str, str]]) -> None:
        """Write what became known of a record after it was written."""
        self._need_file()
        self._append(records.later_metadata(url, machine_now(), refers_to, fields, self._warcinfo_id))

    def write_rendered(self, capture: Capture, html: bytes, browser: str, fields: Fields) -> Capture:
        """Write what a browser made of a capture, and how; returns the capture with its place."""
        self._need_file()
        now = machine_now()
        record = records.conversion_record(capture.url, now, capture.capture_id, html, self._warcinfo_id)
        rendered = Rendered(
            file=self._name,
            offset=self._append(record),
            record_id=record.id,
            date=now,
            sha256=sha256_digest(html),
            browser=browser,
        )
        self.write_metadata(capture.url, record.id, fields)
        return replace(capture, rendered=rendered)

    def sync(self) -> None:
        """Make what was written survive a power cut, where that was asked for."""
        if self._file is not None and self._options.fsync:
            os.fsync(self._file.fileno())
        if self._payloads is not None:
            self._payloads.flush()

    def seconds_left(self) -> float | None:
        """Until the current file is old; None where there is none, or no age for it."""
        max_age = self._options.max_age
        if self._file is None or max_age is None:
            return None
        return max(0.0, (self._opened + max_age - machine_now()).total_seconds())

    def close_if_old(self) -> None:
        """A file does not wait for ever to be whole."""
        if self.seconds_left() == 0:
            self.close()

    def close(self) -> None:
        """Give the current file its final name, and the manifest its digest."""
        if self._file is None:
            return
        os.fsync(self._file.fileno())
        self._file.close()
        self._file = None
        path = self._folder / self._name
        path.with_name(self._name + OPEN_SUFFIX).rename(path)
        sync_folder(self._folder)
        add_to_manifest(self._folder, self._name, self._hash.hexdigest())

    def _write_exchange(self, exchange: Exchange) -> Capture | None:
        self._need_file()
        exact_wire = self._options.exact_wire
        if exchange.stream is None:
            response = records.read_exchange(exchange, exact_wire=exact_wire)
            return self._write_records(exchange, response)
        spool = self._spools.take(exchange.stream, exchange.received)
        with spool.file:
            return self._write_records(exchange, records.read_large(spool, exact_wire=exact_wire))

    def _write_records(self, exchange: Exchange, response: Response | None) -> Capture | None:
        capture = self._write_response(exchange, response) if response else None
        concurrent = capture.capture_id if capture else None
        self._append(records.request_record(exchange, self._warcinfo_id, concurrent))
        self._append(records.fetch_metadata(exchange, response, self._warcinfo_id, concurrent))
        return capture

    def _write_response(self, exchange: Exchange, response: Response) -> Capture:
        original = self._original(exchange, response)
        if original is not None:
            record = records.revisit_record(exchange, response, original, self._warcinfo_id)
            self._append(record)
            revisit = Revisit(
                record_id=record.id, payload_url=original.payload_url, payload_date=original.payload_date
            )
            return replace(
                original,
                url=exchange.url,
                date=exchange.started,
                revisit=revisit,
                submission=exchange.submission,
                # What that was rendered to is not what this one would be.
                rendered=None,
            )
        record = records.response_record(exchange, response, self._warcinfo_id)
        capture = Capture(
            url=exchange.url,
            file=self._name,
            offset=self._append(record),
            record_id=record.id,
            date=exchange.started,
            digest=response.digest,
            sha256=response.sha256,
            submission=exchange.submission,
        )
        # Readers look for the original of a revisit by its address alone.
        if self._payloads is not None and _may_be_shared(exchange, response) and not capture.submission:
            self._payloads.add(capture)
        return capture

    def _original(self, exchange: Exchange, response: Response) -> Capture | None:
        """The capture that has this payload already, and is still here."""
        known = exchange.original if _is_not_modified(exchange, response) else None
        if self._payloads is not None and _may_be_shared(exchange, response):
            known = self._payloads.find(response.sha256) or self._known_by_bytes(response)
        return known if known is not None and self._has(known) else None

    def _known_by_bytes(self, response: Response) -> Capture | None:
        """A payload that was noted under its SHA-1 alone: its bytes decide, since two may share a SHA-1."""
        if self._payloads is None:
            return None
        known = self._payloads.find(response.digest)
        if known is None or not self._has(known) or not self._holds(known, response):
            return None
        found = replace(known, sha256=response.sha256)
        self._payloads.add(found)
        return found

    def _holds(self, known: Capture, response: Response) -> bool:
        # Only an older archive has such payloads, and warcio takes long to load.
        from archiver.archive.warc.reader import read_body  # noqa: PLC0415

        try:
            return sha256_digest(read_body(self._folder, known.file, known.offset)) == response.sha256
        except RecordError:  # `scrapy verify` tells; to keep the bytes once more is better than not to
            return False

    def _has(self, known: Capture) -> bool:
        # An archive may have been moved without some of its files, and a disk may have cut one off.
        if known.file == self._name:
            return True
        try:
            return (self._folder / known.file).stat().st_size > known.offset
        except FileNotFoundError:
            return False

    def _need_file(self) -> None:
        self.close_if_old()
        if self._file is None or self._offset >= self._options.max_bytes:
            self._next_file()

    def _new_name(self, now: datetime) -> str:
        """A name that no file has: one of the same millisecond would be lost when this one is closed."""
        stamp = f"{now:%Y%m%d%H%M%S}{now.microsecond // 1000:03d}"
        while True:
            self._serial += 1
            name = f"{self._options.prefix}-{stamp}-{self._serial:05d}-{self._options.writer}.warc.gz"
            if not (self._folder / name).exists():
                return name

    def _next_file(self) -> None:
        self.close()
        now = self._opened = machine_now()
        self._name = self._new_name(now)
        self._folder.mkdir(parents=True, exist_ok=True)
        # Exclusive: an archive never writes over what it has. Unbuffered: what write() took, the system has.
        self._file = (self._folder / (self._name + OPEN_SUFFIX)).open("xb", buffering=0)
        self._offset = 0
        self._hash = hashlib.sha256()
        record = records.warcinfo(self._name, now, self._options.info)
        self._warcinfo_id = record.id
        try:
            self._append(record)
        except ArchiveFull:
            self._discard()
            raise
        self.files.append(self._name)

    def _discard(self) -> None:
        """Give up a file that could not even take its first record."""
        if self._file is not None:
            self._file.close()
            self._file = None
        (self._folder / (self._name + OPEN_SUFFIX)).unlink()

    def _append(self, record: Record) -> int:
        assert self._file is not None  # noqa: S101 - callers open a file first
        offset = self._offset
        is_stored = record.is_compressed and record.size >= _STORED_FROM
        digest, length = self._hash.copy(), 0
        try:
            for piece in _member(record, 0 if is_stored else self._options.level):
                write_all(self._file, piece)
                digest.update(piece)
                length += len(piece)
                if self._between is not None and record.large is not None:
                    self._between()
        except OSError as error:
            self._file.truncate(offset)
            self._file.seek(offset)
            raise ArchiveFull(
                f"Cannot write to {self._file.name}: {error.strerror}. Free some space and run again."
            ) from error
        self._hash = digest
        self._offset += length
        self.bytes_written += length
        self.records += 1
        return offset


def _is_not_modified(exchange: Exchange, response: Response) -> bool:
    """A whole 304, with nothing in it that a revisit would leave out."""
    return response.status == 304 and not response.size and exchange.truncated is None


def _may_be_shared(exchange: Exchange, response: Response) -> bool:
    """Whole, successful, and larger than the record that would refer to it."""
    is_large = response.size >= _SHARED_FROM
    return response.status == 200 and is_large and exchange.truncated is None


def _member(record: Record, level: int) -> Iterator[bytes]:
    """One gzip member, in pieces where the record is large."""
    if record.large is None:
        yield gzip_member(record.data, level)
        return
    gzip = zlib.compressobj(level, zlib.DEFLATED, _GZIP)
    for piece in chain((record.data,), record.large.pieces(), (records.END,)):
        yield gzip.compress(piece)
    yield gzip.flush()
