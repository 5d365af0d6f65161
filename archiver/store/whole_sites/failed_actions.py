"""Actions of the knowledge base that found nothing on pages of a site, and on how many."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import insert, update

from archiver.store.schema import failed_actions

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from sqlalchemy import Connection


def note_failed_actions(
    connection: Connection, site_id: int, level: str, actions: Iterable[str], url: str, recorded: datetime
) -> None:
    """Count actions that found nothing on a page."""
    table = failed_actions
    for action in set(actions):
        mine = (table.c.site_id == site_id) & (table.c.level == level) & (table.c.action == action)
        seen = {"example": url, "seen": recorded}
        counted = connection.execute(update(table).where(mine).values(pages=table.c.pages + 1, **seen))
        if not counted.rowcount:
            first = {"site_id": site_id, "level": level, "action": action, "pages": 1}
            connection.execute(insert(table).values(**first, **seen))
