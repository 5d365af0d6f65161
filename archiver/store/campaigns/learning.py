"""What a campaign has fetched, in its order: all that it has learned is learned again from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import select

from archiver.acquisition.campaigns.learned import LearnedPage
from archiver.acquisition.campaigns.words import PageWords
from archiver.store.campaigns.posts import THROUGH_API
from archiver.store.campaigns.queue import evidence_of
from archiver.store.schema import candidates, relevances
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import Campaign

_WORDS = msgspec.msgpack.Decoder(PageWords)
# So many of the last pages: what was long ago says little of what is found now.
_MOST_PAGES = 5_000


def same_pages_of(connection: Connection, campaign: Campaign) -> Iterator[tuple[str, str]]:
    """Two addresses of each page of a host that was fetched twice, the oldest first.

    Unlike all else, ids of sessions are learned from all pages: the keys in the store are without them.
    """
    twin = candidates.alias()
    query = (
        select(candidates.c.url, twin.c.url.label("other"))
        .join(relevances, relevances.c.candidate_id == candidates.c.id)
        .join(twin, twin.c.id == relevances.c.same_as)
        .where(relevances.c.campaign_id == campaign.id, candidates.c.host == twin.c.host)
        .where(candidates.c.outcome != THROUGH_API)
        .order_by(relevances.c.seen, relevances.c.candidate_id)
    )
    for row in connection.execute(query):
        yield row.url, row.other


def learned_of(connection: Connection, campaign: Campaign) -> Iterator[LearnedPage]:
    """The pages that a campaign has fetched, the oldest first."""
    examples = campaign.definition.examples
    like = {same_page_key(url) for url in examples.like}
    unlike = {same_page_key(url) for url in examples.unlike}
    # No link led to what an API gave: only people teach by it.
    was_fetched = candidates.c.outcome != THROUGH_API
    query = (
        select(relevances, candidates.c.evidence, candidates.c.key, candidates.c.url.label("address"))
        .join(candidates, candidates.c.id == relevances.c.candidate_id)
        .where(relevances.c.campaign_id == campaign.id, was_fetched | relevances.c.judged.is_not(None))
        .order_by(relevances.c.seen.desc(), relevances.c.candidate_id.desc())
        .limit(_MOST_PAGES)
    )
    for row in reversed(connection.execute(query).all()):
        yield LearnedPage(
            url=row.address,
            number=row.candidate_id,
            words=_WORDS.decode(row.words),
            evidence=evidence_of(row.evidence),
            score=row.score,
            signals=row.signals,
            same_as=row.same_as,
            judged=None if row.judged is None else bool(row.judged),
            is_like=row.key in like,
            is_unlike=row.key in unlike,
        )
