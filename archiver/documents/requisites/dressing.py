"""What an archive has of a page's look, put into the page: styles that load nothing, images as `data:`."""

from __future__ import annotations

import base64
import re
from typing import TYPE_CHECKING, NamedTuple

from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.images import LATE_SOURCES, SOURCE_SETS, image_urls
from archiver.documents.requisites.css import decode_style
from archiver.documents.requisites.harmless import harmless_declarations, harmless_sheet, imports_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lxml.etree import _Element as Element

    from archiver.documents.requisites.model import Stored

# In bytes, of one page: what is beyond them is left out, whole.
MOST_STYLE = 500_000
MOST_IMAGES = 2_000_000
# Styles that import styles that import styles.
_DEEPEST = 3
_MEDIA = re.compile(r"[-\w\s(),:./<>=]{1,300}", re.ASCII)
_IMAGE = re.compile(r"image/[a-z0-9][a-z0-9.+-]{0,40}")
_HELD = re.compile(r"data:image/[a-z0-9][a-z0-9.+-]{0,40}[;,]", re.IGNORECASE)


class ImageFound(NamedTuple):
    url: str
    data: str  # empty where the archive has none


class Dressing:
    """Puts styles and images into one page, within the bounds of a page."""

    def __init__(self, stored: Stored, *, style: int = MOST_STYLE, images: int = MOST_IMAGES) -> None:
        self._stored = stored
        self._style_room = style
        self._image_room = images

    def styles_of(self, tree: Element, base: str) -> list[str]:
        """The styles of a page in their order: its own, and those of files which the archive has."""
        found: list[str] = []
        for element in tree.iter("link", "style"):
            media = (element.get("media") or "").strip()
            if element.tag == "style":
                found += self._within(media, self._sheets(element.text or "", base, 0))
            elif "alternate" not in _relations(element) and "stylesheet" in _relations(element):
                found += self._within(media, self._linked(base, element.get("href") or "", 0))
        return found

    def attribute(self, css: str, base: str) -> str:
        """A `style` attribute."""
        return harmless_declarations(css, lambda address: self._data(base, address))

    def image(self, img: Element, base: str) -> ImageFound:
        """The best address of an image that the archive has; else the best there is, with nothing to show."""
        urls = list(image_urls(img, base))
        for url in urls:
            if (data := self._data(base, url)) is not None:
                return ImageFound(url, data)
        held = img.get("src") or ""
        is_held = bool(_HELD.match(held)) and self._taken(held, len(held)) is not None
        return ImageFound(urls[0] if urls else "", held if is_held else "")

    # ── Styles ───────────────────────────────────────────────────────────────────────────────────────────

    def _linked(self, base: str, address: str, depth: int) -> Iterator[str]:
        url = absolute_url(base, address)
        file = self._stored(url, "style") if url else None
        # What is many times too long is not even read.
        if file is not None and len(file.body) <= 4 * self._style_room:
            yield from self._sheets(decode_style(file.body, file.content_type), file.url, depth)

    def _sheets(self, css: str, base: str, depth: int) -> Iterator[str]:
        """A style after those that it imports."""
        for one in imports_in(css) if depth < _DEEPEST else ():
            yield from self._within(one.media, self._linked(base, one.address, depth + 1))
        made = harmless_sheet(css, lambda address: self._data(base, address))
        size = len(made.encode())
        if made and size <= self._style_room:
            self._style_room -= size
            yield made

    def _within(self, media: str, sheets: Iterator[str]) -> Iterator[str]:
        if not media or media.lower() == "all":
            yield from sheets
        elif _MEDIA.fullmatch(media) and media.lower() != "print":
            # Closed whatever it says: what is written is balanced by itself.
            yield from (f"@media {harmless_sheet(media)}{{{sheet}}}" for sheet in sheets)

    # ── Images ───────────────────────────────────────────────────────────────────────────────────────────

    def _data(self, base: str, address: str) -> str | None:
        if _HELD.match(address):
            return self._taken(address, len(address))
        url = absolute_url(base, address)
        file = self._stored(url, "image") if url else None
        if file is None or not _IMAGE.fullmatch(file.content_type):
            return None
        data = f"data:{file.content_type};base64,{base64.b64encode(file.body).decode()}"
        return self._taken(data, len(file.body))

    def _taken(self, data: str, size: int) -> str | None:
        if size > self._image_room:
            return None
        self._image_room -= size
        return data


def put_image(img: Element, found: ImageFound) -> None:
    """Show an image of the archive, or the words that stand for it."""
    for name in (*SOURCE_SETS, *LATE_SOURCES, "src", "sizes"):
        img.attrib.pop(name, "")
    if found.data:
        img.set("src", found.data)
    else:
        img.tag, img.text = "span", str(img.attrib.pop("alt", ""))


def _relations(link: Element) -> list[str]:
    return (link.get("rel") or "").lower().split()
