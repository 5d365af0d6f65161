"""A search: what is asked, looked up in the index, and shown with what the objects say."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import func, select

from archiver.errors import ConfigurationError
from archiver.search.choosing import check, query_of, sieve_of
from archiver.search.feeding import here
from archiver.search.model import SearchResult
from archiver.search.showing import addresses_of, hits_of
from archiver.store.object_files import object_lengths
from archiver.store.schema import object_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.model import SearchRequest
    from archiver.search.sieve import Match, SearchIndex, Sieve

_MOST_AT_ONCE = 500
_CURSOR = re.compile(r"(?:(?P<score>-?[0-9]{1,9}(?:\.[0-9]{1,20})?(?:e-?[0-9]{1,3})?)~)?(?P<id>[0-9]{1,18})")


def never(_url: str) -> bool:
    """Nothing is hidden."""
    return False


def search(
    index: SearchIndex,
    state: Connection,
    objects: Path,
    request: SearchRequest,
    *,
    hidden: Callable[[str], bool] = never,
) -> SearchResult:
    """One page of what was found. What is at an address that is `hidden` is passed over.

    Raises ConfigurationError where a value cannot be meant, ArchiveError where a channel is not known.
    """
    check(request)
    query = query_of(request)
    sieve = sieve_of(state, request, query)
    behind = _behind(index, state, objects)
    if sieve is None:
        return SearchResult(behind=behind)
    reader = _Reader(index, state, objects, sieve, request, hidden)
    found = list(islice(reader.shown(), request.limit + 1))
    page = found[: request.limit]
    total, is_exact = index.count(sieve)
    total = max(total - reader.passed_over, len(page))
    if reader.passed_over:
        # Where all that may be shown is here, not even that there is more is told.
        is_exact = len(found) <= request.limit and not request.after
        total = len(page) if is_exact else total
    return SearchResult(
        hits=hits_of(index, state, objects, page, query.terms, hidden=hidden),
        total=total,
        total_is_exact=is_exact,
        ranked_among=reader.ranked_among,
        next=_cursor(page[-1]) if len(found) > len(page) else "",
        behind=behind,
    )


def _behind(index: SearchIndex, state: Connection, objects: Path) -> int:
    """How many bytes of the folder's objects are not in the index."""
    settled = state.execute(select(func.sum(object_files.c.length))).scalar() or 0
    # Mostly it has all of them, and then there is no need to compare file by file.
    if index.fed_bytes() == settled:
        return 0
    return index.behind(here(objects, object_lengths(state)))


class _Reader:
    """Reads rows on and on, as many as are asked for."""

    def __init__(
        self,
        index: SearchIndex,
        state: Connection,
        objects: Path,
        sieve: Sieve,
        request: SearchRequest,
        hidden: Callable[[str], bool],
    ) -> None:
        self._index = index
        self._state = state
        self._objects = objects
        self._sieve = sieve
        self._request = request
        self._hidden = hidden
        self._is_ranked = request.ranked and bool(sieve.query.groups)
        self.ranked_among: int | None = None
        self.passed_over = 0

    def shown(self) -> Iterator[Match]:
        place, size = _place(self._request.after, is_ranked=self._is_ranked), self._request.limit + 1
        while found := self._next(place, size):
            known = addresses_of(self._index, self._state, self._objects, found)
            for match in found:
                if match.id not in known or self._hidden(known[match.id]):
                    self.passed_over += 1
                else:
                    yield match
            if len(found) < size:
                return
            place, size = _Place(found[-1].score, found[-1].id), min(2 * size, _MOST_AT_ONCE)

    def _next(self, place: _Place | None, size: int) -> list[Match]:
        if not self._is_ranked:
            return self._index.newest(self._sieve, place.id if place else None, size)
        after = (place.score, place.id) if place and place.score is not None else None
        found, self.ranked_among = self._index.best(self._sieve, after, size)
        return found


class _Place(NamedTuple):
    """The last row of the page before."""

    score: float | None
    id: int


def _cursor(match: Match) -> str:
    return str(match.id) if match.score is None else f"{match.score!r}~{match.id}"


def _place(cursor: str, *, is_ranked: bool) -> _Place | None:
    if not cursor:
        return None
    found = _CURSOR.fullmatch(cursor)
    if found is None or bool(found["score"]) != is_ranked:
        raise ConfigurationError(f"after: {cursor[:40]!r} is not a place in this answer")
    return _Place(float(found["score"]) if found["score"] else None, int(found["id"]))
