"""All pages of a campaign scored again by what it knows now, and the terms that set relevant ones apart."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import msgspec
from sqlalchemy import func, select

from archiver.acquisition.campaigns.learned import CampaignModels
from archiver.acquisition.campaigns.page import CandidateTopic, read_candidate
from archiver.acquisition.campaigns.words import PageWords
from archiver.acquisition.sites.reading import VisitedDocument
from archiver.acquisition.sites.scope import scope_of
from archiver.archive.warc.reader import read_response
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.dom import parse_html
from archiver.documents.pages.words import phrases
from archiver.errors import ArchiverError
from archiver.inspection.campaigns.reasons import reasons_of
from archiver.store.campaigns.learning import learned_of
from archiver.store.schema import relevances
from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path
    from typing import Any

    from sqlalchemy import Connection, Row

    from archiver.acquisition.campaigns.model import Campaign
    from archiver.acquisition.campaigns.signals import Signals
    from archiver.acquisition.sites.knowledge.loading import KnowledgeBase

    PageReader = Callable[[Row[Any]], Signals | None]

_WORDS = msgspec.msgpack.Decoder(PageWords)
# What `learn` compares: pages that are surely relevant with pages that are surely not, and so many of each.
_SURE, _SURELY_NOT, _MOST_READ = 0.7, 0.3, 150
_LEAST_PAGES = 3
_NUMBER = re.compile(r"[0-9]+")
# Pages that every word is taken to stand on besides.
_PRIOR = 0.5


class RankingLine(msgspec.Struct, frozen=True, kw_only=True):
    """A line of ranking.jsonl."""

    rank: int
    url: str
    title: str
    score: float
    signals: dict[str, object]
    reasons: tuple[str, ...]
    record: dict[str, object]
    twins: int
    revision: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredAgain:
    """A page as `relevances` has it, and its score by what is known now."""

    row: Row[Any]
    score: float
    signals: Signals
    revision: int  # of the definition by which it was read


class LearnedTerm(msgspec.Struct, frozen=True, kw_only=True):
    term: str
    weight: float  # log-odds, in units of its own uncertainty
    pages: int


def scored_again(connection: Connection, campaign: Campaign, read: PageReader) -> list[ScoredAgain]:
    """Every page once, by its score under all that is known now; a person's word comes first."""
    models = CampaignModels.of(campaign, learned_of(connection, campaign))
    mine = (relevances.c.campaign_id == campaign.id) & relevances.c.same_as.is_(None)
    found = []
    for row in connection.execute(select(relevances).where(mine)).all():
        again = None if row.revision == campaign.revision else read(row)
        score, signals = models.judge(again or row.signals, _WORDS.decode(row.words))
        revision = campaign.revision if again else row.revision
        found.append(ScoredAgain(row=row, score=score, signals=signals, revision=revision))
    return sorted(found, key=lambda one: (-_by_hand(one.row), -one.score, one.row.seen))


def reader_of(campaign: Campaign, warc: Path, knowledge: KnowledgeBase) -> PageReader:
    """Reads pages by what the definition says now. None: it is not there, or an API gave it."""
    topic = CandidateTopic(
        definition=campaign.definition,
        narrower=campaign.narrower,
        digest=f"{campaign.name}/{campaign.revision}",
    )

    def read(row: Row[Any]) -> Signals | None:
        try:
            stored = read_response(warc, row.capture.file, row.capture.offset)
        except ArchiverError:
            return None
        document = VisitedDocument(
            url=row.url,
            content=stored.content,
            content_type=stored.content_type,
            status=stored.status,
            headers=stored.headers,
            scope=scope_of(row.url, "host"),
        )
        found = read_candidate(document, topic, 0, knowledge)
        return found.signals if found.is_page else None

    return read


