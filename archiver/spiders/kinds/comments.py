"""Requests for the feeds of comments, and what their answers become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import CommentFeedFetch
from archiver.acquisition.targets import ACCEPT_FEED, CommentFeedAsk
from archiver.clock import machine_now
from archiver.running.sources.comments import CommentFeedSource
from archiver.running.workers.tasks import ReadCommentFeed
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size, page_validators, validators_of
from archiver.spiders.kinds import Kind
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed

# After the looks at articles that have them asked for.
_PRIORITY = -6


class CommentFeedKind(Kind[CommentFeedAsk]):
    """Asks for the feed of an article's comments, conditionally where it is known."""

    source = CommentFeedSource

    def request(self, target: CommentFeedAsk) -> Request:
        return Request(
            target.url,
            headers={"Accept": ACCEPT_FEED},
            # With "via" it is not taken for the poll of a channel where the state store is made again.
            meta={
                "context": (("via", redact(target.page_url)), ("hopType", "comments")),
                "validators": validators_of(target.validators, target.capture),
            },
            priority=_PRIORITY,
        )

    async def read(self, response: Response, target: CommentFeedAsk) -> CommentFeedFetch:
        failed = failure_of_response(response, machine_now())
        capture = response.meta["capture"]
        if failed is not None or response.status == 304:
            return CommentFeedFetch(ask=target, failed=failed, size=body_size(response))
        read = await self.read_document(ReadCommentFeed(**self.place(response.url, capture)))
        return CommentFeedFetch(
            ask=target,
            found=read.found,
            validators=page_validators(response),
            capture=capture,
            size=body_size(response),
        )

    def failed(self, target: CommentFeedAsk, url: str, failed: Failed) -> CommentFeedFetch:  # noqa: ARG002
        return CommentFeedFetch(ask=target, failed=failed)
