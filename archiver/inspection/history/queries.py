"""One article over time, found by any address that leads to it."""

from __future__ import annotations

import difflib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import select

from archiver.articles.objects.model import article_id
from archiver.documents.parts import fragment_part, part_key
from archiver.errors import ArchiveError
from archiver.inspection.contributions import count_contributions
from archiver.inspection.history.articles import title_at
from archiver.inspection.history.model import (
    UNKNOWN_KIND,
    Absence,
    ArticleChannel,
    ArticleHistory,
    Place,
    TwinArticle,
    VersionNote,
    WatchedPage,
)
from archiver.store.schema import absences, articles, channels, entries, pages, twins, versions
from archiver.urls import redact, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection, Row, Select

    from archiver.archive.withheld import Withheld

# How many articles are looked through for addresses that are like one, and how many are told.
_LOOKED_AT = 2000
_ALTERNATIVES = 5

VERSION_COLUMNS = (
    versions.c.version, versions.c.captured, versions.c.unchanged_until, versions.c.kinds,
    versions.c.similarity, versions.c.added, versions.c.removed, versions.c.title,
    versions.c.published, versions.c.modified, versions.c.object_file, versions.c.object_offset,
)  # fmt: skip


class MatchedPage(NamedTuple):
    """A page that is known at an address, without an article."""

    state: str
    failure: str | None


def find_article(connection: Connection, url: str) -> int | None:
    """The article at this address; else the one that an entry's link there led to; else one that names it."""
    part = part_key(same_page_key(url), fragment_part(url))
    key = same_page_key(url)
    # Print pages and the like name the address of the article proper, which may never have been announced.
    by_name = (
        select(articles.c.id).where(articles.c.canonical == key).order_by(articles.c.last_captured.desc())
    )
    for query in (*_at(part), *_at(key), by_name.limit(1), _parts_at(key)):
        found = connection.execute(query).scalar()
        if found is not None:
            return int(found)
    return None


def _at(key: str) -> tuple[Select[Any], Select[Any]]:
    by_link = select(pages.c.article_id).where(pages.c.key == key, pages.c.article_id.is_not(None))
    return select(articles.c.id).where(articles.c.key == key), by_link


def _parts_at(key: str) -> Select[Any]:
    """The first part of a page that is no article as a whole."""
    query = select(pages.c.article_id).where(pages.c.whole == key, pages.c.article_id.is_not(None))
    return query.order_by(pages.c.id).limit(1)


def find_page(connection: Connection, url: str) -> MatchedPage | None:
    query = select(pages.c.state, pages.c.failure).where(pages.c.key == same_page_key(url))
    row = connection.execute(query).first()
    return MatchedPage(row.state, row.failure) if row else None


def similar_articles(connection: Connection, url: str) -> list[str]:
    """Addresses of articles that are most like this one, of the same folder or else of the same host."""
    wanted = same_page_key(url)
    for prefix in _prefixes(wanted):
        query = select(articles.c.key, articles.c.url).where(articles.c.key >= prefix)
        rows = connection.execute(query.order_by(articles.c.key).limit(_LOOKED_AT))
        # The order of a database may be another than ours: what does not fit is only left out.
        found = {row.key: row.url for row in rows if row.key.startswith(prefix)}
        if found:
            nearest = difflib.get_close_matches(wanted, found, _ALTERNATIVES, cutoff=0)
            return [redact(found[key]) for key in nearest]
    return []


def _prefixes(key: str) -> Iterator[str]:
    """Its folders from the innermost to the host."""
    head, mark, path = key.partition("?")[0].partition("://")
    while "/" in path:
        path = path.rpartition("/")[0]
        yield f"{head}{mark}{path}/"


def article_history(connection: Connection, number: int) -> ArticleHistory:
    """What is known of an article."""
    row = connection.execute(select(articles).where(articles.c.id == number)).one()
    notes = versions_of(connection, number)
    return ArticleHistory(
        id=article_id(row.key),
        url=redact(row.url),
        title=notes[-1].title,
        published=next((note.published for note in reversed(notes) if note.published), None),
        modified=next((note.modified for note in reversed(notes) if note.modified), None),
        first_seen=row.first_seen,
        last_seen=row.last_captured,
        versions=notes,
        absences=_absences(connection, number),
        twins=_twins(connection, number),
        pages=_pages(connection, number),
        channels=_announcers(connection, number),
        contributions=count_contributions(connection, article_id(row.key)),
    )


