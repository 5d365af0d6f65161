"""What our commands have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy.commands import ScrapyCommand

from archiver.extensions.places import check_profile

if TYPE_CHECKING:
    import argparse


class ArchiveCommand(ScrapyCommand):
    """A command for the archive that is no crawl."""

    requires_project = True
    requires_crawler_process = False

    def process_options(self, args: list[str], opts: argparse.Namespace) -> None:
        check_profile()
        super().process_options(args, opts)
