"""Labels: the names under which a person files a seed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

# A comma between quotes belongs to the label.
_LABEL = re.compile(r'(?:"[^"]*"|[^,])+')


def split_labels(text: str) -> list[str]:
    """Split `world,"arts, culture"` into its two labels."""
    return [label.replace('"', "") for label in _LABEL.findall(text)]


def unite_labels(*groups: Iterable[str]) -> tuple[str, ...]:
    """Every label once, in the order of first mention, with its white space tidied."""
    tidy = (" ".join(label.split()) for group in groups for label in group)
    return tuple(dict.fromkeys(label for label in tidy if label))
