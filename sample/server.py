"""The whole sample web: binds the addresses, keeps the clock, the log and the truth."""

from __future__ import annotations

import errno
import threading
from datetime import UTC, datetime
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Self

from sample.listener import Acceptor, SiteServer
from sample.listing import is_feed, listed_in
from sample.sites.all import SITES

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from sample.messages import Request, Response
    from sample.model import TrueEntry
    from sample.site import Site

_ATTEMPTS = 20


class SampleWebError(Exception):
    """The sample web cannot be served here; the message says what to do."""


class Hit(NamedTuple):
    """One request that was served, and when by the machine's clock.

    `listed` are the articles that a feed or a front page named, as absolute links in its own order, read from
    the answer itself; None for everything else, and where nothing was sent (304, an error).
    """

    site: str
    method: str
    path: str
    status: int
    day: int
    when: datetime
    listed: tuple[str, ...] | None = None
    query: str = ""


class SampleWeb:
    """All the sites, listening from `start()` (or `with`) until `close()`.

    `clock`, when given, is asked for the day at every request; otherwise the day is the attribute `day`.
    """

    def __init__(self, day: int = 0, port: int = 0, clock: Callable[[], int] | None = None) -> None:
        self.day = day
        self.port = port
        self._clock = clock
        self._lock = threading.Lock()
        self._hits: list[Hit] = []
        self._acceptor: Acceptor | None = None
        self._sites: dict[str, Site] = {}

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> Self:
        servers = self._listen()
        self.port = servers[0].server_address[1]
        self._sites = make_sites(self.port)
        for server, site in zip(servers, self._sites.values(), strict=True):
            server.site = site
        self._acceptor = Acceptor(servers)
        self._acceptor.start()
        return self

    def close(self) -> None:
        if self._acceptor is not None:
            self._acceptor.stop()
            self._acceptor = None

    def today(self) -> int:
        return self._clock() if self._clock else self.day

    @property
    def seeds(self) -> list[str]:
        """What to poll, without the sites that are there only for those who ask (see `seeds_of`)."""
        return [url for site in self._sites.values() if not site.is_extra for url in self.seeds_of(site.name)]

    def seeds_of(self, site_name: str) -> list[str]:
        site = self._sites[site_name]
        return [site.base + seed.path for seed in site.seeds]

    def site(self, site_name: str) -> Site:
        return self._sites[site_name]

    @property
    def log(self) -> list[Hit]:
        with self._lock:
            return list(self._hits)

    @property
    def names(self) -> list[str]:
        return list(self._sites)

    def base(self, site_name: str) -> str:
        """The site's address without a slash at the end, such as http://127.0.0.2:8931."""
        return self._sites[site_name].base

    def truth(self, day: int) -> list[TrueEntry]:
        """Every entry ever announced up to `day`, with its state on that day, oldest first in each feed."""
        sites = (site for site in self._sites.values() if not site.is_extra)
        return [entry for site in sites for entry in site.truth(day)]

    def listed(self, site: str, path: str, at: datetime) -> tuple[str, ...] | None:
        """The articles that whoever asked for this feed or front page last before `at` had been told.

        None if nobody had asked; an answer 304 told nothing new.
        """
        asked = [hit for hit in self.log if (hit.site, hit.path) == (site, path) and hit.when <= at]
        return next((hit.listed for hit in reversed(asked) if hit.listed is not None), None)

    def _report(self, site: Site, request: Request, answer: Response) -> None:
        when = datetime.now(UTC)
        listed = _listed(site, request, answer)
        hit = Hit(
            site.name, request.method, request.path, answer.status, request.day, when, listed, request.query
        )
        with self._lock:
            self._hits.append(hit)

    def _listen(self) -> list[SiteServer]:
        for _ in range(1 if self.port else _ATTEMPTS):
            servers = self._bind_all()
            if servers:
                return servers
        raise SampleWebError("no port is free on all the loopback addresses: give one with --port")

    def _bind_all(self) -> list[SiteServer]:
        """A server for each site on the same port, or none when a port of our own choice was taken."""
        servers: list[SiteServer] = []
        port = self.port
        for site in SITES:
            try:
                servers.append(SiteServer((site.host, port), self.today, self._report))
            except OSError as problem:
                for server in servers:
                    server.server_close()
                if problem.errno == errno.EADDRINUSE and not self.port:
                    return []
                raise _explained(problem, site.host, port) from problem
            port = servers[0].server_address[1]
        return servers


def _listed(site: Site, request: Request, answer: Response) -> tuple[str, ...] | None:
    is_front_page = request.path == "/"
    if answer.status != 200 or request.method != "GET" or not (is_front_page or is_feed(answer)):
        return None
    return listed_in(answer, site.base + request.path, _links(site, request.day) if is_front_page else ())


@lru_cache(maxsize=64)
def _links(site: Site, day: int) -> frozenset[str]:
    return frozenset(entry.link for entry in site.truth(day) if entry.link)


def make_sites(port: int) -> dict[str, Site]:
    """The sites as they are when served on `port`; nothing listens yet."""
    bases = {site.name: f"http://{site.host}:{port}" for site in SITES}
    return {site.name: site(bases) for site in SITES}


def _explained(problem: OSError, host: str, port: int) -> SampleWebError:
    if problem.errno == errno.EADDRINUSE:
        return SampleWebError(
            f"port {port} is taken on {host}: stop what uses it, or give another with --port"
        )
    if problem.errno == errno.EADDRNOTAVAIL:
        hosts = [site.host for site in SITES]
        missing = hosts[hosts.index(host) :]
        commands = "; ".join(f"sudo ifconfig lo0 alias {address}" for address in missing)
        return SampleWebError(f"cannot listen on {host}: on macOS, first run: {commands}")
    return SampleWebError(f"cannot listen on {host}:{port}: {problem.strerror}")