def versions_of(connection: Connection, number: int) -> tuple[VersionNote, ...]:
    query = select(*VERSION_COLUMNS).where(versions.c.article_id == number)
    query = query.order_by(versions.c.captured, versions.c.version)
    return tuple(map(version_note, connection.execute(query)))


def version_note(row: Row[*tuple[Any, ...]]) -> VersionNote:
    return VersionNote(
        version=row.version,
        captured=row.captured,
        unchanged_until=row.unchanged_until,
        kinds=_kinds(row),
        similarity=row.similarity,
        # The columns have a number in any case.
        added=row.added if row.kinds else None,
        removed=row.removed if row.kinds else None,
        title=row.title,
        published=row.published,
        modified=row.modified,
        object=Place(file=row.object_file, offset=row.object_offset),
    )


def _kinds(row: Row[*tuple[Any, ...]]) -> tuple[str, ...]:
    if row.kinds:
        return tuple(row.kinds.split(","))
    return ("new",) if row.version == 1 else (UNKNOWN_KIND,)


def _absences(connection: Connection, number: int) -> tuple[Absence, ...]:
    query = select(absences).where(absences.c.article_id == number).order_by(absences.c.gone)
    return tuple(
        Absence(after=row.after, gone=row.gone, how=row.how, back_after=row.back_after, back=row.back)
        for row in connection.execute(query)
    )


def _twins(connection: Connection, number: int) -> tuple[TwinArticle, ...]:
    """Those that were found with it, and those with which it was found."""
    found = []
    for mine, other in ((twins.c.article_id, twins.c.other_id), (twins.c.other_id, twins.c.article_id)):
        query = (
            select(twins, articles.c.url).join(articles, articles.c.id == other).where(mine == number)
        ).order_by(twins.c.similarity.desc(), other)
        found += [
            TwinArticle(
                url=redact(row.url),
                similarity=row.similarity,
                how=row.how,
                found=row.found,
                is_older=mine is twins.c.article_id,
            )
            for row in connection.execute(query)
        ]
    return tuple(found)


def _pages(connection: Connection, number: int) -> tuple[WatchedPage, ...]:
    query = select(pages).where(pages.c.article_id == number).order_by(pages.c.id)
    return tuple(
        WatchedPage(url=redact(row.url), looks=row.looks, edits=row.edits, next_look=row.recheck, why=row.why)
        for row in connection.execute(query)
    )


def _announcers(connection: Connection, number: int) -> tuple[ArticleChannel, ...]:
    query = (
        select(channels.c.id, channels.c.url, channels.c.title)
        .join(entries, entries.c.channel_id == channels.c.id)
        .join(pages, pages.c.id == entries.c.page_id)
        .where(pages.c.article_id == number)
        .distinct()
        .order_by(channels.c.id)
    )
    return tuple(
        ArticleChannel(number=row.id, url=redact(row.url), title=row.title)
        for row in connection.execute(query)
    )


def known_article(connection: Connection, url: str, objects: Path, withheld: Withheld) -> ArticleHistory:
    """Its history. Raises ArchiveError, which tells what is there instead, where there is none."""
    withheld.refuse(url)
    number = find_article(connection, url)
    if number is None:
        raise ArchiveError(_instead(connection, url, withheld))
    found = without_withheld(article_history(connection, number), withheld)
    # Older archivers did not note titles.
    notes = tuple(note if note.title else _titled(note, objects) for note in found.versions)
    return replace(found, versions=notes, title=notes[-1].title)


def without_withheld(found: ArticleHistory, withheld: Withheld) -> ArticleHistory:
    """The history without others that are withheld. Raises WithheldError where the article itself is."""
    withheld.refuse(found.url)
    twins = tuple(twin for twin in found.twins if not withheld.hides(twin.url))
    return replace(found, twins=twins)


def _titled(note: VersionNote, objects: Path) -> VersionNote:
    return replace(note, title=title_at(objects, note.object))


def _instead(connection: Connection, url: str, withheld: Withheld) -> str:
    page = find_page(connection, url)
    if page is None:
        told = f"The archive has no article at {redact(url)}"
    elif page.state == "settled":
        told = f"No article was found on {redact(url)}: `scrapy explain` tells why"
    else:
        told = f"{redact(url)} has not been read yet" + (f" ({page.failure})" if page.failure else "")
    others = (one for one in similar_articles(connection, url) if not withheld.hides(one))
    return "\n".join((told, *(f"  like it: {one}" for one in others)))
