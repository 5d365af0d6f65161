"""What people's judgements teach: the weights of the signals move from their prior, as far as they must."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from archiver.acquisition.campaigns.relevance import CENTRES, WEIGHTS, logit_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.acquisition.campaigns.signals import Signals

_NAMES = ("bias", *WEIGHTS)
# Of the prior: a weight moves by about 1 where a handful of judgements ask for it.
_VARIANCE = 1.0
_STEPS = 20


def moved_weights(judged: Sequence[tuple[Signals, bool]]) -> dict[str, float]:
    """How far each weight moves: the most likely shift under a normal prior, by Newton's method."""
    if not judged:
        return {}
    values = np.array([_row(signals) for signals, _ in judged])
    usual = np.array([logit_of(signals) for signals, _ in judged])
    labels = np.array([float(label) for _, label in judged])
    shift = np.zeros(len(_NAMES))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(usual + values @ shift, -30, 30)))
        slope = values.T @ (chance - labels) + shift / _VARIANCE
        bend = (values * (chance * (1 - chance))[:, None]).T @ values + np.eye(len(_NAMES)) / _VARIANCE
        step = np.linalg.solve(bend, slope)
        shift -= step
        if float(np.abs(step).max()) < 1e-9:
            break
    return {name: float(value) for name, value in zip(_NAMES, shift, strict=True)}


def _row(signals: Signals) -> list[float]:
    """What each weight is multiplied by; 0 for a signal that the campaign does not ask for."""
    values = ((name, getattr(signals, name)) for name in WEIGHTS)
    return [1.0, *(0.0 if value is None else value - CENTRES.get(name, 0.0) for name, value in values)]
