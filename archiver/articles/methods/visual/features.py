"""Features of a text or an image, by the names that models keep (3.2.3)."""

from __future__ import annotations

import re
from collections import Counter
from itertools import accumulate
from math import hypot, log1p
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from archiver.articles.layout.model import SCREEN_HEIGHT, SCREEN_WIDTH
from archiver.articles.methods.visual.anchors import dice, letters, terms_of
from archiver.domains import registered_domain
from archiver.lexicon.dates import MONTHS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.methods.visual.sight import Rectangle, SeenThing

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

# The order is a contract: models name their columns, and are read by these names.
FEATURES = (
    "x", "y_screen", "y_page", "w", "h", "area", "size", "size_rank", "weight", "is_struck", "is_shown",
    "column", "beside", "above_fold", "dst_title", "dst_date", "same_style_share", "link_share", "words",
    "intitle", "smartintitle", "equal_title", "type_jpeg", "type_gif", "type_png", "type_other",
    "name_digits", "is_price", "is_date", "is_name", "nav_distance", "layout_known",
)  # fmt: skip

_LARGEST_SIZE = 64.0  # of letters; the thesis has a fixed maximum and does not say which
_SCREENS = 4  # from here on, how far down does not matter
_DIAGONAL = hypot(SCREEN_WIDTH, SCREEN_HEIGHT)
_MOST_WORDS = 200  # a guess: a longer text is an article's for certain
_FAR = 20  # blocks to the next one that only leads elsewhere; a guess
# More texts than that are not compared pair by pair.
_MOST_COMPARED = 1500
_MONTH = "|".join(
    sorted({name for name in MONTHS if name.isalpha() and len(name) > 2}, key=len, reverse=True)
)
IS_DATE = re.compile(
    rf"\b(?:19|20)\d\d[-/.]\d\d?[-/.]\d\d?\b|\b\d\d?[-/.]\d\d?[-/.](?:19|20)?\d\d\b"
    rf"|\b\d\d?(?:st|nd|rd|th|\.)?\s+(?:de\s+)?(?:{_MONTH})\b|\b(?:{_MONTH})\.?\s+\d\d?(?:st|nd|rd|th)?\b",
    re.IGNORECASE,
)
IS_PRICE = re.compile(
    r"(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF)\b)\s?\d|\d[\d.,]*\s?(?:[$€£¥₹]|(?:USD|EUR|GBP|CHF)\b)"
)
IS_NAME = re.compile(
    r"(?:(?i:by|von|por|par|di|text|words|story)\s*:?\s+)?(?:[^\W\d_a-z][\w'\u2019.-]*\s+){1,3}[^\W\d_a-z][\w'\u2019.-]+"
    r"(?:\s*[,|·•/-].{0,40})?"
)
_LONGEST_NAME = 60
_ENDING = re.compile(r"\.([a-z]{3,4})$", re.IGNORECASE)
_TYPES = {"jpg": 0, "jpeg": 0, "gif": 1, "png": 2}
_NAN = float("nan")


