"""The captures of a site in an archive: the newest of each address."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from archiver.acquisition.sites.reading import VisitedDocument
from archiver.acquisition.sites.scope import is_within
from archiver.archive.cdxj.surt import surt_key
from archiver.archive.retrieval import read_archived
from archiver.archive.warc.wire import split_response
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine


class ArchivedSite:
    """What an archive has of a site."""

    def __init__(self, index: Index, warc_folder: Path, scope: str) -> None:
        self._index, self._folder, self._scope = index, warc_folder, scope

    def urls(self) -> Iterable[str]:
        return [line.url for line in self._lines.values()]

    def document(self, url: str) -> VisitedDocument | None:
        line = self._lines.get(same_page_key(url))
        if line is None:
            return None
        response = read_archived(self._index, self._folder, line)
        said = split_response(response.head)
        return VisitedDocument(
            url=line.url,
            content=response.body,
            content_type=said.header("Content-Type"),
            status=said.status,
            headers=said.headers(),
            scope=self._scope,
        )

    @cached_property
    def _lines(self) -> dict[str, CdxLine]:
        """By the key of the page; what is later in the index is newer, and an answer is better than none."""
        host = surt_key(f"http://{self._scope}").partition(")")[0]
        found: dict[str, CdxLine] = {}
        for line in self._index.range(f"{host})"):
            if is_within(line.url, self._scope) and line.submitted is None:
                key = same_page_key(line.url)
                if key not in found or _is_answer(line) or not _is_answer(found[key]):
                    found[key] = line
        return found


def _is_answer(line: CdxLine) -> bool:
    return line.is_revisit or (line.status or "").startswith(("2", "3"))
