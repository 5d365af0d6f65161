"""What every site of the sample web has in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from sample import messages
from sample.markup import style
from sample.model import true_entry
from sample.pictures import picture

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sample.messages import Request, Response
    from sample.model import Article, TrueEntry

_PIXEL = bytes.fromhex(
    "47494638396101000100800000c8c8c8ffffff21f90401000001002c00000000010001000002024401003b"
)
# What only counts, decorates or advertises is one pixel large.
_DECORATIONS = ("/favicon.ico", "/img/counter", "/img/ad-", "/img/paper", "/img/waves")


@dataclass(frozen=True, slots=True)
class Seed:
    """An address to poll, as a seeds file gives it."""

    path: str
    label: str = ""
    every: str = ""


class Site(ABC):
    """One web site on one loopback address; `bases` are the addresses of all of them."""

    name: ClassVar[str]
    host: ClassVar[str]
    software: ClassVar[str] = "nginx"
    seeds: ClassVar[tuple[Seed, ...]]
    # Served, but not in the seeds and in the truth of the whole web: only for those who ask for it.
    is_extra: ClassVar[bool] = False
    robots: ClassVar[str | None] = "User-agent: *\nAllow: /\n"
    # By their addresses, the files in `sample/styles/`.
    styles: ClassVar[Mapping[str, str]] = {}

    def __init__(self, bases: Mapping[str, str]) -> None:
        self.bases = bases
        self.base = bases[self.name]

    def respond(self, request: Request) -> Response:
        if request.path == "/robots.txt":
            return self._robots()
        if request.path in self.styles:
            return _style(request, self.styles[request.path])
        if request.path.startswith("/img/") or request.path == "/favicon.ico":
            return _image(request)
        if request.path == "/":
            return self.home(request)
        return self.route(request) or messages.error(404, "There is nothing at this address.")

    @abstractmethod
    def home(self, request: Request) -> Response:
        """The front page."""

    @abstractmethod
    def route(self, request: Request) -> Response | None:
        """Any other address; None for one that the site does not have."""

    @abstractmethod
    def truth(self, day: int) -> list[TrueEntry]:
        """Every entry that the site's feeds have announced by then."""

    def url(self, article: Article) -> str:
        return self.base + article.path

    def entry_id(self, article: Article) -> str:
        """What the site's feed calls the article; some feeds use an address."""
        return article.entry_id

    def announced(self, articles: Sequence[Article], day: int, feed: str, window: int) -> list[TrueEntry]:
        """The truth about the articles that one feed announced, of which it lists the last `window`."""
        listed = set(articles[-window:])
        return [
            true_entry(
                article,
                day,
                site=self.name,
                entry_id=self.entry_id(article),
                feed_url=self.base + feed,
                link=self.url(article),
                in_feed=article in listed,
            )
            for article in articles
        ]

    def _robots(self) -> Response:
        if self.robots is None:
            return messages.error(404, "There is nothing at this address.")
        return messages.page(self.robots, content_type="text/plain")


def _style(request: Request, name: str) -> Response:
    return messages.with_etag(request, messages.page(style(name), content_type="text/css"))


def _image(request: Request) -> Response:
    if request.path.startswith(_DECORATIONS):
        return messages.Response(body=_PIXEL, headers={"Content-Type": "image/gif"})
    # Whatever the name ends with, as servers of images do.
    return messages.Response(body=picture(request.path), headers={"Content-Type": "image/png"})
