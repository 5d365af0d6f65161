"""A known web on loopback: each host is a server at an address of its own."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Self

from tests.crawl.known_web.pages import KnownWeb
from tests.crawl.known_web.traps import TRAPS
from tests.crawl.site import Site

if TYPE_CHECKING:
    from tests.crawl.site import Request, Script


class _Host(Site):
    """Asks the web for each answer, where none is scripted."""

    web: KnownWeb | None = None
    place = 0

    def _record(self, raw: bytes, connection: int) -> tuple[Request, Script]:
        request, script = super()._record(raw, connection)
        if self.web is not None and request.target not in self._scripts:
            script = self.web.answer(self.place, request.target)
        return request, script


class ServedWeb:
    """Servers for all hosts of a known web."""

    def __init__(self, seed: int, *, hosts: int = 12, stories: int = 160, traps: int = len(TRAPS)) -> None:
        self._open = ExitStack()
        self.sites = [self._open.enter_context(_Host(f"127.0.1.{11 + at}")) for at in range(hosts + traps)]
        self.known = KnownWeb(seed, [site.origin for site in self.sites], stories=stories, traps=traps)
        for place, site in enumerate(self.sites):
            site.place, site.web = place, self.known

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def asked(self) -> list[str]:
        """All requests, with their hosts, in the order of time."""
        found = [(one.at, site.url(one.target)) for site in self.sites for one in site.requests]
        return [url for _, url in sorted(found)]
