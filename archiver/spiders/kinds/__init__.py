"""How each kind of thing is asked for, and what its answers become."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar

if TYPE_CHECKING:
    from scrapy import Request
    from scrapy.http import Response

    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.targets import Target
    from archiver.running.session import Session
    from archiver.running.sources import Source

T = TypeVar("T", bound="Target")


class Kind(ABC, Generic[T]):
    """Scrapy's side of a source: requests of targets, and answers of responses that are in the archive."""

    source: ClassVar[type[Source[Any]]]

    def __init__(self, session: Session) -> None:
        self.session = session

    @abstractmethod
    def request(self, target: T) -> Request:
        """Return the request for a target; callbacks are set by whoever sends it."""

    @abstractmethod
    async def read(self, response: Response, target: T) -> object:
        """Return what a response says, for the source to store; or another target to ask for instead."""

    @abstractmethod
    def failed(self, target: T, url: str, failed: Failed) -> object:
        """Return that there was no answer, for the source to store."""

    def instead(self, target: T) -> T | None:  # noqa: ARG002 - for others
        """Return what to ask for where a target failed; None: nothing."""
        return None