class Features:
    """All that features of one page need to know of each other."""

    def __init__(self, texts: Sequence[SeenThing], height: float, url: str, title: str) -> None:
        self._texts = texts
        self._height = max(height, 1.0)
        self._title = frozenset(terms_of(title))
        site = registered_domain(urlsplit(url).hostname or "").partition(".")[0]
        self._smart_title = frozenset(term for term in self._title if term not in site)
        self._sizes = Counter[float]()
        self._styles = Counter[tuple[float, int]]()
        for one in texts:
            self._sizes[one.size] += len(one.words)
            self._styles[(one.size, one.weight)] += len(one.words)
        self._words = sum(self._sizes.values()) or 1
        self._smaller = _shares_below(self._sizes)
        self._column = _modal_column(texts)
        self._nav = _distances([one.linked >= 0.9 for one in texts])

    def of(self, things: Sequence[SeenThing], title: SeenThing | None = None) -> Matrix:
        """A row for each thing; what is not known is NaN. The title is given once it was found."""
        date = self._date_near(title)
        words = frozenset(title.words) if title else None
        rows = [self._row(one, title, words, date) for one in things]
        found = np.array(rows, dtype=float).reshape(len(things), len(FEATURES))
        found[:, FEATURES.index("beside")] = self._beside(things)
        return found

    def _row(
        self,
        one: SeenThing,
        title: SeenThing | None,
        said: frozenset[str] | None,
        date: SeenThing | None,
    ) -> list[float]:
        words = frozenset(terms_of(one.text)) if one.text else frozenset()
        is_text = one.kind == "text"
        return [
            *self._place(one.box),
            min(2.0, one.size / _LARGEST_SIZE) if is_text else _NAN,
            self._smaller.get(one.size, 0.0) if is_text else _NAN,
            one.weight / 1000 if is_text else _NAN,
            float(one.is_struck),
            float(one.is_shown),
            _is_within(one.box, self._column),
            0.0,  # beside: of all things together
            float(one.box[1] < SCREEN_HEIGHT) if one.box else _NAN,
            _distance(one.box, title.box if title else None),
            _distance(one.box, date.box if date else None),
            self._styles[(one.size, one.weight)] / self._words if is_text else _NAN,
            one.linked,
            min(1.0, log1p(len(one.words)) / log1p(_MOST_WORDS)),
            letters(words & self._title) / (letters(self._title) or 1),
            letters(words & self._smart_title) / (letters(self._smart_title) or 1),
            dice(frozenset(one.words), said) if said is not None else _NAN,
            *_type_of(one),
            _digits_in(one.source),
            float(bool(IS_PRICE.search(one.text[:200]))),
            float(len(one.text) < 200 and bool(IS_DATE.search(one.text))),
            float(_is_name(one.text)),
            self._nav[one.place] if is_text else _NAN,
            float(one.box is not None),
        ]

    def _place(self, box: Rectangle | None) -> tuple[float, ...]:
        if box is None:
            return (_NAN,) * 6
        x, y, w, h = box
        across, down = min(1.0, w / SCREEN_WIDTH), min(1.0, h / SCREEN_HEIGHT)
        screens = max(0.0, min(1.0, y / (_SCREENS * SCREEN_HEIGHT)))
        return (
            max(-1.0, min(2.0, x / SCREEN_WIDTH)),
            screens,
            min(1.0, y / self._height),
            across,
            down,
            across * down,
        )

    def _beside(self, things: Sequence[SeenThing]) -> Matrix:
        """The text that stands left and right at the same height, against all of the page."""
        found = np.full(len(things), np.nan)
        if len(self._texts) > _MOST_COMPARED:
            return found
        boxes = np.array([one.box for one in self._texts if one.box and one.words], dtype=float).reshape(
            -1, 4
        )
        counts = np.array([len(one.words) for one in self._texts if one.box and one.words], dtype=float)
        for place, one in enumerate(things):
            if one.box is None or not len(boxes):
                continue
            x, y, w, h = one.box
            is_level = (boxes[:, 1] < y + h) & (boxes[:, 1] + boxes[:, 3] > y)
            is_apart = (boxes[:, 0] >= x + w - 1) | (boxes[:, 0] + boxes[:, 2] <= x + 1)
            found[place] = min(1.0, float(counts[is_level & is_apart].sum()) / self._words)
        return found

    def _date_near(self, title: SeenThing | None) -> SeenThing | None:
        """The first short text with a date after the title, else the first of the page."""
        dated = [one for one in self._texts if len(one.text) < 100 and IS_DATE.search(one.text)]
        after = (one for one in dated if title is not None and one.place > title.place)
        return next(after, dated[0] if dated else None)


def _shares_below(sizes: Counter[float]) -> dict[float, float]:
    ranked = sorted(sizes)
    total = sum(sizes.values()) or 1
    sums = [0, *accumulate(sizes[size] for size in ranked)]
    return {size: before / total for size, before in zip(ranked, sums, strict=False)}


def _modal_column(texts: Sequence[SeenThing]) -> tuple[float, float] | None:
    """Left and right of the column that holds most words."""
    columns = Counter[tuple[int, int]]()
    for one in texts:
        if one.box is not None:
            columns[(round(one.box[0] / 16), round((one.box[0] + one.box[2]) / 16))] += len(one.words)
    if not columns:
        return None
    left, right = max(columns, key=lambda column: (columns[column], column))
    return left * 16.0, right * 16.0


def _is_within(box: Rectangle | None, column: tuple[float, float] | None) -> float:
    if box is None or column is None:
        return _NAN
    return float(column[0] - 8 <= box[0] + box[2] / 2 <= column[1] + 8)


def _distance(one: Rectangle | None, other: Rectangle | None) -> float:
    """Between the centres, as a share of a screen's diagonal."""
    if one is None or other is None:
        return _NAN
    across = one[0] + one[2] / 2 - other[0] - other[2] / 2
    return min(1.0, hypot(across, one[1] + one[3] / 2 - other[1] - other[3] / 2) / _DIAGONAL)


def _distances(marked: Sequence[bool]) -> list[float]:
    """For each place how far the next marked one is, as a share of what counts as far."""
    found = [_FAR] * len(marked)
    for order in (range(len(marked)), range(len(marked) - 1, -1, -1)):
        since = _FAR
        for place in order:
            since = 0 if marked[place] else since + 1
            found[place] = min(found[place], since)
    return [one / _FAR for one in found]


def _type_of(one: SeenThing) -> tuple[float, ...]:
    if one.kind == "text":
        return 0.0, 0.0, 0.0, 0.0
    ending = _ENDING.search(urlsplit(one.source).path if one.source else "")
    at = _TYPES.get(ending[1].lower(), 3) if ending else 3
    return tuple(float(place == at) for place in range(4))


def _digits_in(source: str) -> float:
    """The share of digits in the name of a file: `image-10` has 2/8."""
    name = urlsplit(source).path.rpartition("/")[2].rpartition(".")[0] if source else ""
    return sum(map(str.isdigit, name)) / len(name) if name else 0.0


def _is_name(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and bool(IS_NAME.fullmatch(text))
