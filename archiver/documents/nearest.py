"""The right name beside a wrong one, for messages about what a person wrote."""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def did_you_mean(wrong: str, known: Iterable[str], form: str = "{}") -> str:
    """A question that names the known word that was most likely meant; empty where there is none."""
    found = get_close_matches(wrong.lower(), list(known), n=1)
    return f"did you mean {form.format(found[0])}?" if found else ""
