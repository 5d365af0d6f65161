"""`scrapy extract-record`: an archived response, printed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.retrieval import find_capture, read_archived, similar_urls
from archiver.clock import rfc3339
from archiver.extensions.arguments import moment_from, one_url
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.extensions.telling import as_typed
from archiver.urls import redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.retrieval import ArchivedResponse


class Command(ArchiveCommand):
    usage = "URL [--at TIME] [--headers | --payload | --raw] [--withheld]"
    about = (
        "Print the archived response for a URL that is nearest to a time, or else the newest: its "
        "headers and its body, decoded. A capture whose payload was kept before is printed with the "
        "payload of its original. Exit codes: 0 printed; 1 not in the archive, or withheld; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument(
            "--at", metavar="TIME", help="such as 2026-03-02, 2026-03-02T07:05:09Z or 20260302070509"
        )
        parser.add_argument(
            "--withheld", action="store_true", help="also what is withheld: for those who answer an order"
        )
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--headers", action="store_true", help="only the status line and the headers")
        what.add_argument("--payload", action="store_true", help="only the body, decoded")
        what.add_argument("--raw", action="store_true", help="the block of the record as it is stored")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        url, at = one_url(args), moment_from(opts.at)
        folder = archive_to_read(self.its_settings)
        index = Index(folder / "index", None if opts.withheld else self._hidden(url))
        line = find_capture(index, url, at)
        if line is None:
            self.fail(f"{url} is not in the archive")
            unread = missing_indexes(folder / "warc", folder / "index")
            tell_instead(similar_urls(index, url), unread, self.program)
            return
        response = read_archived(index, folder / "warc", line)
        print(_told(line, response), file=sys.stderr)
        sys.stdout.buffer.write(_wanted(response, opts))
        sys.stdout.buffer.flush()

    def _hidden(self, url: str) -> Callable[[str], bool]:
        withheld = self.withheld()
        withheld.refuse(url)
        return withheld.hides


def tell_instead(similar: list[str], unread: list[Path], program: str) -> None:
    for url in similar:
        print(f"  like it: {redact(url)}", file=sys.stderr)
    if unread:
        told = f"{len(unread)} WARC files are in no index yet: the next `scrapy crawl feeds` adds them"
        print(f"  {as_typed(told, program)}", file=sys.stderr)


def _told(line: CdxLine, response: ArchivedResponse) -> str:
    told = f"{redact(line.url)} at {rfc3339(line.date)[:19]}Z, {line.filename}:{line.offset}"
    if response.original is None:
        return told
    original = response.original
    why = "not modified since" if response.is_not_modified else "with the same payload as"
    return f"{told}\n  {why} {rfc3339(original.date)[:19]}Z, {original.filename}:{original.offset}"


def _wanted(response: ArchivedResponse, opts: argparse.Namespace) -> bytes:
    if opts.raw:
        return response.block
    if opts.headers:
        return response.head
    return response.body if opts.payload else response.head + response.body
