"""Bodies that are coming in: large ones pass through in parts, and wait where they are too much together."""

from __future__ import annotations

import itertools
import logging
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

logger = logging.getLogger(__name__)

# Of a body, this much is for Scrapy: robots.txt is read from it, and it counts no further (RFC 9309, 2.5).
KEPT_START = 512 * 1024
# From here on a response goes to the writer while it comes: a usual page is handed over whole.
LARGE = 256 * 1024
# Never held back, however much the others have sent.
_SMALL = 1024 * 1024


class BodyStart:
    """Stands where Scrapy has its buffer: keeps the beginning of a body and counts the rest."""

    def __init__(self) -> None:
        self.size = 0
        self._start = bytearray()

    def write(self, data: bytes) -> None:
        self.size += len(data)
        if len(self._start) < KEPT_START:
            self._start += data[: KEPT_START - len(self._start)]

    def getvalue(self) -> bytes:
        return bytes(self._start)

    def truncate(self, size: int) -> None:
        del self._start[size:]


class Incoming(Protocol):
    """A connection on which a large response is coming in."""

    def hold(self) -> None:
        """Read nothing more for now."""

    def go_on(self) -> None: ...


class BodyWriter(Protocol):
    """Takes responses in parts."""

    @property
    def has_room(self) -> bool: ...

    def hand_over(self, stream: int, data: bytes) -> None: ...

    def drop(self, stream: int) -> None: ...

    def when_room(self, tell: Callable[[], None]) -> None: ...


class BodyFlow:
    """Hands large responses over while they come, and holds those back that would be too much.

    Beyond the budget only small ones go on, and the one that began first: so there is always one that can
    come to its end and make room.
    """

    def __init__(self, writer: BodyWriter, budget: int) -> None:
        self._writer = writer
        self._budget = budget
        self._numbers = itertools.count(1)
        self._sizes: dict[int, int] = {}  # in the order in which they began
        self._total = 0
        self._held: dict[int, Incoming] = {}
        self._has_warned = False
        writer.when_room(self._wake)

    def begin(self) -> int:
        """A number for a response that turned out to be large."""
        stream = next(self._numbers)
        self._sizes[stream] = 0
        return stream

    def pass_on(self, stream: int, data: bytes) -> None:
        self._sizes[stream] += len(data)
        self._total += len(data)
        self._writer.hand_over(stream, data)

    def hold_if_too_much(self, stream: int, incoming: Incoming) -> None:
        """Called after a part was passed on, while more is expected."""
        if stream not in self._sizes or stream in self._held or self._may_go_on(stream):
            return
        self._held[stream] = incoming
        incoming.hold()
        if self._writer.has_room and not self._has_warned:
            self._has_warned = True
            # Not a warning: nothing that a site does is worth waking the operator.
            logger.info(
                "Responses of %d MB are coming in at once: the largest wait for the others."
                " BODIES_IN_FLIGHT_MB has the limit.",
                self._total >> 20,
            )

    def end(self, stream: int) -> None:
        """It came to its end, and its exchange is handed over."""
        self._total -= self._sizes.pop(stream, 0)
        self._held.pop(stream, None)
        self._wake()

    def drop(self, stream: int) -> None:
        """It came to an end and is not going to be kept."""
        self.end(stream)
        self._writer.drop(stream)

    def _may_go_on(self, stream: int) -> bool:
        if not self._writer.has_room:
            return False
        is_first = next(iter(self._sizes), None) == stream
        return is_first or self._total <= self._budget or self._sizes[stream] <= _SMALL

    def _wake(self) -> None:
        for stream, incoming in list(self._held.items()):
            if self._may_go_on(stream):
                del self._held[stream]
                incoming.go_on()
