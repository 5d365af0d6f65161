"""What the options of benches take."""

from __future__ import annotations

import argparse


def whole_number(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be 1 or more")
    return number
