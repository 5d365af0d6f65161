"""What a captured page needs to be shown, as far as the archive has it: styles, images, fonts, scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.archive.cdxj.lines import mime_of
from archiver.archive.retrieval import read_archived, redirect_of
from archiver.archive.warc.wire import split_response
from archiver.documents.requisites.css import style_requisites
from archiver.documents.requisites.page import page_requisites
from archiver.errors import ArchiverError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine


_PAGES = ("text/html", "application/xhtml+xml")
_STYLE = "text/css"
# Of one page: as many as a page and its styles may ask for.
_MOST = 1000


class Needs:
    """Follows a page to what it names, a style to what it names, and redirects to where they lead."""

    def __init__(self, index: Index, warc_folder: Path) -> None:
        self._index = index
        self._folder = warc_folder

    def of(self, page: CdxLine) -> Iterator[CdxLine]:
        """The capture of each requisite that is nearest to that of the page."""
        # Where a redirect of the selection leads is selected, or not, by itself.
        waiting = [] if (page.status or "").startswith("3") else self._named(page)
        seen = set(waiting)
        while waiting and len(seen) < _MOST:
            line = self._index.nearest(waiting.pop(), page.date)
            if line is not None:
                yield line
                new = [url for url in self._named(line, styles_only=True) if url not in seen]
                seen.update(new)
                waiting += new

    def _named(self, line: CdxLine, *, styles_only: bool = False) -> list[str]:
        """The addresses that a capture leads to."""
        if redirect := redirect_of(self._folder, line):
            return redirect
        if not line.is_revisit and line.mime not in (*_PAGES, _STYLE):
            return []
        try:
            response = read_archived(self._index, self._folder, line)
        except ArchiverError:
            return []  # told when it is copied
        content_type = split_response(response.block).header("Content-Type")
        mime = mime_of(content_type)
        if mime == _STYLE:
            found = style_requisites(response.body, url=line.url, content_type=content_type)
        elif mime in _PAGES and not styles_only:
            found = page_requisites(response.body, url=line.url, content_type=content_type, scope="page")
        else:
            found = []
        return [requisite.url for requisite in found]
