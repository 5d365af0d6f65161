"""Filters made into what the index is asked; channels, labels and absences are the state store's to know."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from sqlalchemy import or_, select

from archiver.errors import ArchiveError, ConfigurationError
from archiver.search.expression import change_tag, channel_tag, is_nameable, kind_tag, language_tags
from archiver.search.index import highest_id, lowest_id
from archiver.search.model import BACK, CHANGES, GONE, KINDS_OF_HITS, MOST_HITS
from archiver.search.query import parse
from archiver.search.sieve import Sieve
from archiver.store.polling.channels import find_channel
from archiver.store.schema import absences, channels

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.search.model import SearchRequest
    from archiver.search.query import Query

# So many channels are looked up in the index; of more, rows of others are passed over one by one.
_FEW_CHANNELS = 50


def check(request: SearchRequest) -> None:
    """Raise ConfigurationError where a request cannot be meant."""
    if request.change and request.change not in CHANGES:
        raise ConfigurationError(f"change: {request.change!r} is not one of {', '.join(CHANGES)}")
    if request.kind and request.kind not in KINDS_OF_HITS:
        raise ConfigurationError(f"kind: {request.kind!r} is not one of {', '.join(KINDS_OF_HITS)}")
    if not 1 <= request.limit <= MOST_HITS:
        raise ConfigurationError(f"limit: write a number from 1 to {MOST_HITS}")
    if not 0 <= request.confidence <= 1:
        raise ConfigurationError("confidence: write a number from 0 to 1")


def sieve_of(state: Connection, request: SearchRequest, query: Query) -> Sieve | None:
    """What has to hold of a row; None where nothing can."""
    names = (request.author, request.category)
    if (request.words.strip() and not query) or not all(is_nameable(name) for name in names if name):
        return None
    wanted = channels_asked(state, request)
    tags = _tags(request)
    if tags is None or (wanted is not None and not wanted):
        return None
    is_few = wanted is not None and len(wanted) <= _FEW_CHANNELS
    if wanted and is_few:
        tags.append(tuple(map(channel_tag, wanted)))
    return Sieve(
        query=query,
        tags=tuple(tags),
        author=request.author,
        category=request.category,
        lowest=lowest_id(_utc(request.since)) if request.since else None,
        highest=highest_id(_utc(request.until)) if request.until else None,
        channels=None if is_few or wanted is None else tuple(wanted),
        articles=_absent(state, request.change) if request.change in {GONE, BACK} else None,
        confidence=round(10_000 * request.confidence),
        all_versions=request.all_versions,
        # A list of articles is not one of comments: those are found by words or by name.
        contributions=bool(request.words.strip() or request.author or request.kind),
    )


def query_of(request: SearchRequest) -> Query:
    return parse(request.words)


def _utc(moment: datetime) -> datetime:
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _tags(request: SearchRequest) -> list[tuple[str, ...]] | None:
    """One of each has to be there; None where a language is not one."""
    tags: list[tuple[str, ...]] = [(kind_tag(request.kind),)] if request.kind else []
    if request.change and request.change not in {GONE, BACK}:
        tags.append((change_tag(request.change),))
    if request.language:
        found = language_tags(request.language)
        if not found:
            return None
        tags.append((found[-1],))
    return tags


def channels_asked(state: Connection, request: SearchRequest) -> list[int] | None:
    """The numbers of the channels that are named and have one of the labels; None: any."""
    named = _family(state, [_named(state, name) for name in request.channel]) if request.channel else None
    if not request.label:
        return named
    labelled = _labelled(state, set(request.label))
    return labelled if named is None else [number for number in named if number in set(labelled)]


def _named(state: Connection, name: str) -> int:
    row = find_channel(state, name)
    if row is None:
        raise ArchiveError(f"No channel is called {name}: `scrapy channels` lists them")
    return int(row.id)


def _family(state: Connection, numbers: Sequence[int]) -> list[int]:
    """These channels, with the feeds that were found on sites among them, and what was merged with them."""
    known: set[int] = set()
    found = set(numbers)
    while found:
        known |= found
        near = or_(channels.c.site_id.in_(known), channels.c.merged_into.in_(known))
        found = set(state.execute(select(channels.c.id).where(near)).scalars()) - known
    return sorted(known)


def _labelled(state: Connection, labels: set[str]) -> list[int]:
    """A feed that was found on a site has that site's labels."""
    rows = state.execute(select(channels.c.id, channels.c.labels))
    return _family(state, [row.id for row in rows if labels.intersection(row.labels)])


def _absent(state: Connection, change: str) -> tuple[int, ...]:
    """The articles that are gone now, or that came back."""
    is_back = absences.c.back.is_not(None) if change == BACK else absences.c.back.is_(None)
    return tuple(state.execute(select(absences.c.article_id).where(is_back).distinct()).scalars())
