"""`scrapy recover`: a lost state store, and lines of objects that are missing, made again."""

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
    from archiver.running.restoring.past import RestoreReport


class Command(ArchiveCommand):
    interrupted = "interrupted; the next time it goes on with the file that it was at"

    usage = "[options]"
    about = (
        "Make the state store again from WARC files and objects where it is missing or empty. Then "
        "look for the object of every version that it knows. Objects files that lack some "
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
        from archiver.running.restoring.state import restore_if_lost  # noqa: PLC0415

        with ProgressLine(sys.stderr, in_words="{:,} WARC files".format) as progress:
            restored = asyncio.run(restore_if_lost(config, progress.show))
        if restored is not None:
            _tell_restored(restored)
        with ProgressLine(sys.stderr, in_words="{:,}".format) as progress, open_stores(config) as stores:
            work = Recovery(config, stores, progress.show)
            asyncio.run(work.run())
        self._tell(work.report)
        if restored is not None and restored.damaged:
            self.exitcode = 1

    def _tell(self, report: RecoveryReport) -> None:
        for told in report.unmade:
            print(f"Lost       {told}")
        for old, new in report.replaced:
            print(f"Rebuilt    {new}, in the place of {old}")
        print(_summary(report))
        self.exitcode = 1 if report.unmade else 0


def _tell_restored(report: RestoreReport) -> None:
    for told in report.damaged:
        print(f"Damaged    {told}")
    known = report.counts
    if known is None:
        return
    print(
        f"State      made again: {many(known.channels, 'channel')}, {known.entries} entries,"
        f" {many(known.articles, 'article')}, {many(known.versions, 'version')}"
    )
    if report.contributions:
        print(f"           {many(report.contributions, 'version')} of comments and other contributions")
    if known.to_read:
        told = f"{many(known.to_read, 'page')} in WARC of which nothing was made"
        print(f"           {told}: the next run reads {_be(known.to_read, 'it', 'them')}")
    if known.to_fetch:
        told = f"{many(known.to_fetch, 'page')} that failed or had not been fetched"
        print(f"           {told}: the next run fetches {_be(known.to_fetch, 'it', 'them')}")
    if report.unreadable or report.unplaced:
        told = many(report.unreadable + report.unplaced, "object")
        print(f"           {told} that cannot be read, or whose WARC record is gone")
    if report.renamed:
        print(f"           {report.renamed} articles get other ids in their next versions")
    print(
        "           Not known again: what only seeds files say (the next crawl reads them), gaps, absences,\n"
        "           subscriptions to hubs"
    )


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
