"""The main image of an article: what is said of each image besides how it looks."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from math import log, log1p
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import numpy as np

from archiver.articles.methods.visual.anchors import dice, letters, terms_of
from archiver.articles.methods.visual.picture_names import name_words, picture_name
from archiver.articles.methods.visual.surroundings import ImageSurroundings, surroundings_of
from archiver.documents.pages.images import source_sets
from archiver.lexicon.image_names import FURNITURE, FURNITURE_ALT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.methods.visual.sight import SeenThing, Sight

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

# Ours; the thesis has places, sizes, types and names alone.
IMAGE_FEATURES = (
    "log_width", "width_known", "is_small", "is_strip", "named_furniture", "named_aside", "named_lead",
    "in_article", "before_article", "after_article", "blocks_away", "is_first", "is_first_inside",
    "is_candidate", "is_largest", "candidates_before", "after_title", "above_title", "name_in_title",
    "alt_in_title", "has_alt", "leads_away", "leads_to_image", "in_figure", "in_frame", "in_list",
    "is_repeated", "is_unseen", "is_late", "is_urgent",
    "near_title", "near_text", "leads_here", "caption_in_title", "has_caption", "many_alike",
    "name_in_address", "is_preloaded", "is_tall", "is_after_title", "alt_words", "named_within",
)  # fmt: skip

_SMALL_WIDTH, _SMALL_HEIGHT = 160.0, 80.0  # icons and portraits are smaller; a guess
_STRIP = 4.0  # times as wide as high: a banner
_FAR, _NEAR = 15, 5  # blocks
_MOST_BEFORE = 4
_WIDEST = 4000
# A text this short may stand in a menu as well as in an article.
_TELLING_WORDS = 10
# Blocks between two texts of one article; a guess.
_WIDEST_GAP = 12
_SAME_TITLE = 0.8
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
class ArticlePlace:
    """Where the article is among the blocks of its page, and its title."""

    first: int
    last: int
    title: int
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class _ImageLook:
    """What is known of an image by itself."""

    width: float
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

    def __init__(self, sight: Sight, place: ArticlePlace) -> None:
        self._sight, self._place = sight, place
        self._images = sight.images
        self._befores = _blocks_before(sight)
        self._looks = [_look(one) for one in self._images]
        self._chains = _chains(sight, place)
        article = frozenset(element for chain in self._chains for element in chain)
        self._around = [surroundings_of(one.element, article, sight.base_url) for one in self._images]
        self._shapes = Counter(one.shape for one in self._around)
        self._names = [picture_name(one.source) for one in self._images]
        self._title = frozenset(terms_of(place.words))
        self._address = frozenset(terms_of(unquote(urlsplit(sight.base_url).path)))

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
    def _widest(self) -> float:
        pairs = zip(self._looks, self._chosen, strict=True)
        return max((look.width for look, is_one in pairs if is_one), default=0.0)

    @cached_property
    def _preloaded(self) -> frozenset[str]:
        root = next(iter(self._sight.numbers))
        found = (
            one for one in root.iter("link") if one.get("as") == "image" and "preload" in one.get("rel", "")
        )
        names = (picture_name(one.get("href") or one.get("imagesrcset", "").split(" ")[0]) for one in found)
        return frozenset(names) - {""}

    def row(self, at: int) -> list[float]:
        one, look, around = self._images[at], self._looks[at], self._around[at]
        before, place, chosen = self._befores[at], self._place, self._chosen
        return [
            *_size(look, around),
            *_place(before, place),
            float(chosen[at] and not any(chosen[:at])),
            float(self._inside[at] and not any(self._inside[:at])),
            float(chosen[at]),
            float(chosen[at] and look.width >= self._widest > 0),
            min(1.0, sum(chosen[:at]) / _MOST_BEFORE),
            max(-1.0, min(1.0, (before - place.title) / _FAR)),
            min(1.0, max(0, place.title - before) / _NEAR),
            *self._words(one),
            *_links(around),
            float(bool(self._names[at]) and self._names.count(self._names[at]) > 1),
            float(one.box is None),
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
            float(self._after[at] and not any(self._after[:at])),
            min(1.0, len(one.words) / 10),
            float(around.is_within),
        ]

    def _nearness(self, element: Element) -> tuple[float, float]:
        above = frozenset(element.iterancestors())
        shares = [sum(one in above for one in chain) / (len(chain) or 1) for chain in self._chains]
        return shares[0], shares[1]

    def _words(self, one: SeenThing) -> tuple[float, ...]:
        return (
            self._in_title(terms_of(_file(one))),
            self._in_title(terms_of(one.text)),
            float(bool(one.words)),
        )

    def _in_title(self, terms: Sequence[str]) -> float:
        return letters(self._title.intersection(terms)) / (letters(self._title) or 1)

    def _name_in_address(self, one: SeenThing) -> float:
        return dice(frozenset(terms_of(_file(one).rpartition(".")[0])), self._address)


def image_rows(sight: Sight, place: ArticlePlace) -> Matrix:
    """A row of IMAGE_FEATURES for each image of a page."""
    images = _Images(sight, place)
    rows = [images.row(at) for at in range(len(sight.images))]
    return np.array(rows, dtype=float).reshape(len(sight.images), len(IMAGE_FEATURES))


def _chains(sight: Sight, place: ArticlePlace) -> tuple[list[Element], list[Element]]:
    """The elements around the title, and around the text."""
    texts = sight.texts
    if not texts:
        return [], []
    middle = texts[(place.first + place.last) // 2].element
    first, title = texts[place.first].element, texts[place.title].element
    around_first = {first, *first.iterancestors()}
    text = [one for one in (middle, *middle.iterancestors()) if one in around_first]
    return [title, *title.iterancestors()], text


def _file(one: SeenThing) -> str:
    try:
        return unquote(urlsplit(one.source).path).rstrip("/").rpartition("/")[2]
    except ValueError:
        return ""


def _look(one: SeenThing) -> _ImageLook:
    element = one.element
    width, height = (_pixels(element.get(name, "")) for name in ("width", "height"))
    offered = _offered(one)
    known = max(width, offered) or (one.box[2] if one.box else 0.0)
    is_known = bool(width or offered)
    ratio = width / height if width and height else 1.0
    classes = _SIZE_CLASS.sub(" ", f"{element.get('class', '')} {element.get('id', '')}")
    names = name_words(f"{_file(one)} {classes}")
    alt = frozenset(one.words) if len(one.words) <= _FEW_WORDS else frozenset()
    return _ImageLook(
        width=min(known, _WIDEST),
        is_known=is_known,
        is_small=(is_known and known < _SMALL_WIDTH) or (not offered and 0 < height < _SMALL_HEIGHT),
        is_strip=ratio > _STRIP or ratio < 1 / _STRIP,
        is_tall=ratio < 0.9,
        is_furniture=(not names.isdisjoint(FURNITURE) and "hero" not in names)
        or not alt.isdisjoint(FURNITURE_ALT),
    )


def _pixels(told: str) -> float:
    try:
        return max(0.0, min(float(told.strip().lower().removesuffix("px")), 1e5))
    except ValueError:
        return 0.0


def _blocks_before(sight: Sight) -> list[int]:
    """How many blocks stand before each image."""
    places = {id(block): place for place, block in enumerate(sight.outline.blocks)}
    counts, seen = [], 0
    for run in sight.outline.runs:
        counts.append(seen)
        seen += id(run) in places
    counts.append(seen)
    runs = [sight.outline.pictures[one.place].place[0] for one in sight.images]
    return [counts[min(run, len(counts) - 1)] for run in runs]


def _size(look: _ImageLook, around: ImageSurroundings) -> tuple[float, ...]:
    flags = look.is_known, look.is_small, look.is_strip, look.is_furniture, around.is_aside, around.is_lead
    return log(look.width + 1) / 7, *map(float, flags)


def _offered(one: SeenThing) -> float:
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
    in_figure = any(one.tag in ("figure", "picture") for one in around.element.iterancestors())
    flags = is_away, to_image, in_figure, around.is_framed, "li" in around.tags
    return tuple(map(float, flags))


def article_place(sight: Sight, kept: Sequence[int], title: SeenThing | None, words: str) -> ArticlePlace:
    """Where the kept blocks are, by those too long to stand elsewhere as well; else all of the page."""
    blocks = sight.outline.blocks
    telling = [place for place in kept if len(blocks[place].words) >= _TELLING_WORDS] or kept
    first, last = _densest(sight, telling) if telling else (0, max(0, len(blocks) - 1))
    return ArticlePlace(first=first, last=last, title=_title_place(sight, title, words, first), words=words)


def _densest(sight: Sight, places: Sequence[int]) -> tuple[int, int]:
    """From the first to the last of those that stand together and have most words."""
    groups: list[list[int]] = [[]]
    for place in sorted(places):
        if groups[-1] and place - groups[-1][-1] > _WIDEST_GAP:
            groups.append([])
        groups[-1].append(place)
    best = max(groups, key=lambda group: sum(len(sight.outline.blocks[one].words) for one in group))
    return best[0], best[-1]


def _title_place(sight: Sight, title: SeenThing | None, words: str, first: int) -> int:
    """The heading that says the title, the nearest to the text; else what looks like the title."""
    wanted = frozenset(terms_of(words))
    same = [one for one in sight.texts if dice(frozenset(terms_of(one.text)), wanted) >= _SAME_TITLE]
    heads = [one for one in same if one.element.tag in ("h1", "h2")] or same
    if heads and wanted:
        return min(heads, key=lambda one: (one.place > first, abs(one.place - first))).place
    return title.place if title else first
