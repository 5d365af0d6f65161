"""Posts that an API gave in the place of their pages: settled candidates with a relevance of their own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import insert, select, update

from archiver.store.campaigns.queue import known_candidates
from archiver.store.schema import candidates, relevances

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.campaigns.model import Campaign, CandidateRead
    from archiver.archive.warc.records import Capture

# The outcome of an address that an API has answered for.
THROUGH_API = "api"


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPost:
    """A post, as the models of a campaign see it."""

    url: str
    read: CandidateRead
    score: float
    signals: Any


def note_posts(
    connection: Connection,
    campaign: Campaign,
    posts: Sequence[ScoredPost],
    capture: Capture,
    key_of: Callable[[str], str],
    now: datetime,
) -> None:
    """Settle the addresses of posts that wait in the queue; one whose page was fetched stays as it is."""
    rows = known_candidates(connection, campaign.id, [key_of(post.url) for post in posts])
    for post in posts:
        row = rows.get(key_of(post.url))
        if row is not None and (row.state == "waiting" or row.outcome == THROUGH_API):
            values = {"state": "done", "outcome": THROUGH_API, "chosen_by": THROUGH_API}
            connection.execute(update(candidates).where(candidates.c.id == row.id).values(**values))
            _write(connection, campaign, row.id, post, capture, now)


def _write(
    connection: Connection, campaign: Campaign, number: int, post: ScoredPost, capture: Capture, now: datetime
) -> None:
    """Note how relevant a post is, or how relevant it is since it was edited."""
    read, here = post.read, relevances.c.candidate_id == number
    values = {
        "url": post.url,
        "title": read.title,
        "score": post.score,
        "signals": post.signals,
        "capture": capture,
        "words": msgspec.msgpack.encode(read.words),
        "language": read.language,
        "digest": read.digest,
        "same_as": twin_of(connection, campaign.id, number, read.digest),
        "revision": campaign.revision,
    }
    if connection.execute(update(relevances).where(here).values(**values)).rowcount:
        return
    fixed = {"candidate_id": number, "campaign_id": campaign.id, "seen": now}
    connection.execute(insert(relevances).values(**fixed, **values))


def twin_of(connection: Connection, campaign_id: int, number: int, digest: str) -> int | None:
    """The page of another address that says the same."""
    same = (relevances.c.campaign_id == campaign_id) & (relevances.c.digest == digest)
    query = select(relevances.c.candidate_id).where(same, relevances.c.candidate_id != number)
    return connection.execute(query.limit(1)).scalar()
