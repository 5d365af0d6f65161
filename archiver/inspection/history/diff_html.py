"""A difference as markup, for a page of its own and for entries of a feed: only `ins` and `del`, no links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.display.page import safe
from archiver.inspection.history.difference import has_changed, words_of
from archiver.inspection.history.layout import (
    Skipped,
    is_changed_line,
    is_changed_row,
    lines_of,
    rows_of,
    without_same,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from archiver.articles.versions.words import WordRun
    from archiver.documents.pages.model import Image, Link
    from archiver.inspection.history.difference import Difference, Exchanged
    from archiver.inspection.history.layout import DiffRow, Line

_TAGS = {"added": "ins", "removed": "del"}


def pieces_html(pieces: Iterable[WordRun]) -> str:
    return "".join(_piece(piece) for piece in pieces)


def _piece(piece: WordRun) -> str:
    tag = _TAGS.get(piece.kind)
    if not tag or not piece.text.strip():
        return safe(piece.text)
    # The space behind the last word is no part of what came or went.
    words = piece.text.rstrip()
    return f"<{tag}>{safe(words)}</{tag}>{safe(piece.text[len(words) :])}"


def inline_html(difference: Difference, *, is_foldable: bool) -> Iterator[str]:
    """The text as paragraphs; what stayed is folded, or left out where nothing can be folded."""
    for line in without_same(lines_of(difference.text), is_changed_line):
        if not isinstance(line, Skipped):
            yield _paragraph(line)
        elif is_foldable:
            yield _folded(line, map(_paragraph, line.lines))
        else:
            yield f'<p><em lang="en">{line}</em></p>'


def columns_html(difference: Difference, heads: tuple[str, str]) -> Iterator[str]:
    """The text in two columns; what stayed is folded."""
    yield '<table class="columns"><thead><tr>'
    yield "".join(f'<th scope="col" lang="en">{safe(head)}</th>' for head in heads)
    yield "</tr></thead><tbody>"
    for row in without_same(rows_of(difference.text), is_changed_row):
        if isinstance(row, Skipped):
            folded = _folded(row, (_paragraph(one.now or ()) for one in row.lines))
            yield f'<tr><td colspan="2">{folded}</td></tr>'
        else:
            yield _row(row)
    yield "</tbody></table>"


def _folded(skipped: Skipped[Line] | Skipped[DiffRow], parts: Iterable[str]) -> str:
    return f'<details><summary lang="en">{skipped}</summary>{"".join(parts)}</details>'


def _row(row: DiffRow) -> str:
    cells = (_paragraph(line) if line else "" for line in (row.before, row.now))
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def _paragraph(line: Line) -> str:
    return f'<p dir="auto">{pieces_html(line)}</p>'


def title_html(difference: Difference) -> Iterator[str]:
    if has_changed(difference.title):
        yield f'<h2 lang="en">Title</h2><p dir="auto">{pieces_html(difference.title)}</p>'


def lists_html(difference: Difference) -> Iterator[str]:
    for name, exchanged in (("Links", difference.links), ("Images", difference.images)):
        if exchanged:
            yield f'<h2 lang="en">{name}</h2><ul>{"".join(_items(exchanged))}</ul>'


def _items(exchanged: Exchanged[Link] | Exchanged[Image]) -> Iterator[str]:
    for one in exchanged.removed:
        yield f"<li><del>{_thing(one)}</del></li>"
    for one in exchanged.added:
        yield f"<li><ins>{_thing(one)}</ins></li>"
    for old, new in exchanged.reworded:
        changed = f"<del>{safe(words_of(old))}</del> <ins>{safe(words_of(new))}</ins>"
        yield f"<li><code>{safe(new.url)}</code> {changed}</li>"


def _thing(one: Link | Image) -> str:
    return f"<code>{safe(one.url)}</code> {safe(words_of(one))}".rstrip()
