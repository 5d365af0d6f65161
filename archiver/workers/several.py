"""Pages as their records have them, in the worker process; those of one article joined into one."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from archiver.continuation.joining import join, where_next
from archiver.extract.model import Announcement, RawPage
from archiver.timestamps.http import from_head
from archiver.warc.reader import read_response

if TYPE_CHECKING:
    from archiver.workers.messages import FurtherToRead, PageRead, PageToRead


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
        joined = join(self._first, self._further)
        self.page = joined.page
        self._used = joined.used

    def continued(self, read: PageRead) -> PageRead:
        """What was read, with the pages that it is on. A part of a page does not go on."""
        onward = None
        if self._asked.is_followed and read.article is not None and not self._asked.part:
            others = [one.asked for one in self._asked.further[self._used :]]
            used = self._further[: self._used]
            onward = where_next(self._first, used, [*self._asked.passed, *others])
        if not self._used and onward is None:
            return read
        return msgspec.structs.replace(read, used=self._used, onward=onward)
