"""Whether the structure around an article changed while its words stayed."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from archiver.articles.versions.views import View

# How many of the blocks that stayed must stand in elements of other types.
MOST_STAYED = 0.5
LEAST_BLOCKS = 2


def is_template_change(before: View, now: View) -> bool:
    old, new = _paths(before), _paths(now)
    common = old.keys() & new.keys()
    if len(common) < min(LEAST_BLOCKS, len(old)) or not common:
        return False
    same = sum(old[key] == new[key] for key in common)
    return same < MOST_STAYED * len(common)


def _paths(view: View) -> dict[str, str]:
    return {view.blocks[place].key: view.path(view.blocks[place].node) for place in view.places}
