"""`scrapy layout`: where the texts and images of an archived page are, and how they look."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import missing_indexes
from archiver.archive.retrieval import find_capture, similar_urls
from archiver.clock import rfc3339
from archiver.commands.extract_record import tell_instead
from archiver.display.tables import TableColumn, table_lines
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError, ExtractionError
from archiver.extensions.arguments import in_a_folder, moment_from, one_argument
from archiver.extensions.command import ArchiveCommand
from archiver.extensions.places import archive_to_read
from archiver.files import write_text
from archiver.urls import is_web, redact

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from datetime import datetime

    from lxml.etree import _Element as Element

    from archiver.articles.layout.model import Layout
    from archiver.articles.methods.visual.sight import SeenThing

_COLUMNS = (
    TableColumn(title="x", is_number=True),
    TableColumn(title="y", is_number=True),
    TableColumn(title="width", is_number=True),
    TableColumn(title="height", is_number=True),
    TableColumn(title="size", is_number=True),
    TableColumn(title="weight", is_number=True, is_optional=True),
    TableColumn(title="text", narrowest=20),
)
# Without --all: as many as a screen or two hold.
_SHOWN = 40


class _SeenRow(msgspec.Struct, frozen=True, kw_only=True):
    kind: str
    text: str
    box: tuple[float, float, float, float] | None
    size: float
    weight: int
    is_shown: bool
    source: str


class _Told(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    quality: str
    width: float
    height: float
    things: list[_SeenRow]


class Command(ArchiveCommand):
    usage = "URL | FILE [--at TIME] [--html OUT] [--json] [--all]"
    about = (
        "Estimate where the texts and images of an archived page, or of a file, are on a screen of 1024 "
        "pixels, and how they are set; by the styles of the page and those that the archive has. Nothing is "
        "fetched, and no script runs. --html draws the boxes. "
        "Exit codes: 0 shown; 1 not there, or not a page; 2 wrong usage."
    )

    def own_options(self, parser: argparse.ArgumentParser) -> None:
        parser.add_argument("--at", metavar="TIME", help="the capture nearest to this time, not the newest")
        parser.add_argument("--html", metavar="OUT", help="write a picture of the boxes there")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument("--all", action="store_true", help="print every text and image")

    def work(self, args: list[str], opts: argparse.Namespace) -> None:
        name, at = one_argument(args, "URL or file"), moment_from(opts.at)
        out = in_a_folder("--html", opts.html) if opts.html else None
        found = self._archived(name, at) if is_web(name) else _file(name)
        if found is None:
            return
        # No help needs these, and they take long to load.
        from archiver.articles.layout.drawing import html_of  # noqa: PLC0415
        from archiver.articles.layout.estimate import estimate  # noqa: PLC0415
        from archiver.articles.methods.visual.sight import sight_of  # noqa: PLC0415

        url, tree, sheets = found
        layout = estimate(tree, sheets)
        sight = sight_of(tree, url, layout)
        _show(redact(name), layout, [*sight.texts, *sight.images], opts)
        if out is not None:
            write_text(out, html_of(layout, tree, redact(name)))

    def _archived(self, url: str, at: datetime | None) -> tuple[str, Element, list[str]] | None:
        """The tree of a page of the archive and the sheets that are kept; None where it is not there."""
        folder, withheld = archive_to_read(self.its_settings), self.withheld()
        withheld.refuse(url)
        warc = folder / "warc"
        index = Index(folder / "index", withheld.hides)
        line = find_capture(index, url, at)
        if line is None:
            self.fail(f"{redact(url)} is not in the archive")
            tell_instead(similar_urls(index, url), missing_indexes(warc, folder / "index"), self.program)
            return None
        print(f"{redact(line.url)} at {rfc3339(line.date)[:19]}Z", file=sys.stderr)
        from archiver.articles.layout.kept_sheets import kept_sheets  # noqa: PLC0415 - likewise
        from archiver.inspection.pages import read_document  # noqa: PLC0415 - likewise
        from archiver.inspection.requisites import stored_files  # noqa: PLC0415 - likewise

        document = read_document(index, warc, line)
        sheets = kept_sheets(document.tree, line.url, stored_files(index, warc, line.date))
        return line.url, document.tree, sheets


def _file(name: str) -> tuple[str, Element, list[str]]:
    from archiver.documents.pages.dom import parse_html  # noqa: PLC0415 - likewise
    from archiver.documents.pages.not_html import why_not_html  # noqa: PLC0415 - likewise

    path = Path(name)
    if not path.is_file():
        told = f"{redact(name)}: there is no such file, and a URL begins with http:// or https://"
        raise ConfigurationError(told)
    body = path.read_bytes()
    if reason := why_not_html(body, "text/html"):
        raise ExtractionError(f"{name} is not a page: {reason}")
    return "https://page.invalid/", parse_html(body, "text/html", name), []


def _show(name: str, layout: Layout, things: Sequence[SeenThing], opts: argparse.Namespace) -> None:
    things = sorted(things, key=lambda one: (one.box is None, one.box[1] if one.box else 0.0))
    size = f"{layout.width:.0f} × {layout.height:.0f} pixels"
    if opts.json:
        rows = [_row(one) for one in things]
        told = _Told(url=name, quality=layout.quality, width=layout.width, height=layout.height, things=rows)
        print(msgspec.json.format(msgspec.json.encode(told)).decode())
        return
    shown = things if opts.all else [one for one in things if one.box is not None][:_SHOWN]
    print(f"{layout.quality}, {size}; texts and images: {len(things)}")
    cells, paint = [_cells(one) for one in shown], Colours(sys.stdout).paint
    show(table_lines(_COLUMNS, cells, width=window_width(sys.stdout), paint=paint))
    if len(shown) < len(things):
        print(f"{len(things) - len(shown)} more: --all prints them")


def _row(one: SeenThing) -> _SeenRow:
    return _SeenRow(
        kind=one.kind,
        text=one.text,
        box=one.box,
        size=one.size,
        weight=one.weight,
        is_shown=one.is_shown,
        source=one.source,
    )


def _cells(one: SeenThing) -> list[str]:
    place = [f"{side:.0f}" for side in one.box] if one.box else ["-"] * 4
    text = one.text if one.kind == "text" else f"[image] {one.text or one.source.rpartition('/')[2]}"
    return [*place, f"{one.size:.0f}", str(one.weight), text if one.is_shown else f"(not shown) {text}"]
