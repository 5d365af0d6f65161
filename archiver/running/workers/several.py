"""Pages as their records have them, in the worker process; those of one article joined into one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.warc.reader import read_response
from archiver.articles.continuation.joining import join, where_next
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.times.http import from_head

if TYPE_CHECKING:
    from archiver.running.workers.messages import FurtherToRead, PageRead, PageToRead


def raw_page(folder: str, page: PageToRead | FurtherToRead, said: Announcement | None = None) -> RawPage:
    """A page as its record has it."""
    stored = read_response(Path(folder), page.file, page.offset)
    return RawPage(
        id=page.id,
        url=page.url,
        body=stored.content,
        content_type=stored.content_type,
        announcement=said or Announcement(),
        dated=tuple(from_head(stored.headers)),
    )


class SeveralPages:
    """The pages of an article as one page, and where it goes on; most have one."""

    def __init__(self, folder: str, asked: PageToRead) -> None:
        self._asked = asked
        self._first = raw_page(folder, asked, asked.announcement)
        self._further = [raw_page(folder, one, asked.announcement) for one in asked.further]
        self._joined = join(self._first, self._further)
        self.page = self._joined.page

    def continued(self, read: PageRead) -> PageRead:
        """What was read, with the pages that it is on. A part of a page does not go on."""
        if self._joined.is_unjoined:
            return msgspec.structs.replace(read, is_unjoined=True)
        onward, count = None, self._joined.used
        if self._asked.is_followed and read.article is not None and not self._asked.part:
            others = [one.asked for one in self._asked.further[count:]]
            onward = where_next(self._first, self._further[:count], [*self._asked.passed, *others])
        return msgspec.structs.replace(read, used=count, onward=onward) if count or onward else read
