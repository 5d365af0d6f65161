"""Feeds of a campaign: which of those that relevant pages name are polled, and who names a channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# What the sources and the labels of its channels begin with.
PREFIX = "campaign:"
# A single page that is this relevant speaks for the feeds of its host; of others it takes two.
_SURE, _LEAST_PAGES = 0.8, 2
# Of a host: sections and tags have feeds of their own.
PER_HOST = 3


def source_of(name: str) -> str:
    """The source that lists the channels of a campaign, and their label."""
    return f"{PREFIX}{name}"


def campaigns_among(sources: Sequence[str]) -> tuple[str, ...]:
    """The campaigns that name a channel; none where a seeds file or a person names it, too."""
    if not all(source.startswith(PREFIX) for source in sources):
        return ()
    return tuple(source.removeprefix(PREFIX) for source in sources)


def speaks_for_feeds(score: float, others: Iterable[float], floor: float) -> bool:
    """Whether the pages of a host are relevant enough for its feeds: one of them, and `others`."""
    if score < floor:
        return False
    return score >= _SURE or 1 + sum(other >= floor for other in others) >= _LEAST_PAGES
