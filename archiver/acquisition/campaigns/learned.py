"""All that a campaign knows while it runs: its subject, how common words are, and what links led to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.campaigns.judging import moved_weights
from archiver.acquisition.campaigns.links import LinkModel
from archiver.acquisition.campaigns.matching import Matcher
from archiver.acquisition.campaigns.relevance import TopicModel, relevance
from archiver.acquisition.campaigns.repeats import RepeatedAddresses
from archiver.acquisition.campaigns.words import Background

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.acquisition.campaigns.links import LinkEvidence
    from archiver.acquisition.campaigns.model import Campaign
    from archiver.acquisition.campaigns.signals import Signals
    from archiver.acquisition.campaigns.words import PageWords


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedPage:
    """A page that was fetched: what is known of it, and what was known before."""

    url: str
    number: int  # of its candidate
    words: PageWords
    evidence: LinkEvidence
    score: float
    signals: Signals
    same_as: int | None = None  # the candidate whose page says the same
    same_url: str = ""  # and its address
    judged: bool | None = None  # by a person
    is_like: bool = False  # an example of the definition
    is_unlike: bool = False


class CampaignModels:
    """Scores pages and links, and learns from each page that comes."""

    def __init__(
        self,
        campaign: Campaign,
        pages: Iterable[LearnedPage],
        same_pages: Iterable[tuple[str, str]] = (),
    ) -> None:
        definition = campaign.definition
        known = list(pages)
        language = definition.languages[0] if definition.languages else "en"
        said: dict[int, float] = {}
        for one in definition.languages or (language,):
            said |= Matcher(definition, campaign.narrower, one).said
        self._asks_examples = bool(definition.examples.like)
        self.background = Background()
        self.links = LinkModel()
        self.repeats = RepeatedAddresses()
        for url, other in same_pages:
            self.repeats.note_same(url, other)
        like = [page.words for page in known if page.is_like or page.judged is True]
        unlike = [page.words for page in known if page.is_unlike or page.judged is False]
        self.topic = TopicModel(like=like, unlike=unlike, said=said, background=self.background)
        self.shifts = moved_weights(
            [(page.signals, page.judged) for page in known if page.judged is not None]
        )
        urls = {page.number: page.url for page in known}
        for page in known:
            self.learn(replace(page, same_url=urls.get(page.same_as or 0, "")))

    @classmethod
    def of(
        cls,
        campaign: Campaign,
        pages: Iterable[LearnedPage],
        same_pages: Iterable[tuple[str, str]] = (),
    ) -> CampaignModels:
        return cls(campaign, pages, same_pages)

    def judge(self, signals: Signals, words: PageWords) -> tuple[float, Signals]:
        """How relevant a page is, and by what."""
        if self.topic.like:
            signals = msgspec.structs.replace(signals, examples=self.topic.likeness(words))
        elif self._asks_examples:
            # Until the first example is there, a page is as alike as it is not.
            signals = msgspec.structs.replace(signals, examples=0.5)
        return relevance(signals, self.shifts), signals

    def score(self, evidence: LinkEvidence) -> float:
        return self.links.score(evidence, self.topic.vector, self.background)

    def parts(self, evidence: LinkEvidence) -> dict[str, float]:
        return self.links.parts(evidence, self.topic.vector, self.background)

    def add_example(self, words: PageWords, *, is_like: bool) -> None:
        """Take in an example once it was fetched."""
        kept = self.topic
        like = [*kept.like, words] if is_like else kept.like
        unlike = kept.unlike if is_like else [*kept.unlike, words]
        self.topic = TopicModel(
            like=like,
            unlike=unlike,
            said=kept.said,
            background=self.background,
            likenesses=kept.likenesses,
        )

    def learn(self, page: LearnedPage) -> None:
        """Take in a page that was fetched."""
        is_twin = page.same_as is not None
        value = 0.2 * page.score if is_twin else page.score
        is_fresh = not is_twin and not page.signals.is_stuffed
        self.repeats.note(page.url, is_fresh=is_fresh, same_as=page.same_url)
        if page.same_url:
            self.repeats.note_same(page.url, page.same_url)
        if not is_twin:
            self.repeats.note_sketch(page.number, page.url, page.words.sketch)
        self.links.learn(page.evidence, value, self.topic.vector, self.background)
        self.topic.note(page.words)
