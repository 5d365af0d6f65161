"""Starts a crawl of a whole site by each program, and finds what it left."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from .peers import CUT, spider_command, wget_command

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
OURS = {
    "ALLOW_PRIVATE_ADDRESSES": "True",
    "DOWNLOAD_DELAY": "0",
    "AUTOTHROTTLE_ENABLED": "False",
    "CONCURRENT_REQUESTS_PER_DOMAIN": "4",
    # The others fetch nothing but pages.
    "REQUISITES": "none",
}
WGET, THROUGH, LISTED = "wget", "breadth-first", "sitemap-spider"
_SPIDERS = {THROUGH: "through", LISTED: "listed"}
PEERS = (WGET, THROUGH, LISTED)


class CrawlError(RuntimeError):
    """A crawl that did not end as it should; the message has its last words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    seconds: int
    requests: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Crawl:
    warc: tuple[Path, ...]
    archive: Path | None = None
    """Our own archive; None for a peer."""
    cut: bool = False
    """Whether it was ended before it had everything it wanted."""


def crawl_by_peer(name: str, url: str, folder: Path, limits: Limits) -> Crawl:
    """Crawl into `folder`, or take what an earlier run left there: a peer does not get better."""
    folder.mkdir(parents=True, exist_ok=True)
    warc, done = folder / f"{name}.warc.gz", folder / f"{name}.done"
    if not done.exists():
        ended = _run(_peer_command(name, url, warc, limits), folder / f"{name}.log", limits.seconds)
        done.write_text("cut" if ended in {None, CUT} else "ended")
    return Crawl(warc=(warc,), cut=done.read_text() == "cut")


def crawl_by_us(url: str, archive: Path, strategy: str, more: Sequence[str], limits: Limits) -> Crawl:
    """Crawl as a user does, in an archive of its own."""
    settings = {**OURS, "ARCHIVE_DIR": str(archive)}
    given = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
    asked = ["-a", f"url={url}", "-a", f"strategy={strategy}"]
    command = [sys.executable, "-m", "scrapy", "crawl", "site", *asked, *given, *more]
    archive.parent.mkdir(parents=True, exist_ok=True)
    if archive.exists():  # of an earlier bench: a crawl would go on with it
        shutil.rmtree(archive)
    log = archive.with_suffix(".log")
    code = _run(command, log, limits.seconds)
    if code:
        raise CrawlError(f"scrapy crawl site ended with {code}: {_last_words(log)}")
    return Crawl(warc=tuple(sorted((archive / "warc").glob("*.warc.gz*"))), archive=archive, cut=code is None)


def cache_name(app: str, theme: str, url: str, truth: Path) -> str:
    """Name what a peer got of exactly this application, filled with exactly this."""
    digest = hashlib.sha256(url.encode() + truth.read_bytes()).hexdigest()[:12]
    return "-".join(filter(None, [app, theme, digest]))


def _peer_command(name: str, url: str, warc: Path, limits: Limits) -> list[str]:
    if name == WGET:
        return wget_command(url, warc)
    return spider_command(_SPIDERS[name], url, warc, limits.requests)


def _run(command: Sequence[str], log: Path, seconds: int) -> int | None:
    """Run to the end and return the exit code, or None where the time was up."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'bench'}"}
    with (
        log.open("wb") as output,
        subprocess.Popen(
            command,
            stdout=output,
            stderr=output,
            cwd=log.parent if command[0] == "wget" else ROOT,
            env=environment,
        ) as process,
    ):
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.terminate()
            process.wait()
            return None


def _last_words(log: Path) -> str:
    return " ".join(log.read_text(errors="replace").strip().splitlines()[-3:])
