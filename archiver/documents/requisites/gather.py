"""From addresses as written to requisites: absolute, each once, the most important first, never too many."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import absolute_url
from archiver.documents.requisites.model import IMPORTANCE, Kind, Reference, Requisite
from archiver.urls import is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

# Servers refuse longer ones.
LONGEST_ADDRESS = 8192
# What a page asks for after these is not looked at: no page that is meant to be read has as many.
MOST_LOOKED_AT = 10_000

_SPACE = " \t\r\n\f"
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_WEB_SCHEME = re.compile(r"https?:", re.IGNORECASE)


def is_fetchable(address: str) -> bool:
    """Whether the address may be one of the web, and not `data:`, `blob:`, `#part`, nothing, or endless."""
    # A longer one is not even looked through: pages carry images of megabytes in an address.
    if len(address) > LONGEST_ADDRESS:
        return False
    bare = address.strip(_SPACE)
    if not bare or bare.startswith("#"):
        return False
    return not _SCHEME.match(bare) or bool(_WEB_SCHEME.match(bare))


class Gathering:
    """Collects references of one document in their order, bounded however many there are."""

    def __init__(self, *, url: str, base_url: str, limit: int, kinds: Collection[Kind]) -> None:
        self._base_url = base_url
        self._own = request_url(url) if is_web(url) else None
        self._limit = max(limit, 0)
        self._seen: set[Reference] = set()
        self._article: dict[str, None] = {}
        self._found: dict[Kind, dict[str, None]] = {kind: {} for kind in IMPORTANCE if kind in kinds}

    def add_article_images(self, urls: Iterable[str]) -> None:
        for address in urls:
            if "image" in self._found:
                self._add(address, self._article)

    def add(self, references: Iterable[Reference]) -> None:
        for reference in islice(references, MOST_LOOKED_AT):
            found = self._found.get(reference.kind)
            if found is not None and reference not in self._seen:
                self._seen.add(reference)
                self._add(reference.address, found)

    def requisites(self) -> list[Requisite]:
        """The most important first, and those of one kind in the order of the document."""
        kinds: dict[str, Kind] = {}
        for kind, found in self._found.items():
            for url in (*self._article, *found) if kind == "image" else found:
                kinds.setdefault(url, kind)
        return [Requisite(url=url, kind=kind) for url, kind in kinds.items()][: self._limit]

    def _add(self, address: str, found: dict[str, None]) -> None:
        # Twice the limit is enough: fewer than the limit can turn out to be of a more important kind.
        if len(found) < 2 * self._limit and is_fetchable(address):
            url = self._requestable(address)
            if url is not None and url != self._own:
                found[url] = None

    def _requestable(self, address: str) -> str | None:
        # As browsers do: a backslash in a path is a slash.
        path, mark, query = address.partition("#")[0].partition("?")
        absolute = absolute_url(self._base_url, path.replace("\\", "/") + mark + query)
        return request_url(absolute) if absolute and is_web(absolute) else None
