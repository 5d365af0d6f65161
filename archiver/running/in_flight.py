"""What was handed out to be fetched and has not come back."""

from __future__ import annotations


class InFlight:
    """What was handed out and is not done; refilled when a quarter of it is."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.ids: set[int] = set()
        # For the next run.
        self.left: set[int] = set()
        self.refill = True
        self._low = 0

    def wants_more(self) -> bool:
        return len(self.ids) < self.most and (self.refill or len(self.ids) <= self._low)

    def asking(self) -> frozenset[int]:
        """What the store need not hand out. From here on, whoever wants a refill gets another one."""
        self.refill = False
        return frozenset(self.ids | self.left)

    def add(self, ids: list[int]) -> None:
        self.ids.update(ids)
        # Asking again for each one that is done would be all we did; asking late leaves downloads idle.
        self._low = len(self.ids) * 3 // 4 if self.ids else -1
