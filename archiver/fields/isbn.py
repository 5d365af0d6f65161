"""ISBNs, by their check digits."""

from __future__ import annotations

import re

_WRITTEN = re.compile(
    r"(?:e?ISBN(?:[- ]?1[03])?(?:\s*\((?:10|13)\))?\s*[:#]?\s*)?"
    r"(?P<number>\d[\d \N{EN DASH}\N{NON-BREAKING HYPHEN}-]{8,20}[\dX])",
    re.IGNORECASE,
)
_SEPARATORS = re.compile(r"[^0-9X]")
_PREFIXES = ("978", "979")


def isbn_in(text: str) -> str:
    """The ISBN that a text is, without hyphens; empty where its check digit is wrong."""
    found = _WRITTEN.fullmatch(text)
    number = _SEPARATORS.sub("", found["number"].upper()) if found else ""
    return number if _is_ten(number) or _is_thirteen(number) else ""


def _is_ten(number: str) -> bool:
    if len(number) != 10 or "X" in number[:-1]:
        return False
    digits = [10 if sign == "X" else int(sign) for sign in number]
    return sum(weight * digit for weight, digit in zip(range(10, 0, -1), digits, strict=True)) % 11 == 0


def _is_thirteen(number: str) -> bool:
    if len(number) != 13 or "X" in number or not number.startswith(_PREFIXES):
        return False
    return sum((3 if place % 2 else 1) * int(digit) for place, digit in enumerate(number)) % 10 == 0
