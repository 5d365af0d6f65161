"""The harvest of a campaign, as SVG: how many relevant pages after how many requests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.inspection.statistics.growth import HEIGHT, growth_parts
from archiver.inspection.statistics.svg import drawing

if TYPE_CHECKING:
    from collections.abc import Sequence


def harvest_svg(curve: Sequence[tuple[int, float]]) -> str:
    """For a page of the application, which has the colours."""
    return drawing("harvest", "Harvest", harvest_words(curve), growth_parts(curve, "relevant pages"), HEIGHT)


def harvest_words(curve: Sequence[tuple[int, float]]) -> str:
    """What the line shows, in a sentence."""
    if not curve:
        return "No page was fetched yet."
    requests, pages = curve[-1]
    half = next(spent for spent, brought in curve if 2 * brought >= pages)
    told = f"Pages worth {pages:,.0f} relevant ones came of {requests:,} requests"
    return f"{told}; half of them of the first {half:,}."
