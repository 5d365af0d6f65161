"""Where the archive has what a page or a style names: addresses of frames, and whether something is there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.archive.memento.captures import nearest
from archiver.archive.memento.timemap import escaped
from archiver.display.spans import parse_span
from archiver.documents.pages.dom import absolute_url
from archiver.inspection.requisites import find_requisite
from archiver.inspection.showing.page import PagePlaces, shown_page
from archiver.urls import request_url

if TYPE_CHECKING:
    from archiver.archive.cdxj.index import Index
    from archiver.inspection.showing.kept import KeptCopy

# So many addresses of one page are looked up; what a page names after these was not kept, as it seems.
_MOST_LOOKED_UP = 3000


def is_style_address(url: str) -> bool:
    return url.partition("?")[0].lower().endswith(".css")


@dataclass(frozen=True, slots=True)
class FramePaths:
    """Paths of frames, below a name that no other site can guess."""

    name: str

    def plain(self, stamp: str, url: str) -> str:
        return f"/{self.name}/plain/{stamp}/{escaped(request_url(url))}"

    def markable(self, stamp: str, url: str) -> str:
        return f"/{self.name}/markable/{stamp}/{escaped(request_url(url))}"

    def stage(self, stamp: str, url: str) -> str:
        return f"/{self.name}/stage/{stamp}/{escaped(request_url(url))}"

    def kept(self, stamp: str, url: str) -> str:
        return f"/{self.name}/kept/{stamp}/{escaped(request_url(url))}"


def shown_copy(copy: KeptCopy, places: ArchivePlaces) -> str:
    """A captured page as it can be looked at."""
    both = PagePlaces(shown=places.kept, linked=places.plain)
    return shown_page(copy.body, copy.content_type, copy.line.url, both)


class ArchivePlaces:
    """What a page names, as the archive has it at the time of the page."""

    def __init__(self, index: Index, stamp: str, paths: FramePaths, base: str | None = None) -> None:
        self._index = index
        self._stamp = stamp
        self._at = parse_span(stamp).first
        self._paths = paths
        self._base = base
        self._known: dict[str, bool] = {}

    def kept(self, address: str) -> str | None:
        url = self._found(address)
        return self._paths.kept(self._stamp, url) if url else None

    def plain(self, address: str) -> str | None:
        url = self._found(address)
        return self._paths.plain(self._stamp, url) if url else None

    def _found(self, address: str) -> str | None:
        # Of a page they are absolute already.
        url = absolute_url(self._base, address) if self._base else address
        if url is None:
            return None
        if url not in self._known:
            self._known[url] = len(self._known) < _MOST_LOOKED_UP and self._is_there(url)
        return url if self._known[url] else None

    def _is_there(self, url: str) -> bool:
        # The index finds nothing that is withheld.
        if is_style_address(url):
            return find_requisite(self._index, url, self._at, "style") is not None
        return nearest(self._index, url, self._at) is not None
