"""`scrapy diff`: two versions of an article word by word."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

from archiver.display.tables import printable
from archiver.display.terminal import Colours, show
from archiver.errors import ArchiveError, ConfigurationError
from archiver.extensions.arguments import output_file, web_url
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.files import write_text
from archiver.inspection.history.articles import read_said
from archiver.inspection.history.diff_page import Compared, facts_of, nothing_differs, page_of
from archiver.inspection.history.diff_text import inline, side_by_side
from archiver.inspection.history.difference import compare_articles

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.inspection.history.model import ArticleHistory, VersionNote


class Command(ArchiveCommand):
    usage = "URL [V1] [V2] [--side-by-side] [--html FILE] [--all]"
    about = (
        "Compare two versions of the article at a URL word by word: V1 and V2; V1 and the one before it; "
        "or the last two. Then titles, links and images. The numbers are those of `scrapy history`. "
        "Changes nothing. Exit codes: 0 shown, also where nothing differs; 1 no such article or version, "
        "an object cannot be read, or the file not be written; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--side-by-side", action="store_true", help="in two columns")
        parser.add_argument("--html", metavar="FILE", help="also write a page with the difference")
        parser.add_argument("--all", action="store_true", help="also print what stayed the same")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        url, *numbers = _arguments(args)
        out = output_file("--html", opts.html) if opts.html is not None else None
        objects = archive_to_read(self.its_settings) / "objects"
        from archiver.inspection.history.queries import known_article  # noqa: PLC0415 - no help needs it

        with self.state() as state:
            found = known_article(state, url, objects, self.withheld(state))
        compared = _compared(found, objects, [int(number) for number in numbers], self.program)
        if out is not None:
            write_text(out, page_of(compared, in_columns=opts.side_by_side))
        show(_lines(compared, opts))
        if out is not None:
            print(f"Written: {out}", file=sys.stderr)


def _arguments(args: list[str]) -> list[str]:
    if not 1 <= len(args) <= 3:
        raise ConfigurationError("Name one URL, and the numbers of up to two versions")
    web_url(args[0])
    if wrong := [one for one in args[1:] if not (one.isdecimal() and one.isascii() and len(one) < 10)]:
        raise ConfigurationError(f"{wrong[0]} is not the number of a version: `scrapy history` has them")
    return args


def _compared(found: ArticleHistory, objects: Path, numbers: list[int], program: str) -> Compared:
    before, now = _pair(found, numbers)
    old, new = read_said(objects, before.object), read_said(objects, now.object)
    return Compared(
        article=found,
        before=before,
        now=now,
        difference=compare_articles(old, new),
        language=new.language or old.language,
        program=program,
    )


def _pair(found: ArticleHistory, numbers: list[int]) -> tuple[VersionNote, VersionNote]:
    known = {note.version: note for note in found.versions}
    last = found.versions[-1].version
    first, second = numbers if len(numbers) == 2 else ((numbers or [last])[0] - 1, (numbers or [last])[0])
    if second in known and first == 0 and len(numbers) < 2:
        raise ArchiveError(f"{found.url} has nothing before version {second} to compare it with")
    if missing := [number for number in (first, second) if number not in known]:
        has = f"1 to {last}" if last > 1 else "version 1 alone"
        raise ArchiveError(f"{found.url} has no version {missing[0]}: it has {has}")
    return known[first], known[second]


def _lines(compared: Compared, opts: argparse.Namespace) -> Iterator[str]:
    paint = Colours(sys.stdout).paint
    if compared.article.title:
        yield paint(printable(compared.article.title), "bold")
    for name, text in facts_of(compared):
        yield f"{name:<11} {printable(text)}"
    yield ""
    if not compared.difference:
        yield from map(printable, nothing_differs(compared))
        return
    view = side_by_side if opts.side_by_side else inline
    width = shutil.get_terminal_size().columns
    yield from view(compared.difference, paint, width=width, is_whole=opts.all)
    yield "All times are UTC."
