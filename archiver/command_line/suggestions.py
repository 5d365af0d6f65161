"""The right name beside a wrong one."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# difflib's own cutoff: below it, suggestions are guesses.
_CUTOFF = 0.6


def nearest(wrong: str, known: Iterable[str]) -> str | None:
    """The known name that was most likely meant, whatever its case."""
    folded = {_folded(name): name for name in known}
    found = get_close_matches(_folded(wrong), folded, n=1, cutoff=_CUTOFF)
    return folded[found[0]] if found else None


def _folded(name: str) -> str:
    return name.lower().replace("_", "-").lstrip("-")


def did_you_mean(wrong: str, known: Iterable[str], otherwise: str = "") -> str:
    """What to write after a colon: the nearest name, or else another advice."""
    found = nearest(wrong, known)
    return f"did you mean {found}?" if found else otherwise
