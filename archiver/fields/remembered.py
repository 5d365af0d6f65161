"""Values that the archive remembers, and what shows that rules find them again."""

from __future__ import annotations

import msgspec

# What a proof asks for.
LEAST_PAGES = 5
_AGREEMENT = 0.95
_FILL = 0.8  # of the reference
_TYPED = 0.95
# Where most pages had values of their own, so many with one and the same are the template's.
_MOST_ALIKE = 0.5
_FEW_PAGES = 4


class KnownValue(msgspec.Struct, frozen=True, kw_only=True):
    """A value that the archive remembers, and the text that it was read from."""

    value: str
    text: str = ""


class RepairProof(msgspec.Struct, frozen=True, kw_only=True):
    """How rules did on pages that they were not made from."""

    pages: int
    filled: int
    mistyped: int
    # Pages with a value that is known and still stands there, and those where the rules give it.
    known: int
    agreed: int
    # Pages with the value that most have.
    alike: int

    def holds(self, reference: float, *, is_varied: bool) -> bool:
        """Whether the rules may be used; `reference` is the share of pages that had a value before."""
        is_filled = self.filled >= _FILL * reference * self.pages and self.filled > 0
        is_typed = self.filled >= _TYPED * (self.filled + self.mistyped)
        is_constant = is_varied and self.filled >= _FEW_PAGES and self.alike > _MOST_ALIKE * self.filled
        return is_filled and is_typed and not is_constant and self.agreed >= _AGREEMENT * self.known
