"""Search forms on archived pages: each is listed once. None of them is submitted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.cdxj.index import Index
from archiver.archive.warc.reader import read_response
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.forms.finding import forms_of
from archiver.errors import ExtractionError, RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from archiver.archive.cdxj.lines import CdxLine
    from archiver.archive.withheld import Withheld
    from archiver.documents.pages.forms.finding import FoundForm


@dataclass(frozen=True, slots=True, kw_only=True)
class MetForm:
    """A search form, and a page that has it."""

    action: str
    page: str
    method: str
    inputs: tuple[str, ...]


def met_forms(folder: Path, withheld: Withheld, tell: Callable[[int], None]) -> list[MetForm]:
    """The search forms of all pages of an archive, by their addresses."""
    found: dict[tuple[str, str], MetForm] = {}
    for number, line in enumerate(_pages(Index(folder / "index", withheld.hides)), 1):
        tell(number)
        for form in _search_forms(folder / "warc", line):
            inputs = tuple(field.name for field in form.fields if field.name and field.kind != "submit")
            met = MetForm(action=form.action, page=line.url, method=form.method, inputs=inputs)
            found.setdefault((form.action, form.method), met)
    return [found[key] for key in sorted(found)]


def _pages(index: Index) -> Iterator[CdxLine]:
    """The last capture of each page."""
    last: CdxLine | None = None
    for line in index.range(""):
        if line.status != "200" or not (line.mime or "").startswith(("text/html", "application/xhtml")):
            continue
        if last is not None and last.key != line.key:
            yield last
        last = line
    if last is not None:
        yield last


def _search_forms(folder: Path, line: CdxLine) -> Iterator[FoundForm]:
    try:
        stored = read_response(folder, line.filename, line.offset)
        tree = parse_html(stored.content, stored.content_type, line.url)
    except (RecordError, ExtractionError, OSError):
        return
    yield from (form for form in forms_of(tree, line.url).forms if form.kind == "search")
