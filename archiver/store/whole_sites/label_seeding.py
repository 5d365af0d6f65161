"""What is believed of the links of a site before its crawl: by patterns that another site has taught."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

from sqlalchemy import insert, select, update

from archiver.acquisition.sites.learning.labels import LinkLabel
from archiver.store.schema import labels
from archiver.store.whole_sites.label_book import forget_book
from archiver.store.whole_sites.labels import MOST_LABELS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy import Connection

    from archiver.acquisition.sites.learning.pattern_files import BelievedLabel
    from archiver.acquisition.sites.model import Site


def seed_labels(connection: Connection, site: Site, believed: Sequence[BelievedLabel]) -> None:
    """Add labels to a site, each with what it is believed to bring; what the site itself taught stays."""
    known = _numbers(connection, site.id)
    new = [one for one in believed if one.name not in known][: max(0, MOST_LABELS - len(known))]
    if not new:
        return
    connection.execute(insert(labels), [_row(site, one) for one in new])
    _join(connection, _numbers(connection, site.id), new)
    forget_book(connection, site.id)


def _numbers(connection: Connection, site_id: int) -> dict[LinkLabel, int]:
    query = select(labels.c.id, labels.c.path, labels.c.shape).where(labels.c.site_id == site_id)
    return {LinkLabel(row.path, row.shape): row.id for row in connection.execute(query)}


def _row(site: Site, believed: BelievedLabel) -> dict[str, Any]:
    return {
        "site_id": site.id,
        "path": believed.name.path,
        "shape": believed.name.shape,
        "example": urljoin(site.url, believed.target),
        "is_poor": False,
        "is_last": False,
        "series": int(believed.is_series),
        "gains": believed.gains,
    }


def _join(connection: Connection, known: dict[LinkLabel, int], new: Iterable[BelievedLabel]) -> None:
    """Note for each label the one before it in its pattern."""
    for one in new:
        if one.source in known:
            mine = labels.c.id == known[one.name]
            connection.execute(update(labels).where(mine).values(source_id=known[one.source]))
