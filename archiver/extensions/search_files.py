"""What was found, written to files: a feed, a page, a book."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from archiver.clock import machine_now
from archiver.display.tables import many
from archiver.extensions.arguments import output_file
from archiver.files import whole_file, write_text
from archiver.search.listing import request_in_words

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.model import SearchRequest, SearchResult

_FORMATS = ("atom", "html", "epub")


def add_file_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--atom", metavar="FILE", help="write an Atom feed of what was found")
    parser.add_argument("--html", metavar="FILE", help="write the articles that were found to one HTML file")
    parser.add_argument("--epub", metavar="FILE", help="write them as a book")


def wanted_files(opts: argparse.Namespace) -> dict[str, Path]:
    """Which files are to be written, by format; checked before the work."""
    return {name: output_file(f"--{name}", getattr(opts, name)) for name in _FORMATS if getattr(opts, name)}


def write_files(
    files: dict[str, Path],
    state: Connection,
    folder: Path,
    request: SearchRequest,
    result: SearchResult,
    on_problem: Callable[[str], object],
) -> str:
    """Write them; what was written, in words."""
    from archiver.inspection.selection.epub import write_epub  # noqa: PLC0415 - no help needs it
    from archiver.inspection.selection.model import chosen_articles  # noqa: PLC0415 - likewise
    from archiver.inspection.selection.page import selection_page  # noqa: PLC0415 - likewise
    from archiver.search.opening import open_index  # noqa: PLC0415 - likewise

    title, now = request_in_words(request), machine_now()
    if path := files.get("atom"):
        write_text(path, _feed(state, title, request, result))
    if files.keys() - {"atom"}:
        with open_index(folder, state) as index:
            chosen = list(chosen_articles(index, folder / "objects", result.hits, on_problem))
        if path := files.get("html"):
            write_text(path, selection_page(title, chosen, now))
        if path := files.get("epub"):
            with whole_file(path) as file:
                write_epub(file, title, chosen, now)
    return f"Written: {many(len(result.hits), 'article')} to {', '.join(map(str, files.values()))}"


def _feed(state: Connection, title: str, request: SearchRequest, result: SearchResult) -> str:
    from archiver.inspection.history.changes import store_name  # noqa: PLC0415 - no help needs it
    from archiver.inspection.history.model import urn_of  # noqa: PLC0415 - likewise
    from archiver.inspection.selection.atom import search_feed  # noqa: PLC0415 - likewise

    asked = msgspec.json.encode(msgspec.structs.replace(request, after="", limit=1)).decode()
    name = urn_of(("search", *store_name(state), asked))
    return "".join(search_feed(name, title, result.hits, machine_now()))
