"""Channels that should have published by now: a feed that silently stalls fails in no other way."""

from __future__ import annotations

# A silence with a chance of less than one in a hundred is told, and again when it is ten times less likely.
_STEPS = (1e-2, 1e-3, 1e-4)


def chance_of_silence(expected: float, burst: float) -> float:
    """How likely it is that nothing came where so many entries were expected.

    Entries come in bursts: by how much more than chance their numbers vary, silences are more likely.
    """
    spread = max(burst, 1e-6)
    return float((1 + spread * max(expected, 0.0)) ** (-1 / spread))


def is_alarming(before: float, after: float) -> bool:
    """Whether a silence, by its chance, has just passed a step at which it is told."""
    return any(after < step <= before for step in _STEPS)


def is_overdue(chance: float) -> bool:
    return chance < _STEPS[0]


def chance_in_words(chance: float) -> str:
    """`1 in 250`."""
    return f"1 in {1 / max(chance, 1e-6):,.0f}"
