"""Versions that another extractor made: which there are, and how they follow when they are read anew."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, case, exists, func, or_, select, tuple_, union_all, update

from archiver.articles.continuation.model import NONE
from archiver.articles.methods.registry import FEED, FIELDS
from archiver.articles.objects.model import Version, make_object
from archiver.documents.parts import part_of_key, part_url
from archiver.store.content.leads import leads_of_articles
from archiver.store.content.pages import identity_keys_of
from archiver.store.content.twins import canonical_key, draw_anew, twins_of
from archiver.store.content.wrappers import remember
from archiver.store.object_files import lines_settled
from archiver.store.schema import articles, entries, leads, pages, versions

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from sqlalchemy import ColumnElement, Connection

    from archiver.archive.objects.writer import LinePlace, ObjectWriter
    from archiver.archive.warc.records import Capture
    from archiver.articles.continuation.model import Further
    from archiver.articles.leads import Lead
    from archiver.articles.model import Article
    from archiver.articles.objects.model import ArchivedObject, Twin
    from archiver.articles.versions.model import Change, Fingerprint, Making
    from archiver.store.content.wrappers import Lessons

_EVER = datetime.min.replace(tzinfo=UTC)
# A place in the order in which versions are read: when captured, article, version.
Place = tuple[datetime, int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class OldVersion:
    """A version as it was read before, with the entry that announced it."""

    article_id: int
    key: str
    number: int
    is_last: bool  # of its article
    first_seen: datetime
    digest: str
    unchanged_until: datetime | None
    capture: Capture
    object_file: str
    object_offset: int
    lead: Lead
    further: Further = NONE
    size: int = 0  # not known any more

    @property
    def place(self) -> Place:
        return self.capture.date, self.article_id, self.number

    @property
    def identity_keys(self) -> frozenset[str]:
        return identity_keys_of(self.capture)


@dataclass(frozen=True, slots=True, kw_only=True)
class RereadSelection:
    """Versions that this extractor did not make, from a time on, or those that a wrapper served."""

    extractor: str = ""
    since: datetime = _EVER
    wrapper: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """A version read anew."""

    old: OldVersion
    change: Change  # stays what it was
    article: Article
    fingerprint: Fingerprint
    making: Making
    further: Further = NONE  # as far as they are of it


def count_by_scope(
    connection: Connection, selection: RereadSelection, scopes: Collection[int] | None
) -> dict[int, int]:
    """How many versions of each scope are to be read; of the one that an article was grouped with."""
    announced = select(pages.c.article_id, entries.c.channel_id.label("scope"))
    announced = announced.join(entries, entries.c.page_id == pages.c.id)
    led = select(pages.c.article_id, leads.c.scope_id).join(leads, leads.c.page_id == pages.c.id)
    every = union_all(announced, led).subquery()
    # Of its channels the one that is known longest, else of its other scopes.
    scope = func.coalesce(func.min(case((every.c.scope > 0, every.c.scope))), func.max(every.c.scope))
    owners = select(every.c.article_id, scope.label("scope")).group_by(every.c.article_id).subquery()
    query = select(owners.c.scope, func.count()).join(versions, versions.c.article_id == owners.c.article_id)
    query = query.where(_is_selected(selection)).group_by(owners.c.scope)
    if scopes is not None:
        query = query.where(owners.c.scope.in_(scopes))
    rows = connection.execute(query.order_by(owners.c.scope))
    return {row[0]: row[1] for row in rows}


def _is_owned_by(scope: int) -> ColumnElement[bool]:
    """Whether an article is of this scope, by the rule that counts."""
    mine = pages.c.article_id == versions.c.article_id
    announced = exists().where(mine, entries.c.page_id == pages.c.id)
    if scope > 0:
        return announced.where(entries.c.channel_id == scope) & ~announced.where(entries.c.channel_id < scope)
    led = exists().where(mine, leads.c.page_id == pages.c.id)
    return led.where(leads.c.scope_id == scope) & ~announced & ~led.where(leads.c.scope_id > scope)


def old_versions(
    connection: Connection, selection: RereadSelection, scope: int, *, after: Place | None, limit: int
) -> list[OldVersion]:
    """The next versions of a scope, in the order in which they were captured."""
    place = (versions.c.captured, versions.c.article_id, versions.c.version)
    query = (
        select(versions, articles.c.key, articles.c.first_seen, articles.c.version.label("last"))
        .join(articles, articles.c.id == versions.c.article_id)
        .where(_is_owned_by(scope), _is_selected(selection))
        .order_by(*place)
        .limit(limit)
    )
    if after is not None:
        query = query.where(tuple_(*place) > tuple_(*after, types=[column.type for column in place]))
    rows = connection.execute(query).all()
    found = leads_of_articles(connection, [row.article_id for row in rows])
    return [
        OldVersion(
            article_id=row.article_id,
            key=row.key,
            number=row.version,
            is_last=row.version == row.last,
            first_seen=row.first_seen,
            digest=row.digest,
            unchanged_until=row.unchanged_until,
            capture=row.capture,
            object_file=row.object_file,
            object_offset=row.object_offset,
            lead=found[row.article_id][0],
            further=row.further or NONE,
        )
        for row in rows
    ]


def _is_selected(selection: RereadSelection) -> ColumnElement[bool]:
    of_others = or_(versions.c.extractor.is_(None), versions.c.extractor != selection.extractor)
    # What was made of the feed's own content was on no page.
    wanted = (versions.c.captured >= selection.since) & (versions.c.method != FEED) & of_others
    if selection.extractor:  # a page that has nothing but fields has no article to read anew
        wanted &= versions.c.method != FIELDS
    return wanted if selection.wrapper is None else wanted & (versions.c.wrapper == selection.wrapper)


def settle_rereads(
    connection: Connection,
    rereads: Sequence[Reread],
    lessons: Sequence[Lessons],
    objects: ObjectWriter,
    moment: datetime,
) -> None:
    """Write the new lines, then have the versions follow. A failure must end it: start-up mends the rest."""
    # As in a crawl, the first version names them.
    found = twins_of(connection, [one.old.article_id for one in rereads if one.old.number == 1])
    rows = []
    with lines_settled(connection, objects):
        for one in rereads:
            made = _object(one, found.get(one.old.article_id, ()) if one.old.number == 1 else (), moment)
            rows.append(_follow(one, made, objects.stage(made, moment)))
    if rows:
        connection.execute(_FOLLOW, rows)
    _follow_last(connection, [one for one in rereads if one.old.is_last])
    remember(connection, lessons, moment)


def _follow_last(connection: Connection, last: Sequence[Reread]) -> None:
    """Have articles be known by what their last versions say now."""
    if not last:
        return
    rows = [
        {
            "article": one.old.article_id,
            "drawn": one.fingerprint.sketch or None,
            "named": canonical_key(one.article.canonical_url, one.old.key),
        }
        for one in last
    ]
    connection.execute(_FOLLOW_LAST, rows)
    draw_anew(connection, {one.old.article_id: one.fingerprint.sketch for one in last})


def _object(reread: Reread, twins: tuple[Twin, ...], moment: datetime) -> ArchivedObject:
    old = reread.old
    version = Version(
        number=old.number,
        change=reread.change,
        fingerprint=reread.fingerprint,
        first_seen=old.first_seen,
        unchanged_until=old.unchanged_until,
        capture=old.capture,
        further=reread.further,
        extractor=reread.making.extractor,
        twins=twins,
        reextracted=moment,
    )
    url = part_url(old.capture.url, part_of_key(old.key))
    return make_object(old.key, url, reread.article, old.lead, version)


def _follow(reread: Reread, made: ArchivedObject, place: LinePlace) -> dict[str, object]:
    return {
        "article": reread.old.article_id,
        "number": reread.old.number,
        "whole": reread.fingerprint.whole,
        "headed": reread.fingerprint.title,
        "words": reread.fingerprint.text,
        "led": reread.fingerprint.links,
        "shown": reread.fingerprint.images,
        "called": made.title,
        "came": made.published,
        "touched": made.updated,
        "found_by": reread.article.method,
        "made_by": reread.making.extractor,
        "read_by": reread.making.wrapper,
        "read_with": reread.making.siblings or None,
        "file": place.file,
        "offset": place.offset,
        "line": place.digest,
    }


_FOLLOW = (
    update(versions)
    .where(versions.c.article_id == bindparam("article"), versions.c.version == bindparam("number"))
    .values(
        digest=bindparam("whole"),
        title_digest=bindparam("headed"),
        text_digest=bindparam("words"),
        links_digest=bindparam("led"),
        images_digest=bindparam("shown"),
        title=bindparam("called"),
        published=bindparam("came", type_=versions.c.published.type),
        modified=bindparam("touched", type_=versions.c.modified.type),
        method=bindparam("found_by"),
        extractor=bindparam("made_by"),
        wrapper=bindparam("read_by"),
        siblings=bindparam("read_with", type_=versions.c.siblings.type),
        object_file=bindparam("file"),
        object_offset=bindparam("offset"),
        object_digest=bindparam("line"),
    )
)
_FOLLOW_LAST = (
    update(articles)
    .where(articles.c.id == bindparam("article"))
    .values(sketch=bindparam("drawn", type_=articles.c.sketch.type), canonical=bindparam("named"))
)
