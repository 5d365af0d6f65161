"""Numbers of bytes as a person reads them."""

from __future__ import annotations


def size_in_words(count: int) -> str:
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 999.5:  # what would be rounded to 1e+03
            return f"{size:.3g} {unit}"
        size /= 1000
    return f"{size:.3g} TB"
