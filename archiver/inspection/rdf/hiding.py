"""Which of very many addresses are withheld: those of sites without orders are not looked at one by one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from archiver.inspection.rdf.nodes import site_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from archiver.archive.withheld import Withheld

_ORIGIN = 3  # scheme, nothing, host: what stands before the third slash


def hidden_by(withheld: Withheld) -> Callable[[str], bool] | None:
    """What says of an address whether it is hidden; None where nothing is."""
    if not withheld:
        return None

    @lru_cache(maxsize=10_000)
    def concerns(origin: str) -> bool:
        return withheld.hides(f"{origin}/") or withheld.concerns(site_of(origin))

    def hides(url: str) -> bool:
        origin = "/".join(url.split("/", _ORIGIN)[:_ORIGIN])
        return concerns(origin) and withheld.hides(url)

    return hides
