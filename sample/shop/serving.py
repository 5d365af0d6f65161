"""The shop by itself: for what needs no other site of the sample web."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sample.listener import Acceptor, SiteServer
from sample.shop.habits import HABITS
from sample.sites.bookshop import Bookshop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sample.messages import Request, Response
    from sample.shop.habits import Habits
    from sample.site import Site


class ServedShop(Bookshop):
    """Remembers what was asked of it."""

    asked: list[str]
    # Answers to give in place of its own, the first one first.
    instead: list[Response]

    def respond(self, request: Request) -> Response:
        if self.instead and request.path.endswith("/search"):
            return self.instead.pop(0)
        return super().respond(request)

    @property
    def submitted(self) -> list[str]:
        """Paths and queries of what was submitted, in order."""
        return [one for one in self.asked if "/search" in one]


@contextmanager
def serve_shop(
    *,
    port: int = 0,
    count: int = 5000,
    seed: int = 1,
    habits: Sequence[Habits] = HABITS,
    host: str = "127.0.0.1",
) -> Iterator[ServedShop]:
    asked: list[str] = []

    def note(site: Site, request: Request, answer: Response) -> None:  # noqa: ARG001 - as servers report
        sent = "&".join(filter(None, (request.query, request.body.decode())))
        asked.append(f"{request.path}?{sent}" if sent else request.path)

    server = SiteServer((host, port), lambda: 0, note)
    shop = ServedShop({Bookshop.name: f"http://{host}:{server.server_address[1]}"}, count, seed, habits)
    shop.asked, shop.instead = asked, []
    server.site = shop
    acceptor = Acceptor([server])
    acceptor.start()
    try:
        yield shop
    finally:
        acceptor.stop()
