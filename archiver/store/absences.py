"""When articles were not there: between which looks they went, and between which they came back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, select, update

from archiver.store.schema import absences, articles

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.pages import Missing


def went(connection: Connection, article_id: int, missing: Missing) -> bool:
    """Note that an article is gone; False where that is known."""
    away = absences.c.article_id == article_id
    if connection.execute(select(absences.c.gone).where(away, absences.c.back.is_(None))).first():
        return False
    last_seen = select(articles.c.last_captured).where(articles.c.id == article_id)
    connection.execute(
        insert(absences).values(
            article_id=article_id,
            gone=missing.since,
            after=connection.execute(last_seen).scalar_one(),
            how=missing.how,
        )
    )
    return True


def came_back(connection: Connection, article_id: int, missing: Missing, at: datetime) -> bool:
    """Note that an article is there again; False where nobody had noted it as gone."""
    away = (absences.c.article_id == article_id) & absences.c.back.is_(None)
    changed = connection.execute(update(absences).where(away).values(back_after=missing.last, back=at))
    return changed.rowcount > 0
