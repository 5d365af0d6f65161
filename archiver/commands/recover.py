"""`scrapy recover`: lines of objects that are missing, made again from WARC and state."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING

from archiver.display.tables import many
from archiver.display.terminal import ProgressLine
from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.command import ArchiveCommand

if TYPE_CHECKING:
    import argparse

    from archiver.running.reading.recovery import RecoveryReport


class Command(ArchiveCommand):
    interrupted = "interrupted; the next time it goes on with the file that it was at"

    usage = "[options]"
    about = (
        "Look for the object of every version that the state store knows. Objects files that lack some "
        "or are damaged are put together again: whole lines are copied, the others are made again "
        "from WARC and state. The damaged file is kept as NAME.damaged. Interrupted, it goes on with "
        "the file that it was at. Exit codes: 0 every object is there; 1 some could not be rebuilt, "
        "or the archive has a problem; 2 wrong usage."
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - as for all commands
        refuse_arguments(args)
        config = self.config_to_write()
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.running.objects import open_stores  # noqa: PLC0415
        from archiver.running.reading.recovery import Recovery  # noqa: PLC0415

        with ProgressLine(sys.stderr, in_words="{:,}".format) as progress, open_stores(config) as stores:
            work = Recovery(config, stores, progress.show)
            asyncio.run(work.run())
        self._tell(work.report)

    def _tell(self, report: RecoveryReport) -> None:
        for told in report.unmade:
            print(f"Lost       {told}")
        for old, new in report.replaced:
            print(f"Rebuilt    {new}, in the place of {old}")
        print(_summary(report))
        self.exitcode = 1 if report.unmade else 0


def _summary(report: RecoveryReport) -> str:
    told = f"{many(report.files, 'objects file')}, {many(report.lines, 'object')}"
    if not (report.lost or report.damaged_bytes or report.replaced or report.unmade):
        return f"{told}: every object is there"
    told += f": {report.lost} {_be(report.lost, 'was', 'were')} missing"
    told += f", {report.equal} {_be(report.equal, 'is', 'are')} rebuilt byte for byte"
    if report.anew:
        said = _be(report.anew, "is read again and says", "are read again and say")
        told += f", {report.anew} {said} so (`reextracted`)"
    if report.damaged_bytes:
        told += f"; {report.damaged_bytes} bytes that are not objects are set aside in NAME.damaged"
    if report.unmade:
        told += f"; {len(report.unmade)} could not be rebuilt: restore their files from a backup"
    return told


def _be(count: int, one: str, several: str) -> str:
    return one if count == 1 else several
