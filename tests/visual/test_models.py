"""Models as files: what is written is read again, and what is damaged is refused with its path."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from archiver.articles.methods.registry import OURS
from archiver.articles.methods.visual.features import FEATURES
from archiver.articles.methods.visual.model import (
    MOST_BYTES,
    model_in,
    on_curve,
    read_model,
    shipped_model,
    write_model,
)
from archiver.articles.methods.visual.training import LabelledSight, fit_model, recipe_for
from archiver.errors import ConfigurationError

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.articles.methods.visual.model import VisualModel
    from archiver.articles.methods.visual.training import Kind


def sights(seed: int = 1) -> list[LabelledSight]:
    """Pages of six sites on which the larger texts are the field."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(24):
        rows = random.random((20, len(FEATURES)))
        wanted = np.zeros(20)
        wanted[number % 20] = 1
        rows[:, FEATURES.index("size")] = rows[:, FEATURES.index("size")] / 2 + wanted
        bags = np.full((20, 16), np.nan)
        found.append(LabelledSight(site=f"site{number % 6}", rows=rows, bags=bags, is_wanted=wanted))
    return found


def fitted(kind: Kind = "line") -> VisualModel:
    return fit_model(sights(), recipe_for("title", kind), when="2026-03-01")


@pytest.mark.parametrize("kind", ["line", "network"])
def test_a_model_is_the_same_each_time_and_survives_its_file(kind: Kind, tmp_path: Path) -> None:
    one, other = fitted(kind), fitted(kind)
    for name, model in (("a", one), ("b", other)):
        write_model(tmp_path / f"{name}.json", model)
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()
    assert read_model(tmp_path / "a.json") == one
    assert (tmp_path / "a.json").stat().st_size < MOST_BYTES


def test_what_is_learned_holds_on_sites_that_were_left_out() -> None:
    model = fitted()
    assert (model.trained.pages, model.trained.sites) == (24, 6)
    assert model.trained.held_out > 0.7
    assert all(low[1] <= high[1] for low, high in zip(model.curve, model.curve[1:], strict=False))


def damaged(path: Path, **changes: Any) -> None:
    write_model(path, fitted())
    told = json.loads(path.read_text())
    path.write_text(json.dumps(told | changes))


@pytest.mark.parametrize(
    ("changes", "flaw"),
    [
        ({"features": ["colour"]}, "colour is not a feature"),
        ({"mean": [1.0]}, "mean and spread"),
        ({"bias": 1e999}, "not a visual model|not finite"),
        ({"line": [0.5]}, "the line does not go with"),
        ({"curve": [[0.0, 0.9], [1.0, 0.1]]}, "the curve falls"),
        ({"schema": "visual/9"}, "not a visual model"),
        ({"code": "import os"}, "not a visual model"),
    ],
)
def test_a_damaged_model_is_refused_with_its_path(changes: dict[str, Any], flaw: str, tmp_path: Path) -> None:
    path = tmp_path / "visual-title.json"
    damaged(path, **changes)
    with pytest.raises(ConfigurationError, match=flaw) as raised:
        read_model(path)
    assert str(path) in str(raised.value)
    # Extraction goes on with the model that ships.
    assert model_in(tmp_path, "title") == shipped_model("title")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "visual-title.json"
    path.write_bytes(b" " * (MOST_BYTES + 1))
    with pytest.raises(ConfigurationError, match="larger"):
        read_model(path)


def test_an_archive_has_its_own_models(tmp_path: Path) -> None:
    write_model(tmp_path / "visual-title.json", fitted())
    assert model_in(tmp_path, "title") == fitted()
    assert model_in(None, "title") == shipped_model("title")


@pytest.mark.parametrize("field", ["article", "title", "published", "image"])
def test_shipped_models_can_be_read_and_are_small(field: str) -> None:
    model = shipped_model(field)
    assert model.field == field
    assert model.trained.pages > 100
    assert "dragnet" not in model.trained.on  # its licence is not ours


def test_likelihoods_are_read_between_the_points_of_the_curve() -> None:
    curve = ((0.0, 0.2), (1.0, 0.6))
    assert [on_curve(curve, margin) for margin in (-5, 0.5, 9)] == [0.2, pytest.approx(0.4), 0.6]


def test_the_method_is_in_the_registry() -> None:
    assert OURS["visual"].sees_siblings
