"""When articles were not there: between which looks they went, and between which they came back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.store.schema import absences, articles

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.pages import Missing


def absent(connection: Connection, article_ids: Collection[int]) -> set[int]:
    """Those of these articles that are gone."""
    query = select(absences.c.article_id)
    query = query.where(absences.c.article_id.in_(article_ids), absences.c.back.is_(None))
    return set(connection.execute(query).scalars())


def went(connection: Connection, article_id: int, missing: Missing) -> bool:
    """Note that an article is gone; False where it was seen since, at another of its addresses."""
    last_seen = select(articles.c.last_captured).where(articles.c.id == article_id)
    after = connection.execute(last_seen).scalar_one()
    if after >= missing.since:
        return False
    connection.execute(
        insert(absences).values(
            article_id=article_id, gone=missing.since, after=after, how=missing.how, noted=missing.last
        )
    )
    return True


def came_back(connection: Connection, article_id: int, missing: Missing | None, at: datetime) -> None:
    """Note that an article is there again, after the last look that missed it."""
    away = (absences.c.article_id == article_id) & absences.c.back.is_(None)
    last = missing.last if missing else absences.c.noted
    connection.execute(update(absences).where(away).values(back_after=last, back=at))
