"""How much of a page expressions may look at."""

from __future__ import annotations

from archiver.errors import OverBudget

# Elements that all expressions of a page may look at: about a second of a processor, and more than 15 times
# each element of the largest pages.
MOST_NODES = 1_000_000


class Budget:
    """How many elements may still be looked at on a page."""

    __slots__ = ("left",)

    def __init__(self, nodes: int = MOST_NODES) -> None:
        self.left = nodes

    def spend(self, nodes: int = 1) -> None:
        self.left -= nodes
        if self.left < 0:
            raise OverBudget("The expressions look at too much of this page")
