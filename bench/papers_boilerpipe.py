"""Boilerpipe, the Java original, as the papers measured it: its ArticleExtractor, from Debian's package."""

from __future__ import annotations

import base64
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

SOURCE = Path(__file__).with_name("Boilerpipe.java")
JARS = [Path("/usr/share/java") / f"{name}.jar" for name in ("boilerpipe", "nekohtml", "xercesImpl")]
MISSING = (
    "Boilerpipe is left out: it needs Java 11 or newer and its library (apt-get install libboilerpipe-java)"
)


def is_installed() -> bool:
    return shutil.which("java") is not None and all(jar.exists() for jar in JARS)


@contextmanager
def boilerpipe() -> Iterator[Callable[[str], str]]:
    """Start it; what is given takes the markup of a page and returns the text of its article."""
    command = ["java", "-Xss64m", "-cp", ":".join(map(str, JARS)), str(SOURCE)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield lambda html: _asked(process, html)
        finally:
            process.kill()


def _asked(process: subprocess.Popen[str], html: str) -> str:
    if process.stdin is None or process.stdout is None:
        raise RuntimeError("it was started without pipes")
    print(base64.b64encode(html.encode("utf-8", "replace")).decode(), file=process.stdin, flush=True)
    answer = process.stdout.readline()
    if not answer:
        raise RuntimeError(f"Boilerpipe ended with exit code {process.wait()}")
    return base64.b64decode(answer).decode("utf-8", "replace")
