"""The programs as they are typed, in a folder of their own and without anybody's settings."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.warm import process_for

if TYPE_CHECKING:
    from pathlib import Path

ARCHIVER = [sys.executable, "-m", "archiver"]
SCRAPY = [sys.executable, "-m", "scrapy"]
URL = "http://127.0.0.1:1/feed"
# Permission bits do not bind root.
STRANGER = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
needs_a_stranger = pytest.mark.skipif(
    shutil.which("setpriv") is None or os.geteuid() != 0, reason="needs root and setpriv"
)


def run(
    folder: Path, *words: str, program: list[str] = ARCHIVER, **variables: str
) -> subprocess.CompletedProcess[str]:
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("SCRAPY_", "ARCHIVER_"))
    }
    environment |= {"XDG_CONFIG_HOME": str(folder / "none"), **variables}
    command = [*program, *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with process_for(command, environment)(
        command, cwd=folder, env=environment, text=True, **pipes
    ) as process:
        try:
            stdout, stderr = process.communicate(timeout=120)
        finally:
            process.kill()
    return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


def is_a_sentence(done: subprocess.CompletedProcess[str]) -> bool:
    told = done.stdout + done.stderr
    return "Traceback" not in told and "[SQL" not in told and "sqlalche.me" not in told
