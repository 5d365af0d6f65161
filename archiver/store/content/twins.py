"""Articles at different addresses that are nearly the same: linked, never merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import and_, bindparam, delete, insert, or_, select

from archiver.articles.objects.model import Twin, article_id
from archiver.articles.versions.fingerprints import BANDS, bands, resemblance
from archiver.store.schema import articles, sketches, twins
from archiver.urls import redact, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from datetime import datetime
    from typing import Any

    from sqlalchemy import Connection, Select

    _Marks = tuple[tuple[int, int], ...]

# From here on two texts are copies of each other, edited or not.
_LEAST = 0.8
# A text that hundreds share is a notice, not an article.
_MOST = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class _Candidate:
    key: str
    url: str
    sketch: tuple[int, ...]
    canonical: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pair:
    key: str
    other: str
    twin: Twin


class TwinFinder:
    """Finds the twins of articles that are new, among all that are known and those found just before."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._new: dict[str, _Candidate] = {}
        # Those by what they are found by: their bands, and the addresses that they name.
        self._marks: dict[object, list[_Candidate]] = {}
        self._pairs: list[_Pair] = []

    def of(self, key: str, url: str, canonical_url: str | None, sketch: tuple[int, ...]) -> tuple[Twin, ...]:
        """The twins of an article that is seen for the first time."""
        mine = _Candidate(key=key, url=url, sketch=sketch, canonical=canonical_key(canonical_url, key))
        marks = tuple(enumerate(bands(sketch))) if sketch else ()
        found = {
            one.key: twin
            for one in (*self._just_found(mine, marks), *self._known(mine, marks))
            if one.key != key and (twin := _twin(mine, one)) is not None
        }
        self._new[key] = mine
        for mark in (*marks, mine.canonical or mine.key):
            self._marks.setdefault(mark, []).append(mine)
        self._pairs += [_Pair(key=key, other=other, twin=twin) for other, twin in found.items()]
        return tuple(found.values())

    def _just_found(self, mine: _Candidate, marks: _Marks) -> Iterator[_Candidate]:
        if mine.canonical in self._new:
            yield self._new[mine.canonical]
        for mark in (*marks, mine.key):
            yield from self._marks.get(mark, ())

    def _known(self, mine: _Candidate, marks: _Marks) -> Iterator[_Candidate]:
        # One after the other: asked for together, no index would serve, and every article be looked at.
        if mine.canonical is not None:
            yield from self._asked(_NAMED, {"name": mine.canonical})
        yield from self._asked(_NAMING, {"name": mine.key})
        if marks:
            yield from self._asked(_ALIKE, {f"value_{band}": value for band, value in marks})

    def _asked(self, query: Select[Any], values: dict[str, Any]) -> Iterator[_Candidate]:
        for row in self._connection.execute(query, values):
            yield _Candidate(key=row.key, url=row.url, sketch=row.sketch or (), canonical=row.canonical)

    def save(self, numbers: dict[str, int], found: datetime) -> None:
        """Note what was found, and the sketches by which later ones are."""
        others = {pair.other for pair in self._pairs} - numbers.keys()
        query = select(articles.c.key, articles.c.id).where(articles.c.key.in_(others))
        ids = numbers | ({row.key: row.id for row in self._connection.execute(query)} if others else {})
        rows = [
            {
                "article_id": ids[pair.key],
                "other_id": ids[pair.other],
                "how": pair.twin.how,
                "similarity": pair.twin.similarity,
                "found": found,
            }
            for pair in self._pairs
        ]
        if rows:
            self._connection.execute(insert(twins), rows)
        _draw(self._connection, {ids[one.key]: one.sketch for one in self._new.values()})


def twins_of(connection: Connection, ids: Sequence[int]) -> dict[int, tuple[Twin, ...]]:
    """The twins that these articles were found with, when they were new."""
    query = (
        select(twins, articles.c.key, articles.c.url)
        .join(articles, articles.c.id == twins.c.other_id)
        .where(twins.c.article_id.in_(ids))
        .order_by(twins.c.other_id)
    )
    found: dict[int, tuple[Twin, ...]] = {}
    for row in connection.execute(query):
        twin = Twin(id=article_id(row.key), url=redact(row.url), how=row.how, similarity=row.similarity)
        found[row.article_id] = (*found.get(row.article_id, ()), twin)
    return found


def draw_anew(connection: Connection, drawn: Mapping[int, tuple[int, ...]]) -> None:
    """Have articles be found by other sketches than before."""
    connection.execute(delete(sketches).where(sketches.c.article_id.in_(drawn)))
    _draw(connection, drawn)


def canonical_key(url: str | None, key: str) -> str | None:
    """The key of the address that an article names as its own, where that is another."""
    named = same_page_key(url) if url else key
    return named if named != key else None


def _draw(connection: Connection, drawn: Mapping[int, tuple[int, ...]]) -> None:
    values = [
        {"band": band, "value": value, "article_id": number}
        for number, sketch in drawn.items()
        if sketch
        for band, value in enumerate(bands(sketch))
    ]
    if values:
        connection.execute(insert(sketches), values)


# Made once: to make them anew for each article would cost more than to ask them.
_CANDIDATES: Select[Any] = select(articles.c.key, articles.c.url, articles.c.sketch, articles.c.canonical)
_NAMED = _CANDIDATES.where(articles.c.key == bindparam("name"))
_NAMING = _CANDIDATES.where(articles.c.canonical == bindparam("name")).limit(_MOST)
_IS_SHARED = or_(
    *(and_(sketches.c.band == band, sketches.c.value == bindparam(f"value_{band}")) for band in range(BANDS))
)
_ALIKE = _CANDIDATES.where(
    articles.c.id.in_(select(sketches.c.article_id).where(_IS_SHARED).distinct().limit(_MOST))
)


def _twin(mine: _Candidate, other: _Candidate) -> Twin | None:
    alike = resemblance(mine.sketch, other.sketch) if mine.sketch and other.sketch else 0.0
    is_named = other.key == mine.canonical or other.canonical == mine.key
    if not is_named and alike < _LEAST:
        return None
    return Twin(
        id=article_id(other.key),
        url=redact(other.url),
        how="canonical" if is_named else "text",
        similarity=round(alike, 2),
    )
