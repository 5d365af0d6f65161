"""Pages whose article is known, as rows of visual features with their labels."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from extraction_metric import neighbours
from extraction_sets import read_set, set_name

from archiver.articles.layout.estimate import estimate
from archiver.articles.methods.extraction import extract, parse_page
from archiver.articles.methods.visual.anchors import bags_of, terms_of
from archiver.articles.methods.visual.features import Features
from archiver.articles.methods.visual.images import image_rows
from archiver.articles.methods.visual.placed_images import article_place, image_page
from archiver.articles.methods.visual.sight import sight_of
from archiver.articles.methods.visual.stated import (
    date_labels,
    image_labels,
    title_labels,
)
from archiver.articles.model import Article, ParsedPage
from archiver.documents.pages.model import Announcement, RawPage
from archiver.documents.pages.statements import statements_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from extraction_sets import Page

    from archiver.articles.methods.visual.placed_images import ImagePage, PlacedImage
    from archiver.articles.methods.visual.sight import SeenThing, Sight

    Matrix = np.ndarray[Any, Any]


@dataclass(eq=False)
class VisualSample:
    """A page with its features, before and after its title was found, and what is true of its blocks."""

    set: str
    site: str
    id: str
    page: ParsedPage
    sight: Sight
    features: Features
    gold: str
    title: Matrix  # features without a title, and whether each block is it
    is_title: Matrix
    bags: Matrix
    is_article: Matrix
    weights: Matrix
    placed: ImagePage
    # Of its images: which of them is the stated one; empty where none is stated or it is not in the body.
    is_image: Matrix
    image_bags: Matrix
    # Short texts that say when it was published, as the page states it.
    is_published: Matrix
    # What the method `article` finds on the page alone: its text, its title, and its first image.
    text: str
    words: str
    is_first: Matrix
    found_title: SeenThing | None = None
    texts: Matrix = field(default_factory=lambda: np.empty((0, 0)))
    images: Matrix = field(default_factory=lambda: np.empty((0, 0)))

    def with_title(self, place: int | None) -> None:
        """Have the features that are relative to the title."""
        self.found_title = None if place is None else self.sight.texts[place]
        self.texts = self.features.of(self.sight.texts, self.found_title)
        seen = {one.element: one for one in self.sight.images}
        own = self.features.of([seen[one.element] for one in self.placed.images], self.found_title)
        place_of = article_place(self.placed, self.text, self.words)
        self.images = np.hstack([own, image_rows(self.placed, place_of)])


def samples_of(
    path: Path, limit: int | None = None, *, only_images: bool = False, with_articles: bool = True
) -> Iterator[VisualSample]:
    """The pages of a set; with `only_images` those whose stated image is one of the body.

    `with_articles` has the method `article` read pages with such an image, which main images are told by.
    """
    for page in read_set(path, limit):
        said = Announcement(title=page.title or None, summary=page.description or None)
        raw = RawPage(
            url=page.url, body=page.html.encode(), content_type="text/html; charset=utf-8", announcement=said
        )
        parsed = parse_page(raw)
        if isinstance(parsed, ParsedPage) and (not only_images or _has_image(parsed)):
            yield _sample(set_name(path), page, parsed, raw if with_articles else None)


def _sample(name: str, page: Page, parsed: ParsedPage, raw: RawPage | None) -> VisualSample:
    layout = estimate(parsed.tree)
    sight = sight_of(parsed.tree, parsed.base_url, layout)
    own_title = " ".join((parsed.tree.findtext(".//title") or "").split())
    features = Features(sight.texts, layout.height, page.url, own_title)
    said = statements_of(parsed.tree)
    counts = np.array([len(one.words) for one in sight.texts], dtype=float)
    placed = image_page(parsed.tree, parsed.base_url)
    is_image = image_labels(placed.images, said, parsed)
    # Only where it is needed: it takes longer than all the rest.
    article = extract([raw])[0] if raw is not None and is_image.any() else None
    known = article if isinstance(article, Article) else None
    return VisualSample(
        set=name,
        site=page.site,
        id=page.id,
        page=parsed,
        sight=sight,
        features=features,
        gold=page.gold,
        title=features.of(sight.texts),
        is_title=title_labels(sight.texts, said, parsed),
        bags=bags_of([terms_of(one.text) for one in sight.texts], [page.title] if page.title else []),
        is_article=_labels([one.text for one in sight.texts], page.gold),
        weights=np.sqrt(counts) / (np.sqrt(counts.sum()) or 1.0),
        placed=placed,
        is_image=is_image,
        text=known.text if known else "",
        words=(known.title if known else None) or page.title,
        is_first=np.array([float(_is_first(one, known)) for one in placed.images]),
        image_bags=bags_of([terms_of(one.text) for one in placed.images], [page.title] if page.title else []),
        is_published=date_labels(sight.texts, said),
    )


def _has_image(page: ParsedPage) -> bool:
    images = image_page(page.tree, page.base_url).images
    return bool(image_labels(images, statements_of(page.tree), page).any())


def _is_first(one: PlacedImage, article: Article | None) -> bool:
    return article is not None and bool(article.images) and article.images[0].url == one.source


def _labels(texts: Sequence[str], gold: str) -> Matrix:
    """Whether at least half of a block is in the article as people marked it."""
    wanted = neighbours(gold)
    known = wanted | {(word,) for pair in wanted for word in pair}
    pairs = [neighbours(text) for text in texts]
    return np.array([float(len(one & known) >= 0.5 * (len(one) or 1)) for one in pairs])
