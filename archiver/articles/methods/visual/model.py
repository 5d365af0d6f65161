"""Models as files: JSON, checked when read; nothing in one can run."""

from __future__ import annotations

import logging
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from archiver.articles.layout.model import Quality  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.articles.methods.visual.anchors import QUANTILES
from archiver.articles.methods.visual.features import FEATURES
from archiver.articles.methods.visual.images import IMAGE_FEATURES
from archiver.articles.methods.visual.network import Network
from archiver.errors import ConfigurationError
from archiver.files import write_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

logger = logging.getLogger(__name__)

# What a model may ask for: the rows of texts have the first of these, those of images all.
COLUMNS = (*FEATURES, *IMAGE_FEATURES)
# Larger files are refused before they are read.
MOST_BYTES = 2_000_000
# Scaled features are cut there, so that one strange number does not decide alone.
_FARTHEST = 5.0
# What a line makes of a bag: its largest, mean and smallest number, and whether it is empty.
BAG_COLUMNS = 4

Rows = tuple[tuple[float, ...], ...]


class NetworkWeights(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """MS-RBFN: centres and spreads of both spaces, and what each unit says for and against."""

    centres: Rows
    spreads: tuple[float, ...]
    bags: Rows
    bag_spreads: tuple[float, ...]
    weights: Rows


class Training(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a model was fitted on."""

    when: str
    pages: int
    sites: int
    on: str = ""
    # Held-out, by site: how often the best block was the right one, or block F1 for texts.
    held_out: float = 0.0


class VisualModel(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which texts or images of a page are a field, by how they look and who links there."""

    schema: Literal["visual/1"] = "visual/1"
    field: str
    quality: Quality
    features: tuple[str, ...]
    mean: tuple[float, ...]
    spread: tuple[float, ...]
    # One of the two: the weights of a line over features and bags, or a network.
    line: tuple[float, ...] = ()
    network: NetworkWeights | None = None
    bias: float = 0.0
    # Below it nothing on a page is the field.
    threshold: float = 0.0
    # Margins with the likelihood that they came with on sites that the model had not seen.
    curve: tuple[tuple[float, float], ...] = ()
    # Where labels came from: how reliable each source was, and of how many pages.
    sources: dict[str, dict[str, float]] = {}
    trained: Training

    def scaled(self, rows: Matrix) -> Matrix:
        """The model's features with mean 0 and spread 1; what is not known is the mean."""
        places = [COLUMNS.index(name) for name in self.features]
        found = (rows[:, places] - np.array(self.mean)) / np.array(self.spread)
        cut: Matrix = np.clip(np.nan_to_num(found), -_FARTHEST, _FARTHEST)
        return cut

    def margins(self, rows: Matrix, bags: Matrix) -> Matrix:
        """How much speaks for each row, above what speaks against it."""
        scaled = self.scaled(rows)
        if self.network is not None:
            return network_of(self.network).margins(scaled, bags)
        found: Matrix = np.hstack([scaled, bag_columns(bags)]) @ np.array(self.line) + self.bias
        return found

    def best(self, rows: Matrix, bags: Matrix) -> tuple[int, float] | None:
        """The row for which most speaks, and how likely it is the field; None below the threshold."""
        if not len(rows):
            return None
        margins = self.margins(rows, bags)
        place = int(margins.argmax())
        if margins[place] < self.threshold:
            return None
        return place, self.likelihoods([float(margins[place])])[0]

    def likelihoods(self, margins: Iterable[float]) -> list[float]:
        return [on_curve(self.curve, margin) for margin in margins]


def bag_columns(bags: Matrix) -> Matrix:
    """A bag for a line: its largest, mean and smallest number, and whether nothing links there."""
    known = np.nan_to_num(bags)
    return np.stack([known.max(1), known.mean(1), known.min(1), np.isnan(bags).any(1).astype(float)], axis=1)


@lru_cache(maxsize=8)
def network_of(weights: NetworkWeights) -> Network:
    return Network(
        centres=np.array(weights.centres),
        spreads=np.array(weights.spreads),
        bags=np.array(weights.bags).reshape(-1, QUANTILES),
        bag_spreads=np.array(weights.bag_spreads),
        weights=np.array(weights.weights),
    )


def on_curve(curve: Sequence[tuple[float, float]], margin: float) -> float:
    """The likelihood of a margin: between two points in proportion, beyond the ends as at them."""
    if not curve or margin <= curve[0][0]:
        return curve[0][1] if curve else 0.0
    for (low, low_value), (high, value) in pairwise(curve):
        if margin <= high:
            return low_value + (value - low_value) * (margin - low) / ((high - low) or 1.0)
    return curve[-1][1]


def read_model(path: Path) -> VisualModel:
    """A model file; ConfigurationError with the path where it cannot be used."""
    try:
        size = path.stat().st_size
        return decode_model(path.read_bytes() if size <= MOST_BYTES else b"", str(path))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from error


def decode_model(data: bytes, name: str) -> VisualModel:
    if not data:
        raise ConfigurationError(
            f"{name} is not a visual model: it is empty or larger than {MOST_BYTES} bytes"
        )
    try:
        model = msgspec.json.decode(data, type=VisualModel)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{name} is not a visual model: {error}") from error
    if flaw := _flaw(model):
        raise ConfigurationError(f"{name} is damaged: {flaw}; make it anew with `scrapy train visual`")
    return model


def write_model(path: Path, model: VisualModel) -> None:
    """The same model gives the same file, byte for byte."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, msgspec.json.format(msgspec.json.encode(model), indent=0).decode() + "\n")


@lru_cache(maxsize=16)
def model_in(folder: Path | None, field: str) -> VisualModel:
    """The archive's own model of a field, or the shipped one where it has none or a damaged one."""
    path = folder / f"visual-{field}.json" if folder is not None else None
    if path is None or not path.is_file():
        return shipped_model(field)
    try:
        return read_model(path)
    except ConfigurationError as error:
        logger.warning("%s; the shipped model is used", error)
        return shipped_model(field)


@lru_cache(maxsize=8)
def shipped_model(field: str) -> VisualModel:
    """A model that comes with the program."""
    name = f"visual-{field}.json"
    found = files(__package__).joinpath(name)
    return decode_model(found.read_bytes(), name)


def _flaw(model: VisualModel) -> str | None:
    """What is wrong with the shape or the numbers of a model."""
    count = len(model.features)
    if unknown := [name for name in model.features if name not in COLUMNS]:
        return f"{unknown[0]} is not a feature"
    if not count or len(model.mean) != count or len(model.spread) != count:
        return "mean and spread do not go with the features"
    if not all(map(isfinite, _numbers(model))) or min(model.spread) <= 0:
        return "a number is not finite, or a spread is not above 0"
    if any(one[0] > other[0] or one[1] > other[1] for one, other in pairwise(model.curve)):
        return "the curve falls"
    if model.network is None:
        return None if len(model.line) == count + BAG_COLUMNS else "the line does not go with the features"
    return _network_flaw(model.network, count)


def _network_flaw(network: NetworkWeights, count: int) -> str | None:
    is_shaped = (
        len(network.centres) == len(network.spreads)
        and len(network.bags) == len(network.bag_spreads)
        and all(len(one) == count for one in network.centres)
        and all(len(one) == QUANTILES for one in network.bags)
        and all(len(one) == 2 for one in network.weights)
        and len(network.weights) == len(network.centres) + len(network.bags) + 2
    )
    if not is_shaped or not network.centres:
        return "the network's parts do not go together"
    return None if min((*network.spreads, *network.bag_spreads)) > 0 else "a spread is not above 0"


def _numbers(model: VisualModel) -> Iterable[float]:
    yield from (*model.mean, *model.spread, *model.line, model.bias, model.threshold)
    yield from (number for point in model.curve for number in point)
    if model.network is not None:
        for rows in (model.network.centres, model.network.bags, model.network.weights):
            yield from (number for row in rows for number in row)
        yield from (*model.network.spreads, *model.network.bag_spreads)
