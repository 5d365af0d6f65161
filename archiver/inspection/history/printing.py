"""Lines on standard output, of which a reader may have seen enough."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def show(lines: Iterable[str]) -> None:
    """Print lines; where nobody reads on, as behind `head`, the rest is left out."""
    try:
        for line in lines:
            sys.stdout.write(line + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # Nothing may complain about it when the program ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
