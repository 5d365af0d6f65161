"""The queue of a campaign: addresses enter it, and move when more is known of them."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import msgspec
from sqlalchemy import bindparam, delete, func, insert, select, update

from archiver.acquisition.campaigns.links import LinkEvidence
from archiver.acquisition.campaigns.model import FoundBy, WayThere
from archiver.acquisition.campaigns.queue import (
    DICE,
    FIRST,
    FIRST_QUOTA,
    WORST,
    band_of,
    is_denied,
    rank_of,
    score_of,
)
from archiver.acquisition.campaigns.repeats import RepeatedAddresses
from archiver.batches import batches
from archiver.store.schema import candidates, host_yields, inlinks
from archiver.urls import LONGEST_URL, host_of, request_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from datetime import datetime

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign, FoundLink

    Score = Callable[[LinkEvidence], float]

_DECODER = msgspec.msgpack.Decoder(LinkEvidence)
# Pages that are remembered for leading to a candidate.
MOST_INLINKS = 8
# The revision of entries until a run scores them: campaigns score what is of an older revision than theirs.
UNSCORED = 0
# A score that changes by less is not worth a write.
LEAST_MOVE = 8


def evidence_of(blob: bytes) -> LinkEvidence:
    return _DECODER.decode(blob)


def evidence_blob(evidence: LinkEvidence) -> bytes:
    return msgspec.msgpack.encode(evidence)


def add_candidates(
    connection: Connection,
    campaign: Campaign,
    links: Sequence[FoundLink],
    now: datetime,
    *,
    score: Score,
    way: WayThere,
    repeats: RepeatedAddresses | None = None,
) -> int:
    """Note the links that were found, of a page where one has them; how many addresses were not known.

    What was fetched, or is never asked for, is passed over; what waits moves by what is known more.
    """
    seen = repeats or RepeatedAddresses()
    is_chosen = way.found_by in {FoundBy.SEED, FoundBy.EXAMPLE}
    by_key: dict[str, list[FoundLink]] = {}
    for link in links:
        denied = len(link.url) > LONGEST_URL or is_denied(link.url, campaign.definition)
        if not denied and (is_chosen or not seen.is_stale(link.url)):
            by_key.setdefault(seen.key(link.url), []).append(link)
    known = known_candidates(connection, campaign.id, list(by_key))
    new, moved = [], []
    for key, same in by_key.items():
        row = known.get(key)
        if row is not None and row.state != "waiting":
            continue
        evidence = evidence_of(row.evidence) if row else LinkEvidence(hops=way.hops, told=same[0].told)
        _take_in(evidence, same, way.relevance, way.hops)
        rank = FIRST if is_chosen else rank_of(score(evidence))
        if row is None:
            new.append(_values(campaign, key, same[0].url, evidence, rank, way.found_by, now))
        else:
            moved.append((row, evidence, min(rank, row.rank) if row.rank == FIRST else rank))
    if new:
        connection.execute(insert(candidates), new)
    move(connection, campaign, moved)
    note_hosts(connection, campaign.id, [(row["host"], row["rank"]) for row in new])
    if way.page_id is not None:
        _note_inlinks(connection, campaign.id, way.page_id, by_key)
    return len(new)


def known_candidates(connection: Connection, campaign_id: int, keys: Sequence[str]) -> dict[str, Row[Any]]:
    """The addresses of these keys, whatever became of them."""
    found: dict[str, Row[Any]] = {}
    for some in batches(list(keys)):
        mine = (candidates.c.campaign_id == campaign_id) & candidates.c.key.in_(some)
        columns = (candidates.c.id, candidates.c.key, candidates.c.state, candidates.c.outcome)
        query = select(*columns, candidates.c.rank, candidates.c.evidence, candidates.c.host).where(mine)
        found |= {row.key: row for row in connection.execute(query)}
    return found


def known_candidate(connection: Connection, campaign_id: int, key: str) -> Row[Any] | None:
    return known_candidates(connection, campaign_id, [key]).get(key)


def add_alias(
    connection: Connection,
    campaign: Campaign,
    number: int,
    key: str,
    url: str,
    now: datetime,
    *,
    state: str = "dropped",
    outcome: str = "same",
) -> None:
    """Note where a redirect of a candidate led, so that links and redirects there are known for that."""
    if len(url) > LONGEST_URL or known_candidate(connection, campaign.id, key) is not None:
        return
    row = connection.execute(select(candidates).where(candidates.c.id == number)).one()
    values = _values(campaign, key, url, evidence_of(row.evidence), row.rank, row.found_by, now)
    connection.execute(insert(candidates).values(**values | {"state": state, "outcome": outcome}))


def _take_in(evidence: LinkEvidence, same: Sequence[FoundLink], relevance: float, hops: int) -> None:
    for link in same:
        evidence.add_words(link.anchor, link.context)
        evidence.posters += link.posters
    evidence.address = evidence.address or list(same[0].address)
    evidence.told = evidence.told or next((link.told for link in same if link.told), "")
    evidence.add_parent(relevance, max(link.weight for link in same))
    evidence.add_worth(max(link.worth for link in same))
    evidence.hops = min(evidence.hops, hops)


def _values(
    campaign: Campaign,
    key: str,
    url: str,
    evidence: LinkEvidence,
    rank: int,
    found_by: FoundBy,
    now: datetime,
) -> dict[str, Any]:
    url = request_url(url)
    return {
        "campaign_id": campaign.id,
        "key": key,
        "url": url,
        "host": host_of(url),
        "state": "waiting",
        "rank": rank,
        "band": band_of(score_of(rank)),
        "dice": random.randrange(DICE),  # noqa: S311 - what is explored is no secret
        "evidence": evidence_blob(evidence),
        "revision": campaign.revision,
        "found": now,
        "found_by": found_by,
        "next_try": now,
    }


_MOVE = (
    update(candidates)
    .where(candidates.c.id == bindparam("row"))
    .values(
        rank=bindparam("to"),
        band=bindparam("into"),
        evidence=bindparam("known"),
        revision=bindparam("by"),
    )
)


def move(
    connection: Connection, campaign: Campaign, moved: Iterable[tuple[Row[Any], LinkEvidence, int]]
) -> None:
    """Give candidates that wait what is known of them now, and their places."""
    rows, hosts = [], []
    for row, evidence, rank in moved:
        place = row.rank if abs(rank - row.rank) < LEAST_MOVE else rank
        rows.append(
            {
                "row": row.id,
                "to": place,
                "into": band_of(score_of(place)),
                "known": evidence_blob(evidence),
                "by": campaign.revision,
            }
        )
        hosts.append((row.host, place))
    if rows:
        connection.execute(_MOVE, rows)
        note_hosts(connection, campaign.id, hosts)


def note_hosts(connection: Connection, campaign_id: int, found: Iterable[tuple[str, int]]) -> None:
    """Remember the best rank of each host, so that the best hosts are found without looking at all rows."""
    best: dict[str, int] = {}
    for host, rank in found:
        best[host] = min(rank, best.get(host, WORST))
    mine = host_yields.c.campaign_id == campaign_id
    for some in batches(list(best)):
        query = select(host_yields.c.host, host_yields.c.head).where(mine, host_yields.c.host.in_(some))
        known = {row.host: row.head for row in connection.execute(query)}
        new = [
            {"campaign_id": campaign_id, "host": host, "head": best[host], "quota": FIRST_QUOTA}
            for host in some
            if host not in known
        ]
        if new:
            connection.execute(insert(host_yields), new)
        for host in some:
            if host in known and best[host] < known[host]:
                here = mine & (host_yields.c.host == host)
                connection.execute(update(host_yields).where(here).values(head=best[host]))


def _note_inlinks(
    connection: Connection, campaign_id: int, page_id: int, by_key: Mapping[str, Sequence[FoundLink]]
) -> None:
    """Remember where on the page each link stands: links beside each other tend to lead to the same kind."""
    rows = known_candidates(connection, campaign_id, list(by_key))
    connection.execute(delete(inlinks).where(inlinks.c.page_id == page_id))
    found = [
        {
            "candidate_id": rows[key].id,
            "page_id": page_id,
            "place": place,
            "anchor": same[0].told,
        }
        for place, (key, same) in enumerate(by_key.items())
        if key in rows and rows[key].id != page_id
    ]
    counts: dict[int, int] = {}
    for some in batches([row["candidate_id"] for row in found]):
        query = select(inlinks.c.candidate_id, func.count()).where(inlinks.c.candidate_id.in_(some))
        counts |= dict(connection.execute(query.group_by(inlinks.c.candidate_id)).all())
    found = [row for row in found if counts.get(row["candidate_id"], 0) < MOST_INLINKS]
    if found:
        connection.execute(insert(inlinks), found)
