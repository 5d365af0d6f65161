"""A server that sends exactly the bytes that it is told to, over TCP or TLS, and ends as it is told to."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import ssl
import struct
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_PAUSE = 0.2
# A reset takes away what was not yet read: long enough for a busy client.
_BEFORE_RESET = 1.5
_SILENCE = 20.0
ALLOWED = b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What goes over the wire for one request, and how the connection ends."""

    pieces: tuple[bytes, ...]  # with a pause between them
    end: Literal["keep", "close", "reset"] = "close"

    @property
    def sent(self) -> bytes:
        return b"".join(self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One request as it came, and all that it was answered with."""

    request: bytes
    answered: bytes
    connection: int


class WireServer:
    """One host with a script for each path: the first request gets the first reply, the last is repeated.

    A connection that has carried a request before and then meets a path of `stale` is closed without a word.
    """

    def __init__(
        self,
        host: str,
        script: Mapping[str, tuple[Reply, ...]],
        *,
        tls: ssl.SSLContext | None = None,
        shakes_hands: bool = True,
        stale: frozenset[str] = frozenset(),
    ) -> None:
        self._listener = socket.create_server((host, 0))
        self._tls = tls
        self._shakes_hands = shakes_hands
        self._stale = stale
        # Unless a kept connection is the point, each request has one of its own.
        end = b"\r\n" if stale else b"Connection: close\r\n\r\n"
        robots = Reply(pieces=(ALLOWED + end,), end="keep" if stale else "close")
        self._script = {"/robots.txt": (robots,), **script}
        self._lock = threading.Lock()
        self._connections = 0
        self._before: dict[str, int] = defaultdict(int)
        self.seen: dict[str, list[Seen]] = defaultdict(list)
        scheme = "https" if tls else "http"
        self.origin = f"{scheme}://{host}:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def forget(self) -> None:
        """Begin a new list of what was seen; the scripts go on where they are."""
        with self._lock:
            for path, seen in self.seen.items():
                self._before[path] += len(seen)
            self.seen.clear()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._connections += 1
            arguments = (connection, self._connections)
            threading.Thread(target=self._serve, args=arguments, daemon=True).start()

    def _serve(self, plain: socket.socket, number: int) -> None:
        # A client may leave whenever it likes.
        with plain, contextlib.suppress(OSError):
            plain.settimeout(_SILENCE)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if not self._shakes_hands:
                plain.recv(65536)
                _end(plain, Reply(pieces=(), end="reset"))
                return
            connection = self._tls.wrap_socket(plain, server_side=True) if self._tls else plain
            with connection:
                self._talk(connection, number)

    def _talk(self, connection: socket.socket, number: int) -> None:
        is_used = False
        while request := _read_request(connection):
            path = request.split(b" ", 2)[1].decode("ascii")
            is_stale = is_used and path in self._stale
            reply = Reply(pieces=()) if is_stale else self._next_reply(path)
            with self._lock:
                self.seen[path].append(Seen(request=request, answered=reply.sent, connection=number))
            _send(connection, reply)
            if reply.end != "keep":
                _end(connection, reply)
                return
            is_used = True

    def _next_reply(self, path: str) -> Reply:
        with self._lock:
            number = self._before[path] + len(self.seen[path])
        replies = self._script[path]
        return replies[min(number, len(replies) - 1)]


def _read_request(connection: socket.socket) -> bytes:
    request = b""
    while not request.endswith(b"\r\n\r\n"):
        piece = connection.recv(65536)
        if not piece:
            return b""
        request += piece
    return request


def _send(connection: socket.socket, reply: Reply) -> None:
    for number, piece in enumerate(reply.pieces):
        if number:
            time.sleep(_PAUSE)
        connection.sendall(piece)


def _end(connection: socket.socket, reply: Reply) -> None:
    if reply.end == "reset":
        if reply.pieces:
            time.sleep(_BEFORE_RESET)
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    elif isinstance(connection, ssl.SSLSocket):
        connection.settimeout(1)
        with contextlib.suppress(OSError):
            connection.unwrap()
    else:
        connection.shutdown(socket.SHUT_WR)
        # To close with something unread would be a reset.
        connection.settimeout(1)
        with contextlib.suppress(OSError):
            while connection.recv(65536):
                pass


def self_signed(folder: Path, host: str) -> ssl.SSLContext:
    """TLS with a certificate that nobody vouches for."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "wire.example")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(host))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    path = folder / "certificate.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(path)
    return context
