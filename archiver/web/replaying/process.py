"""One pywb over an archive: started when first needed, started again when it died, and ended with us."""

from __future__ import annotations

import contextlib
import http.client
import json
import secrets
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from archiver.archive.memento.timemap import escaped
from archiver.archive.storage import storage_of
from archiver.errors import ArchiveError
from archiver.urls import request_url

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

_SECONDS_TO_START = 60
_SECONDS_TO_ANSWER = 60
_SECONDS_TO_END = 5
# One that dies at once is not started for every request of a page.
_SECONDS_BETWEEN_STARTS = 10
_OWN = Path(__file__).parent
# Pages of pywb's own, which nothing leads to; they would tell the name.
_TEMPLATES = {"index.html": "", "search.html": "", "query.html": ""}


class UnixConnection(http.client.HTTPConnection):
    """HTTP over a socket that is a file: no browser can open it, whatever names lead to this machine."""

    def __init__(self, path: Path) -> None:
        super().__init__("localhost", timeout=_SECONDS_TO_ANSWER)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(_SECONDS_TO_ANSWER)
        self.sock.connect(str(self._path))


class Pywb:
    """Answers for the archive from `with` to its end; the process comes with the first question."""

    def __init__(self, interpreter: Path, archive: Path) -> None:
        self._interpreter = interpreter
        self._archive = archive.resolve()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None
        self._started = -float(_SECONDS_BETWEEN_STARTS)
        # Of its collection: no other site can guess it.
        self.name = secrets.token_urlsafe(12)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._end()

    def path(self, stamp: str, url: str) -> str:
        return f"/{self.name}/{stamp}/{escaped(request_url(url))}"

    def connection(self) -> UnixConnection:
        """A connection to a pywb that is running. Raises ArchiveError where it cannot be started."""
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            assert self._folder is not None  # noqa: S101 - it was started
            return UnixConnection(self._folder / "socket")

    def _start(self) -> None:
        since = time.monotonic() - self._started
        if since < _SECONDS_BETWEEN_STARTS:
            raise ArchiveError(f"pywb ended just now: try again in {_SECONDS_BETWEEN_STARTS} seconds")
        self._end()
        self._started = time.monotonic()
        self._folder = folder = Path(tempfile.mkdtemp(prefix="archiver-pywb-"))
        self._fill(folder)
        with (folder / "log.txt").open("wb") as log:
            # The pipe ends with this process, however that ends, and pywb with the pipe.
            self._process = subprocess.Popen(  # noqa: S603 - the operator's own pywb
                [self._interpreter, folder / "launcher.py", folder / "socket"],
                cwd=folder,
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )
        self._wait(self._process, folder)

    def _fill(self, folder: Path) -> None:
        templates = folder / "templates"
        templates.mkdir()
        for name, text in _TEMPLATES.items():
            (templates / name).write_text(text)
        for name in ("launcher.py", "memory.js"):
            shutil.copyfile(_OWN / name, folder / name)
        # What was moved to a storage is looked for there; pywb reads s3:// where boto3 is installed.
        archives = [f"{self._archive / 'warc'}/"]
        if stored := storage_of(self._archive):
            archives.append(f"{stored.rstrip('/')}/warc/".removeprefix("file://"))
        paths = {"index_paths": str(self._archive / "index"), "archive_paths": archives}
        config = {"collections": {self.name: paths}, "framed_replay": False, "enable_auto_fetch": False}
        # JSON is YAML.
        (folder / "config.yaml").write_text(json.dumps(config))

    def _wait(self, process: subprocess.Popen[bytes], folder: Path) -> None:
        until = time.monotonic() + _SECONDS_TO_START
        while time.monotonic() < until and process.poll() is None:
            with contextlib.suppress(OSError), contextlib.closing(UnixConnection(folder / "socket")) as trial:
                trial.connect()
                return
            time.sleep(0.05)
        told = (folder / "log.txt").read_text(errors="replace").strip().splitlines()[-1:]
        self._end()
        raise ArchiveError(f"pywb cannot be started: {' '.join(told)[:300] or 'it does not answer'}")

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(_SECONDS_TO_END)
            if self._process.stdin is not None:
                self._process.stdin.close()
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None
