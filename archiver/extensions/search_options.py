"""What searches are asked with on the command line: filters, how many, and how they are printed."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import msgspec

from archiver.display.tables import folded
from archiver.display.terminal import Colours, show, window_width
from archiver.errors import ConfigurationError
from archiver.extensions.arguments import add_channel_option, add_since_option, add_until_option, span_from
from archiver.search.listing import INDENT, count_in_words, lines_of
from archiver.search.model import CHANGES, KINDS_OF_HITS, MOST_HITS, SearchRequest, SearchResult

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection


def add_filter_options(parser: argparse.ArgumentParser) -> None:
    add_channel_option(parser, "articles of")
    parser.add_argument(
        "--label", nargs="+", action="extend", default=[], help="only articles of channels with these labels"
    )
    parser.add_argument(
        "--author", default="", metavar="NAME", help="only by this author; a part of the name will do"
    )
    parser.add_argument("--category", default="", metavar="NAME", help="only of this category")
    parser.add_argument(
        "--language", default="", metavar="CODE", help="only in this language, such as en or pt-BR"
    )
    add_since_option(parser, "articles published")
    add_until_option(parser, "articles published")
    parser.add_argument(
        "--change",
        default="",
        choices=CHANGES,
        help="only articles that are new, edited in this, gone or back",
    )
    parser.add_argument(
        "--confidence", type=float, default=0.0, metavar="N", help="only found with this confidence, 0 to 1"
    )
    parser.add_argument(
        "--kind", default="", choices=KINDS_OF_HITS, help="only articles, PDF documents, comments, …"
    )
    parser.add_argument(
        "--limit", type=int, default=20, metavar="N", help="so many, 20 unless you say otherwise"
    )
    parser.add_argument("--after", default="", metavar="PLACE", help="go on behind `next` of the page before")
    parser.add_argument("--json", action="store_true", help="as one JSON object")


def request_from(opts: argparse.Namespace, words: str = "") -> SearchRequest:
    since, until = span_from(opts)
    if opts.limit < 1:
        raise ConfigurationError("--limit: write a number from 1 on")
    return SearchRequest(
        words=words,
        channel=tuple(opts.channel),
        label=tuple(opts.label),
        author=opts.author,
        category=opts.category,
        language=opts.language,
        since=since,
        until=until,
        change=opts.change,
        confidence=opts.confidence,
        kind=opts.kind,
        limit=min(opts.limit, MOST_HITS),
        after=opts.after,
    )


def ask(state: Connection, folder: Path, request: SearchRequest, limit: int) -> SearchResult:
    """As many hits as are wanted, also where one answer has fewer."""
    from archiver.search.opening import open_index  # noqa: PLC0415 - no help needs it
    from archiver.search.searching import search  # noqa: PLC0415 - likewise
    from archiver.store.withheld import load_withheld  # noqa: PLC0415 - likewise

    objects, hidden = folder / "objects", load_withheld(state, folder).hides
    with open_index(folder, state) as index:
        result = search(index, state, objects, request, hidden=hidden)
        hits = list(result.hits)
        while result.next and len(hits) < limit:
            few = min(limit - len(hits), MOST_HITS)
            request = msgspec.structs.replace(request, after=result.next, limit=few)
            result = search(index, state, objects, request, hidden=hidden)
            hits += result.hits
    return msgspec.structs.replace(result, hits=tuple(hits))


def print_result(result: SearchResult, *, as_json: bool, with_snippet: bool) -> None:
    if as_json:
        show([msgspec.json.format(msgspec.json.encode(result), indent=1).decode()])
    else:
        show(_listed(result, with_snippet=with_snippet))


def _listed(result: SearchResult, *, with_snippet: bool) -> Iterator[str]:
    paint, width = Colours(sys.stdout).paint, window_width(sys.stdout)
    for hit in result.hits:
        lines = lines_of(hit, paint, with_snippet=with_snippet)
        yield from (folded(line, width, indent=INDENT) for line in lines)
    yield folded(count_in_words(result, len(result.hits)), width)
    if result.next:
        yield f"Next page: --after {result.next}"
