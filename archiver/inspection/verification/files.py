"""Single WARC files from anywhere, verified by themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.verification.model import Counts
from archiver.inspection.verification.warc import WarcTask, check_warc

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from archiver.inspection.verification.model import Problem
    from archiver.inspection.verification.workers import Runner


class FilesVerification:
    """Finds the problems of some files: structure and digests, nothing about other files."""

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
