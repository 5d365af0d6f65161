"""Hosts whose responses are large, all at once, and in no hurry to end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.crawl.site import text
from tests.zoo.base import HostileSite

if TYPE_CHECKING:
    import socket

MB = 1 << 20
PIECE = bytes(range(256)) * (MB // 256)


class _LargeSite(HostileSite):
    """Answers every path but robots.txt with so many megabytes of the 64 that it promises."""

    megabytes = 63

    def misbehave(self) -> None:
        self.add("/robots.txt", text("User-agent: *\nAllow: /\n"))

    def _respond(self, connection: socket.socket, raw: bytes, number: int) -> bool:
        if b" /robots.txt " in raw.partition(b"\r\n")[0]:
            return super()._respond(connection, raw, number)
        self._record(raw, number)
        promised = b"Content-Type: text/plain\r\nContent-Length: %d\r\n\r\n" % (64 * MB)
        connection.settimeout(None)
        connection.sendall(b"HTTP/1.1 200 OK\r\n" + promised)
        for _ in range(self.megabytes):
            connection.sendall(PIECE)
        return self._end()

    def _end(self) -> bool:
        return True


class HoldsLargeBody(_LargeSite):
    """Sends 63 of the 64 megabytes that it promised and holds the connection open."""

    def _end(self) -> bool:
        self._closing.wait()
        return False


class LargeBody(_LargeSite):
    """Sends 64 megabytes as fast as it can, as honest hosts do."""

    megabytes = 64
