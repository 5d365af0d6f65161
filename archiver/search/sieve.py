"""What has to hold of a row of the index, and how an index is asked, whatever it is kept in."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from archiver.archive.objects.kinds import kind_of
from archiver.articles.contributions.schema import ContributionObjects
from archiver.articles.posts.schema import PostObjects
from archiver.search.query import Query

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from datetime import datetime

# Counting stops here: "more than 10,000" is as good as the number, and costs as little as they do.
MOST_COUNTED = 10_000
# Where rows are looked up one by one to count them, so many of the newest are.
MOST_LOOKED_AT = 50_000
# The best are looked for among so many of the newest: to weigh all that have a common word takes seconds.
MOST_RANKED = 20_000
# Numbers of contributions in the place of those of articles are below this one; no paper has such.
CONTRIBUTIONS = -(2**60)
_CONTRIBUTED = (ContributionObjects.name, PostObjects.name)
# Row states: what stands at this place is no longer so, an earlier version, the newest version.
DEAD, EARLIER, NEWEST = 0, 1, 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sieve:
    """What has to hold of a row."""

    query: Query = field(default_factory=Query)
    tags: tuple[tuple[str, ...], ...] = ()  # one of each
    author: str = ""
    category: str = ""
    lowest: int | None = None
    highest: int | None = None
    channels: tuple[int, ...] | None = None
    articles: tuple[int, ...] | None = None
    confidence: int = 0  # in ten-thousandths
    all_versions: bool = False
    contributions: bool = True  # False: without what readers wrote

    @property
    def has_words(self) -> bool:
        """Whether anything is asked that the words of a row tell."""
        return bool(self.query or self.tags or self.author or self.category)

    @property
    def has_row_filters(self) -> bool:
        """Whether anything is asked that the words of a row do not tell."""
        return bool(self.confidence) or self.channels is not None or self.articles is not None


class Paper(NamedTuple):
    """A document whose text is in no object."""

    url: str
    title: str
    captured: datetime
    text: str


class Match(NamedTuple):
    """A row that holds, and where its object is; of a paper, its number in the index and no file."""

    id: int
    file: str
    place: int
    article: int
    version: int
    channel: int
    state: int
    score: float | None = None  # the lower, the better

    @property
    def is_paper(self) -> bool:
        return not self.file

    @property
    def is_contribution(self) -> bool:
        """Whether it is a comment, a post or a revision."""
        return kind_of(self.file) in _CONTRIBUTED

    @property
    def is_newest(self) -> bool:
        return self.state == NEWEST


class SearchIndex(Protocol):
    """An index, to be asked."""

    def newest(self, sieve: Sieve, before: int | None, limit: int) -> list[Match]:
        """The newest rows that hold, before this one."""
        ...

    def best(
        self, sieve: Sieve, after: tuple[float, int] | None, limit: int
    ) -> tuple[list[Match], int | None]:
        """The best rows behind this one; and among how many of the newest, where there are more."""
        ...

    def count(self, sieve: Sieve) -> tuple[int, bool]:
        """How many rows hold; False: more than this."""
        ...

    def papers(self, numbers: Collection[int]) -> Mapping[int, Paper]:
        """These papers, by their numbers."""
        ...

    def fed_bytes(self) -> int:
        """How many bytes of objects files are in the index."""
        ...

    def behind(self, lengths: Mapping[str, int]) -> int:
        """How many bytes of objects files are not in the index."""
        ...
