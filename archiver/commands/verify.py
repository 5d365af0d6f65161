"""`scrapy verify`: whether the archive, or some WARC files, still are what was written."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from archiver.display.tables import folded, many, size_in_words
from archiver.display.terminal import ProgressLine, window_width
from archiver.errors import ArchiverError, ConfigurationError, StateLost
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read, state_url
from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse

    from archiver.inspection.verification.archive import ArchiveVerification
    from archiver.inspection.verification.model import Counts, Problem
    from archiver.inspection.verification.warc import FilesVerification
    from archiver.store.stored_lines import StoredLines


class Command(ArchiveCommand):
    unfinished = "not all was read: "

    usage = "[FILE…] [--quick]"
    about = (
        "Read the whole archive and tell what is not as it was written: WARC files, their digests, the "
        "manifest, the index, and the record behind every object. With FILEs, check the structure and "
        "the digests of these WARC files only, from whatever archive. Changes nothing. "
        "Exit codes: 0 all is well; 1 there are problems; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--quick", action="store_true", help="leave out the payload digests")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        # Scrapy imports every command to run one: what takes long to load is loaded by the one that needs it.
        from archiver.inspection.verification.workers import Workers  # noqa: PLC0415

        with ProgressLine(sys.stderr) as progress, ExitStack() as opened:
            verification = self._verification(args, opened, payloads=not opts.quick)
            total = verification.total_bytes
            shown = Workers(os.cpu_count() or 1, lambda done: progress.show(done, total))
            for problem in verification.problems(opened.enter_context(shown)):
                self.exitcode = 1  # also where nothing reads on, as behind `head`
                progress.clear()
                told = as_typed(str(problem), self.program)
                print(folded(told, window_width(sys.stdout)), flush=True)
        print(_summary(verification.counts, is_archive=not args))
        if elsewhere := verification.writers_elsewhere:
            print(f"Not in this folder: the objects of other writers ({', '.join(elsewhere)})")

    def _verification(
        self, args: list[str], opened: ExitStack, *, payloads: bool
    ) -> ArchiveVerification | FilesVerification:
        from archiver.extensions.configuration import object_kinds  # noqa: PLC0415 - likewise
        from archiver.inspection.verification.archive import ArchiveVerification, Folders  # noqa: PLC0415
        from archiver.inspection.verification.warc import FilesVerification  # noqa: PLC0415 - likewise

        if args:
            return FilesVerification([_file(name) for name in args], payloads=payloads)
        folder = archive_to_read(self.its_settings)
        folders = Folders(
            archive=folder, warc=folder / "warc", index=folder / "index", objects=folder / "objects"
        )
        stored, flaws = self._stored(opened)
        kinds = object_kinds(self.its_settings)
        return ArchiveVerification(folders, payloads=payloads, stored=stored, state_flaws=flaws, kinds=kinds)

    def _stored(self, opened: ExitStack) -> tuple[StoredLines | None, list[Problem]]:
        """What the state store knows of objects, for as long as it is read; and what is wrong with it."""
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - no help needs it

        from archiver.inspection.verification.model import RESTORE_STATE, Problem  # noqa: PLC0415 - likewise
        from archiver.store.stored_lines import StoredLines  # noqa: PLC0415 - likewise

        place = redact(state_url(self.its_settings)).removeprefix("sqlite:///")
        try:
            stored = StoredLines(opened.enter_context(self.state()))
            flaws = stored.flaws()
        except (StateLost, SQLAlchemyError) as error:
            told = redact(str(getattr(error, "orig", None) or error))
            advice = "" if "from a backup" in told else f": {RESTORE_STATE}"
            return None, [Problem(file=place, offset=0, text=f"{told}{advice}")]
        except ArchiverError as error:
            self.tell(f"{error}; whether objects are missing is not checked")
            return None, []
        problems = [Problem(file=place, offset=0, text=f"{flaw}: {RESTORE_STATE}") for flaw in flaws]
        return (None if problems else stored), problems


def _file(name: str) -> Path:
    path = Path(name)
    if not path.is_file():
        raise ConfigurationError(f"{name}: there is no such file")
    return path


def _summary(counts: Counts, *, is_archive: bool) -> str:
    told = f"{many(counts.warcs, 'WARC file')}, {many(counts.records, 'record')}"
    told += f", {size_in_words(counts.warc_bytes)}"
    if is_archive:
        told += f"; {many(counts.index_lines, 'index line')}; {many(counts.objects, 'object')}"
    return f"{told}: {many(counts.problems, 'problem') if counts.problems else 'all is well'}"
