"""Run reports and WARC files, summed: what does not change any more is read once."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from archiver.acquisition.outcomes import Success
from archiver.inspection.overview.days import KnownDays
from archiver.inspection.overview.model import KeptBytes, PollTally
from archiver.inspection.runs import read_report

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

# Of more runs, the newest so many are summed: a run every half hour for a month.
_MOST_REPORTS = 1500


class _Polls(NamedTuple):
    ended: datetime | None = None
    polls: int = 0
    failed: int = 0
    not_modified: int = 0


@dataclass(frozen=True, slots=True)
class Tallies:
    """What was read before, for all threads that answer."""

    days: KnownDays = field(default_factory=KnownDays)
    _reports: dict[tuple[str, int], _Polls] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def polls_since(self, archive: Path, moment: datetime) -> PollTally:
        """The polls of runs that ended from then on."""
        files = sorted(_files(archive / "runs", "run-", ".json"), key=_name, reverse=True)
        with self._lock:
            found = [self._report(one) for one in files[:_MOST_REPORTS]]
        late = [one for one in found if one.ended is not None and one.ended >= moment]
        polls, failed = sum(one.polls for one in late), sum(one.failed for one in late)
        not_modified = sum(one.not_modified for one in late)
        return PollTally(
            runs=len(late),
            polls=polls,
            failed=failed,
            not_modified=not_modified,
            not_modified_share=not_modified / (polls - failed) if polls > failed else None,
        )

    def kept(self, archive: Path) -> KeptBytes:
        """The size of the WARC files, also of those that are being written, and of the objects."""
        with self._lock:
            warc = [self._size(one) for one in _files(archive / "warc", "", (".warc.gz", ".warc.gz.open"))]
        objects = [_size_of(one) for one in _files(archive / "objects", "", ".jsonl")]
        return KeptBytes(
            warc_files=len(warc),
            warc_bytes=sum(warc),
            object_files=len(objects),
            object_bytes=sum(objects),
        )

    def _report(self, file: os.DirEntry[str]) -> _Polls:
        key = (file.path, _changed(file))
        if key not in self._reports:
            self._reports[key] = _polls_of(file)
        return self._reports[key]

    def _size(self, file: os.DirEntry[str]) -> int:
        """A file with its final name stays as it is."""
        if not file.name.endswith(".gz"):
            return _size_of(file)
        if file.path not in self._sizes:
            self._sizes[file.path] = _size_of(file)
        return self._sizes[file.path]


def _files(folder: Path, start: str, end: str | tuple[str, ...]) -> Iterator[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            yield from (one for one in found if one.name.startswith(start) and one.name.endswith(end))
    except FileNotFoundError:
        return


def _name(file: os.DirEntry[str]) -> str:
    return file.name


def _size_of(file: os.DirEntry[str]) -> int:
    try:
        return file.stat().st_size
    except FileNotFoundError:  # it has got its final name meanwhile
        return 0


def _changed(file: os.DirEntry[str]) -> int:
    try:
        return file.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _polls_of(file: os.DirEntry[str]) -> _Polls:
    report = read_report(Path(file.path))
    if report is None:
        return _Polls()
    return _Polls(
        ended=report.ended,
        polls=report.channels_polled,
        failed=report.channels_failed,
        not_modified=report.polls[Success.NOT_MODIFIED],
    )
