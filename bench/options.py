"""What the options of benches take."""

from __future__ import annotations

import argparse


def whole_number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be 1 or more")
    return number


def numbers(text: str) -> list[int]:
    """`0-4`, `1,7`, or both."""
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found
