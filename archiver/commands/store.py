"""`scrapy store`: closed files go to the storage, as they do at the end of every run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from archiver.display.tables import many, size_in_words
from archiver.display.terminal import ProgressLine
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import refuse_arguments
from archiver.extensions.command import ArchiveCommand

if TYPE_CHECKING:
    import argparse

_SHOWN = 10


class Command(ArchiveCommand):
    interrupted = "interrupted; what was not moved is still here"

    usage = "[options]"
    about = (
        "Move the closed WARC files of the archive, and the objects of days that are over, to STORAGE_URL: "
        "each file is copied, read back and compared by its SHA-256 before the local copy goes. A run does "
        "the same when it ends. All commands read files from there. "
        "Exit codes: 0 all was moved; 1 something could not be, and stays here; 2 wrong usage."
    )

    def work(self, args: list[str], opts: argparse.Namespace) -> None:  # noqa: ARG002 - none of its own
        refuse_arguments(args)
        config = self.config_to_write()
        if not config.storage_url:
            raise ConfigurationError(
                "STORAGE_URL is not set: write where the files are to go, as s3://BUCKET"
            )
        from archiver.archive.lock import ArchiveLock  # noqa: PLC0415 - no help needs it
        from archiver.archive.writers import find_writer  # noqa: PLC0415 - likewise
        from archiver.running.storing import moved_files  # noqa: PLC0415 - likewise
        from archiver.store.object_files import object_lengths  # noqa: PLC0415 - likewise

        done = moved = size = 0
        total = sum(path.stat().st_size for path in config.warc_folder.glob("*.warc.gz"))
        with ArchiveLock(config.folder), ProgressLine(sys.stderr) as progress:
            with self.state() as state:
                lengths = object_lengths(state)
            for one in moved_files(config, find_writer(config.folder, config.writer), lengths):
                done += one.size
                progress.show(done, total)
                if one.problem:
                    self.fail(one.problem)
                else:
                    moved, size = moved + 1, size + one.size
        print(f"{many(moved, 'file')} moved to {config.storage_url}, {size_in_words(size)}")
