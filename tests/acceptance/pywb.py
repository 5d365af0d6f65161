"""pywb as its users run it: a process that is asked over HTTP."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Self
from urllib.parse import urlsplit

from tests.acceptance.tools import passes, tool

if TYPE_CHECKING:
    from collections.abc import Iterable
    from email.message import Message
    from pathlib import Path

_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Replayed:
    """What pywb answered, as it came: nothing decoded, no redirect followed."""

    status: int
    headers: Message
    body: bytes


class Wayback:
    """pywb over the collections in a folder, from `with` to its end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = _free_port()

    def __enter__(self) -> Self:
        self._folder.mkdir(parents=True, exist_ok=True)
        with (self._folder / "log.txt").open("wb") as log:
            self._process = subprocess.Popen(
                [tool("wayback"), "-b", "127.0.0.1", "-p", str(self._port)],
                cwd=self._folder,
                stdout=log,
                stderr=subprocess.STDOUT,
            )
        try:
            self._wait_until_ready()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def add(self, collection: str, warcs: Iterable[Path], indexes: Iterable[Path]) -> None:
        """Put files and their index where pywb looks for them. It makes no index of its own."""
        for name, paths in {"archive": warcs, "indexes": indexes}.items():
            folder = self._folder / "collections" / collection / name
            folder.mkdir(parents=True)
            for path in paths:
                shutil.copy(path, folder)

    def add_wacz(self, collection: str, path: Path) -> None:
        passes(tool("wb-manager"), "init", collection, folder=self._folder)
        passes(tool("wb-manager"), "add", "--unpack-wacz", collection, path, folder=self._folder)

    def replay(self, collection: str, url: str, *, stamp: str = "", modifier: str = "id_") -> Replayed:
        """The capture nearest to a time, or else the latest; `id_` as it was kept, `mp_` for a browser."""
        return self.get(f"/{collection}/{stamp}{modifier}/{url}")

    def get(self, target: str) -> Replayed:
        """Whatever is at a path or at an address of this server."""
        split = urlsplit(target)
        if split.hostname:
            assert (split.hostname, split.port) == ("127.0.0.1", self._port), target
            target = split._replace(scheme="", netloc="").geturl()
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=_SECONDS)
        try:
            # Else pywb would decode what the site had coded.
            connection.request("GET", target, headers={"Accept-Encoding": "gzip, br"})
            response = connection.getresponse()
            return Replayed(status=response.status, headers=response.headers, body=response.read())
        finally:
            connection.close()

    def _wait_until_ready(self) -> None:
        until = time.monotonic() + _SECONDS
        while time.monotonic() < until and self._process.poll() is None:
            try:
                self.get("/")
            except OSError:
                time.sleep(0.05)
            else:
                return
        log = (self._folder / "log.txt").read_text()
        raise TimeoutError(f"pywb does not answer:\n{log}")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
