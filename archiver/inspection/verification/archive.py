"""A whole archive, verified: each file by itself, then whether they fit together."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import TYPE_CHECKING, Any

from archiver.archive.cdxj.files import WARC_SUFFIX, index_files
from archiver.archive.lock import ArchiveLock
from archiver.archive.objects.kinds import UnknownKind, kind_of, object_files
from archiver.archive.storage import archived_files, archived_size, is_archived
from archiver.archive.warc.writer import OPEN_SUFFIX
from archiver.archive.writers import FILE, is_writer_lost, writer_of, writer_to_read
from archiver.articles.contributions.schema import ContributionObjects
from archiver.articles.objects.schema import ArticleKind
from archiver.articles.posts.schema import PostObjects
from archiver.errors import ArchiveError, ArchiveLocked
from archiver.inspection.verification.explain import explain
from archiver.inspection.verification.index import IndexComparison, check_index
from archiver.inspection.verification.manifest import manifest_problems, report_problems
from archiver.inspection.verification.model import (
    CRAWL_AGAIN,
    GATHER_AGAIN,
    MADE_ANEW,
    RESTORE_STATE,
    Counts,
    Problem,
)
from archiver.inspection.verification.objects import (
    ObjectsTask,
    advice_for,
    check_objects,
    displaced,
    moved_in_words,
)
from archiver.inspection.verification.references import Keys, References, WantedReference, line_key
from archiver.inspection.verification.warc import WarcTask, check_warc
from archiver.records.objects.schema import RecordObjects

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from archiver.archive.objects.kinds import ObjectKind
    from archiver.inspection.verification.index import IndexFindings
    from archiver.inspection.verification.lines import LineSum
    from archiver.inspection.verification.references import MissingReference
    from archiver.inspection.verification.warc import WarcFindings
    from archiver.inspection.verification.workers import Runner
    from archiver.store.lines import KnownLine
    from archiver.store.stored_lines import StoredLines


_UNKNOWN = UnknownKind()
# How often a run may merge the index while it is being read.
_MOST_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Folders:
    """Where the parts of an archive are."""

    archive: Path
    warc: Path
    index: Path
    objects: Path


class ArchiveVerification:
    """Finds the problems of an archive; `counts` tells what was looked at."""

    def __init__(
        self,
        folders: Folders,
        *,
        payloads: bool = True,
        stored: StoredLines | None = None,
        state_flaws: Sequence[Problem] = (),
        kinds: Sequence[ObjectKind[Any]] = (
            ArticleKind(),
            ContributionObjects(),
            PostObjects(),
            RecordObjects(),
        ),
    ) -> None:
        self.counts = Counts()
        self._state_flaws = state_flaws
        # What the state store knows of the objects, where there is one.
        self._stored = stored
        self._folders = folders
        self._payloads = payloads
        self._writer = writer_to_read(folders.archive)
        self._kinds = {kind.name: kind for kind in kinds}
        known = stored.lengths if stored else {}
        # Before the WARC files are listed: what an object points to was on disk before the object.
        paths = object_files(folders.objects, self._kinds, known)
        self._objects = [(path, archived_size(path)) for path in paths]
        # Of other writers, only what is in this folder.
        self._lengths = {file: size for file, size in known.items() if self._is_here(file)}
        self.writers_elsewhere = sorted({str(writer_of(file)) for file in known.keys() - self._lengths})
        self._closed = archived_files(folders.warc)
        self._open = sorted(folders.warc.glob(f"*{WARC_SUFFIX}{OPEN_SUFFIX}"))
        # Asking takes the lock for a moment: only where it matters.
        self._is_running = bool(self._open) and _is_running(folders.archive)
        # References name files by their number here.
        self._files = [*self._closed, *self._open, *(path for path, _ in self._objects)]
        self._files += [path for name in self._lengths if not is_archived(path := folders.objects / name)]
        # Lines of which it is told already that something is wrong with them.
        self._told_lines: set[tuple[str, int]] = set()
        self._digests: dict[str, str] = {}
        self._lines: dict[str, LineSum | None] = {}

    def _kind_of(self, path: Path) -> ObjectKind[Any]:
        return self._kinds.get(kind_of(path.name) or ArticleKind.name, _UNKNOWN)

    def _is_here(self, file: str) -> bool:
        return self._writer.owns(file) or is_archived(self._folders.objects / file)

    @cached_property
    def total_bytes(self) -> int:
        """All that will be read."""
        files = [*self._files, *(file.path for file in index_files(self._folders.index))]
        return total_size(files)

    def problems(self, workers: Runner) -> Iterator[Problem]:
        with closing(References()) as references:
            for problem in self._steps(workers, references):
                self.counts.problems += 1
                yield problem

    def _steps(self, workers: Runner, references: References) -> Iterator[Problem]:
        yield from self._state_flaws
        if is_writer_lost(self._folders.archive):
            text = f"it is missing or damaged: {MADE_ANEW}"
            yield Problem(file=str(self._folders.archive / FILE), offset=0, text=text)
        yield from self._left_open()
        yield from self._check_warcs(workers, references)
        yield from self._check_objects(workers, references)
        yield from self._check_lengths()
        self._want_lines(references)
        yield from manifest_problems(self._folders.warc, self._digests, self._writer)
        yield from report_problems(self._folders.archive / "runs", self._writer)
        yield from self._check_index(workers)
        lost: set[tuple[str, int]] = set()
        for missing in _once(references.missing()):
            file = self._files[missing.file_number]
            if missing.wanted is not WantedReference.LINE:
                yield explain(missing, file, self._folders.warc, self._kind_of(file))
            elif (str(file), missing.offset) not in self._told_lines:
                lost.add((file.name, missing.offset))
        if self._stored is not None and lost:
            yield from self._lost_lines(self._stored, lost)

    def _lost_lines(self, stored: StoredLines, lost: Collection[tuple[str, int]]) -> Iterator[Problem]:
        """Lines that are not at their place: those that stand elsewhere in their file are told as one."""
        wanted = (line for line in stored.all() if (line.file, line.offset) in lost)
        for name, lines in groupby(wanted, lambda line: line.file):
            path = self._folders.objects / name
            known, advice = list(lines), advice_for(self._kind_of(path))
            moved = displaced(path, known)
            if moved:
                text = f"{moved_in_words(len(moved))}: {advice}"
                yield Problem(file=str(path), offset=min(moved), text=text)
            for offset in (line.offset for line in known if line.offset not in moved):
                text = f"the object of {stored.name(name, offset)} is not here: {advice}"
                yield Problem(file=str(path), offset=offset, text=text)

    def _left_open(self) -> Iterator[Problem]:
        text = "it was left open by a crash: the next `scrapy crawl feeds` closes it, without a torn record"
        for path in self._open:
            if not self._writer.owns(path.name):
                other = f"it was not closed yet by its writer, {writer_of(path.name)}: {GATHER_AGAIN}"
                yield Problem(file=str(path), offset=0, text=other)
            elif not self._is_running:
                yield Problem(file=str(path), offset=0, text=text)

    def _check_warcs(self, workers: Runner, references: References) -> Iterator[Problem]:
        for findings in workers.run(check_warc, self._warc_tasks()):
            self.counts.add_warc(findings.size, findings.records)
            if findings.keys is not None:
                references.add(findings.keys)
            if not findings.task.is_open:
                self._note(findings)
            yield from findings.problems

    def _warc_tasks(self) -> list[WarcTask]:
        tasks = [
            WarcTask(
                path=path,
                number=number,
                payloads=self._payloads,
                is_growing=path.name.endswith(OPEN_SUFFIX),
            )
            for number, path in enumerate([*self._closed, *self._open])
        ]
        # The largest first: none is left over at the end for one process alone.
        return sorted(tasks, key=lambda task: total_size([task.path]), reverse=True)

    def _note(self, findings: WarcFindings) -> None:
        self._lines[findings.task.name] = findings.lines
        if findings.sha256:
            self._digests[findings.task.name] = findings.sha256

    def _check_objects(self, workers: Runner, references: References) -> Iterator[Problem]:
        first = len(self._closed) + len(self._open)
        tasks = [
            ObjectsTask(
                path=path,
                number=number,
                size=size,
                kind=self._kind_of(path),
                # Another writer may have been at its last line when the file was copied.
                is_growing=self._is_running or not self._writer.owns(path.name),
            )
            for number, (path, size) in enumerate(self._objects, first)
        ]
        for findings in workers.run(check_objects, tasks):
            self.counts.objects += findings.objects
            references.add(findings.keys)
            self._told_lines |= {(one.file, one.offset) for one in findings.problems}
            yield from findings.problems

    def _want_lines(self, references: References) -> None:
        """Have the object of every version be looked for at its place."""
        numbers = {path.name: number for number, path in enumerate(self._files)}
        wanted = filter(self._is_wanted, self._stored.all() if self._stored else ())
        for file, lines in groupby(wanted, lambda line: line.file):
            keys = Keys(numbers[file])
            for line in lines:
                key = line_key(file, line.offset, line.id, line.version, line.digest or "")
                keys.want(key, WantedReference.LINE, line.offset)
                self.counts.versions += 1
            references.add(keys)

    def _is_wanted(self, line: KnownLine) -> bool:
        """Whether a line should be here: of another writer, if the copy of its file goes so far."""
        if self._writer.owns(line.file):
            return True
        return line.offset < self._sizes.get(line.file, 0)

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return {path.name: size for path, size in self._objects}

    def _check_lengths(self) -> Iterator[Problem]:
        for name, length in sorted(self._lengths.items()):
            size, path = self._sizes.get(name, 0), self._folders.objects / name
            if size < length and self._writer.owns(name):
                advice = advice_for(self._kind_of(path))
                text = f"it has {size} bytes where the state store knows of {length}: {advice}"
                yield Problem(file=str(path), offset=size, text=text)
        # A run has written what it has not settled yet; and what it settled since is known by now.
        if self._stored is None or not list(self._unsettled(self._lengths)):
            return
        if not (self._is_running or _is_running(self._folders.archive)):
            yield from self._unsettled(self._stored.lengths_now())

    def _unsettled(self, lengths: Mapping[str, int]) -> Iterator[Problem]:
        """What stands behind the last line that the state store knows: left over, or it is not its store."""
        for path, size in self._objects:
            known = lengths.get(path.name, 0)
            if size > known and self._writer.owns(path.name):
                text = f"the state store knows nothing of the last {size - known} bytes"
                text += f": {CRAWL_AGAIN if lengths else RESTORE_STATE}"
                yield Problem(file=str(path), offset=known, text=text)

    def _check_index(self, workers: Runner) -> Iterator[Problem]:
        found = self._index(workers)
        comparison = IndexComparison(self._folders.warc, self._lines, self._writer)
        yield from comparison.problems(found)
        uncovered = comparison.uncovered(found)
        # A run indexes its files when it ends.
        if uncovered and not (self._is_running or _is_running(self._folders.archive)):
            yield from uncovered

    def _index(self, workers: Runner) -> list[IndexFindings]:
        """All index files as they were at one moment."""
        for _ in range(_MOST_TRIES):
            files = index_files(self._folders.index)
            found = list(workers.run(check_index, files))
            whole = [findings for findings in found if findings is not None]
            if len(whole) == len(found) and files == index_files(self._folders.index):
                self.counts.index_lines = sum(findings.lines for findings in whole)
                return sorted(whole, key=lambda findings: findings.file.path)
        raise ArchiveError(
            f"{self._folders.index} keeps changing: verify again when no crawl ends meanwhile."
        )


def _once(found: Iterable[MissingReference]) -> Iterator[MissingReference]:
    """Where a revisit's target is missing, that says all: nothing more of its payload."""
    dangling: set[tuple[int, int]] = set()
    payloads: list[MissingReference] = []
    for missing in found:
        if missing.wanted is WantedReference.PAYLOAD:
            payloads.append(missing)
            continue
        dangling.add((missing.file_number, missing.offset))
        yield missing
    yield from (one for one in payloads if (one.file_number, one.offset) not in dangling)


def total_size(paths: Sequence[Path]) -> int:
    """How much that is; a file that has just got its final name counts for nothing."""
    return sum(path.stat().st_size for path in paths if path.exists())


def _is_running(folder: Path) -> bool:
    """Whether a run is writing to the archive."""
    if not (folder / "lock").exists():
        return False
    try:
        with ArchiveLock(folder):
            return False
    except ArchiveLocked:
        return True
    except ArchiveError:
        return False  # a reader that may not write here cannot run here either
