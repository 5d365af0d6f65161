"""What was found, as it is shown: read from its object, and from the state store where that can change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import select, tuple_

from archiver.archive.objects.kinds import read_part
from archiver.articles.objects.model import article_id
from archiver.articles.versions.model import Change
from archiver.errors import RecordError
from archiver.search.contributed import (
    contribution_hit,
    gone_contributions,
    page_of,
    read_contribution,
)
from archiver.search.lines import IndexedLine
from archiver.search.model import PDF, Hit, HitChannel
from archiver.search.snippets import snippet
from archiver.store.schema import absences, articles, channels, versions
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from sqlalchemy import Connection, Row

    from archiver.search.query import QueryTerm
    from archiver.search.sieve import Match, Paper, SearchIndex


def known_articles(state: Connection, numbers: Sequence[int]) -> Mapping[int, Row[*tuple[Any, ...]]]:
    """The address of each article, and the key that its id is made of."""
    query = select(articles.c.id, articles.c.key, articles.c.url).where(articles.c.id.in_(set(numbers)))
    return {row.id: row for row in state.execute(query)}


def addresses_of(
    index: SearchIndex, state: Connection, objects: Path, found: Sequence[Match]
) -> Mapping[int, str]:
    """The address of each row; of those that the state store does not know any more, none."""
    rows = known_articles(state, [match.article for match in found])
    papers = index.papers([match.place for match in found if match.is_paper])
    addresses = {match.id: rows[match.article].url for match in found if match.article in rows}
    addresses |= {
        match.id: line.page
        for match in found
        if match.is_contribution and (line := read_contribution(objects, match)) is not None
    }
    return addresses | {match.id: papers[match.place].url for match in found if match.is_paper}


def hits_of(
    index: SearchIndex,
    state: Connection,
    objects: Path,
    found: Sequence[Match],
    terms: Sequence[QueryTerm],
    *,
    hidden: Callable[[str], bool],
) -> tuple[Hit, ...]:
    """In the same order; without those that the state store does not know any more."""
    rows = known_articles(state, [match.article for match in found])
    papers = index.papers([match.place for match in found if match.is_paper])
    announcers = {
        number: channel
        for number, channel in _channels(state, {match.channel for match in found}).items()
        if not hidden(channel.url)
    }
    gone = _gone(state, list(rows))
    contributed = [match for match in found if match.is_contribution]
    not_shown = gone_contributions(state, contributed)
    hits = []
    for match in found:
        channel = announcers.get(match.channel)
        if match.is_paper:
            hits.append(_paper_hit(match, papers[match.place], terms, channel))
            continue
        if match.is_contribution:
            said = read_contribution(objects, match)
            if said is not None:
                is_gone = (match.file, match.place) in not_shown
                page = page_of(state, said)
                hits.append(contribution_hit(match, said, page, terms, channel=channel, gone=is_gone))
            continue
        line = _line(objects, match) or _noted(state, match, rows[match.article])
        if line is not None:
            hits.append(_hit(match, line, terms, channel, match.article in gone))
    return tuple(hits)


def _paper_hit(match: Match, paper: Paper, terms: Sequence[QueryTerm], channel: HitChannel | None) -> Hit:
    return Hit(
        article="",
        version=match.version,
        kind=PDF,
        url=redact(paper.url),
        title=paper.title,
        channel=channel,
        captured=paper.captured,
        newest=match.is_newest,
        score=None if match.score is None else -match.score,
        snippet=snippet(paper.text, terms),
        offset=match.place,
    )


def _hit(
    match: Match, line: IndexedLine, terms: Sequence[QueryTerm], channel: HitChannel | None, gone: bool
) -> Hit:
    return Hit(
        article=line.id,
        version=line.version,
        url=line.url,
        title=line.title,
        channel=channel,
        authors=line.authors,
        categories=line.categories,
        published=line.published,
        captured=line.captured,
        language=line.language,
        kinds=line.change.kinds,
        gone=gone,
        newest=match.is_newest,
        confidence=line.confidence,
        score=None if match.score is None else -match.score,
        snippet=snippet(line.text, terms),
        file=match.file,
        offset=match.place,
    )


def _line(objects: Path, match: Match) -> IndexedLine | None:
    try:
        return read_part(objects, match.file, match.place, IndexedLine)
    except RecordError:
        return None


def _noted(state: Connection, match: Match, article: Row[*tuple[Any, ...]]) -> IndexedLine | None:
    """What the state store knows of a version whose object cannot be read."""
    mine = tuple_(versions.c.article_id, versions.c.version) == (match.article, match.version)
    row = state.execute(select(versions).where(mine)).first()
    if row is None:
        return None
    return IndexedLine(
        id=article_id(article.key),
        url=redact(article.url),
        version=row.version,
        title=row.title,
        published=row.published,
        first_seen=row.captured,
        captured=row.captured,
        change=Change(kinds=tuple((row.kinds or "").split(",")) if row.kinds else ()),
    )


def _channels(state: Connection, numbers: set[int]) -> Mapping[int, HitChannel]:
    query = select(channels.c.id, channels.c.url, channels.c.title).where(channels.c.id.in_(numbers))
    return {
        row.id: HitChannel(number=row.id, url=redact(row.url), title=row.title)
        for row in state.execute(query)
    }


def _gone(state: Connection, numbers: Sequence[int]) -> set[int]:
    mine = absences.c.article_id.in_(numbers) & absences.c.back.is_(None)
    return set(state.execute(select(absences.c.article_id).where(mine)).scalars())
