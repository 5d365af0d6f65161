"""How each kind of thing is asked for, and what its answers become."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.targets import Target
    from archiver.archive.warc.records import Capture
    from archiver.running.session import Session
    from archiver.running.sources import Source
    from archiver.running.workers import DocumentPlace, DocumentTask

R = TypeVar("R")
T = TypeVar("T", bound="Target")


class Kind(ABC, Generic[T]):
    """Scrapy's side of a source: requests of targets, and answers of responses that are in the archive."""

    source: ClassVar[type[Source[Any]]]

    def __init__(self, session: Session) -> None:
        self.session = session

    @abstractmethod
    def request(self, target: T) -> Request:
        """Return the request for a target; callbacks are set by the spider that sends it."""

    @abstractmethod
    async def read(self, response: Response, target: T) -> object:
        """Return what a response says, for the source to store; or another target to ask for instead."""

    @abstractmethod
    def failed(self, target: T, url: str, failed: Failed) -> object:
        """Return that there was no answer, for the source to store."""

    async def knows(self, target: T, url: str) -> bool:  # noqa: ARG002 - for others
        """Return whether the page that a redirect of a target leads to need not be asked for again."""
        return False

    def instead(self, target: T) -> T | None:  # noqa: ARG002 - for others
        """Return what to ask for where a target failed; None: nothing."""
        return None

    def place(self, url: str, capture: Capture) -> DocumentPlace:
        """Return where a document is, for a task that reads it."""
        folder = str(self.session.archive.config.warc_folder)
        return {"url": url, "folder": folder, "file": capture.file, "offset": capture.offset}

    async def read_document(self, task: DocumentTask[R]) -> R:
        """Have a document read by a worker; one that cannot be read has a problem in its answer."""
        try:
            return await self.session.archive.workers.run(task)
        except ExtractionError as error:
            return task.unread(str(error))
