"""From the answer to a poll to what it means for the channel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.acquisition.channels.polling.wishes import wishes_of_head
from archiver.acquisition.items import ChannelPoll, Validators
from archiver.acquisition.outcomes import Failed, Failure
from archiver.clock import machine_now
from archiver.documents.feeds.discovered import is_of_comments
from archiver.spiders.headers import header, header_list

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.channels.polling.wishes import Wishes
    from archiver.running.workers.tasks import FeedRead

_PERMANENT = {301, 308}
_IM_USED = 226
_WISHING = ("Age", "Expires", "Date", "Retry-After")


def feed_poll(response: Response, channel_id: int, read: FeedRead) -> ChannelPoll:
    """A feed, or of a 226 the part of it that changed."""
    is_partial = response.status == _IM_USED
    return ChannelPoll(
        channel_id=channel_id,
        url=response.url,
        feed=read.feed,
        validators=Validators(
            etag=header(response, "ETag"),
            last_modified=header(response, "Last-Modified"),
            # What a 304 says is still so is the whole feed, which a part of it cannot stand for.
            capture=None if is_partial else response.meta["capture"],
        ),
        moved_to=_moved_to(response),
        capture=response.meta["capture"],
        wishes=_wishes(response),
        links=header_list(response, "Link"),
        partial=is_partial,
    )


def broken_off_poll(response: Response, channel_id: int, read: FeedRead) -> ChannelPoll:
    """A feed that ends before it is whole: the entries that came are kept, and nothing else is believed."""
    wishes = _wishes(response)
    return ChannelPoll(
        channel_id=channel_id,
        url=response.url,
        feed=read.feed,
        failed=Failed(
            failure=Failure.TRUNCATED,
            detail=read.problem or "the document breaks off before its end",
            retry_after=wishes.retry_after,
        ),
        capture=response.meta["capture"],
    )


def unchanged_poll(response: Response, channel_id: int) -> ChannelPoll:
    """A 304."""
    return ChannelPoll(
        channel_id=channel_id, url=response.url, moved_to=_moved_to(response), wishes=_wishes(response)
    )


def site_poll(response: Response, channel_id: int, read: FeedRead) -> ChannelPoll:
    """A page that names feeds."""
    return ChannelPoll(
        channel_id=channel_id, url=response.url, discovered=read.discovered, wishes=_wishes(response)
    )


def unfit_poll(response: Response, channel_id: int, read: FeedRead) -> ChannelPoll:
    """Something else where a feed is wanted."""
    if read.discovered is None:
        failed = Failed(failure=Failure.NOT_A_FEED, detail=read.problem)
        return ChannelPoll(channel_id=channel_id, url=response.url, failed=failed)
    named = [feed.url for feed in read.discovered if not is_of_comments(feed)]
    detail = "a web page where there was a feed" + (f"; it names this feed: {named[0]}" if named else "")
    return ChannelPoll(
        channel_id=channel_id,
        url=response.url,
        failed=Failed(failure=Failure.NOT_A_FEED, detail=detail),
        names=named[0] if named else None,
    )


def unsolicited_delta(response: Response, channel_id: int) -> ChannelPoll | None:
    """A 226 that is no part of a feed, the one thing that was asked for; None for any other answer."""
    used = header(response, "IM") or ""
    if response.status != _IM_USED or used.partition(";")[0].strip().lower() == "feed":
        return None
    detail = f"226 with IM: {used or 'nothing'}, where feed was asked for"
    failed = Failed(failure=Failure.NOT_A_FEED, detail=detail)
    # Without validators the next answer will be the whole feed.
    return ChannelPoll(channel_id=channel_id, url=response.url, failed=failed, forgets=True)


def _moved_to(response: Response) -> str | None:
    """The new address, where every redirect on the way was permanent."""
    reasons = response.meta.get("redirect_reasons", [])
    return response.url if reasons and all(reason in _PERMANENT for reason in reasons) else None


def _wishes(response: Response) -> Wishes:
    head = {name.lower(): header(response, name) or "" for name in _WISHING}
    head["cache-control"] = header_list(response, "Cache-Control")
    # By the clock that servers have, whatever time it is in a rehearsal.
    return wishes_of_head(head, machine_now())
