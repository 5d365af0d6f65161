"""The main image of an article: what is said of each image besides how it looks, and the one that is best."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from math import log
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import numpy as np

from archiver.articles.methods.visual.anchors import letters, terms_of
from archiver.documents.pages.images import sizes_of, source_sets
from archiver.documents.pages.text import one_line

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
)  # fmt: skip

_SMALL_WIDTH, _SMALL_HEIGHT = 160.0, 80.0  # icons and portraits are smaller; a guess
_STRIP = 4.0  # times as wide as high: a banner
_FAR, _NEAR = 15, 5  # blocks
_MOST_BEFORE = 4
_WIDEST = 4000
# A text this short may stand in a menu as well as in an article.
_TELLING_WORDS = 10
_OFFERED = re.compile(
    r"(?:[?&;,/_-](?:w|width|imwidth)[=_:-]?|[-_/])(\d{2,4})(?:x(\d{2,4}))?(?=[^\da-z]|x|$)", re.IGNORECASE
)
_WIDTH = re.compile(r"(\d{2,4})w\b")
# In the address, the names and the words of an image: it shows the site or a person, not the story.
_FURNITURE = re.compile(
    r"logo|icons?(?![a-z])|avatar|sprite|badge|button|banner|headshot|byline|author|profile|placeholder|spacer"
    r"|transparent|pixel|blank|loading|spinner|favicon|rating|stars?(?![a-z])|emoji|smil|facebook|twitter|youtube"
    r"|instagram|share|subscribe|newsletter|signature|default[-_]|contributor|reporter|staff|columnist|promo"
    r"|thumb(?!nail)|sponsor|(?<![a-z])ads?(?![a-z])|\.svg",
    re.IGNORECASE,
)
# In the names of what is around it.
_ASIDE = re.compile(
    r"author|byline|avatar|contributor|related|recirc|recommend|promo|sidebar|newsletter|social|share|footer"
    r"|nav|menu|logo|comment|teaser|more-|trending|popular|(?<![a-z])ads?(?![a-z])",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"lead|hero|featured|main|article-?(?:image|img|media|photo)|post-?thumbnail|wp-post-image|attachment|caption"
    r"|figure|inline|body|content",
    re.IGNORECASE,
)
_FRAMES = frozenset({"header", "footer", "nav", "aside", "form", "button"})
_FIGURES = frozenset({"figure", "picture"})
_IMAGE_FILE = re.compile(r"\.(?:jpe?g|png|gif|webp|avif)$", re.IGNORECASE)
_LEVELS = 4  # whose names are asked


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
    is_furniture: bool
    is_aside: bool

    @property
    def is_plausible(self) -> bool:
        return not (self.is_small or self.is_strip or self.is_furniture or self.is_aside)


def image_rows(sight: Sight, place: ArticlePlace) -> Matrix:
    """A row of IMAGE_FEATURES for each image of a page."""
    images, befores = sight.images, _blocks_before(sight)
    looks = [_look(one) for one in images]
    pairs = list(zip(looks, befores, strict=True))
    inside = [look.is_plausible and place.first <= before <= place.last + 1 for look, before in pairs]
    chosen = [look.is_plausible and place.title - 2 <= before <= place.last + 1 for look, before in pairs]
    widest = max((look.width for look, is_one in zip(looks, chosen, strict=True) if is_one), default=0.0)
    sources, terms = [one.source for one in images], frozenset(terms_of(place.words))
    rows = [
        [
            *_size(looks[at], _names_around(one.element)),
            *_place(befores[at], place),
            float(chosen[at] and not any(chosen[:at])),
            float(inside[at] and not any(inside[:at])),
            float(chosen[at]),
            float(chosen[at] and looks[at].width >= widest > 0),
            min(1.0, sum(chosen[:at]) / _MOST_BEFORE),
            max(-1.0, min(1.0, (befores[at] - place.title) / _FAR)),
            min(1.0, max(0, place.title - befores[at]) / _NEAR),
            *_words(one, terms),
            *_around(one.element),
            float(bool(one.source) and sources.count(one.source) > 1),
            float(one.box is None),
            float(one.element.get("loading") == "lazy"),
            float(one.element.get("fetchpriority") == "high" or one.element.get("loading") == "eager"),
        ]
        for at, one in enumerate(images)
    ]
    return np.array(rows, dtype=float).reshape(len(images), len(IMAGE_FEATURES))


def _look(one: SeenThing) -> _ImageLook:
    told = any(size.isdigit() for size in sizes_of(one.element)) or "width" in one.element.get("style", "")
    width, height = (one.box[2], one.box[3]) if one.box else (0.0, 0.0)
    offered = _offered(one)
    known = width if told and width else offered or width
    is_known = bool((told and width) or offered)
    element = one.element
    own = f"{one.source} {element.get('class', '')} {element.get('id', '')} {one.text}"
    ratio = width / height if told and height and width else 1.0
    return _ImageLook(
        width=known,
        is_known=is_known,
        is_small=(is_known and known < _SMALL_WIDTH) or (told and 0 < height < _SMALL_HEIGHT),
        is_strip=ratio > _STRIP or ratio < 1 / _STRIP,
        is_furniture=bool(_FURNITURE.search(own)) or not one.source,
        is_aside=bool(_ASIDE.search(_names_around(element))),
    )


def _names_around(element: Element) -> str:
    above = islice(element.iterancestors(), _LEVELS)
    return " ".join(f"{one.get('class', '')} {one.get('id', '')}" for one in (element, *above))


def _blocks_before(sight: Sight) -> list[int]:
    """How many blocks stand before each image."""
    places = {id(block): place for place, block in enumerate(sight.outline.blocks)}
    counts, seen = [], 0
    for run in sight.outline.runs:
        counts.append(seen)
        seen += id(run) in places
    counts.append(seen)
    return [counts[min(picture.place[0], len(counts) - 1)] for picture in sight.outline.pictures]


def _size(look: _ImageLook, names: str) -> tuple[float, ...]:
    is_lead = bool(_LEAD.search(names))
    flags = look.is_known, look.is_small, look.is_strip, look.is_furniture, look.is_aside, is_lead
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


def _words(one: SeenThing, title: frozenset[str]) -> tuple[float, ...]:
    try:
        name = unquote(urlsplit(one.source).path).rstrip("/").rpartition("/")[2]
    except ValueError:
        name = ""
    total = letters(title) or 1
    in_name = letters(title.intersection(terms_of(name))) / total
    in_alt = letters(title.intersection(terms_of(one.text))) / total
    return in_name, in_alt, float(bool(one.words))


def _around(element: Element) -> tuple[float, ...]:
    above = [one for one in element.iterancestors() if isinstance(one.tag, str)]
    link = next((one for one in above if one.tag == "a"), None)
    href = one_line(link.get("href", "")).partition("?")[0] if link is not None else ""
    to_image = bool(_IMAGE_FILE.search(href))
    tags = {one.tag for one in above}
    is_away = bool(href) and not to_image and not href.startswith("#")
    flags = is_away, to_image, bool(tags & _FIGURES), bool(tags & _FRAMES), "li" in tags
    return tuple(map(float, flags))


def article_place(sight: Sight, kept: Sequence[int], title: SeenThing | None, words: str) -> ArticlePlace:
    """Where the kept blocks are, by those too long to stand elsewhere as well; else all of the page."""
    blocks = sight.outline.blocks
    telling = [place for place in kept if len(blocks[place].words) >= _TELLING_WORDS] or kept
    first, last = (min(telling), max(telling)) if telling else (0, len(blocks) - 1)
    return ArticlePlace(first=first, last=last, title=title.place if title else first, words=words)
