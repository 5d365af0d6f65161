"""The images of an article: the best address that is offered of each, and the words that go with it."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.model import Image
from archiver.documents.pages.text import nothing, one_line, opened, text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lxml.etree import _Element as Element

_SPACE = r"[ \t\n\f\r]"
# An address ends at white space; a comma at its end ends the candidate; a comma in parentheses ends nothing.
_CANDIDATE = re.compile(
    rf"(?:{_SPACE}|,)*+(?P<address>[^ \t\n\f\r]++)(?:(?<=,)|(?P<descriptors>(?:\([^)]*+\)?|[^,(])*+))"
)
_SIZE = re.compile(rf"(?:^|{_SPACE})(\d{{1,9}}(?:\.\d{{1,9}})?)[wx](?:{_SPACE}|$)")

IMAGES = frozenset({"img", "amp-img"})
# Pages that load images late keep the address in one of these, and a placeholder in `src`.
LATE_SOURCES = (
    "data-src", "data-lazy-src", "data-original", "data-original-src", "data-lazy", "data-img-url",
)  # fmt: skip
SOURCE_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
MOST_SOURCES = 20
# From an image to what holds it and its caption, where no `figure` says so.
MOST_LEVELS = 3
MOST_ELEMENTS = 200
LONGEST_CAPTION = 1000

_CAPTION_NAME = re.compile(r"(?:^|[\s_-])(?:img|image|photo|media|wp)?caption(?:[\s_-]|$)", re.IGNORECASE)


def images_in(node: Element, base_url: str, skip: Callable[[Element], bool] = nothing) -> tuple[Image, ...]:
    """The images of the article, each address once; a caption also where it is skipped itself."""
    images: dict[str, Image] = {}
    for element in opened(node, skip, *IMAGES):
        if counts_visitors(element):
            continue
        url = image_url(element, base_url)
        if url and url not in images:
            alt = one_line(element.get("alt", "")) or None
            images[url] = Image(url=url, alt=alt, caption=_caption(element, node))
    return tuple(images.values())


def image_url(img: Element, base_url: str) -> str | None:
    """The best address of an image that is really one: the widest of a set, else the late one, else `src`."""
    return next(image_urls(img, base_url), None)


def image_urls(img: Element, base_url: str) -> Iterator[str]:
    """All addresses that are offered of an image, the best first."""
    return filter(None, (absolute_url(base_url, source) for source in _sources(img)))


def _sources(img: Element) -> Iterator[str]:
    offered = [candidate for source_set in source_sets(img) for candidate in candidates(source_set)]
    # Of those of one size the first: that of the image itself.
    yield from (address for address, _ in sorted(offered, key=lambda one: -one[1]))
    late = (img.get(name, "") for name in LATE_SOURCES)
    yield from (address for address in late if _is_address(address))
    yield from filter(None, [img.get("src")])
    yield from _unscripted(img)


def _is_address(value: str) -> bool:
    """Not a flag, and not an object with addresses in it."""
    return ("." in value or "/" in value) and not value.lstrip().startswith("{")


def _unscripted(img: Element) -> Iterator[str]:
    """The copy beside an image that is for readers without scripts."""
    for beside in (img.getnext(), img.getprevious()):
        if beside is not None and beside.tag == "noscript":
            yield from filter(None, (copy.get("src") for copy in beside.iter("img")))


def source_sets(img: Element) -> Iterator[str]:
    """The sets of an image, then those of the `<picture>` around it."""
    picture = next(img.iterancestors("picture"), None)
    others = () if picture is None else islice(picture.iter("source"), MOST_SOURCES)
    return (holder.get(name, "") for holder in (img, *others) for name in SOURCE_SETS)


def sizes_of(img: Element) -> set[str]:
    """Width and height as the markup has them, in pixels."""
    return {img.get(name, "").strip().lower().removesuffix("px") for name in ("width", "height")}


def counts_visitors(img: Element) -> bool:
    """An image of one pixel shows nothing."""
    return sizes_of(img) <= {"0", "1"}


def _caption(img: Element, root: Element) -> str | None:
    figure = next(img.iterancestors("figure"), None)
    caption = figure.find(".//figcaption") if figure is not None else _named_caption(img, root)
    words = one_line(text_of(caption)) if caption is not None else ""
    return words if 0 < len(words) <= LONGEST_CAPTION else None


def _named_caption(img: Element, root: Element) -> Element | None:
    """An element beside the image that is called a caption, and belongs to no other image."""
    for holder in islice(img.iterancestors(), MOST_LEVELS):
        inside = list(islice(holder.iter("*"), 1, MOST_ELEMENTS))
        if holder is root or sum(one.tag in IMAGES for one in inside) > 1:
            return None
        named = (one for one in inside if _CAPTION_NAME.search(one.get("class", "")))
        caption = next(named, None)
        if caption is not None:
            return None if caption in img.iterancestors() else caption
    return None


def candidates(source_set: str) -> Iterator[tuple[str, float]]:
    """Each address with its size, as a width or a density; 1 where none is given."""
    position = 0
    while match := _CANDIDATE.match(source_set, position):
        yield match["address"].rstrip(","), _size(match["descriptors"] or "")
        position = match.end()


def _size(descriptors: str) -> float:
    size = _SIZE.search(descriptors)
    return float(size[1]) if size else 1.0
