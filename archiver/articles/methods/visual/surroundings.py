"""What is around an image and not around the article: names, frames, links, and how far up both meet."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from archiver.articles.methods.visual.picture_names import name_words
from archiver.documents.pages.text import one_line, text_of
from archiver.lexicon.image_names import ASIDE, LEAD, WITHIN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

# Elements without content that the parser takes for ones that hold what follows.
_TRANSPARENT = frozenset({"source", "track", "picture"})
_FRAMES = frozenset({"header", "footer", "nav", "aside", "form", "button", "li"})
_IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)$", re.IGNORECASE)
_LONGEST_CAPTION = 1000
# Elements whose names make the shape of where an image stands.
_SHAPED = 4


@dataclass(frozen=True, kw_only=True)
class ImageSurroundings:
    """The elements from an image outwards, up to the first that the article is in as well."""

    element: Element
    above: Sequence[Element]
    base_url: str

    @cached_property
    def words(self) -> frozenset[str]:
        own = (self.element, *self.above)
        return name_words(" ".join(f"{one.get('class', '')} {one.get('id', '')}" for one in own))

    @cached_property
    def tags(self) -> frozenset[str]:
        return frozenset(str(one.tag) for one in self.above)

    @property
    def is_aside(self) -> bool:
        return not self.words.isdisjoint(ASIDE) and not self.is_lead

    @property
    def is_lead(self) -> bool:
        return not self.words.isdisjoint(LEAD)

    @property
    def is_within(self) -> bool:
        return not self.words.isdisjoint(WITHIN)

    @property
    def is_framed(self) -> bool:
        return not self.tags.isdisjoint(_FRAMES)

    @cached_property
    def link(self) -> str:
        """Where a click on it leads; nothing where it does not, or only shows the image."""
        found = next((one for one in self.element.iterancestors("a")), None)
        href = one_line(found.get("href", "")) if found is not None else ""
        try:
            return "" if href.startswith(("#", "javascript:")) else href and urljoin(self.base_url, href)
        except ValueError:
            return ""

    @property
    def leads_to_image(self) -> bool:
        return bool(_IMAGE_FILE.search(self.link.partition("?")[0]))

    @property
    def leads_here(self) -> bool:
        return bool(self.link) and _place(self.link) == _place(self.base_url)

    @cached_property
    def caption(self) -> str:
        figure = next(self.element.iterancestors("figure"), None)
        found = figure.find(".//figcaption") if figure is not None else None
        words = one_line(text_of(found)) if found is not None else ""
        return words[:_LONGEST_CAPTION]

    @cached_property
    def shape(self) -> str:
        """Where it stands by tags and names: images of a list have one shape."""
        own = (self.element, *self.above[:_SHAPED])
        return "/".join(f"{one.tag}.{one.get('class', '')}" for one in own)


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return (parts.hostname or "").removeprefix("www."), parts.path.rstrip("/")


def surroundings_of(element: Element, article: frozenset[Element], base_url: str) -> ImageSurroundings:
    """`article`: the elements around its title and its text."""
    apart = []
    for one in element.iterancestors():
        if one.tag not in _TRANSPARENT:
            if one in article:
                break
            apart.append(one)
    return ImageSurroundings(element=element, above=apart, base_url=base_url)