def ranking_of(
    connection: Connection, campaign: Campaign, scored: Sequence[ScoredAgain]
) -> Iterator[RankingLine]:
    mine = relevances.c.campaign_id == campaign.id
    counted = select(relevances.c.same_as, func.count()).where(mine).group_by(relevances.c.same_as)
    twins: dict[int | None, int] = dict(connection.execute(counted).all())
    for place, one in enumerate(scored, 1):
        row, capture = one.row, one.row.capture
        judged = None if row.judged is None else bool(row.judged)
        yield RankingLine(
            rank=place,
            url=row.url,
            title=row.title,
            score=round(one.score, 6),
            signals=msgspec.to_builtins(one.signals),
            reasons=reasons_of(one.signals, judged),
            record={"file": capture.file, "offset": capture.offset, "id": capture.record_id},
            twins=twins.get(row.candidate_id, 0),
            revision=campaign.revision,
        )


def _by_hand(row: Row[Any]) -> int:
    return 0 if row.judged is None else 1 if row.judged else -1


def learned_terms(connection: Connection, campaign: Campaign, warc: Path, most: int) -> list[LearnedTerm]:
    """Terms and names of relevant pages: log-odds against other pages, with a prior (Monroe et al.)."""
    good = _terms_of(connection, campaign, warc, relevances.c.score >= _SURE, is_best=True)
    bad = _terms_of(connection, campaign, warc, relevances.c.score < _SURELY_NOT, is_best=False)
    counts, others = Counter[str](), Counter[str]()
    for page in good:
        counts.update(page)
    for page in bad:
        others.update(page)
    known = {word for name in _asked_for(campaign) for word in name.lower().split()}
    found = []
    for term, count in counts.items():
        if count >= min(_LEAST_PAGES, len(good)) and not known.issuperset(term.split()):
            weight = _weighed(count, len(good), others[term], len(bad))
            found.append(LearnedTerm(term=term, weight=round(weight, 3), pages=count))
    return sorted(found, key=lambda one: -one.weight)[:most]


def _asked_for(campaign: Campaign) -> Iterator[str]:
    """What the definition has already."""
    for keyword in campaign.definition.keywords:
        yield from (keyword.term, *keyword.forms)
    for entity in campaign.definition.entities:
        yield from (entity.name, *entity.also)


def _weighed(count: int, pages: int, other: int, others: int) -> float:
    odds = math.log((count + _PRIOR) / (pages - count + _PRIOR))
    odds -= math.log((other + _PRIOR) / (others - other + _PRIOR))
    return odds / math.sqrt(1 / (count + _PRIOR) + 1 / (other + _PRIOR))


def _terms_of(
    connection: Connection,
    campaign: Campaign,
    warc: Path,
    which: Any,  # noqa: ANN401 - a clause
    *,
    is_best: bool,
) -> list[set[str]]:
    """The terms of some pages, without what stands on several pages of their hosts."""
    order = relevances.c.score.desc() if is_best else relevances.c.score
    mine = (relevances.c.campaign_id == campaign.id) & relevances.c.same_as.is_(None)
    query = select(relevances).where(mine, which).order_by(order).limit(_MOST_READ)
    rows = connection.execute(query).all()
    read = [(host_of(row.url), row.language, _blocks(row, warc)) for row in rows]
    shown = Counter((host, text) for host, _, texts in read for text in texts)
    return [
        _terms([text for key, text in texts.items() if shown[host, key] == 1], language)
        for host, language, texts in read
    ]


def _blocks(row: Row[Any], warc: Path) -> dict[str, str]:
    """The texts of an archived page that are not links, by what is left of each without its numbers."""
    try:
        stored = read_response(warc, row.capture.file, row.capture.offset)
        tree = parse_html(stored.content, stored.content_type, row.url)
    except ArchiverError:
        return {}
    own = (block.text for block in outline_of(tree).blocks if 2 * block.linked <= len(block.words))
    return {_NUMBER.sub("0", text): text for text in own}


def _terms(texts: Iterable[str], language: str | None) -> set[str]:
    """Words and pairs of words, as they are written."""
    found: set[str] = set()
    for phrase in (one for text in texts for one in phrases(text, language)):
        written = [word for _, word in phrase]
        found |= {*written, *(" ".join(pair) for pair in pairwise(written))}
    return found
