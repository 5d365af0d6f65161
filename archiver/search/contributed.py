"""Comments, posts and revisions in the index: their lines, and the article of each."""

from __future__ import annotations

from datetime import date, datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from sqlalchemy import select, tuple_

from archiver.archive.objects.kinds import read_part
from archiver.articles.objects.model import article_id
from archiver.errors import RecordError
from archiver.search.model import Hit, HitChannel
from archiver.search.snippets import snippet
from archiver.store.schema import articles, contributions, versions
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.query import QueryTerm
    from archiver.search.sieve import Match


class IndexedContribution(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a contribution that are searched and shown."""

    id: str
    kind: str
    article: str
    page_url: str
    key: str
    url: str | None = None
    author: str | None = None
    published: datetime | None = None
    published_day: date | None = None
    first_seen: datetime
    captured: datetime
    version: int
    change: str = "new"
    text: str = ""
    confidence: float = 0.0


class ContributedPage(NamedTuple):
    """The article of a page, as far as it is known."""

    title: str | None
    channel: int


class PageChannels:
    """Looks up by which channels the pages of contributions were announced; many are of one page."""

    def __init__(self, state: Connection) -> None:
        self._state = state
        self._known: tuple[str, int] = ("", 0)

    def of(self, line: IndexedContribution) -> int:
        if self._known[0] != line.page_url:
            page = page_of(self._state, line)
            self._known = (line.page_url, page.channel if page else 0)
        return self._known[1]


def page_of(state: Connection, line: IndexedContribution) -> ContributedPage | None:
    """The article that a contribution is made to; None where only its page is known."""
    key = same_page_key(line.page_url)
    if article_id(key) != line.article:
        return None  # of a part of a page, or found by another address
    query = (
        select(versions.c.title, versions.c.channel_id)
        .join(articles, (articles.c.id == versions.c.article_id) & (articles.c.version == versions.c.version))
        .where(articles.c.key == key)
    )
    row = state.execute(query).first()
    return ContributedPage(row.title, row.channel_id) if row else None


def read_contribution(objects: Path, match: Match) -> IndexedContribution | None:
    try:
        return read_part(objects, match.file, match.place, IndexedContribution)
    except RecordError:
        return None


def gone_contributions(state: Connection, found: Sequence[Match]) -> set[tuple[str, int]]:
    """The places of those that their pages do not show any more."""
    places = [(match.file, match.place) for match in found]
    here = tuple_(contributions.c.object_file, contributions.c.object_offset)
    query = select(contributions.c.object_file, contributions.c.object_offset)
    mine = here.in_(places) & contributions.c.gone.is_not(None)
    return (
        {(row.object_file, row.object_offset) for row in state.execute(query.where(mine))}
        if places
        else set()
    )


def contribution_hit(
    match: Match,
    line: IndexedContribution,
    page: ContributedPage | None,
    terms: Sequence[QueryTerm],
    *,
    channel: HitChannel | None,
    gone: bool,
) -> Hit:
    return Hit(
        article=line.article,
        version=line.version,
        kind=line.kind,
        url=line.page_url,
        title=page.title if page else None,
        contribution=line.id,
        key=line.key,
        own_url=line.url,
        channel=channel,
        authors=(line.author,) if line.author else (),
        published=line.published,
        captured=line.captured,
        kinds=(line.change,),
        gone=gone,
        newest=match.is_newest,
        confidence=line.confidence,
        score=None if match.score is None else -match.score,
        snippet=snippet(line.text, terms),
        file=match.file,
        offset=match.place,
    )
