"""The article that a person means by an address, or what may help to find it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from archiver.errors import ArchiveError
from archiver.inspection.history.articles import title_at
from archiver.inspection.history.queries import article_history, find_article, find_page, similar_articles
from archiver.urls import redact

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.inspection.history.model import ArticleHistory, VersionNote


def known_article(connection: Connection, url: str, objects: Path) -> ArticleHistory:
    """Its history. Raises ArchiveError, which tells what is there instead, where there is none."""
    number = find_article(connection, url)
    if number is None:
        raise ArchiveError(_instead(connection, url))
    found = article_history(connection, number)
    # Older archivers did not note titles.
    notes = tuple(note if note.title else _titled(note, objects) for note in found.versions)
    return replace(found, versions=notes, title=notes[-1].title)


def _titled(note: VersionNote, objects: Path) -> VersionNote:
    return replace(note, title=title_at(objects, note.object))


def _instead(connection: Connection, url: str) -> str:
    page = find_page(connection, url)
    if page is None:
        told = f"The archive has no article at {redact(url)}"
    elif page.state == "settled":
        told = f"No article was found on {redact(url)}: `scrapy explain` tells why"
    else:
        told = f"{redact(url)} has not been read yet" + (f" ({page.failure})" if page.failure else "")
    return "\n".join((told, *(f"  like it: {one}" for one in similar_articles(connection, url))))
