"""Articles at different addresses that are nearly the same: linked, never merged."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import insert, select, tuple_

from archiver.objects.model import Twin, article_id
from archiver.store.schema import articles, sketches, twins
from archiver.urls import redact, same_page_key
from archiver.versions.near import bands, resemblance

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from sqlalchemy import Connection

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
        self._pairs: list[_Pair] = []

    def of(self, key: str, url: str, canonical_url: str | None, sketch: tuple[int, ...]) -> tuple[Twin, ...]:
        """The twins of an article that is seen for the first time."""
        canonical = same_page_key(canonical_url) if canonical_url else None
        mine = _Candidate(key=key, url=url, sketch=sketch, canonical=canonical)
        found = {
            one.key: twin
            for one in (*self._new.values(), *self._known(mine))
            if one.key != key and (twin := _twin(mine, one)) is not None
        }
        self._new[key] = mine
        self._pairs += [_Pair(key=key, other=other, twin=twin) for other, twin in found.items()]
        return tuple(found.values())

    def _known(self, mine: _Candidate) -> Iterator[_Candidate]:
        is_named = (articles.c.key == mine.canonical) | (articles.c.canonical == mine.key)
        wanted = is_named
        if mine.sketch:
            shared = [*enumerate(bands(mine.sketch))]
            alike = select(sketches.c.article_id).where(tuple_(sketches.c.band, sketches.c.value).in_(shared))
            wanted = is_named | articles.c.id.in_(alike.limit(_MOST))
        query = select(articles.c.key, articles.c.url, articles.c.sketch, articles.c.canonical)
        for row in self._connection.execute(query.where(wanted).limit(_MOST)):
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
        values = [
            {"band": band, "value": value, "article_id": ids[one.key]}
            for one in self._new.values()
            if one.sketch
            for band, value in enumerate(bands(one.sketch))
        ]
        if values:
            self._connection.execute(insert(sketches), values)


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
