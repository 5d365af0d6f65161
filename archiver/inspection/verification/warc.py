"""One WARC file: its members, its records, and what they say of other records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.storage import open_archived
from archiver.archive.warc.checking import RecordCheck
from archiver.archive.warc.members import DamagedMember, HashedSource, next_record, read_member
from archiver.archive.warc.reader import open_file
from archiver.archive.warc.wire import split_response, without_transfer_coding
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.archive.writers import is_imported
from archiver.digests import StatedDigest
from archiver.errors import RecordError
from archiver.inspection.verification.lines import LineSum, line_of
from archiver.inspection.verification.model import RESTORE, Counts, Problem
from archiver.inspection.verification.references import (
    Keys,
    WantedReference,
    key_of,
    payload_key,
    pointer_key,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    from archiver.archive.warc.checking import CheckedRecord
    from archiver.inspection.verification.workers import Runner

# Larger payloads are not looked at a second time.
_LARGEST_SECOND_LOOK = 1 << 27


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcTask:
    """A file to check."""

    path: Path
    number: int  # for references
    payloads: bool = True
    # Whether the end may be a record that is, or was, just being written.
    is_growing: bool = False

    @property
    def name(self) -> str:
        """The final name, which objects and index use."""
        return self.path.name.removesuffix(OPEN_SUFFIX)

    @property
    def is_imported(self) -> bool:
        return is_imported(self.path.name)

    @property
    def is_open(self) -> bool:
        return self.path.name.endswith(OPEN_SUFFIX)


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcFindings:
    """What came of it."""

    task: WarcTask
    problems: tuple[Problem, ...]
    size: int = 0
    records: int = 0
    sha256: str = ""
    keys: Keys | None = None
    lines: LineSum | None = None  # None where they are not known


def check_warc(task: WarcTask, done: Callable[[int], None]) -> WarcFindings:
    try:
        with _open(task) as file:
            return _FileCheck(task, HashedSource(file, done)).run()
    except (OSError, RecordError) as error:
        told = Problem(file=str(task.path), offset=0, text=f"it cannot be read ({error}): {RESTORE}")
        return WarcFindings(task=task, problems=(told,))


def _open(task: WarcTask) -> BinaryIO:
    try:
        return open_archived(task.path)
    except FileNotFoundError:  # it may have got its final name
        return open_file(task.path.parent, task.name)


def record_at(folder: Path, name: str, offset: int) -> CheckedRecord:
    """One record, checked anew."""
    check = RecordCheck(payloads=True)
    with open_file(folder, name) as file:
        read_member(HashedSource(file), offset, check.feed)
    return check.finish()


class _FileCheck:
    def __init__(self, task: WarcTask, source: HashedSource) -> None:
        self._task = task
        self._source = source
        self._problems: list[Problem] = []
        self._records = 0
        self._keys = Keys(task.number)
        self._ids: set[bytes] = set()
        self._references: list[tuple[bytes, int]] = []
        self._lines: LineSum | None = LineSum()

    def run(self) -> WarcFindings:
        offset = 0
        while self._source.piece(offset):
            offset = self._member(offset)
        if not offset and not self._task.is_growing:
            self._problem(0, f"the file is empty: {RESTORE}")
        # What others made may be a part of something larger: what it refers to need not be here.
        for key, place in self._references if not self._task.is_imported else ():
            if key not in self._ids:
                self._keys.want(key, WantedReference.RECORD, place)
        return WarcFindings(
            task=self._task,
            problems=tuple(self._problems),
            size=self._source.size,
            records=self._records,
            sha256=self._source.digest(),
            keys=self._keys,
            lines=self._lines,
        )

    def _member(self, offset: int) -> int:
        """Check the gzip member at an offset; where the next one begins."""
        check = RecordCheck(payloads=self._task.payloads)
        try:
            end = read_member(self._source, offset, check.feed)
        except DamagedMember as error:
            return self._damaged(offset, str(error))
        self._records += 1
        record = check.finish()
        self._note(record, offset, end - offset, is_sound=self._is_sound(record, offset))
        return end

    def _damaged(self, offset: int, what: str) -> int:
        end = next_record(self._source, offset + 1)
        is_last = not self._source.piece(end)
        if not (is_last and self._task.is_growing):
            until = "to the end of the file" if is_last else f"up to the next record at {end}"
            self._problem(offset, f"{what}, {end - offset} bytes {until} are lost: {RESTORE}")
            self._lines = None
        return end

    def _is_sound(self, record: CheckedRecord, offset: int) -> bool:
        """Tell what is wrong with a record."""
        flaws = list(record.flaws)
        if record.wrong_payload and not self._is_right_without_chunks(record, offset):
            flaws.append(f"its payload does not have the digest {record.wrong_payload}")
        if offset == 0 and record.kind != "warcinfo" and not self._task.is_imported:
            flaws.append(f"the first record is a {record.kind or 'nameless one'}, not a warcinfo")
        for flaw in flaws:
            self._problem(offset, f"{flaw}: {RESTORE}")
        return not flaws

    def _note(self, record: CheckedRecord, offset: int, length: int, *, is_sound: bool) -> None:
        """Remember what others may refer to, and what this one refers to."""
        key = key_of(record.id)
        self._ids.add(key)
        self._keys.add(key)
        # Most references are to a record before, in the same file.
        targets = (key_of(target) for _, target in record.references)
        self._references += [(target, offset) for target in targets if target not in self._ids]
        if record.kind == "response" and is_sound:
            self._keys.add(pointer_key(self._task.name, offset, record.id))
        self._note_payload(record, offset)
        if self._lines is None or record.flaws:
            self._lines = None
        elif line := line_of(record, self._task.name, offset, length):
            self._lines.add(line.encode())

    def _note_payload(self, record: CheckedRecord, offset: int) -> None:
        """What a response holds, and what a revisit says that another one does."""
        if record.payload_digest is None:
            return
        if record.kind == "response":
            self._keys.add(payload_key(record.id, record.payload_digest))
        elif (target := record.headers.get("warc-refers-to")) and not self._task.is_imported:
            self._keys.want(payload_key(target, record.payload_digest), WantedReference.PAYLOAD, offset)

    def _is_right_without_chunks(self, record: CheckedRecord, offset: int) -> bool:
        """Some writers keep the chunks and digest what they contain, as the standard has it."""
        length = int(record.headers.get("content-length", "0"))
        if record.flaws or record.kind != "response" or length > _LARGEST_SECOND_LOOK:
            return False
        parts: list[bytes] = []
        read_member(self._source, offset, parts.append)
        block = b"".join(parts).partition(b"\r\n\r\n")[2][:length]
        digest = StatedDigest(record.wrong_payload or "")
        digest.update(without_transfer_coding(split_response(block)).body)
        return digest.is_right()

    def _problem(self, offset: int, text: str) -> None:
        self._problems.append(Problem(file=str(self._task.path), offset=offset, text=text))


class FilesVerification:
    """Finds the problems of some files: structure and digests, nothing about other files."""

    writers_elsewhere: Sequence[str] = ()

    def __init__(self, paths: Sequence[Path], *, payloads: bool = True) -> None:
        self.counts = Counts()
        self.total_bytes = sum(path.stat().st_size for path in paths)
        self._tasks = [
            WarcTask(path=path, number=number, payloads=payloads) for number, path in enumerate(paths)
        ]

    def problems(self, workers: Runner) -> Iterator[Problem]:
        for findings in workers.run(check_warc, self._tasks):
            self.counts.add_warc(findings.size, findings.records)
            self.counts.problems += len(findings.problems)
            yield from findings.problems
