"""Sets of sources for one image, such as `small.jpg 320w, large.jpg 640w`, read as the HTML standard says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_SPACE = r"[ \t\n\f\r]"
# An address ends at white space; a comma at its end ends the candidate; a comma in parentheses ends nothing.
_CANDIDATE = re.compile(
    rf"(?:{_SPACE}|,)*+(?P<address>[^ \t\n\f\r]++)(?:(?<=,)|(?P<descriptors>(?:\([^)]*+\)?|[^,(])*+))"
)
_SIZE = re.compile(rf"(?:^|{_SPACE})(\d{{1,9}}(?:\.\d{{1,9}})?)[wx](?:{_SPACE}|$)")


def candidates(source_set: str) -> Iterator[tuple[str, float]]:
    """Each address with its size, as a width or a density; 1 where none is given."""
    position = 0
    while match := _CANDIDATE.match(source_set, position):
        yield match["address"].rstrip(","), _size(match["descriptors"] or "")
        position = match.end()


def _size(descriptors: str) -> float:
    size = _SIZE.search(descriptors)
    return float(size[1]) if size else 1.0
