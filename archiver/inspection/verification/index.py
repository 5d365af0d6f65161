"""The index: each WARC covered, and its lines those of its records."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import parse_line
from archiver.archive.cdxj.records import index_lines
from archiver.archive.storage import is_archived
from archiver.errors import ArchiveError, RecordError
from archiver.inspection.verification.lines import LineSum, sum_of_index_lines
from archiver.inspection.verification.model import MADE_ANEW, REINDEX, RESTORE_THAT, Problem, added_by

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from archiver.archive.cdxj.files import IndexFile
    from archiver.archive.writers import Writer


@dataclass(slots=True, kw_only=True)
class IndexFindings:
    """What one index file holds."""

    file: IndexFile
    covers: frozenset[str] = frozenset()
    sums: dict[str, LineSum] = field(default_factory=dict)
    lines: int = 0
    problems: list[Problem] = field(default_factory=list)


def check_index(file: IndexFile, done: Callable[[int], None]) -> IndexFindings | None:
    """Read an index file; None if it was merged into another one meanwhile."""
    findings = IndexFindings(file=file)
    try:
        with file.path.open("rb") as lines:
            for offset, flaw in _flaws(lines, findings, done):
                findings.problems.append(
                    Problem(file=str(file.path), offset=offset, text=f"{flaw}: {REINDEX}")
                )
        listed = file.listed_warcs()
    except FileNotFoundError:
        return None
    except OSError as error:
        told = f"it cannot be read ({error}): {REINDEX}"
        findings.problems.append(Problem(file=str(file.path), offset=0, text=told))
        return findings
    if listed is None:
        text = f"the list of WARC files of {file.path.name} is missing or damaged: {MADE_ANEW}"
        findings.problems.append(Problem(file=str(file.manifest), offset=0, text=text))
    findings.covers = frozenset(findings.sums) if listed is None else listed
    return findings


def _flaws(
    lines: Iterator[bytes], findings: IndexFindings, done: Callable[[int], None]
) -> Iterator[tuple[int, str]]:
    offset, last = 0, b""
    for line in lines:
        findings.lines += 1
        try:
            warc = parse_line(line).filename
            findings.sums.setdefault(warc, LineSum()).add(line.removesuffix(b"\n"))
        except ArchiveError:
            yield offset, "this is not a line of an index"
        if not line.endswith(b"\n"):
            yield offset, "the file ends within this line"
        if line <= last:
            yield offset, "this line does not come after the one before it"
        offset, last = offset + len(line), line
        done(len(line))


class IndexComparison:
    """The index held against the WARCs that were read."""

    def __init__(self, folder: Path, expected: Mapping[str, LineSum | None], writer: Writer) -> None:
        self._folder = folder
        self._writer = writer
        self._expected = dict(expected)  # by the names of the WARCs that are closed
        self._by_the_book: set[str] = set()

    def problems(self, found: Sequence[IndexFindings]) -> Iterator[Problem]:
        for findings in found:
            yield from findings.problems
            for warc in sorted(findings.covers | findings.sums.keys()):
                if flaw := self._flaw(findings, warc):
                    yield Problem(file=str(findings.file.path), offset=flaw[0], text=flaw[1])

    def uncovered(self, found: Sequence[IndexFindings]) -> list[Problem]:
        covered = frozenset().union(*(findings.covers for findings in found))
        return [
            Problem(
                file=str(self._folder / warc),
                offset=0,
                text=f"it is in no index: {added_by(self._writer, warc)}",
            )
            for warc in sorted(self._expected.keys() - covered)
        ]

    def _flaw(self, findings: IndexFindings, warc: str) -> tuple[int, str] | None:
        if warc not in findings.covers:
            return 0, f"it has lines for {warc}, which is not among its WARC files: {REINDEX}"
        if warc not in self._expected:
            if is_archived(self._folder / warc):  # closed by a run since we began
                return None
            return 0, f"it covers {warc}, which is not in {self._folder}: {RESTORE_THAT}"
        found = findings.sums.get(warc, LineSum())
        # Most are settled by the first comparison, without reading the WARC again.
        if found == self._expected[warc] or found == self._sum_by_the_book(warc):
            return None
        return self._first_difference(findings, warc)

    def _sum_by_the_book(self, warc: str) -> LineSum | None:
        if warc not in self._by_the_book:
            self._by_the_book.add(warc)
            self._expected[warc] = sum_of_index_lines(self._folder / warc)
        return self._expected[warc]

    def _first_difference(self, findings: IndexFindings, warc: str) -> tuple[int, str] | None:
        if (path := self._folder / warc).exists() and not path.stat().st_size:
            return None  # told where the WARC was read
        try:
            wanted = {line.encode() for line in index_lines(self._folder / warc)}
        except RecordError:
            return None  # likewise
        for offset, line in _lines_of(findings.file.path, warc):
            if line not in wanted:
                return offset, f"this line is not what {warc} has: {REINDEX}"
            wanted.discard(line)
        first = min((parse_line(line).offset for line in wanted), default=0)
        return (
            0,
            f"it lacks {len(wanted)} of the lines of {warc}, such as for the record at {first}: {REINDEX}",
        )


def _lines_of(path: Path, warc: str) -> Iterator[tuple[int, bytes]]:
    offset = 0
    with path.open("rb") as lines:
        for line in lines:
            try:
                is_its = parse_line(line).filename == warc
            except ArchiveError:
                is_its = False
            if is_its:
                yield offset, line.removesuffix(b"\n")
            offset += len(line)
