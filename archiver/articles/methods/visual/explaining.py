"""Why the method `visual` takes a block for the article: what in its look speaks for it, and what against."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from archiver.articles.methods.article.selection import choose, kept_blocks
from archiver.articles.methods.visual.clustering import distances
from archiver.articles.methods.visual.method import VisualMethod
from archiver.articles.methods.visual.model import bag_columns
from archiver.articles.methods.visual.recognition import seen_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.methods.visual.model import VisualModel
    from archiver.articles.methods.visual.sight import SeenThing
    from archiver.articles.model import ParsedPage

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

_BAG_NAMES = ("most like a link here", "mean likeness to links", "least like a link", "no links known")
_TOLD = 3


class SeenReason(msgspec.Struct, frozen=True, kw_only=True):
    """A feature, its value, and how much it speaks for the article (above 0) or against it."""

    feature: str
    value: float | None
    weight: float


class SeenBlock(msgspec.Struct, frozen=True, kw_only=True):
    """A block, how it looks, and what becomes of it."""

    text: str
    # In words: "11 px, 700, at 640 × 120".
    look: str
    margin: float
    likelihood: float
    is_kept: bool
    # The strongest first. Of a network: the centres that it is nearest to.
    reasons: tuple[SeenReason, ...]


class SeenExplanation(msgspec.Struct, frozen=True, kw_only=True):
    url: str
    title: str
    quality: str
    anchors: tuple[str, ...]
    blocks: tuple[SeenBlock, ...]


def explain_seen(page: ParsedPage, method: VisualMethod | None = None) -> SeenExplanation:
    """What the method sees on a page that is read by itself."""
    visual = method or VisualMethod()
    seen = seen_page(page, title=visual.title_model)
    model = visual.article_model
    margins = model.margins(seen.texts, seen.bags)
    likely = visual.likelihoods(page, seen, frozenset())
    node = choose(seen.sight.outline, likely)
    kept = frozenset(kept_blocks(node, likely) if node else ())
    reasons = reasons_of(model, seen.texts, seen.bags)
    blocks = [
        SeenBlock(
            text=one.text,
            look=look_of(one),
            margin=round(float(margins[place]), 3),
            likelihood=round(likely[place], 3),
            is_kept=place in kept,
            reasons=reasons[place],
        )
        for place, one in enumerate(seen.sight.texts)
    ]
    return SeenExplanation(
        url=page.url,
        title=seen.title.text if seen.title else "",
        quality=seen.sight.layout.quality,
        anchors=tuple(seen.anchors),
        blocks=tuple(blocks),
    )


def look_of(one: SeenThing) -> str:
    if one.box is None:
        return "not shown"
    bold = ", bold" if one.weight >= 600 else ""
    return (
        f"{one.size:.0f} px{bold}, {one.box[2]:.0f} × {one.box[3]:.0f} at {one.box[0]:.0f}, {one.box[1]:.0f}"
    )


def reasons_of(model: VisualModel, rows: Matrix, bags: Matrix) -> list[tuple[SeenReason, ...]]:
    """For each row the features that weigh most; of a network, the centres that are nearest."""
    scaled = model.scaled(rows)
    if model.network is not None:
        apart = distances(scaled, np.array(model.network.centres), "euclid")
        votes = np.array(model.network.weights)[: len(model.network.centres)]
        return [_centres(row, votes[:, 0] - votes[:, 1]) for row in apart]
    names = (*model.features, *_BAG_NAMES)
    given = np.hstack([scaled, bag_columns(bags)])
    weighed = given * np.array(model.line)
    return [_strongest(names, values, parts) for values, parts in zip(given, weighed, strict=True)]


def _strongest(names: Sequence[str], values: Matrix, parts: Matrix) -> tuple[SeenReason, ...]:
    order = np.argsort(-np.abs(parts))[:_TOLD]
    return tuple(
        SeenReason(feature=names[at], value=round(float(values[at]), 2), weight=round(float(parts[at]), 2))
        for at in order
    )


def _centres(apart: Matrix, votes: Matrix) -> tuple[SeenReason, ...]:
    order = np.argsort(apart)[:_TOLD]
    return tuple(
        SeenReason(
            feature=f"centre {at + 1}", value=round(float(apart[at]), 2), weight=round(float(votes[at]), 2)
        )
        for at in order
    )


def lines_of(told: SeenExplanation, *, is_whole: bool) -> list[str]:
    """For people: what looked like the title, who links here, then each block."""
    kept = sum(one.is_kept for one in told.blocks)
    lines = [
        f"{kept} of {len(told.blocks)} blocks look like the article ({told.quality} layout)",
        f"looks like the title: {told.title or 'nothing'}",
        f"who links here: {'; '.join(told.anchors) or 'no link is known'}",
    ]
    for one in told.blocks:
        if is_whole or one.is_kept or one.likelihood > 0.1:
            reasons = ", ".join(f"{reason.feature} {reason.weight:+.1f}" for reason in one.reasons)
            fate = "kept   " if one.is_kept else "dropped"
            lines += [f"{fate} {one.likelihood:.2f}  {one.text[:60]}", f"              {one.look}; {reasons}"]
    return lines
