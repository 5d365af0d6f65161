"""Requests to APIs, and what their answers become."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scrapy import Request

from archiver.acquisition.items import ApiFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.targets import ApiAsk
from archiver.clock import machine_now
from archiver.running.sources.apis import PostSource
from archiver.running.workers.apis import ReadApi
from archiver.spiders.failures import failure_of_response
from archiver.spiders.headers import body_size
from archiver.spiders.kinds import Kind
from archiver.urls import redact

if TYPE_CHECKING:
    from scrapy.http import Response

# What a reader makes sense of by itself: it knows what its API refuses, and what there is in its place.
_READ_BY_READER = frozenset(
    {Failure.REFUSED, Failure.NOT_FOUND, Failure.GONE, Failure.RATE_LIMITED, Failure.CLIENT_ERROR}
)


class PostKind(Kind[ApiAsk]):
    """Asks for one page of JSON at a time."""

    source = PostSource

    def request(self, target: ApiAsk) -> Request:
        return Request(
            target.url,
            headers={"Accept": target.accept},
            meta={
                "context": (("via", redact(target.state.query.key)), ("campaign", target.campaign)),
                "campaign": target.campaign,
                "api": True,
            },
        )

    async def read(self, response: Response, target: ApiAsk) -> ApiFetch:
        failed = failure_of_response(response, machine_now())
        size = body_size(response)
        if failed is not None and failed.failure not in _READ_BY_READER:
            return ApiFetch(ask=target, failed=failed, size=size)
        capture = response.meta["capture"]
        state = target.state
        task = ReadApi(
            **self.place(response.url, capture),
            query=state.query,
            cursor=state.cursor,
            date=capture.date,
            nobot=self.session.archive.config.apis.nobot,
        )
        read = await self.read_document(task)
        if read.problem:
            failed = Failed(failure=Failure.CLIENT_ERROR, detail=read.problem)
            return ApiFetch(ask=target, failed=failed, size=size)
        return ApiFetch(ask=target, page=read.page, capture=capture, size=size)

    def failed(self, target: ApiAsk, url: str, failed: Failed) -> ApiFetch:  # noqa: ARG002
        return ApiFetch(ask=target, failed=failed)
