"""What shows the same as a page that is withheld, so that an operator can decide on it as well."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.history.queries import article_history
from archiver.store.withheld import articles_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from archiver.archive.withheld import Withheld


def beside(state: Connection, url: str, withheld: Withheld) -> Iterator[str]:
    """Lines that name the feeds that announced it, and near-duplicates, as far as these are shown."""
    told: set[str] = set()
    for number in articles_at(state, url):
        known = article_history(state, number)
        lines = [
            *(_feed(channel.url) for channel in known.channels if not withheld.hides(channel.url)),
            *(_twin(twin.url) for twin in known.twins if not withheld.hides(twin.url)),
        ]
        yield from (line for line in lines if line not in told)
        told.update(lines)


def _feed(url: str) -> str:
    return f"Announced by {url}, whose captures may have its text: withhold that as well where they do."


def _twin(url: str) -> str:
    return f"Nearly the same: {url}, which is still shown."
