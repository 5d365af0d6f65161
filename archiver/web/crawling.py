"""Crawls of sites that are begun in a browser: a process of its own for each, one at a time, with a limit.

It is the command itself that runs, with the settings that `scrapy browse` was given: what it asks for, how
politely, and whether private addresses are among it, is decided there and nowhere else.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from archiver.acquisition.sites.model import Strategy
from archiver.archive.inbox import leave
from archiver.archive.lock import is_locked
from archiver.clock import machine_now
from archiver.errors import ArchiveError, advice_on
from archiver.store.whole_sites.orders import KIND, SiteAction, SiteOrder
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

# What it leaves to everything else on the machine.
_NICENESS = 10
LOGS = "logs"
# The most that can be asked for at a time: more is begun where it can be watched, at a terminal.
MOST_REQUESTS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlProgram:
    """How the command is typed: the words before `crawl`, and the options behind it."""

    program: tuple[str, ...]
    options: tuple[str, ...] = ()


ARCHIVER = CrawlProgram(program=(sys.executable, "-m", "archiver"))


@dataclass(slots=True, kw_only=True)
class BegunCrawl:
    """A crawl that was begun here."""

    url: str
    limit: int
    begun: datetime
    log: str  # below the archive's folder
    process: subprocess.Popen[bytes] = field(repr=False)

    @property
    def exit_code(self) -> int | None:
        """None while it goes on. Asked often enough, it leaves no dead process behind."""
        return self.process.poll()


class SiteCrawls:
    """Begins crawls, and leaves orders for one that goes on."""

    def __init__(self, folder: Path, program: CrawlProgram) -> None:
        self._folder = folder
        self._program = program
        self._lock = Lock()
        self.last: BegunCrawl | None = None

    def order(self, action: SiteAction, url: str) -> None:
        """For the run that is on, or the next one."""
        leave(self._folder, KIND, SiteOrder(action=action, url=url), machine_now())

    def start(self, order: SiteOrder) -> None:
        """Begin a crawl; where a run is on, have it take up the site, if it crawls sites."""
        if order.limit is None:
            raise ValueError("a crawl that is begun in a browser has a limit")
        with self._lock:
            if self.is_on:
                leave(self._folder, KIND, order, machine_now())
            else:
                self.last = self._begun(order, order.limit)

    @property
    def is_on(self) -> bool:
        """Whether a run works on the archive, or is about to."""
        is_ours = self.last is not None and self.last.exit_code is None
        return is_ours or is_locked(self._folder)

    def _begun(self, order: SiteOrder, limit: int) -> BegunCrawl:
        now = machine_now()
        path = self._folder / LOGS / f"site-{now:%Y%m%dT%H%M%SZ}.log"
        try:
            path.parent.mkdir(exist_ok=True)
            with path.open("ab") as log:
                process = _detached(self._words(order, limit), log.fileno())
        except OSError as error:
            raise ArchiveError(f"The crawl cannot be begun: {error.strerror}{advice_on(error)}") from error
        log_name = f"{LOGS}/{path.name}"
        return BegunCrawl(url=redact(order.url), limit=limit, begun=now, log=log_name, process=process)

    def _words(self, order: SiteOrder, limit: int) -> list[str]:
        # A comma would part two addresses.
        url = order.url.replace(",", "%2C")
        # Without a strategy, a site that is known keeps its own.
        way = {"strategy": order.strategy} if order.strategy is not Strategy.AUTO else {}
        given = {"url": url, **way, "limit": limit, "again": "new"}
        words = [word for name, value in given.items() for word in ("-a", f"{name}={value}")]
        return [*self._program.program, "crawl", "site", *words, *self._program.options]


def _detached(words: Sequence[str], log: int) -> subprocess.Popen[bytes]:
    """It goes on when the application ends, and holds nothing of it open."""
    process = subprocess.Popen(  # noqa: S603 - our own program, and no shell reads the words
        words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, start_new_session=True, close_fds=True
    )
    with suppress(ProcessLookupError):
        os.setpriority(os.PRIO_PROCESS, process.pid, _NICENESS)
    return process
