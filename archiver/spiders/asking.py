"""From targets to requests, and from responses to answers: the same for every kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.acquisition.items import Answer
from archiver.acquisition.outcomes import Failed, Failure
from archiver.errors import ArchiveError, RunEnding, WorkersBroken
from archiver.spiders.failures import failure_of_error

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from scrapy import Request
    from scrapy.http import Response
    from twisted.python.failure import Failure as TwistedFailure

    from archiver.acquisition.targets import Target
    from archiver.running.session import Session
    from archiver.spiders.kinds import Kind

# The run ends, and no fault of the target: everything stays as it is.
_NOT_TRIED = (ArchiveError, RunEnding)


class Asking:
    """Asks for targets, each in the way of its kind."""

    def __init__(self, session: Session, kinds: Mapping[str, Kind[Any]]) -> None:
        self._session = session
        self._kinds = kinds

    def request(self, target: Target) -> Request:
        request = self._kinds[target.source].request(target)
        request.callback, request.errback = self.answered, self.failed
        request.cb_kwargs["target"] = target
        request.dont_filter = True
        return request

    async def knows(self, request: Request) -> bool:
        """Return whether a redirect leads to a page that need not be asked for again."""
        target: Target | None = request.cb_kwargs.get("target")
        return target is not None and await self._kinds[target.source].knows(target, request.url)

    async def answered(self, response: Response, target: Target) -> AsyncIterator[Answer | Request]:
        """Wait until the response is in the archive: nothing is made of it before."""
        try:
            response.meta["capture"] = await response.meta["capture"]
        except ArchiveError:
            return
        kind = self._kinds[target.source]
        try:
            found = await kind.read(response, target)
        except WorkersBroken as error:
            self._session.fatal(error)
            return
        yield self._asked_or_answered(target, found)

    async def failed(self, error: TwistedFailure) -> AsyncIterator[Answer | Request]:
        if isinstance(error.value, _NOT_TRIED):
            return
        request: Request = error.request  # type: ignore[attr-defined] # set by Scrapy
        target: Target = request.cb_kwargs["target"]
        kind = self._kinds[target.source]
        found = kind.instead(target) or kind.failed(target, request.url, failure_of_error(error, request.url))
        yield self._asked_or_answered(target, found)

    def _asked_or_answered(self, target: Target, found: Any) -> Answer | Request:  # noqa: ANN401 - each kind has its own
        if getattr(found, "source", None) in self._kinds:
            return self.request(found)
        return Answer(target=target, found=found)

    def broken(self, request: Request, url: str, error: BaseException | None) -> Answer | None:
        """Return the answer to a request that an error of ours kept from being read: it is tried again."""
        target: Target | None = request.cb_kwargs.get("target")
        if target is None:
            return None
        failed = Failed(failure=Failure.INTERNAL, detail=str(error))
        return Answer(target=target, found=self._kinds[target.source].failed(target, url, failed))
