"""Other people's tools, in an environment of their own so that their needs don't mix with ours."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from tests.warc.samples import member_ends

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

ROOT = Path(__file__).resolve().parents[2]
_TOOLS = ROOT / ".venv-tools"
_SECONDS = 60
# The command takes one file, and to start it takes longer than to run it.
_FASTWARC_CHECK = """
import sys
from fastwarc.cli import main
sys.exit(any(main(["check", path], standalone_mode=False) for path in sys.argv[1:]))
"""


def tool(name: str) -> str:
    """The path of a tool, such as pywb's `wayback`."""
    if not (_TOOLS / ".ready").exists():
        _missing(f"{name} is not installed: run `make .venv-tools/.ready`")
    return str(_TOOLS / "bin" / name)


def wget() -> str:
    return shutil.which("wget") or _missing("wget is not installed: run `apt-get install wget`")


def run(*words: str | Path, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run a tool to its end; what it said is in the result, whatever its exit code."""
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=_SECONDS, check=False)


def check_files(paths: Iterable[Path], warcio: Sequence[str] = (sys.executable, "-m", "warcio.cli")) -> None:
    """`gzip -t`, `warcio check` and `fastwarc check` pass, and see every record."""
    files = sorted(paths)
    assert files
    # Only gzip always sees that the end is missing; only the others look at digests.
    passes("gzip", "-t", *files)
    checked = passes(*warcio, "check", "-v", *files)
    records = sum(len(member_ends(path.read_bytes())) for path in files)
    assert checked.count("WARC-Record-ID") == records
    # Without -p, which takes the digest of a revisit's payload for that of its empty block.
    verified = passes(sys.executable, "-c", _FASTWARC_CHECK, *files)
    assert sum(int(count) for count in re.findall(r"(\d+) records were verified", verified)) == records


def passes(*words: str | Path, folder: Path | None = None) -> str:
    """What a tool prints that must find nothing wrong."""
    done = run(*words, folder=folder)
    assert done.returncode == 0, f"{words}:\n{done.stdout[-2000:]}{done.stderr}"
    return done.stdout


def _missing(message: str) -> NoReturn:
    """Skip the test, but not where every test must run."""
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)
