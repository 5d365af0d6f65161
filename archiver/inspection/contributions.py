"""What readers wrote about an article: threads of comments, each with its versions."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING

from sqlalchemy import func, inspect, select

from archiver.archive.objects.kinds import read_part
from archiver.articles.contributions.model import ArchivedContribution
from archiver.errors import RecordError
from archiver.store.schema import contributions

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from sqlalchemy import Connection, Row

# Answers to answers are shown further in, up to here.
DEEPEST = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class ContributionText:
    """One version of a contribution."""

    version: int
    captured: datetime
    # When it was seen last as it is here.
    last_seen: datetime
    text: str
    html: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownContribution:
    """A contribution with all of its versions, the newest last, and how deep in its thread it stands."""

    id: str
    kind: str
    key: str
    author: str | None
    author_url: str | None
    url: str | None
    published: datetime | None
    published_day: date | None
    published_text: str | None
    parent: str | None
    depth: int
    confidence: float
    read_by: str
    # When its page was seen without it; None: it is there.
    gone: datetime | None
    versions: tuple[ContributionText, ...]


def count_contributions(state: Connection, article: str) -> int:
    """How many contributions to an article are known."""
    if not inspect(state).has_table(contributions.name):
        return 0  # of an older archiver
    query = select(func.count(contributions.c.id.distinct())).where(contributions.c.article == article)
    return int(state.execute(query).scalar_one())


def contributions_to(
    state: Connection, objects: Path, article: str, most: int | None = None
) -> tuple[ShownContribution, ...]:
    """What was written about an article, answers behind what they answer, up to so many."""
    if not inspect(state).has_table(contributions.name):
        return ()
    query = select(contributions).where(contributions.c.article == article)
    found: dict[str, list[Row[Any]]] = {}
    for row in state.execute(query.order_by(contributions.c.first_seen, contributions.c.version)):
        found.setdefault(row.id, []).append(row)
    read = [one for rows in found.values() if (one := _read(objects, rows)) is not None]
    return tuple(_threaded(read))[:most]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Read:
    rows: Sequence[Row[Any]]
    texts: tuple[ContributionText, ...]
    last: ArchivedContribution

    @property
    def order(self) -> tuple[str, int]:
        return self.last.published.isoformat() if self.last.published else "", self.last.position


def _read(objects: Path, rows: Sequence[Row[Any]]) -> _Read | None:
    """All versions whose lines can be read."""
    texts, last = [], None
    for row in rows:
        try:
            last = read_part(objects, row.object_file, row.object_offset, ArchivedContribution)
        except RecordError:
            continue  # `scrapy verify` tells
        texts.append(
            ContributionText(
                version=row.version,
                captured=row.captured,
                last_seen=row.last_seen,
                text=last.text,
                html=last.html,
            )
        )
    return _Read(rows=rows, texts=tuple(texts), last=last) if last is not None else None


def _threaded(read: Sequence[_Read]) -> Iterator[ShownContribution]:
    """By time within each thread; an answer to what is not known stands alone."""
    keys = {one.last.key for one in read}
    below: dict[str | None, list[_Read]] = {}
    for one in sorted(read, key=lambda one: one.order):
        parent = one.last.parent if one.last.parent in keys and one.last.parent != one.last.key else None
        below.setdefault(parent, []).append(one)
    waiting = [(one, 0) for one in reversed(below.pop(None, []))]
    while waiting or below:
        if not waiting:  # answers that go round in a circle
            waiting = [(one, 0) for one in reversed(below.pop(next(iter(below))))]
        one, depth = waiting.pop()
        yield _shown(one, depth)
        waiting += [(answer, min(depth + 1, DEEPEST)) for answer in reversed(below.pop(one.last.key, []))]


def _shown(read: _Read, depth: int) -> ShownContribution:
    last = read.last
    return ShownContribution(
        id=last.id,
        kind=last.kind,
        key=last.key,
        author=last.author,
        author_url=last.author_url,
        url=last.url,
        published=last.published,
        published_day=last.published_day,
        published_text=last.published_text,
        parent=last.parent,
        depth=depth,
        confidence=last.confidence,
        read_by=last.read_by,
        gone=read.rows[-1].gone,
        versions=read.texts,
    )
