"""HTTP with hubs: the server that they call, and the requests that ask them to."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlencode

from scrapy.utils.defer import maybe_deferred_to_future
from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol as TwistedProtocol
from twisted.web.client import Agent, FileBodyProducer
from twisted.web.http_headers import Headers
from twisted.web.server import NOT_DONE_YET, Request

from archiver.extensions.answering import SECONDS, AnsweringResource, listen
from archiver.handlers.internals import abort
from archiver.store.polling.subscriptions import Call

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


# What a hub may send; only its signature is looked at.
_MOST_BYTES = 4 * 1024 * 1024


class Listener(Protocol):
    """Who is told what hubs say."""

    async def question(self, path: str, query: Mapping[str, str]) -> str | None: ...

    async def called(self, path: str, body: bytes, signature: str) -> Call: ...


def listen_for_hubs(host: str, port: int, listener: Listener) -> Any:  # noqa: ANN401 - Twisted's port
    """Be called by hubs. Raises CannotListenError."""
    return listen(host, port, _Callback(listener), _BoundedRequest)


async def ask_hub(hub: str, fields: Sequence[tuple[str, str]], user_agent: str) -> int | None:
    """Send a form to a hub; the status of its answer, or None if there was none."""
    from twisted.internet import reactor  # noqa: PLC0415 - Scrapy has chosen one by the time that it is needed

    agent: Any = Agent(reactor, connectTimeout=SECONDS)  # type: ignore[no-untyped-call]
    headers = Headers({"User-Agent": [user_agent], "Content-Type": ["application/x-www-form-urlencoded"]})
    body: Any = FileBodyProducer(BytesIO(urlencode(fields).encode()))  # type: ignore[no-untyped-call]
    try:
        asked = agent.request(b"POST", hub.encode("ascii"), headers, body).addTimeout(SECONDS, reactor)
        response = await maybe_deferred_to_future(asked)
        await maybe_deferred_to_future(_passed_over(response).addTimeout(SECONDS, reactor))
    except Exception:  # noqa: BLE001 - whatever a hub does wrong: it is asked again later, and counted
        return None
    return int(response.code)


class _Callback(AnsweringResource):
    """Every path that we ever gave to a hub, and no other."""

    def __init__(self, listener: Listener) -> None:
        super().__init__()
        self._listener = listener

    def render_GET(self, request: Request) -> int:  # noqa: N802 - Twisted's name
        query = {_text(name): _text(values[0]) for name, values in (request.args or {}).items()}
        self.answer(request, self._question(_path(request), query))
        return NOT_DONE_YET

    def render_POST(self, request: Request) -> int:  # noqa: N802 - Twisted's name
        content: Any = request.content
        signature = _text(request.getHeader(b"X-Hub-Signature") or b"")
        self.answer(request, self._called(_path(request), content.read(), signature))
        return NOT_DONE_YET

    async def _question(self, path: str, query: Mapping[str, str]) -> tuple[int, bytes]:
        challenge = await self._listener.question(path, query)
        return (404, b"") if challenge is None else (200, challenge.encode("utf-8", "replace"))

    async def _called(self, path: str, body: bytes, signature: str) -> tuple[int, bytes]:
        call = await self._listener.called(path, body, signature)
        # A wrong signature is not told apart, so that guessing teaches nothing.
        return (410 if call is Call.UNKNOWN else 202), b""


class _BoundedRequest(Request):
    """A request whose body ends somewhere."""

    _received = 0

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802 - Twisted's name
        self._received += len(data)
        if self._received > _MOST_BYTES:
            channel: Any = self.channel
            channel.forceAbortClient()
            return
        super().handleContentChunk(data)  # type: ignore[no-untyped-call]


def _path(request: Request) -> str:
    """The last part: whatever a proxy put before it or took away."""
    return _text((request.postpath or [b""])[-1])


def _text(value: bytes) -> str:
    return value.decode("utf-8", "replace")


def _passed_over(response: Any) -> Deferred[None]:  # noqa: ANN401 - Twisted's interface
    done: Deferred[None] = Deferred(lambda _: abort(response))
    response.deliverBody(_PassOver(done))
    return done


class _PassOver(TwistedProtocol):
    """Lets a body go by."""

    def __init__(self, done: Deferred[None]) -> None:
        self._done = done

    def connectionLost(self, reason: Any = None) -> None:  # noqa: ANN401, ARG002, N802 - Twisted's interface
        if not self._done.called:
            self._done.callback(None)
