"""`scrapy browse` in a process of its own, asked over HTTP."""

from __future__ import annotations

import json
import signal
import urllib.error
import urllib.request
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from tests.crawl.running import start_scrapy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from email.message import Message
    from pathlib import Path

_SECONDS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came over HTTP."""

    status: int
    headers: Message
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()

    def json(self) -> Any:
        return json.loads(self.body)


class Shown:
    """An archive that is shown at an address."""

    def __init__(self, base: str) -> None:
        self.base = base.rstrip("/")

    def address(self, path: str, **parameters: object) -> str:
        return f"{self.base}{path}" + (f"?{urlencode(parameters, doseq=True)}" if parameters else "")

    def post(self, path: str, headers: Mapping[str, str] | None = None, **fields: str | list[str]) -> Answer:
        """Send a form as a browser would that shows a page of ours."""
        return self._asked(
            urllib.request.Request(
                self.address(path),
                data=urlencode(fields, doseq=True).encode(),
                headers={"Origin": self.base, **(headers or {})},
            )
        )

    def get(self, path: str, headers: Mapping[str, str] | None = None, **parameters: object) -> Answer:
        return self._asked(
            urllib.request.Request(self.address(path, **parameters), headers=dict(headers or {}))
        )

    def _asked(self, request: urllib.request.Request) -> Answer:
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as response:
                return Answer(status=response.status, headers=response.headers, body=response.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(status=error.code, headers=error.headers, body=error.read())


@contextmanager
def browsing(archive: Path, *options: str) -> Iterator[Shown]:
    """Show an archive at a port that is free, and end as Ctrl-C does."""
    words = ["browse", "--no-open", "--port", "0", "-s", f"ARCHIVE_DIR={archive}", *options]
    with start_scrapy(words) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert "http://" in line, process.communicate()
            yield Shown(next(word for word in line.split() if word.startswith("http://")))
        finally:
            process.send_signal(signal.SIGINT)
            _, errors = process.communicate(timeout=_SECONDS)
        assert (process.returncode, errors) == (0, ""), errors
