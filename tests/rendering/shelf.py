"""A small archive of pages that were written down here, and a browser that renders them from it."""

from __future__ import annotations

import asyncio
import os
import shutil
import threading
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.index import Index
from archiver.archive.cdxj.update import update
from archiver.archive.warc.records import Exchange
from archiver.archive.warc.writer import WarcOptions, WarcWriter
from archiver.archive.writers import find_writer
from archiver.rendering.archived import render_archived
from archiver.rendering.model import RenderRules
from archiver.rendering.process import RenderProcess

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from archiver.archive.warc.records import Capture
    from archiver.rendering.model import RenderedPage

HOST = "http://js.example"
MOMENT = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)
_KINDS = {".js": "text/javascript", ".json": "application/json", ".css": "text/css", ".png": "image/png"}


def need_browser() -> None:
    """Skip where Chromium is missing, but not in CI."""
    if shutil.which("chromium") is None:
        if os.environ.get("CI") == "true":
            pytest.fail("Chromium is missing: apt-get install chromium")
        pytest.skip("Chromium is missing: apt-get install chromium")


class Shelf:
    """An archive of these bodies by their paths; what begins with `/` is on one host."""

    def __init__(self, folder: Path, bodies: Mapping[str, str]) -> None:
        self.folder = folder
        self.warc, self.index = folder / "warc", folder / "index"
        self.warc.mkdir(parents=True)
        writer = WarcWriter(self.warc, WarcOptions())
        self.captures = {path: self._write(writer, path, body) for path, body in bodies.items()}
        writer.close()
        update(self.warc, self.index, find_writer(folder, None))

    def _write(self, writer: WarcWriter, path: str, body: str) -> Capture:
        kind = next(
            (kind for end, kind in _KINDS.items() if path.partition("?")[0].endswith(end)), "text/html"
        )
        data = body.encode()
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(data)}\r\n\r\n".encode()
        exchange = Exchange(
            url=f"{HOST}{path}",
            started=MOMENT,
            sent=f"GET {path} HTTP/1.1\r\nHost: js.example\r\n\r\n".encode(),
            received=head + data,
        )
        (capture,) = writer.write([exchange])
        assert capture is not None
        return capture

    def rendered(self, paths: Sequence[str], rules: RenderRules | None = None) -> list[RenderedPage]:
        """RenderJob pages one after another in one process, from this archive alone."""

        async def all_of_them() -> list[RenderedPage]:
            process = RenderProcess(rules or RenderRules(), self.warc)
            index = Index(self.index)
            try:
                return [
                    await render_archived(process, index, self.warc, self.captures[path]) for path in paths
                ]
            finally:
                await process.close()

        return asyncio.run(all_of_them())


@contextmanager
def foreign_server() -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """A server that the page knows the address of, and what it was asked for, by whom."""
    asked: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers.get("User-Agent", "")))
            self.send_response(200)
            self.end_headers()

        do_POST = do_GET  # noqa: N815 - as the server calls it

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1], asked
    finally:
        server.shutdown()
        server.server_close()
