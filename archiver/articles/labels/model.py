"""Labels of pages: the blocks that each source takes for the article, and what is known of the sources."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import msgspec


class LabelSource(StrEnum):
    """Who says which blocks are the article. The values are stored."""

    USER = "user"  # marks of people: the examples of field wrappers
    FEED = "feed"  # the full content that an entry carries
    STATEMENT = "statement"  # `articleBody` in JSON-LD or microdata
    CONSENSUS = "consensus"  # what the voters of the method `article` agree on
    WRAPPER = "wrapper"  # what a wrapper serves that several pages have proven


class BlockLabels(msgspec.Struct, frozen=True, kw_only=True):
    """What one source says of a page: these blocks are the article, and the others are not."""

    source: LabelSource
    # Numbers of blocks of the page's Outline, in order.
    blocks: tuple[int, ...]


class LabelledPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page as training takes it: how long its blocks are, and what each source says of them."""

    url: str
    # Groups pages that share a template and a publisher; models are tried on sites that they have not seen.
    site: str
    # The channel whose entry led to it, for reliabilities by channel; 0: none did.
    channel: int = 0
    # How many words each block has.
    words: tuple[int, ...]
    labels: tuple[BlockLabels, ...]


class SourceRecord(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen of a source so far: sums of expectations, which fade.

    A page is *sound* where the source speaks of this article, and *broken* where it says something else as
    a whole: a teaser, another article, the page with its menus.
    """

    sound: float = 0.0
    broken: float = 0.0
    # Of sound pages, the share of their text on which the source was right and wrong.
    right: float = 0.0
    wrong: float = 0.0

    @property
    def pages(self) -> float:
        return self.sound + self.broken

    def plus(self, other: SourceRecord, *, times: float = 1.0) -> SourceRecord:
        return SourceRecord(
            sound=self.sound + times * other.sound,
            broken=self.broken + times * other.broken,
            right=self.right + times * other.right,
            wrong=self.wrong + times * other.wrong,
        )


class SourceTrust(msgspec.Struct, frozen=True, kw_only=True):
    """How far a source is trusted: how often it is sound, and how often a block is wrong where it is."""

    soundness: float
    error: float


# What was seen of each source on each channel; channel 0 is whatever came without one.
Records = dict[tuple[LabelSource, int], SourceRecord]


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelKnowledge:
    """What is known beside a page: records of sources, its channel, and what people marked on it."""

    records: Records = field(default_factory=dict)
    channel: int = 0
    marks: tuple[str, ...] = ()
