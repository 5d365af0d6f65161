"""`scrapy verify`: whether the archive, or some WARC files, still are what was written."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from scrapy.exceptions import UsageError

from archiver.errors import ArchiveError, ArchiverError
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.sizes import size_in_words
from archiver.terminal import ProgressLine

if TYPE_CHECKING:
    import argparse

    from archiver.verification.archive import ArchiveVerification
    from archiver.verification.files import FilesVerification
    from archiver.verification.model import Counts


class Command(ArchiveCommand):
    interrupted = "not all was read: interrupted"

    def syntax(self) -> str:
        return "[FILE…] [--quick]"

    def long_desc(self) -> str:
        return (
            "Read the whole archive and tell what is not as it was written: WARC files, their digests, the "
            "manifest, the index, and the record behind every object. With FILEs, check the structure and "
            "the digests of these WARC files only, from whatever archive. Changes nothing. "
            "Exit codes: 0 all is well; 1 there are problems; 2 wrong usage."
        )

    def add_options(self, parser: argparse.ArgumentParser) -> None:
        super().add_options(parser)
        parser.add_argument("--quick", action="store_true", help="leave out the payload digests")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.verification.workers import Workers  # noqa: PLC0415

        verification = self._verification(args, payloads=not opts.quick)
        progress = ProgressLine(sys.stderr)
        total = verification.total_bytes
        try:
            with Workers(os.cpu_count() or 1, lambda done: progress.show(done, total)) as workers:
                for problem in verification.problems(workers):
                    progress.clear()
                    print(problem, flush=True)
        except ArchiverError as error:
            raise ArchiveError(f"not all was read: {error}") from error
        finally:
            progress.clear()
        print(_summary(verification.counts, is_archive=not args))
        self.exitcode = 1 if verification.counts.problems else 0

    def _verification(self, args: list[str], *, payloads: bool) -> ArchiveVerification | FilesVerification:
        from archiver.verification.archive import ArchiveVerification, Folders  # noqa: PLC0415 - likewise
        from archiver.verification.files import FilesVerification  # noqa: PLC0415 - likewise

        if args:
            return FilesVerification([_file(name) for name in args], payloads=payloads)
        folder = archive_to_read(self.its_settings)
        folders = Folders(
            archive=folder, warc=folder / "warc", index=folder / "index", objects=folder / "objects"
        )
        return ArchiveVerification(folders, payloads=payloads, lengths=self._lengths())

    def _lengths(self) -> dict[str, int]:
        """How long the objects files are, for those who have the state store as well."""
        from archiver.store.articles import object_lengths  # noqa: PLC0415 - no help needs it

        try:
            with self.state() as state:
                return object_lengths(state)
        except ArchiverError as error:
            self.tell(f"{error}; whether an objects file is missing is not checked")
            return {}


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise UsageError(f"{name}: there is no such file", print_help=False)
    return path


def _summary(counts: Counts, *, is_archive: bool) -> str:
    told = f"{counts.warcs} WARC files, {counts.records} records, {size_in_words(counts.warc_bytes)}"
    if is_archive:
        told += f"; {counts.index_lines} index lines; {counts.objects} objects"
    return f"{told}: {_problems(counts.problems)}"


def _problems(count: int) -> str:
    return {0: "all is well", 1: "1 problem"}.get(count, f"{count} problems")
