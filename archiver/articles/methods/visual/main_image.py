"""The main image of an article whose page states none: the one that most looks like it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from archiver.articles.methods.visual.anchors import anchors_of, bags_of, terms_of
from archiver.articles.methods.visual.features import FEATURES
from archiver.articles.methods.visual.images import image_rows
from archiver.articles.methods.visual.model import shipped_model
from archiver.articles.methods.visual.placed_images import article_place, image_page
from archiver.documents.pages.model import Image

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.methods.visual.model import VisualModel
    from archiver.articles.methods.visual.placed_images import PlacedImage
    from archiver.articles.model import ParsedPage

    Matrix = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class SeenImages:
    """The images of a page, with their features and how much their words are like those of links here."""

    images: Sequence[PlacedImage]
    rows: Matrix
    bags: Matrix

    def best(self, model: VisualModel) -> tuple[PlacedImage, float] | None:
        """The most likely one, and how likely; None where none reaches the model's threshold."""
        found = model.best(self.rows, self.bags)
        return None if found is None else (self.images[found[0]], found[1])


def seen_images(page: ParsedPage, text: str, title: str) -> SeenImages:
    """For the article with this text and title; for all of the page where the text is not known."""
    found = image_page(page.tree, page.base_url)
    own = image_rows(found, article_place(found, text, title))
    # Features of layout: they add nothing to ours, and take ten times as long.
    unknown = np.full((len(own), len(FEATURES)), np.nan)
    bags = bags_of([terms_of(one.text) for one in found.images], anchors_of(page))
    return SeenImages(images=found.images, rows=np.hstack([unknown, own]), bags=bags)


def seen_image(page: ParsedPage, title: str | None, text: str) -> Image | None:
    """The image that most looks like that of the article with this text; None where none does."""
    if next(page.tree.iter("img", "amp-img"), None) is None:
        return None
    found = seen_images(page, text, title or "").best(shipped_model("image"))
    return None if found is None else Image(url=found[0].source, alt=found[0].text or None)
