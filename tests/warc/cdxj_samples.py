"""WARCs and lines for the tests of the index, and what cdxj-indexer makes of them."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import warnings
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from archiver.archive.cdxj.lines import line_for
from archiver.archive.warc.writer import gzip_member
from archiver.clock import rfc3339
from tests.warc.samples import exchange, writer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

START = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)


def reference_lines(path: Path, *options: str) -> list[str]:
    """What `cdxj-indexer FILE` prints."""
    if importlib.util.find_spec("cdxj_indexer") is None:
        pytest.skip("cdxj-indexer is not installed: pip install -e .[dev]")
    # In a process of its own: it leaves temporary files open.
    command = [sys.executable, "-X", "utf8", "-m", "cdxj_indexer.main", *options, str(path)]
    return subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout.splitlines()


def reference_key(url: str) -> str:
    """The key that cdxj-indexer gives a URL: also where surt fails."""
    try:
        return str(_surt_function()(url))
    except (ValueError, AttributeError, AssertionError):
        return url


def _surt_function() -> Callable[[str], str]:
    with warnings.catch_warnings():
        # Its patterns are no raw strings, which newer Pythons complain about.
        warnings.simplefilter("ignore")
        surt = pytest.importorskip("surt", reason="surt is not installed: pip install -e .[dev]")
    return surt.surt  # type: ignore[no-any-return] # ships no types


def record(kind: str, url: str | None, block: bytes, **headers: str) -> bytes:
    """A record that our writer doesn't make, or not yet. `WARC_Date` stands for WARC-Date."""
    fields = {"WARC-Type": kind, "WARC-Record-ID": "<urn:uuid:0>", "WARC-Date": rfc3339(START)}
    if url is not None:
        fields["WARC-Target-URI"] = url
    fields |= {name.replace("_", "-"): value for name, value in headers.items()}
    fields["Content-Length"] = str(len(block))
    head = "WARC/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return gzip_member(head.encode() + b"\r\n" + block + b"\r\n\r\n", 6)


def written_warc(folder: Path, urls: Iterable[str]) -> Path:
    """A WARC with a capture of each URL."""
    keeper = writer(folder)
    keeper.write([exchange(url=url, started=START) for url in urls])
    keeper.close()
    return folder / keeper.files[0]


def some_line(
    url: str = "http://example.org/", seconds: int = 0, warc: str = "a.warc.gz", offset: int = 0
) -> str:
    return line_for(
        url=url,
        date=START + timedelta(seconds=seconds),
        status="200",
        mime="text/html",
        digest="sha1:A",
        length=100,
        offset=offset,
        filename=warc,
    )
