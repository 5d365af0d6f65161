"""`scrapy captures`: every capture of a URL, and all that was kept of one."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.retrieval import find_capture, similar_urls
from archiver.commands.extract_record import tell_instead
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.arguments import moment_from, one_url
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.inspection.captures.model import CaptureDetails

_LIMIT = 50


class Command(ArchiveCommand):
    usage = "URL [--at TIME] [--limit N] [--before NAME] [--json]"
    about = (
        "List the captures of a URL, the newest first: when, status, type, size, what a revisit refers to, "
        "and where the record is. With --at, show the capture nearest to a time with the headers of its "
        "request and response, as they were kept, and the versions of articles that came of it. Changes "
        "nothing. Exit codes: 0 shown; 1 not in the archive, or withheld; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--at", metavar="TIME", help="such as 2026-03-02, 2026-03-02T07:05:09Z or 20260302070509"
        )
        parser.add_argument(
            "--limit",
            type=int,
            default=_LIMIT,
            metavar="N",
            help=f"at most N captures, {_LIMIT} unless you say otherwise",
        )
        parser.add_argument("--before", metavar="NAME", help="those behind the one that was listed last")
        parser.add_argument("--json", action="store_true", help="as one JSON object")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        url, at = one_url(args), moment_from(opts.at)
        if opts.limit < 1:
            raise ConfigurationError("--limit: write a number from 1 on")
        folder, withheld = archive_to_read(self.its_settings), self.withheld()
        withheld.refuse(url)
        index = Index(folder / "index", withheld.hides)
        line = find_capture(index, url, at) if opts.at else None
        if line is not None:
            self._show_one(self._details(index, folder / "warc", line), opts)
        else:
            self._list(index, folder, url, opts)

    def _list(self, index: Index, folder: Path, url: str, opts: argparse.Namespace) -> None:
        from archiver.inspection.captures.as_text import table_of  # noqa: PLC0415 - no help needs it
        from archiver.inspection.captures.listing import list_captures  # noqa: PLC0415 - likewise

        found = list_captures(index, folder / "warc", url, limit=opts.limit, before=opts.before)
        if not found.captures and not opts.before:
            self.fail(f"{redact(url)} is not in the archive")
            unread = missing_indexes(folder / "warc", folder / "index")
            tell_instead(similar_urls(index, url), unread, self.program)
        elif opts.json:
            show([_as_json(found)])
        else:
            show(table_of(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))
        if found.next and not opts.json:
            self.tell(f"there are more: --before {found.next} lists them")

    def _details(self, index: Index, warc: Path, line: CdxLine) -> CaptureDetails:
        from archiver.inspection.captures.details import capture_details  # noqa: PLC0415 - likewise

        try:
            with self.state() as state:
                return capture_details(index, warc, line, state)
        except ArchiveError:
            return capture_details(index, warc, line, None)

    def _show_one(self, found: CaptureDetails, opts: argparse.Namespace) -> None:
        from archiver.inspection.captures.as_text import details_of  # noqa: PLC0415 - likewise

        if opts.json:
            show([_as_json(found)])
        else:
            show(details_of(found, width=window_width(sys.stdout), paint=Colours(sys.stdout).paint))


def _as_json(found: msgspec.Struct) -> str:
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode()
