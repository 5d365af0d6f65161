"""From a case that fails to the least of it that fails in the same way."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from archiver.documents.pages.model import Announcement

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from archiver.documents.pages.model import RawPage
    from tests.fuzz.cases import Case

T = TypeVar("T")

_PIECE = re.compile(rb"<?[^<\s]*\s*")


class OutOfTimeError(Exception):
    """What was reached by now is small enough."""


def minimised(case: Case, fails: Callable[[Case], bool], seconds: float) -> Case:
    """Leave out pages, what was announced, and pieces of markup, as long as it still fails."""
    return _Search(case, fails, time.monotonic() + seconds).run()


class _Search:
    def __init__(self, case: Case, fails: Callable[[Case], bool], end: float) -> None:
        self._case = case
        self._fails = fails
        self._end = end

    def run(self) -> Case:
        try:
            self._shrink("before")
            self._shrink("pages")
        except OutOfTimeError:
            pass
        return self._case

    def _shrink(self, field: str) -> None:
        def with_pages(pages: Sequence[RawPage]) -> Case:
            return replace(self._case, **{field: tuple(pages)})

        pages = self._least(getattr(self._case, field), with_pages)
        for place in range(len(pages)):
            self._shrink_page(field, place)

    def _shrink_page(self, field: str, place: int) -> None:
        def with_page(page: RawPage) -> Case:
            pages = list(getattr(self._case, field))
            pages[place] = page
            return replace(self._case, **{field: tuple(pages)})

        page: RawPage = getattr(self._case, field)[place]
        for plainer in ({"announcement": Announcement()}, {"content_type": "text/html"}):
            if self._still_fails(with_page(replace(page, **plainer))):
                page = replace(page, **plainer)
        self._least(_PIECE.findall(page.body), lambda pieces: with_page(replace(page, body=b"".join(pieces))))

    def _least(self, parts: Sequence[T], with_parts: Callable[[Sequence[T]], Case]) -> Sequence[T]:
        """Without as many parts as possible, larger runs of them first."""
        size = len(parts)
        while size:
            start = 0
            while start < len(parts):
                fewer = [*parts[:start], *parts[start + size :]]
                if self._still_fails(with_parts(fewer)):
                    parts = fewer
                else:
                    start += size
            size //= 2
        return parts

    def _still_fails(self, case: Case) -> bool:
        if time.monotonic() > self._end:
            raise OutOfTimeError
        if not case.pages or case == self._case or not self._fails(case):
            return False
        self._case = case
        return True
