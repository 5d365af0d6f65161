"""A PostgreSQL server of its own for the tests, from the programs that the `pgserver` package brings."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg

if TYPE_CHECKING:
    from collections.abc import Iterator

# PostgreSQL refuses to run as root.
_USER = "nobody" if os.geteuid() == 0 else None
_QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "shared_buffers=16MB")
_SECONDS = 30.0


class NoServerError(Exception):
    """Why there is no server."""


@contextmanager
def server() -> Iterator[str]:
    """A running server, reached through a socket in its own folder; the URL of it without a database."""
    # A short path: that of a socket may only have about a hundred characters.
    with tempfile.TemporaryDirectory(prefix="pg-") as name:
        folder = Path(name)
        if _USER:
            shutil.chown(folder, _USER)
        programs = _programs(folder)
        data = folder / "data"
        _run([programs / "initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync", "-E", "UTF8"])
        process = _start(programs, data, folder)
        try:
            _wait(process, folder)
            yield f"host={folder} user=postgres"
        finally:
            process.send_signal(signal.SIGINT)
            process.wait()


def _programs(folder: Path) -> Path:
    spec = find_spec("pgserver")
    if spec is None or spec.origin is None:
        raise NoServerError("the pgserver package is not installed")
    package = Path(spec.origin).parent
    try:
        _run([package / "pginstall" / "bin" / "postgres", "--version"])
    except NoServerError:
        # Installed where another user may not look: a copy beside the data.
        for part in ("pgserver/pginstall", "pgserver.libs"):
            shutil.copytree(package.parent / part, folder / part)
        package = folder / "pgserver"
    return package / "pginstall" / "bin"


def _run(command: list[str | Path]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, user=_USER, cwd="/")
    except (OSError, subprocess.CalledProcessError) as error:
        told = getattr(error, "stderr", b"") or b""
        raise NoServerError(f"{error} {told.decode(errors='replace')}".strip()) from error


def _start(programs: Path, data: Path, folder: Path) -> subprocess.Popen[bytes]:
    command = [programs / "postgres", "-D", data, "-k", folder, "-h", ""]
    for setting in _QUICK:
        command += ["-c", setting]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(command, user=_USER, cwd="/", stdout=quiet, stderr=quiet)


def _wait(process: subprocess.Popen[bytes], folder: Path) -> None:
    end = time.monotonic() + _SECONDS
    while True:
        try:
            psycopg.connect(f"host={folder} user=postgres").close()
        except psycopg.OperationalError as error:
            if process.poll() is not None or time.monotonic() > end:
                raise NoServerError(f"the server does not answer: {error}") from error
            time.sleep(0.05)
        else:
            return
