"""Addresses as people name them: the candidate whose page is there, be it by a redirect."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from archiver.store.schema import candidates, relevances
from archiver.urls import HIDDEN, is_web, redact, request_url, same_page_key

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

# Addresses that begin alike, among which one without its token is looked for.
_MOST_ALIKE = 10_000


def candidate_at(connection: Connection, campaign_id: int, url: str) -> Row[Any] | None:
    """The candidate whose page has an address; where none was fetched there, the one that has the address."""
    if not is_web(url):
        return None
    mine = candidates.c.campaign_id == campaign_id
    query = select(candidates).where(mine, candidates.c.key == same_page_key(url))
    known = connection.execute(query).first()
    urls = {url, request_url(url), known.url if known is not None else url}
    number = _fetched(connection, campaign_id, known.id if known is not None else 0, urls)
    if number is not None:
        return connection.execute(select(candidates).where(candidates.c.id == number)).one()
    # On a host with ids of sessions, its key may be another one.
    known = known or connection.execute(select(candidates).where(mine, candidates.c.url.in_(urls))).first()
    return known or _hidden(connection, campaign_id, url)


def _hidden(connection: Connection, campaign_id: int, url: str) -> Row[Any] | None:
    """The only one that is shown like this: tokens in addresses are not."""
    before, hidden, _ = url.partition(HIDDEN)
    if not hidden:
        return None
    mine = candidates.c.campaign_id == campaign_id
    alike = select(candidates).where(mine, candidates.c.url.startswith(before, autoescape=True))
    found = [row for row in connection.execute(alike.limit(_MOST_ALIKE)) if redact(row.url) == url]
    return found[0] if len(found) == 1 else None


def _fetched(connection: Connection, campaign_id: int, number: int, urls: set[str]) -> int | None:
    """The candidate of these whose page was fetched: itself, or one whose redirect led there."""
    mine = relevances.c.campaign_id == campaign_id
    query = select(relevances.c.candidate_id).where(
        mine, (relevances.c.candidate_id == number) | relevances.c.url.in_(urls)
    )
    order = (
        relevances.c.candidate_id != number,
        relevances.c.same_as.is_not(None),
        relevances.c.candidate_id,
    )
    return connection.execute(query.order_by(*order).limit(1)).scalar()
