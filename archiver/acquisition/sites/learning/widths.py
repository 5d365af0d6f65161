"""How many items a page of a list has: one with fewer is the last, whatever it links to behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

# Items of a page, and pages that show exactly so many and none more, for that to be how many a page has.
_LEAST_ITEMS, _LEAST_PAGES = 3, 2


class ListWidth:
    """How many links by each path the pages of a list show at most, and how many pages show that."""

    def __init__(self) -> None:
        self._most: dict[str, tuple[int, int]] = {}

    def add(self, items: Mapping[str, int]) -> None:
        """Count the links of one more page, by their paths."""
        for path, many in items.items():
            most, pages = self._most.get(path, (0, 0))
            if many >= most:
                self._most[path] = (many, pages + 1 if many == most else 1)

    def is_short(self, items: Mapping[str, int]) -> bool:
        """Whether a page shows fewer items than a page has that is followed by another."""
        return any(
            pages >= _LEAST_PAGES and most >= _LEAST_ITEMS and items.get(path, 0) < most
            for path, (most, pages) in self._most.items()
        )
