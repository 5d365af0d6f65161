"""HTTP resources beside a crawl, whose answers are made on its event loop."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from twisted.web.resource import Resource
from twisted.web.server import Request, Site

from archiver.errors import ArchiveError

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from twisted.python.failure import Failure

SECONDS = 30
TEXT = "text/plain; charset=utf-8"


def listen(host: str, port: int, resource: Resource, request_factory: type[Request] = Request) -> Any:  # noqa: ANN401 - Twisted's port
    """Serve a resource. Raises CannotListenError."""
    from twisted.internet import reactor  # noqa: PLC0415 - Scrapy has chosen one by the time that it is needed

    site: Any = Site(resource, requestFactory=request_factory, timeout=SECONDS)  # type: ignore[no-untyped-call]
    site.displayTracebacks = False
    serving: Any = reactor
    return serving.listenTCP(port, site, interface=host)


class AnsweringResource(Resource):
    """A resource that holds on to the answers it is making."""

    isLeaf = True  # noqa: N815 - Twisted's name

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        # The event loop itself does not hold on to what it runs.
        self._answering: set[asyncio.Task[None]] = set()

    def answer(
        self, request: Request, making: Coroutine[Any, Any, tuple[int, bytes]], content_type: str = TEXT
    ) -> None:
        task = asyncio.ensure_future(_finish(request, making, content_type))
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)


async def _finish(request: Any, making: Coroutine[Any, Any, tuple[int, bytes]], content_type: str) -> None:  # noqa: ANN401 - Twisted has no types here
    gone: list[Failure] = []
    request.notifyFinish().addErrback(gone.append)
    try:
        status, body = await making
    except ArchiveError:
        status, body = 503, b""
    if gone:
        return  # the client has gone
    request.setResponseCode(status)
    request.setHeader(b"Content-Type", content_type.encode())
    request.write(body)
    request.finish()
