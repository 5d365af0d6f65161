"""How long a campaign and its feeds last: spans and ends, as its file has them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

from archiver.acquisition.campaigns.definition import Span
from archiver.acquisition.campaigns.model import CampaignState

if TYPE_CHECKING:
    from archiver.acquisition.campaigns.model import Campaign

_SPAN = re.compile(r"\+?([0-9]{1,5})([hdw])")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def span_of(text: str) -> Span:
    """A time that is written as 36h, 14d or 2w; ValueError where it is not one."""
    found = _SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise ValueError(f"{text} is not a time: write a number with h, d or w, such as 36h or 14d")
    return Span(int(found[1]) * _UNITS[found[2]])


def last_moment(until: str, ended: datetime | None) -> datetime | None:
    """When something is over that lasts until a day, or so long after an end; None: that is not known yet."""
    if until.strip().startswith("+"):
        span = span_of(until)
        return None if ended is None else ended + span
    day = date.fromisoformat(until.strip())
    return datetime.combine(day, time(), UTC) + timedelta(days=1)


def polls_feeds(campaign: Campaign, now: datetime) -> bool:
    """Whether the feeds that a campaign follows are polled: while it runs, and until its file says."""
    wish = campaign.definition.feeds
    if not wish.follow or campaign.state is CampaignState.STOPPED:
        return False
    last = last_moment(wish.until, campaign.ended)
    return campaign.state is CampaignState.RUNNING if last is None else now < last
