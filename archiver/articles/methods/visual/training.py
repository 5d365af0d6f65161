"""Fitting a model: folds by site, the scale, a line or a network, and the curve of its likelihoods."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from msgspec.structs import replace

from archiver.articles.methods.visual import network, regression
from archiver.articles.methods.visual.features import FEATURES
from archiver.articles.methods.visual.images import IMAGE_FEATURES
from archiver.articles.methods.visual.model import COLUMNS, NetworkWeights, Training, VisualModel, bag_columns
from archiver.digests import name_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.articles.methods.visual.model import Rows
    from archiver.articles.methods.visual.network import NetworkSize

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

Kind = Literal["line", "network"]
FOLDS = 5
# How freely the weights of a line follow the pages: as those of the method `article` do.
_STRENGTH = 0.01
# The same where pages choose among their images; chosen on the three sets that models are fitted on.
_CHOICE_STRENGTH = 0.3
# Margins for each point of the curve; a guess that keeps it short.
_LEAST_MARGINS = 400
_DIGITS = 5
# Below it nothing on a page is taken for the field. A guess: pages that lack a field are not in any set.
_LEAST_LIKELY = 0.2


@dataclass(frozen=True, eq=False, kw_only=True)
class LabelledSight:
    """The features of a page's texts or images, and which of them are the field."""

    site: str
    rows: Matrix
    bags: Matrix
    is_wanted: Matrix
    # How much each counts; None: all alike.
    weights: Matrix | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What is fitted: the field, on which features, as what."""

    field: str
    kind: Kind = "line"
    features: tuple[str, ...] = FEATURES
    size: NetworkSize = network.TABLE_4_8
    # Whether several blocks may be the field: a text, not a title.
    is_many: bool = False
    # Whether what is fitted is the choice among the things of a page, not each thing by itself.
    is_choice: bool = False
    choice_strength: float = _CHOICE_STRENGTH


def recipe_for(field: str, kind: Kind = "line", size: NetworkSize = network.TABLE_4_8) -> Recipe:
    """What is fitted for a field of the shipped ones."""
    features = IMAGE_FEATURES if field == "image" else FEATURES
    return Recipe(
        field=field,
        kind=kind,
        size=size,
        features=features,
        is_many=field == "article",
        is_choice=field == "image",
    )


def fit_model(pages: Sequence[LabelledSight], recipe: Recipe, *, when: str, on: str = "") -> VisualModel:
    """A model of all pages; its curve and its threshold are by models that had not seen the page's site."""
    held = [(page, model.margins(page.rows, page.bags)) for page, model in held_out(pages, recipe)]
    points = [
        (float(margin), float(wanted))
        for page, margins in held
        for margin, wanted in zip(margins, page.is_wanted, strict=True)
    ]
    model = _fitted(pages, recipe)
    curve = regression.rising(points, max(2, min(_LEAST_MARGINS, len(points) // 20)))
    trained = Training(
        when=when,
        pages=len(pages),
        sites=len({page.site for page in pages}),
        on=on,
        held_out=round(_quality(held, is_many=recipe.is_many), 4),
    )
    threshold = 0.0 if recipe.is_many else _threshold(curve)
    return replace(model, curve=tuple(curve), threshold=threshold, trained=trained)


def _threshold(curve: Sequence[tuple[float, float]]) -> float:
    """The margin from which on a thing is likely enough to be taken for the field: in proportion, as read."""
    for (low, low_value), (high, value) in pairwise(curve):
        if low_value < _LEAST_LIKELY <= value:
            share = (_LEAST_LIKELY - low_value) / (value - low_value)
            return round(low + share * (high - low), _DIGITS)
    return curve[0][0] if curve[0][1] >= _LEAST_LIKELY else curve[-1][0]


def held_out(pages: Sequence[LabelledSight], recipe: Recipe) -> Iterator[tuple[LabelledSight, VisualModel]]:
    """Each page with a model that was fitted without its site; the same folds each time."""
    sites = sorted({page.site for page in pages}, key=name_digest)
    folds = min(FOLDS, len(sites))
    for fold in range(folds):
        chosen = set(sites[fold::folds])
        rest = [page for page in pages if page.site not in chosen]
        if not rest or not any(page.is_wanted.any() for page in rest):
            continue
        model = _fitted(rest, recipe)
        yield from ((page, model) for page in pages if page.site in chosen)


def _quality(held: Sequence[tuple[LabelledSight, Matrix]], *, is_many: bool) -> float:
    """Of one thing a page: how often the best is right. Of many: F1 of all blocks."""
    if not is_many:
        told = [(page, margins) for page, margins in held if page.is_wanted.any()]
        right = [page.is_wanted[int(margins.argmax())] for page, margins in told]
        return float(np.mean(right)) if right else 0.0
    margins = np.concatenate([margins for _, margins in held])
    wanted = np.concatenate([page.is_wanted for page, _ in held]) > 0
    both = float(((margins > 0) & wanted).sum())
    return 2 * both / (float((margins > 0).sum()) + float(wanted.sum()) or 1.0)


def _fitted(pages: Sequence[LabelledSight], recipe: Recipe) -> VisualModel:
    rows = np.concatenate([page.rows for page in pages])
    bags = np.concatenate([page.bags for page in pages])
    is_wanted = np.concatenate([page.is_wanted for page in pages])
    weights = np.concatenate([_weights(page) for page in pages])
    model = _scale(rows, recipe)
    scaled = model.scaled(rows)
    if recipe.kind == "network":
        found = network.fit(scaled, bags, is_wanted, weights, size=recipe.size)
        return replace(model, network=_as_told(found))
    if recipe.is_choice:
        lengths = [len(page.rows) for page in pages]
        given = np.hstack([scaled, bag_columns(bags)])
        return replace(
            model, line=_numbers(regression.fit_choice(given, is_wanted, lengths, recipe.choice_strength))
        )
    counts = network.class_weights(is_wanted, weights)
    line = regression.fit(np.hstack([scaled, bag_columns(bags)]), is_wanted, counts, _STRENGTH)
    return replace(model, line=_numbers(line[:-1]), bias=round(float(line[-1]), _DIGITS))


def _weights(page: LabelledSight) -> Matrix:
    return np.ones(len(page.rows)) if page.weights is None else page.weights


def _scale(rows: Matrix, recipe: Recipe) -> VisualModel:
    """A model that only knows how its features are scaled. What is never known has no say."""
    chosen = rows[:, [COLUMNS.index(name) for name in recipe.features]]
    known = ~np.isnan(chosen)
    mean = np.where(known.any(0), np.nansum(chosen, axis=0) / np.maximum(known.sum(0), 1), 0.0)
    spread = np.sqrt(np.nansum((chosen - mean) ** 2, axis=0) / np.maximum(known.sum(0), 1))
    return VisualModel(
        field=recipe.field,
        quality="none" if recipe.field == "image" else "estimated",
        features=recipe.features,
        mean=_numbers(mean),
        spread=tuple(one if one > 0 else 1.0 for one in _numbers(spread)),
        trained=Training(when="", pages=0, sites=0),
    )


def _as_told(found: network.Network) -> NetworkWeights:
    return NetworkWeights(
        centres=_rows(found.centres),
        spreads=_numbers(found.spreads),
        bags=_rows(found.bags) if len(found.bag_spreads) else (),
        bag_spreads=_numbers(found.bag_spreads),
        weights=_rows(found.weights),
    )


def _rows(found: Matrix) -> Rows:
    return tuple(_numbers(row) for row in found)


def _numbers(found: Matrix) -> tuple[float, ...]:
    return tuple(round(float(one), _DIGITS) for one in found)
