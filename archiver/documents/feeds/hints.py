"""What a feed document says about its own rhythm and reach, kept with its channel."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from archiver.documents.feeds.model import FeedDate  # noqa: TC001 - msgspec reads the annotations at run time

if TYPE_CHECKING:
    from archiver.documents.feeds.model import ParsedFeed


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedHints:
    """The last document of a channel in short. Stores of before lack newer fields: each has a default."""

    shown: int = 0  # how many entries it had
    ttl: int | None = None  # minutes
    skip_hours: tuple[int, ...] = ()  # 0..23, GMT
    skip_days: tuple[str, ...] = ()  # "Monday".."Sunday"
    update_period: str | None = None
    update_frequency: int | None = None
    update_base: FeedDate | None = None
    last_build: FeedDate | None = None
    hubs: tuple[str, ...] = ()
    paging: dict[str, str] = field(default_factory=dict)  # rel → URL


def hints_of(feed: ParsedFeed) -> FeedHints:
    info = feed.info
    return FeedHints(
        shown=len(feed.entries),
        ttl=info.ttl,
        skip_hours=info.skip_hours,
        skip_days=info.skip_days,
        update_period=info.update_period,
        update_frequency=info.update_frequency,
        update_base=info.update_base,
        last_build=info.last_build,
        hubs=info.hubs,
        paging=info.paging,
    )
