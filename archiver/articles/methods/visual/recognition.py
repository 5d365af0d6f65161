"""A page as models see it: what looks like its title first, then all features relative to that (3.2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from archiver.articles.layout.estimate import estimate
from archiver.articles.methods.visual.anchors import anchors_of, bags_of, terms_of
from archiver.articles.methods.visual.features import Features
from archiver.articles.methods.visual.model import shipped_model
from archiver.articles.methods.visual.sight import sight_of
from archiver.documents.pages.text import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from archiver.articles.layout.model import Layout
    from archiver.articles.methods.visual.model import VisualModel
    from archiver.articles.methods.visual.sight import SeenThing, Sight
    from archiver.articles.model import ParsedPage

    Matrix = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """What stands on a page, and the features of its texts."""

    sight: Sight
    features: Features
    anchors: Sequence[str]
    title: SeenThing | None
    texts: Matrix
    bags: Matrix

    def best_text(self, model: VisualModel) -> tuple[SeenThing, float] | None:
        """What is most likely the field, and how likely; None where nothing reaches the model's threshold."""
        found = model.best(self.texts, self.bags)
        return None if found is None else (self.sight.texts[found[0]], found[1])


def seen_page(
    page: ParsedPage, layout: Layout | None = None, *, title: VisualModel | None = None
) -> SeenPage:
    """The page with its layout, estimated where none is given."""
    known = estimate(page.tree) if layout is None else layout
    sight = sight_of(page.tree, page.base_url, known)
    features = Features(sight.texts, known.height, page.url, one_line(page.tree.findtext(".//title") or ""))
    anchors = anchors_of(page)
    bags = bags_of([terms_of(one.text) for one in sight.texts], anchors)
    found = (title or shipped_model("title")).best(features.of(sight.texts), bags)
    shown = None if found is None else sight.texts[found[0]]
    return SeenPage(
        sight=sight,
        features=features,
        anchors=anchors,
        title=shown,
        texts=features.of(sight.texts, shown),
        bags=bags,
    )
