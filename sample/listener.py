"""The HTTP servers: one listening socket for each site, one thread that accepts, one for each connection."""

from __future__ import annotations

import contextlib
import selectors
import socket
import socketserver
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from sample import clock
from sample.messages import Request, Response, compressed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sample.site import Site

_PIECE = 1024


class SiteServer(ThreadingHTTPServer):
    """Serves one site; knows its open connections, so that closing need not wait for clients."""

    daemon_threads = True
    request_queue_size = 128
    timeout = 0

    def __init__(self, address: tuple[str, int], today: Callable[[], int], report: Report) -> None:
        self.site: Site | None = None
        self.today = today
        self.report = report
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._served = 0
        self._open: set[socket.socket] = set()
        super().__init__(address, Handler)

    def server_bind(self) -> None:
        # HTTPServer would ask the resolver for the host's name, which can be slow and is of no use here.
        socketserver.TCPServer.server_bind(self)

    def next_serial(self) -> int:
        with self._lock:
            self._served += 1
            return self._served

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        with self._lock:
            self._open.add(connection)
        return connection, address

    def close_request(self, request: Any) -> None:  # noqa: ANN401 - the base class's own type
        super().close_request(request)
        with self._lock:
            self._open.discard(request)

    def handle_error(self, request: Any, client_address: Any) -> None:  # noqa: ANN401 - as above
        """Keep silent about clients that went away; anything else is a bug in the sample and is shown."""
        if not isinstance(sys.exception(), ConnectionError | TimeoutError):
            super().handle_error(request, client_address)

    def close(self) -> None:
        self.closing.set()
        self.server_close()
        with self._lock:
            connections = list(self._open)
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        self._wait_for_connections(monotonic() + 2)

    def _wait_for_connections(self, deadline: float) -> None:
        while self._open and monotonic() < deadline:
            sleep(0.002)


class Handler(BaseHTTPRequestHandler):
    """Translates between HTTP and the values that sites take and give."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # the head and the body leave in one write
    disable_nagle_algorithm = True
    timeout = 60

    def do_GET(self) -> None:
        server = cast("SiteServer", self.server)
        site = cast("Site", server.site)
        request = self._request(server)
        plain = site.respond(request)
        server.report(site, request, plain)
        answer = compressed(request, plain)
        if answer.delay:
            server.closing.wait(answer.delay)
        self._send(site, request, answer)

    do_HEAD = do_GET  # noqa: N815 - as above
    do_POST = do_GET  # noqa: N815 - as above

    def _request(self, server: SiteServer) -> Request:
        headers = {name.title(): value for name, value in self.headers.items()}
        asked = urlsplit(self.path)
        return Request(
            method=self.command,
            path=asked.path,
            query=asked.query,
            headers=headers,
            day=server.today(),
            serial=server.next_serial(),
            body=self.rfile.read(int(headers.get("Content-Length") or 0)),
        )

    def _send(self, site: Site, request: Request, answer: Response) -> None:
        self.send_response_only(answer.status)
        self.send_header("Date", clock.http_date(clock.now(request.day)))
        self.send_header("Server", site.software)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        if answer.chunked:
            self.send_header("Transfer-Encoding", "chunked")
        elif answer.status != 304:
            self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if request.method != "HEAD":
            self.wfile.write(_in_pieces(answer.body) if answer.chunked else answer.body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, ANN401 - the base class's names
        """Say nothing: the log of the web is kept by `SampleWeb`."""


def _in_pieces(body: bytes) -> bytes:
    pieces = [body[start : start + _PIECE] for start in range(0, len(body), _PIECE)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in [*pieces, b""])


if TYPE_CHECKING:
    Report = Callable[[Site, Request, Response], None]


class Acceptor:
    """One thread that waits on all the listening sockets, and stops at once when asked."""

    def __init__(self, servers: Sequence[SiteServer]) -> None:
        self._servers = servers
        self._ear, self._bell = socket.socketpair()
        self._thread = threading.Thread(target=self._run, name="sample-web", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def _run(self) -> None:
        with selectors.DefaultSelector() as selector:
            for server in self._servers:
                selector.register(server, selectors.EVENT_READ, server)
            selector.register(self._ear, selectors.EVENT_READ, None)
            while self._turn(selector.select()):
                pass

    def _turn(self, ready: list[tuple[selectors.SelectorKey, int]]) -> bool:
        """Accept what came; false when the bell rang."""
        for key, _ in ready:
            if key.data is None:
                return False
            key.data.handle_request()
        return True

    def stop(self) -> None:
        self._bell.send(b"!")
        self._thread.join()
        self._ear.close()
        self._bell.close()
        for server in self._servers:
            server.close()
