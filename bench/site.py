"""A fast web site on loopback: generated pages, and feeds that announce them all.

/feed.xml, /feed-0.xml …   feeds of 500 entries each; /feed.xml is the first
/_urls, /_seeds            every page, every feed: one URL a line
/_stats, /_reset           what was served since the last reset, as JSON
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import re
import time
from functools import lru_cache
from typing import cast

from pages import feed, feed_count, index_of, page, story

_FEED = re.compile(r"/feed(?:-(\d{1,6}))?\.xml")
_HTML, _XML, _PLAIN, _JSON = (
    "text/html; charset=utf-8",
    "application/rss+xml",
    "text/plain",
    "application/json",
)

Answer = tuple[int, str, bytes]


class Site:
    def __init__(self, pages: int, *, compress: bool) -> None:
        self.pages = pages
        self.compress = compress
        self.base = ""
        self.reset()

    def reset(self) -> None:
        self._served: set[int] = set()
        self._requests = self._feeds = self._bytes = 0
        self._first = self._last = 0.0
        self._cpu = time.process_time()

    def stats(self) -> dict[str, float]:
        return {
            "pages": len(self._served),
            "page_requests": self._requests,
            "feed_requests": self._feeds,
            "page_bytes": self._bytes,
            # From the first page asked for to the last one answered.
            "seconds": self._last - self._first,
            "server_cpu": time.process_time() - self._cpu,
        }

    def answer(self, path: str) -> Answer:
        index = index_of(path)
        if index is not None and index < self.pages:
            return self._page(index)
        if found := _FEED.fullmatch(path):
            return self._feed(int(found[1] or 0))
        return self._service(path)

    def _page(self, index: int) -> Answer:
        begun = time.monotonic()
        body = page(index)
        self._first = self._first or begun
        self._last = time.monotonic()
        self._served.add(index)
        self._requests += 1
        self._bytes += len(body)
        return 200, _HTML, body

    def _feed(self, number: int) -> Answer:
        if number >= feed_count(self.pages):
            return 404, _PLAIN, b"no such feed\n"
        self._feeds += 1
        return 200, _XML, feed(number, self.pages, self.base)

    def _service(self, path: str) -> Answer:
        if path == "/robots.txt":
            return 200, _PLAIN, b"User-agent: *\nAllow: /\n"
        if path == "/_urls":
            return 200, _PLAIN, "".join(f"{self.base}{story(n).path}\n" for n in range(self.pages)).encode()
        if path == "/_seeds":
            feeds = range(feed_count(self.pages))
            return 200, _PLAIN, "".join(f"{self.base}/feed-{n}.xml\n" for n in feeds).encode()
        if path in ("/_stats", "/_reset"):
            stats = json.dumps(self.stats()).encode()
            if path == "/_reset":
                self.reset()
            return 200, _JSON, stats
        return 404, _PLAIN, b"not found\n"


@lru_cache(maxsize=2000)
def _compressed(body: bytes) -> bytes:
    return gzip.compress(body, compresslevel=6, mtime=0)


class Connection(asyncio.Protocol):
    """HTTP/1.1 with keep-alive and pipelining, for requests without a body."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._unread = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        *requests, self._unread = (self._unread + data).split(b"\r\n\r\n")
        for request in requests:
            self._respond(request)

    def _respond(self, request: bytes) -> None:
        line, _, fields = request.partition(b"\r\n")
        method, target, version = [*line.decode("latin-1").split(" "), "", ""][:3]
        fields = fields.lower()
        status, kind, body = self._site.answer(target.partition("?")[0])
        coding = ""
        if self._site.compress and b"gzip" in fields:
            coding, body = "Content-Encoding: gzip\r\n", _compressed(body)
        close = version == "HTTP/1.0" or b"connection: close" in fields
        head = (
            f"HTTP/1.1 {status} {'OK' if status == 200 else 'Not Found'}\r\nServer: bench\r\n"
            f"Content-Type: {kind}\r\n{coding}Content-Length: {len(body)}\r\n"
            f"Connection: {'close' if close else 'keep-alive'}\r\n\r\n"
        ).encode()
        self._transport.write(head if method == "HEAD" else head + body)
        if close:
            self._transport.close()


async def serve(site: Site, host: str, port: int) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(site), host, port, backlog=512)
    site.base = f"http://{host}:{server.sockets[0].getsockname()[1]}"
    print(f"ready {site.base}", flush=True)
    await server.serve_forever()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes any free one")
    parser.add_argument("--gzip", action="store_true", help="compress for clients that accept it")
    options = parser.parse_args()
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve(Site(options.pages, compress=options.gzip), options.host, options.port))


if __name__ == "__main__":
    main()
