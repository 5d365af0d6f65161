"""What sources of labels say of a page, and how far each is trusted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.articles.labels.model import SourceRecord
from archiver.articles.labels.reliability import channel_trust, judged_page, pooled, usual_trusts
from archiver.articles.labels.sources import Said, labelled_page
from archiver.articles.methods.extraction import parse_page
from archiver.articles.model import NoArticle

if TYPE_CHECKING:
    from archiver.articles.labels.model import LabelKnowledge
    from archiver.articles.model import Article
    from archiver.documents.pages.model import RawPage


@dataclass(frozen=True, slots=True, kw_only=True)
class ExplainedSource:
    """What one source takes for the article, and how far it is trusted."""

    source: str
    blocks: int
    words: int
    # The chance that it speaks of this article here; how often it does so on the channel.
    soundness: float
    usual: float
    # How many pages of the channel it was held against others on.
    pages: int


def explained_sources(
    page: RawPage, article: Article | None, known: LabelKnowledge
) -> tuple[ExplainedSource, ...]:
    """Each source that says anything of the page, by what is known of its channel."""
    parsed = parse_page(page)
    if isinstance(parsed, NoArticle):
        return ()
    said = Said(content=page.announcement.content, marks=known.marks)
    labelled = labelled_page(parsed, article, said, channel=known.channel)
    usual = usual_trusts(pooled(known.records))
    judged = judged_page(labelled, known.records, usual)
    return tuple(
        ExplainedSource(
            source=one.source.value,
            blocks=len(one.blocks),
            words=sum(labelled.words[place] for place in one.blocks),
            soundness=round(judged.soundness[one.source], 4),
            usual=round(channel_trust(one.source, known.channel, known.records, usual).soundness, 4),
            pages=round(known.records.get((one.source, known.channel), SourceRecord()).pages),
        )
        for one in labelled.labels
    )
