"""A page as models see it: what looks like its title first, then all features relative to that (3.2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from archiver.articles.layout.estimate import estimate
from archiver.articles.methods.visual.anchors import bags_of, terms_of
from archiver.articles.methods.visual.features import Features
from archiver.articles.methods.visual.images import article_place, image_rows
from archiver.articles.methods.visual.model import shipped_model
from archiver.articles.methods.visual.sight import sight_of
from archiver.documents.pages.text import one_line, plain

if TYPE_CHECKING:
    from collections.abc import Sequence

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
        return _best(model, self.sight.texts, self.texts, self.bags)

    def best_image(
        self, model: VisualModel, kept: Sequence[int], title: str
    ) -> tuple[SeenThing, float] | None:
        """The same among images, for an article that is in the kept blocks."""
        return _best(model, self.sight.images, *self.image_rows(kept, title))

    def image_rows(self, kept: Sequence[int], title: str) -> tuple[Matrix, Matrix]:
        """The features of images, and their bags."""
        images = self.sight.images
        place = article_place(self.sight, kept, self.title, title)
        rows = np.hstack([self.features.of(images, self.title), image_rows(self.sight, place)])
        return rows, bags_of([terms_of(one.text) for one in images], self.anchors)


def _best(
    model: VisualModel, things: Sequence[SeenThing], rows: Matrix, bags: Matrix
) -> tuple[SeenThing, float] | None:
    if not things:
        return None
    margins = model.margins(rows, bags)
    place = int(margins.argmax())
    if margins[place] < model.threshold:
        return None
    return things[place], model.likelihoods([float(margins[place])])[0]


def seen_page(
    page: ParsedPage, layout: Layout | None = None, *, title: VisualModel | None = None
) -> SeenPage:
    """The page with its layout, estimated where none is given."""
    known = estimate(page.tree) if layout is None else layout
    sight = sight_of(page.tree, page.base_url, known)
    features = Features(sight.texts, known.height, page.url, one_line(page.tree.findtext(".//title") or ""))
    anchors = anchors_of(page)
    bags = bags_of([terms_of(one.text) for one in sight.texts], anchors)
    found = _best(title or shipped_model("title"), sight.texts, features.of(sight.texts), bags)
    shown = found[0] if found else None
    return SeenPage(
        sight=sight,
        features=features,
        anchors=anchors,
        title=shown,
        texts=features.of(sight.texts, shown),
        bags=bags,
    )


def anchors_of(page: ParsedPage) -> Sequence[str]:
    """The words of links that lead to a page: the title in its feed, and what other pages call it."""
    said = page.announcement
    return [text for text in map(plain, filter(None, (said.title, *said.anchors))) if text]
