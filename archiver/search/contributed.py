"""Comments, posts and revisions in the index: their lines, and the article of each."""

from __future__ import annotations

from datetime import date, datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING, NamedTuple

import msgspec
from sqlalchemy import select, tuple_

from archiver.archive.objects.kinds import read_part
from archiver.articles.objects.model import article_id
from archiver.documents.apis.model import PostAuthor
from archiver.errors import RecordError
from archiver.search.model import Hit, HitChannel
from archiver.search.settled import holds_posts
from archiver.search.snippets import snippet
from archiver.store.schema import articles, contributions, posts, versions
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.search.query import QueryTerm
    from archiver.search.sieve import Match


class IndexedContribution(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of a contribution, or of a post of a network, that are searched and shown."""

    id: str
    kind: str
    # A post is made to no page.
    article: str = ""
    page_url: str = ""
    key: str = ""
    title: str | None = None
    url: str | None = None
    said_by: str | PostAuthor | None = msgspec.field(name="author", default=None)
    published: datetime | None = None
    published_day: date | None = None
    first_seen: datetime
    captured: datetime
    version: int
    change: str = "new"
    text: str = ""
    confidence: float = 1.0  # an API leaves nothing to be guessed

    @property
    def author(self) -> str | None:
        by = self.said_by
        return by.name or by.handle if isinstance(by, PostAuthor) else by

    @property
    def page(self) -> str:
        """The address by which it may be withheld."""
        return self.page_url or self.url or ""


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
        if not line.article:
            return 0
        if self._known[0] != line.page_url:
            page = page_of(self._state, line)
            self._known = (line.page_url, page.channel if page else 0)
        return self._known[1]


def page_of(state: Connection, line: IndexedContribution) -> ContributedPage | None:
    """The article that a contribution is made to; None where only its page is known."""
    if not line.article:
        return ContributedPage(line.title, 0)
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
    """The places of those that their pages, or their networks, do not show any more."""
    gone = set()
    for table, is_of_network in ((contributions, False), (posts, True)):
        places = [(one.file, one.place) for one in found if holds_posts(one.file) is is_of_network]
        here = tuple_(table.c.object_file, table.c.object_offset)
        query = select(table.c.object_file, table.c.object_offset)
        mine = here.in_(places) & table.c.gone.is_not(None)
        rows = state.execute(query.where(mine)) if places else ()
        gone |= {(row.object_file, row.object_offset) for row in rows}
    return gone


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
        url=line.page,
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
