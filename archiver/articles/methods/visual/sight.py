"""The texts and images of a page as a reader sees them: each with its place and its type (3.2.6)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from archiver.articles.layout.model import ELEMENT, NO_LAYOUT, TAIL, TEXT, around
from archiver.documents.pages.blocks import outline_of
from archiver.documents.pages.images import image_url
from archiver.documents.pages.text import one_line
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.layout.model import Box, Layout
    from archiver.documents.pages.blocks import Block, Outline, Picture

Rectangle = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenThing:
    """A text or an image: what it says, and how it looks."""

    kind: Literal["text", "image"]
    # The smallest element that holds all of it.
    element: Element
    # Its place among the blocks of the outline, or among its pictures.
    place: int
    text: str
    words: Sequence[str]
    linked: float = 0.0
    # None where it has no box: it is not shown, or there is no layout.
    box: Rectangle | None = None
    size: float = 16.0
    weight: int = 400
    is_struck: bool = False
    is_shown: bool = True
    # Of an image: its address.
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class Sight:
    """A page's outline, its layout, and both joined."""

    outline: Outline
    layout: Layout
    base_url: str
    numbers: dict[Element, int]

    @cached_property
    def texts(self) -> list[SeenThing]:
        return [self._text(place, block) for place, block in enumerate(self.outline.blocks)]

    @cached_property
    def images(self) -> list[SeenThing]:
        """Those that have an address."""
        seen = (self._image(place, picture) for place, picture in enumerate(self.outline.pictures))
        return [one for one in seen if one.source]

    def _box(self, element: Element, part: int) -> Box | None:
        number = self.numbers.get(element)
        return None if number is None else self.layout.by_place.get((number, part))

    def _text(self, place: int, block: Block) -> SeenThing:
        parts = [(self._box(one, TAIL if is_tail else TEXT), one) for one, is_tail in block.pieces]
        boxes = [box for box, _ in parts if box is not None]
        count = len(block.words) or 1
        looks = Counter[tuple[float, int, bool]]()
        for box in boxes:
            looks[(box.size, box.weight, box.is_struck)] += int(box.w * box.h) + 1
        size, weight, is_struck = (
            max(looks, key=lambda look: (looks[look], look)) if looks else (16.0, 400, False)
        )
        return SeenThing(
            kind="text",
            element=block.node.element,
            place=place,
            text=block.text,
            words=block.words,
            linked=block.linked / count,
            box=around(boxes),
            size=size,
            weight=weight,
            is_struck=is_struck,
            is_shown=any(box.is_shown and box.size > 1 for box in boxes) or not self.layout.boxes,
        )

    def _image(self, place: int, picture: Picture) -> SeenThing:
        box, element = self._box(picture.element, ELEMENT), picture.element
        text = one_line(element.get("alt") or "")
        return SeenThing(
            kind="image",
            element=element,
            place=place,
            text=text,
            words=tokens(text),
            linked=float(next(element.iterancestors("a"), None) is not None),
            box=None if box is None else around([box]),
            is_shown=(box is not None and box.is_shown) or not self.layout.boxes,
            source=image_url(element, self.base_url) or "",
        )


def sight_of(tree: Element, base_url: str, layout: Layout = NO_LAYOUT) -> Sight:
    """A served page with its layout."""
    numbers = {element: number for number, element in enumerate(tree.iter())}
    return Sight(outline=outline_of(tree), layout=layout, base_url=base_url, numbers=numbers)
