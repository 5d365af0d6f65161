"""An HTTP client protocol that keeps a copy of every byte that passes it.

tests/crawl/test_wire.py holds it to the byte.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IHandshakeListener
from zope.interface import directlyProvides, implementer, providedBy

from archiver.archive.warc.records import Connection
from archiver.clock import machine_now
from archiver.handlers.bodies import LARGE, BodyStart
from archiver.handlers.internals import HEADER, STATUS, ClientFactory, ClientProtocol, keep_body_in
from archiver.handlers.parsing import LONGEST_HEAD, LenientParser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from datetime import datetime

    from twisted.internet.defer import Deferred
    from twisted.internet.interfaces import IAddress
    from twisted.python.failure import Failure
    from twisted.web.iweb import IResponse

    from archiver.handlers.bodies import BodyFlow
    from archiver.handlers.internals import WireRequest

# Says which recording a request belongs to; taken off before anything is sent.
MARKER = b"X-Archiver-Recording"
_VERSION = len(b"HTTP/1.1")


@dataclass(slots=True)
class Attempt:
    """One request on one connection."""

    started: datetime = field(default_factory=machine_now)
    connection: Connection = field(default_factory=Connection)
    ended: datetime | None = None
    # Over TLS, what is sent waits until both have shaken hands.
    is_open: bool = True
    # Why it was given up on our side, as WARC-Truncated has it.
    given_up: str | None = None
    sent: bytearray = field(default_factory=bytearray)
    # What of the response was not passed on yet: all of it, unless it is large.
    received: bytearray = field(default_factory=bytearray)
    size: int = 0  # of all that was received
    version: bytes = b""  # the beginning of it
    # The number under which a large response is passed on.
    stream: int | None = None
    is_kept: bool = False  # what comes now does not belong to it

    def add(self, data: bytes) -> None:
        if self.size < _VERSION:
            self.version += data[: _VERSION - self.size]
        self.received += data
        self.size += len(data)
        self.ended = machine_now()


@dataclass(slots=True)
class Recording:
    """All attempts for one download: a kept-alive connection closed underneath makes a second one."""

    attempts: list[Attempt] = field(default_factory=list)
    body: BodyStart = field(default_factory=BodyStart)

    def deliver(self, response: Any) -> Any:  # noqa: ANN401 - Twisted's response, given on as it is
        """Have Scrapy keep the beginning of the body alone."""
        deliver = response.deliverBody

        def deliver_start(reader: Any) -> None:  # noqa: ANN401 - Scrapy's, a private class
            self.body = BodyStart()
            keep_body_in(reader, self.body)
            deliver(reader)

        response.deliverBody = deliver_start
        return response


@implementer(IHandshakeListener)
class RecordingProtocol(ClientProtocol):
    """Scrapy's protocol, with a copy of what is sent and received."""

    def __init__(
        self,
        quiescent: Callable[[Any], None],
        recordings: dict[bytes, Recording],
        flow: BodyFlow,
        longest: int,
    ) -> None:
        super().__init__(quiescent)  # type: ignore[no-untyped-call] # Twisted has no types here
        self._recordings = recordings
        self._flow = flow
        self._longest = longest
        self._attempt = Attempt()
        self._has_shaken_hands = False

    def makeConnection(self, transport: Any) -> None:  # noqa: ANN401, N802 - Twisted's interface
        super().makeConnection(_TappedTransport(transport, self))  # type: ignore[no-untyped-call]

    def request(self, request: WireRequest) -> Deferred[IResponse]:
        self._attempt = self._new_attempt()
        recording = self._recording_of(request)
        recording.attempts.append(self._attempt)
        answer = super().request(request)
        self.parser.__class__ = LenientParser  # as Scrapy does: Twisted has no place to say it
        return answer.addCallback(recording.deliver)

    def _new_attempt(self) -> Attempt:
        transport: Any = self.transport
        is_secure = hasattr(transport.getHandle(), "get_cipher_name")
        if is_secure and not self._has_shaken_hands:
            ip = getattr(transport.getPeer(), "host", None)
            return Attempt(connection=Connection(ip=ip), is_open=False)
        return Attempt(connection=self._connection())

    def handshakeCompleted(self) -> None:  # noqa: N802 - Twisted's name
        """Only now is known what was agreed on; the first request has been waiting for it."""
        self._has_shaken_hands = True
        self._attempt.is_open = True
        self._attempt.connection = self._connection()

    def _recording_of(self, request: WireRequest) -> Recording:
        """Found by the marker; kept on the request, which Twisted may send again on another connection."""
        known: Recording | None = getattr(request, "archiver_recording", None)
        if known is None:
            marker = request.headers.getRawHeaders(MARKER, [b""])[0]
            request.headers.removeHeader(MARKER)
            known = self._recordings.get(marker) or Recording()
            request.archiver_recording = known  # type: ignore[attr-defined] # ours
        return known

    def dataReceived(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        attempt = self._attempt
        attempt.add(data)
        if self._is_too_long(attempt.size):
            attempt.given_up = "length"
            transport: Any = self.transport
            transport.abortConnection()
            return
        if len(attempt.received) >= LARGE and not attempt.is_kept:
            self._pass_on(attempt)
        super().dataReceived(data)  # type: ignore[no-untyped-call]
        if attempt.stream is not None and self.parser is not None:  # else it has come to its end
            self._flow.hold_if_too_much(attempt.stream, self)

    def _pass_on(self, attempt: Attempt) -> None:
        if attempt.stream is None:
            attempt.stream = self._flow.begin()
        self._flow.pass_on(attempt.stream, bytes(attempt.received))
        attempt.received.clear()

    def hold(self) -> None:
        transport: Any = self.transport
        transport.pauseProducing()

    def go_on(self) -> None:
        transport: Any = self.transport
        transport.resumeProducing()

    def _is_too_long(self, length: int) -> bool:
        """Scrapy bounds the body, but not what may come around its chunks."""
        if length <= LONGEST_HEAD:
            return False
        is_in_head = self.parser is not None and self.parser.state in {STATUS, HEADER}
        return is_in_head or 0 < self._longest < length

    def gives_up(self, reason: Failure) -> None:
        if not isinstance(reason.value, ConnectionDone):  # which is how a whole response ends
            self._attempt.given_up = "unspecified"

    def wrote(self, data: bytes) -> None:
        self._attempt.sent += data

    def _connection(self) -> Connection:
        transport: Any = self.transport
        ip = getattr(transport.getPeer(), "host", None)
        handle = transport.getHandle()
        if not hasattr(handle, "get_protocol_version_name"):
            return Connection(ip=ip)
        problems = getattr(transport, "archiver_certificate_problems", [])
        return Connection(
            ip=ip,
            protocols=(handle.get_protocol_version_name().lower().replace("tlsv", "tls/"),),
            cipher=handle.get_cipher_name(),
            certificate_problem=", ".join(dict.fromkeys(problems)) or None,
        )


class RecordingFactory(ClientFactory):
    """Makes recording protocols for the connection pool."""

    def __init__(
        self,
        quiescent: Callable[[Any], None],
        metadata: str,
        recordings: dict[bytes, Recording],
        flow: BodyFlow,
        longest: int,
    ) -> None:
        super().__init__(quiescent, metadata)  # type: ignore[no-untyped-call] # Twisted has no types here
        self._recordings = recordings
        self._flow = flow
        self._longest = longest

    def buildProtocol(self, addr: IAddress | None) -> RecordingProtocol:  # noqa: ARG002, N802 - Twisted's interface
        return RecordingProtocol(self.quiescent, self._recordings, self._flow, self._longest)


class _TappedTransport:
    """A transport that tells the protocol what goes out; everything else passes through."""

    def __init__(self, transport: Any, protocol: RecordingProtocol) -> None:  # noqa: ANN401 - TCP or TLS
        self._transport = transport
        self._protocol = protocol
        directlyProvides(self, providedBy(transport))

    def write(self, data: bytes) -> None:
        self._protocol.wrote(data)
        self._transport.write(data)

    def writeSequence(self, data: Iterable[bytes]) -> None:  # noqa: N802 - Twisted's name
        joined = b"".join(data)
        self._protocol.wrote(joined)
        self._transport.write(joined)

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the transport has
        return getattr(self._transport, name)
