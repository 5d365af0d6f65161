"""The main image of an article: what is said of each image, without any layout."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import log, log1p
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import numpy as np

from archiver.articles.methods.visual.anchors import dice, letters, terms_of
from archiver.articles.methods.visual.picture_names import name_words, picture_name
from archiver.articles.methods.visual.surroundings import ImageSurroundings, surroundings_of
from archiver.documents.pages.blocks import is_hidden
from archiver.documents.pages.images import source_sets
from archiver.documents.pages.words import tokens
from archiver.lexicon.image_names import FURNITURE, FURNITURE_ALT

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.methods.visual.placed_images import ArticlePlace, ImagePage, PlacedImage

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

# Ours but for types, digits and links, which are the thesis's.
IMAGE_FEATURES = (
    "log_width", "width_known", "is_small", "is_strip", "named_furniture", "named_aside", "named_lead",
    "in_article", "before_article", "after_article", "lines_away", "is_first", "is_first_inside",
    "is_candidate", "is_largest", "candidates_before", "after_title", "above_title", "name_in_title",
    "alt_in_title", "has_alt", "leads_away", "leads_to_image", "in_figure", "in_frame", "in_list",
    "is_repeated", "is_hidden", "is_late", "is_urgent",
    "near_title", "near_text", "leads_here", "caption_in_title", "has_caption", "many_alike",
    "name_in_address", "is_preloaded", "is_tall", "is_after_title", "alt_words", "named_within",
    "is_linked", "is_jpeg", "is_gif", "is_png", "is_other", "digits_in_name", "log_height", "log_order",
)  # fmt: skip

_SMALL_WIDTH, _SMALL_HEIGHT = 160.0, 80.0  # icons and portraits are smaller; a guess
_STRIP = 4.0  # times as wide as high: a banner
_FAR, _NEAR = 15, 5  # blocks
_MOST_BEFORE = 4
_WIDEST = 4000
# What nothing is said of; as in the estimated layout.
_UNKNOWN_WIDTH = 300.0
_TYPES = {"jpg": 0, "jpeg": 0, "gif": 1, "png": 2}
_OFFERED = re.compile(
    r"(?:[?&;,/_-](?:w|width|imwidth|resize|fit|size)[=_:-]?|[-_/])(\d{2,4})(?:(?:x|,|%2C)\d{2,4})?"
    r"(?=[^\da-z]|x|$)",
    re.IGNORECASE,
)
_WIDTH = re.compile(r"(\d{2,4})w\b")
# Words that stand for an image of the site or a person are few.
_FEW_WORDS = 4
_SIZE_CLASS = re.compile(r"\S*(?:size|attachment|wp-image)-\S*")


@dataclass(frozen=True, slots=True, kw_only=True)
class _ImageLook:
    """What is known of an image by itself."""

    width: float
    height: float
    is_known: bool
    is_small: bool
    is_strip: bool
    is_tall: bool
    is_furniture: bool

    @property
    def is_plausible(self) -> bool:
        return not (self.is_small or self.is_strip or self.is_furniture)


class _Images:
    """The images of a page, and all that is said of one by the others."""

    def __init__(self, page: ImagePage, place: ArticlePlace) -> None:
        self._page, self._place = page, place
        self._images = page.images
        self._befores = [one.before for one in page.images]
        self._looks = [_look(one) for one in self._images]
        self._chains = _chains(page, place)
        article = frozenset(element for chain in self._chains for element in chain)
        # What of a chain is above an element of it, that one included.
        self._shares = [
            {one: (len(chain) - at) / len(chain) for at, one in enumerate(chain)} for chain in self._chains
        ]
        self._around = [surroundings_of(one.element, article, page.base_url) for one in self._images]
        self._shapes = Counter(one.shape for one in self._around)
        self._names = [picture_name(one.source) for one in self._images]
        self._counts = Counter(self._names)
        self._hidden: dict[Element, bool] = {}
        self._title = frozenset(terms_of(place.words))
        self._letters = letters(self._title) or 1
        self._address = frozenset(terms_of(unquote(urlsplit(page.base_url).path)))

    @cached_property
    def _plausible(self) -> list[bool]:
        pairs = zip(self._looks, self._around, strict=True)
        return [look.is_plausible and not around.is_aside for look, around in pairs]

    @cached_property
    def _inside(self) -> list[bool]:
        place, pairs = self._place, zip(self._plausible, self._befores, strict=True)
        return [is_one and place.first <= before <= place.last + 1 for is_one, before in pairs]

    @cached_property
    def _chosen(self) -> list[bool]:
        place, pairs = self._place, zip(self._plausible, self._befores, strict=True)
        return [is_one and place.title - 2 <= before <= place.last + 1 for is_one, before in pairs]

    @cached_property
    def _after(self) -> list[bool]:
        pairs = zip(self._looks, self._befores, strict=True)
        return [not look.is_small and before > self._place.title for look, before in pairs]

    @cached_property
    def _inside_before(self) -> list[int]:
        return _counts_before(self._inside)

    @cached_property
    def _chosen_before(self) -> list[int]:
        return _counts_before(self._chosen)

    @cached_property
    def _after_before(self) -> list[int]:
        return _counts_before(self._after)

    @cached_property
    def _widest(self) -> float:
        pairs = zip(self._looks, self._chosen, strict=True)
        return max((look.width for look, is_one in pairs if is_one), default=0.0)

    @cached_property
    def _preloaded(self) -> frozenset[str]:
        root = self._page.root
        found = (
            one for one in root.iter("link") if one.get("as") == "image" and "preload" in one.get("rel", "")
        )
        names = (picture_name(one.get("href") or one.get("imagesrcset", "").split(" ")[0]) for one in found)
        return frozenset(names) - {""}

    def row(self, at: int) -> list[float]:
        one, look, around = self._images[at], self._looks[at], self._around[at]
        before, place, chosen = self._befores[at], self._place, self._chosen
        words = terms_of(one.text)
        return [
            *_size(look, around),
            *_place(before, place),
            float(chosen[at] and not self._chosen_before[at]),
            float(self._inside[at] and not self._inside_before[at]),
            float(chosen[at]),
            float(chosen[at] and look.width >= self._widest > 0),
            min(1.0, self._chosen_before[at] / _MOST_BEFORE),
            max(-1.0, min(1.0, (before - place.title) / _FAR)),
            min(1.0, max(0, place.title - before) / _NEAR),
            *self._words(one, words),
            *_links(around),
            float(bool(self._names[at]) and self._counts[self._names[at]] > 1),
            float(self._is_hidden(one.element)),
            float(one.element.get("loading") == "lazy"),
            float(one.element.get("fetchpriority") == "high" or one.element.get("loading") == "eager"),
            *self._nearness(one.element),
            float(around.leads_here),
            self._in_title(terms_of(around.caption)),
            float(bool(around.caption)),
            log1p(self._shapes[around.shape] - 1),
            self._name_in_address(one),
            float(bool(self._names[at]) and self._names[at] in self._preloaded),
            float(look.is_tall),
            float(self._after[at] and not self._after_before[at]),
            min(1.0, len(words) / 10),
            float(around.is_within),
            float(bool(around.link)),
            *_type_of(one),
            _digits_in(one),
            log(look.height + 1) / 7,
            log1p(at) / 4,
        ]

    def _is_hidden(self, element: Element) -> bool:
        """Asked of each element once: images stand in the same ones."""
        is_found, asked = False, []
        for one in (element, *element.iterancestors()):
            if one in self._hidden:
                is_found = self._hidden[one]
                break
            asked.append(one)
        for one in reversed(asked):
            is_found = self._hidden[one] = is_found or is_hidden(one)
        return is_found

    def _nearness(self, element: Element) -> Iterator[float]:
        above = tuple(element.iterancestors())
        for shares in self._shares:
            yield next((shares[one] for one in above if one in shares), 0.0)

    def _words(self, one: PlacedImage, words: Sequence[str]) -> tuple[float, ...]:
        return (self._in_title(terms_of(one.file)), self._in_title(words), float(bool(one.text)))

    def _in_title(self, terms: Sequence[str]) -> float:
        return letters(self._title.intersection(terms)) / self._letters

    def _name_in_address(self, one: PlacedImage) -> float:
        return dice(frozenset(terms_of(one.file.rpartition(".")[0])), self._address)


def image_rows(page: ImagePage, place: ArticlePlace) -> Matrix:
    """A row of IMAGE_FEATURES for each image of a page."""
    images = _Images(page, place)
    rows = [images.row(at) for at in range(len(page.images))]
    return np.array(rows, dtype=float).reshape(len(page.images), len(IMAGE_FEATURES))


def _counts_before(flags: Sequence[bool]) -> list[int]:
    """How many of the flags before each are set."""
    return list(accumulate(flags, initial=0))


def _chains(page: ImagePage, place: ArticlePlace) -> tuple[list[Element], list[Element]]:
    """The elements around the title, and around the text."""
    lines = page.lines
    if not lines:
        return [], []
    middle = lines[(place.first + place.last) // 2].element
    first, title = lines[place.first].element, lines[place.title].element
    around_first = {first, *first.iterancestors()}
    text = [one for one in (middle, *middle.iterancestors()) if one in around_first]
    return [title, *title.iterancestors()], text


def _type_of(one: PlacedImage) -> tuple[float, ...]:
    at = _TYPES.get(one.file.rpartition(".")[2].lower(), 3)
    return tuple(float(place == at) for place in range(4))


def _digits_in(one: PlacedImage) -> float:
    """The share of digits in the name of a file: `image-10` has 2/8."""
    name = one.file.rpartition(".")[0]
    return sum(map(str.isdigit, name)) / len(name) if name else 0.0


def _look(one: PlacedImage) -> _ImageLook:
    element = one.element
    width, height = (_pixels(element.get(name, "")) for name in ("width", "height"))
    offered = _offered(one)
    known = max(width, offered)
    is_known = bool(width or offered)
    ratio = width / height if width and height else 1.0
    classes = f"{element.get('class', '')} {element.get('id', '')}"
    classes = _SIZE_CLASS.sub(" ", classes) if "-" in classes else classes
    names = name_words(f"{one.file} {classes}")
    words = tokens(one.text)
    alt = frozenset(words) if len(words) <= _FEW_WORDS else frozenset()
    return _ImageLook(
        width=min(known or _UNKNOWN_WIDTH, _WIDEST),
        height=min(height, _WIDEST),
        is_known=is_known,
        is_small=(is_known and known < _SMALL_WIDTH) or (not offered and 0 < height < _SMALL_HEIGHT),
        is_strip=ratio > _STRIP or ratio < 1 / _STRIP,
        is_tall=ratio < 0.9,
        is_furniture=(not names.isdisjoint(FURNITURE) and "hero" not in names)
        or not alt.isdisjoint(FURNITURE_ALT),
    )


def _pixels(told: str) -> float:
    if not told:
        return 0.0
    try:
        return max(0.0, min(float(told.strip().lower().removesuffix("px")), 1e5))
    except ValueError:
        return 0.0


def _size(look: _ImageLook, around: ImageSurroundings) -> tuple[float, ...]:
    flags = look.is_known, look.is_small, look.is_strip, look.is_furniture, around.is_aside, around.is_lead
    return log(look.width + 1) / 7, *map(float, flags)


def _offered(one: PlacedImage) -> float:
    """The widest size in pixels that its addresses speak of; 0 where they do not."""
    told = [int(number) for sizes in source_sets(one.element) for number in _WIDTH.findall(sizes)]
    told += [int(match[1]) for match in _OFFERED.finditer(one.source)]
    return float(max((number for number in told if number <= _WIDEST), default=0))


def _place(before: int, place: ArticlePlace) -> tuple[float, ...]:
    away = place.first - before if before < place.first else max(0, before - place.last - 1)
    is_before, is_after = before < place.first, before > place.last + 1
    return float(not is_before and not is_after), float(is_before), float(is_after), min(1.0, away / _FAR)


def _links(around: ImageSurroundings) -> tuple[float, ...]:
    to_image = around.leads_to_image
    is_away = bool(around.link) and not to_image and not around.leads_here
    in_figure = next(around.element.iterancestors("figure", "picture"), None) is not None
    flags = is_away, to_image, in_figure, around.is_framed, "li" in around.tags
    return tuple(map(float, flags))
