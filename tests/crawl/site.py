"""A scripted web site on loopback: real sockets, raw enough to misbehave, and nothing forgotten.

    with Site() as site:
        site.add("/feed.xml", unavailable(retry_after="120"), rss([Entry(link="/a", title="A")]))
        site.add("/a", page("A", ["…"]))

The first request to a path gets the first answer, and so on; the last one is given for ever. A function of
the request stands wherever an answer may. A path without a script is 404. Every request is kept, with the
bytes that came and the bytes that went back.
"""

from __future__ import annotations

import contextlib
import re
import socket
import struct
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    import ssl

Headers = tuple[tuple[str, str], ...]
# A connection that says nothing for so long is given up, so that no test waits for it.
_SILENCE = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the site does when it is asked: an honest response, or one of the ways to fail."""

    status: int = 200
    reason: str | None = None  # the usual one, where it is not given
    headers: Headers = ()  # names and values verbatim, in this order
    body: bytes = b""
    delay: float = 0.0  # seconds before anything is sent
    chunked: bool = False
    cut: int | None = None  # hang up after so many bytes of the body, whatever Content-Length said
    reset: bool = False  # hang up rudely, before a byte is sent
    raw: bytes | None = None  # send exactly this, then hang up
    endless: bytes | None = None  # after the body (or `raw`), send this again and again
    pause: float = 0.0  # seconds between the pieces of what is endless

    def but(self, *headers: tuple[str, str], **changes: object) -> Answer:
        """The same answer with more headers, or with other parts."""
        return replace(self, headers=(*self.headers, *headers), **changes)  # type: ignore[arg-type] # by name

    def head(self) -> bytes:
        reason = self.reason if self.reason is not None else _usual_reason(self.status)
        lines = [f"HTTP/1.1 {self.status} {reason}", *(f"{name}: {value}" for name, value in self.headers)]
        given = {name.lower() for name, _ in self.headers}
        if self.chunked:
            lines.append("Transfer-Encoding: chunked")
        elif not given & {"content-length", "transfer-encoding"} and self.status != 304 and not self.endless:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    def wire(self) -> bytes:
        """Everything that is sent, but for what is endless."""
        if self.raw is not None:
            return self.raw
        body = _in_chunks(self.body) if self.chunked else self.body
        return self.head() + (body if self.cut is None else body[: self.cut])

    @property
    def hangs_up(self) -> bool:
        return self.cut is not None or self.raw is not None or self.endless is not None


@dataclass(slots=True, kw_only=True)
class Request:
    """One request as it came, and what it was answered with."""

    raw: bytes
    method: str
    target: str
    headers: Headers
    number: int  # the how manieth to this path, from 1
    connection: int
    at: float = field(default_factory=time.monotonic)
    answered: bytes = b""

    @property
    def path(self) -> str:
        return self.target.partition("?")[0]

    @property
    def body(self) -> bytes:
        return self.raw.partition(b"\r\n\r\n")[2]

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)


Script = Answer | Callable[[Request], Answer]


class Site:
    """One web site at one address; several of them are a web: `Site("127.0.0.2")`."""

    def __init__(self, host: str = "127.0.0.1", port: int = 0) -> None:
        self._listener = socket.create_server((host, port), backlog=128)
        self.host, self.port = self._listener.getsockname()
        # Set before the first request: the site is asked over TLS.
        self.tls: ssl.SSLContext | None = None
        self.requests: list[Request] = []
        self.connections = 0
        self.busiest = 0  # the most requests that were being answered at one time
        self._answering = 0
        self._scripts: dict[str, list[Script]] = {}
        self._open: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._start(self._accept)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def origin(self) -> str:
        return f"{self._scheme}://{self.host}:{self.port}"

    @property
    def _scheme(self) -> str:
        return "https" if self.tls else "http"

    def url(self, path: str = "/", credentials: str = "") -> str:
        """The address of a path; `credentials` such as `user:password` go before the host."""
        return f"{self._scheme}://{credentials + '@' if credentials else ''}{self.host}:{self.port}{path}"

    def add(self, path: str, *answers: Script) -> str:
        """Script a path, or script it anew; its address."""
        with self._lock:
            self._scripts[path] = list(answers)
        return self.url(path)

    def remove(self, path: str) -> None:
        with self._lock:
            self._scripts.pop(path, None)

    def to(self, path: str) -> list[Request]:
        """The requests that this path got, in order."""
        return [request for request in self.requests if path in {request.target, request.path}]

    @property
    def paths(self) -> list[str]:
        """The targets that were asked for, in order, without robots.txt."""
        return [request.target for request in self.requests if request.path != "/robots.txt"]

    def forget(self) -> None:
        """Begin a new list of requests; the scripts go on where they are."""
        self.requests = []

    def close(self) -> None:
        self._closing.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            for connection in self._open:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            connection.settimeout(_SILENCE)
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            with self._lock:
                self._open.add(connection)
                self.connections += 1
            self._start(self._serve, connection, self.connections)

    def _serve(self, plain: socket.socket, number: int) -> None:
        # A client may leave whenever it likes.
        with plain, contextlib.suppress(OSError):
            self._converse(plain, number)
        with self._lock:
            self._open.discard(plain)

    def _converse(self, plain: socket.socket, number: int) -> None:
        with self.tls.wrap_socket(plain, server_side=True) if self.tls else plain as connection:
            with self._lock:
                self._open.add(connection)
            waiting = b""
            while not self._closing.is_set():
                raw, waiting = _next_request(connection, waiting)
                if not raw or not self._respond(connection, raw, number):
                    break
        with self._lock:
            self._open.discard(connection)

    def _respond(self, connection: socket.socket, raw: bytes, number: int) -> bool:
        """Answer one request; false when the connection is to be closed."""
        request, script = self._record(raw, number)
        answer = script if isinstance(script, Answer) else script(request)
        self._wait(answer.delay)
        if answer.reset:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            return False
        request.answered = answer.wire()
        connection.sendall(request.answered)
        while answer.endless and not self._closing.wait(answer.pause):
            connection.sendall(answer.endless)
            request.answered += answer.endless
        return not answer.hangs_up and (request.header("Connection") or "").lower() != "close"

    def _wait(self, seconds: float) -> None:
        with self._lock:
            self._answering += 1
            self.busiest = max(self.busiest, self._answering)
        self._closing.wait(seconds)
        with self._lock:
            self._answering -= 1

    def _record(self, raw: bytes, connection: int) -> tuple[Request, Script]:
        method, target, headers = _parsed(raw)
        with self._lock:
            number = 1 + sum(known.target == target for known in self.requests)
            request = Request(
                raw=raw, method=method, target=target, headers=headers, number=number, connection=connection
            )
            self.requests.append(request)
            script = self._scripts.get(target) or self._scripts.get(request.path) or [not_found()]
            return request, script.pop(0) if len(script) > 1 else script[0]


def _next_request(connection: socket.socket, waiting: bytes) -> tuple[bytes, bytes]:
    """One request, and what came after it; nothing when the client is done."""
    while (length := _length(waiting)) is None or len(waiting) < length:
        piece = connection.recv(65536)
        if not piece:
            return b"", b""
        waiting += piece
    return waiting[:length], waiting[length:]


def _length(waiting: bytes) -> int | None:
    """The length of the first request; None as long as its head is not there."""
    head, blank, _ = waiting.partition(b"\r\n\r\n")
    told = re.search(rb"(?im)^content-length: *(\d+)", head)
    return len(head + blank) + (int(told[1]) if told else 0) if blank else None


def _parsed(raw: bytes) -> tuple[str, str, Headers]:
    head = raw.partition(b"\r\n\r\n")[0]
    first, *lines = head.decode("latin-1").split("\r\n")
    method, target, _ = first.split(" ", 2)
    pairs = (line.partition(":") for line in lines)
    return method, target, tuple((name, value.strip()) for name, _, value in pairs)


def _usual_reason(status: int) -> str:
    return HTTPStatus(status).phrase if status in set(HTTPStatus) else ""


def _in_chunks(body: bytes, size: int = 1000) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in [*pieces, b""])


# ── Answers that tests ask for by name ───────────────────────────────────────────────────────────────────


def html(markup: str) -> Answer:
    return Answer(headers=(("Content-Type", "text/html; charset=utf-8"),), body=markup.encode())


def text(content: str) -> Answer:
    """Plain text, such as a robots.txt."""
    return Answer(headers=(("Content-Type", "text/plain; charset=utf-8"),), body=content.encode())


def status(code: int, *headers: tuple[str, str]) -> Answer:
    """A short page that says what happened."""
    body = f"<html><title>{code}</title><h1>{code} {_usual_reason(code)}</h1></html>"
    return html(body).but(*headers, status=code)


def not_found() -> Answer:
    return status(404)


def unavailable(retry_after: str | None = None, code: int = 503) -> Answer:
    return status(code, *([("Retry-After", retry_after)] if retry_after else []))


def redirect(location: str, code: int = 302) -> Answer:
    return status(code, ("Location", location))


def conditional(answer: Answer) -> Callable[[Request], Answer]:
    """304 to whoever sends back the validators of this answer, byte for byte."""
    validators = {name.lower(): value for name, value in answer.headers}

    def script(request: Request) -> Answer:
        sent = {
            "etag": request.header("If-None-Match"),
            "last-modified": request.header("If-Modified-Since"),
        }
        same = [validators[name] == value for name, value in sent.items() if name in validators]
        return Answer(status=304, headers=answer.headers) if same and all(same) else answer

    return script
