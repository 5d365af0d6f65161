"""The responses of an archive in the order in which they came, a WARC file at a time."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from warcio.archiveiterator import ArchiveIterator

from archiver.archive.storage import archived_files, open_archived
from archiver.archive.warc.records import SUBMISSION, Capture, Revisit
from archiver.archive.warc.wire import WireResponse, split_response
from archiver.archive.writers import is_imported
from archiver.errors import RecordError
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.submissions import Submission

# An address, and the identity of what was submitted to it.
Asked = tuple[str, str]
_KEPT = ("response", "revisit")
_NOT_MODIFIED = b"HTTP/1.1 304 Not Modified\r\n\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class TapeEntry:
    """A response, or a revisit, and where it is."""

    url: str
    file: str
    offset: int
    record_id: str
    date: datetime
    digest: str
    # The record that holds the payload, for a revisit.
    refers_to: str | None = None
    is_truncated: bool = False
    # The identity of what its request submitted.
    submission: str = ""

    @property
    def request(self) -> Asked:
        return self.url, self.submission


@dataclass(frozen=True, slots=True, kw_only=True)
class Played:
    """A response as it came then."""

    capture: Capture
    wire: WireResponse
    is_truncated: bool


class Tape:
    """Plays an archive. Each response is played once, to the request that asks for it first."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._waiting: defaultdict[Asked, deque[TapeEntry]] = defaultdict(deque)
        # Where payloads are: revisits of later files refer to them.
        self._payloads: dict[str, TapeEntry] = {}
        # The last file with an answer for each request, once a request needs it.
        self._last: dict[Asked, str] | None = None
        self._loaded = ""
        self.played = 0
        self.missing = 0

    def files(self) -> list[Path]:
        """The files of the archive, from the first run to the last."""
        return [path for path in archived_files(self._folder) if not is_imported(path.name)]

    def load(self, path: Path) -> None:
        """Make the responses of the next file ready; what was not asked for before is forgotten."""
        self._waiting.clear()
        self._loaded = path.name
        for entry in _entries(path):
            self._waiting[entry.request].append(entry)
            if entry.refers_to is None:
                self._payloads[entry.record_id] = entry

    def has(self, url: str, submission: Submission | None = None) -> bool:
        """True if this request would be answered."""
        return bool(self._waiting.get(_asked(url, submission)))

    def will_have(self, url: str, submission: Submission | None = None) -> bool:
        """True if one of the files to come has an answer for this request."""
        if self._last is None:
            self._last = {entry.request: path.name for path in self.files() for entry in _entries(path)}
        return self._last.get(_asked(url, submission), "") > self._loaded

    def play(self, url: str, submission: Submission | None = None) -> Played:
        """The next response to a request, with the capture that it was."""
        waiting = self._waiting.get(_asked(url, submission))
        if not waiting:
            self.missing += 1
            raise RecordError(f"The archive has no further response for {url}")
        self.played += 1
        entry = waiting.popleft()
        payload = entry if entry.refers_to is None else self._payload(entry)
        wire = _read(self._folder, entry)
        if entry is not payload:
            wire = self._revisited(wire, payload)
        return Played(capture=_capture(entry, payload), wire=wire, is_truncated=entry.is_truncated)

    def _payload(self, entry: TapeEntry) -> TapeEntry:
        original = self._payloads.get(entry.refers_to or "")
        if original is None:
            raise RecordError(f"{entry.file}:{entry.offset} refers to a record that is not in the archive")
        return original

    def _revisited(self, own: WireResponse, payload: TapeEntry) -> WireResponse:
        if not own.head:  # the server said that nothing had changed
            return split_response(_NOT_MODIFIED)
        return WireResponse(interim=(), head=own.head, body=_read(self._folder, payload).body)


def _asked(url: str, submission: Submission | None) -> Asked:
    return request_url(url), submission.identity if submission else ""


def _capture(entry: TapeEntry, payload: TapeEntry) -> Capture:
    revisit = None
    if entry is not payload:
        revisit = Revisit(record_id=entry.record_id, payload_url=payload.url, payload_date=payload.date)
    return Capture(
        url=entry.url,
        file=payload.file,
        offset=payload.offset,
        record_id=payload.record_id,
        date=entry.date,
        digest=payload.digest,
        revisit=revisit,
        submission=entry.submission,
    )


def _entries(path: Path) -> Iterator[TapeEntry]:
    with open_archived(path) as file:
        records = ArchiveIterator(file, no_record_parse=True)
        for record in records:
            if record.rec_type not in _KEPT:
                continue
            header = record.rec_headers.get_header
            yield TapeEntry(
                url=header("WARC-Target-URI"),
                file=path.name,
                offset=records.get_record_offset(),
                record_id=header("WARC-Record-ID"),
                date=datetime.fromisoformat(header("WARC-Date")),
                digest=header("WARC-Payload-Digest") or "",
                refers_to=header("WARC-Refers-To") if record.rec_type == "revisit" else None,
                is_truncated=header("WARC-Truncated") is not None,
                submission=header(SUBMISSION) or "",
            )


def _read(folder: Path, entry: TapeEntry) -> WireResponse:
    with open_archived(folder / entry.file) as file:
        file.seek(entry.offset)
        record = next(iter(ArchiveIterator(file, no_record_parse=True)))
        return split_response(record.raw_stream.read())
