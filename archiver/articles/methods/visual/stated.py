"""What a page states of itself, as labels: which of its texts or images is the title, day or picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from archiver.articles.metadata.fields import IMAGE_METAS
from archiver.articles.methods.article.hints import page_title
from archiver.articles.methods.visual.anchors import dice, terms_of
from archiver.articles.methods.visual.features import IS_DATE
from archiver.articles.methods.visual.main_image import seen_images
from archiver.articles.methods.visual.picture_names import picture_name
from archiver.articles.methods.visual.recognition import seen_page
from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.images import image_urls
from archiver.documents.pages.statements import addresses_of, statements_of
from archiver.fields.model import Field
from archiver.fields.types import typed
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from archiver.articles.methods.visual.placed_images import PlacedImage
    from archiver.articles.methods.visual.sight import SeenThing
    from archiver.articles.model import Article, ParsedPage
    from archiver.documents.pages.statements import Statements

    Matrix = np.ndarray[Any, np.dtype[np.float64]]

# A text that has nearly all terms of what is stated, and nearly no others.
_SAME = 0.8
# A line that says when, in characters.
_SHORT = 120
OPEN_GRAPH_IMAGE = "og:image"


def stated_labels(page: ParsedPage, article: Article | None, name: str) -> tuple[Matrix, Matrix, Matrix]:
    """Rows, bags and which of them are the field, by what the page states."""
    said = statements_of(page.tree)
    if name == "image":
        found = seen_images(page, article.text if article else "", (article and article.title) or "")
        return found.rows, found.bags, image_labels(found.images, said, page)
    seen = seen_page(page)
    texts = seen.sight.texts
    if name == "title":
        return seen.features.of(texts), seen.bags, title_labels(texts, said, page)
    return seen.texts, seen.bags, date_labels(texts, said)


def title_labels(texts: Sequence[SeenThing], said: Statements, page: ParsedPage) -> Matrix:
    stated = [*said.texts("headline"), *said.named("og:title", "twitter:title")] or [page_title(page.tree)]
    wanted = [frozenset(terms_of(one)) for one in stated]
    likeness = []
    for one in texts:
        terms = frozenset(terms_of(one.text))
        likeness.append(max((dice(terms, other) for other in wanted), default=0.0))
    best = max(likeness, default=0.0)
    return np.array([float(one == best and one >= _SAME) for one in likeness])


def date_labels(texts: Sequence[SeenThing], said: Statements) -> Matrix:
    stated = [*said.texts("datePublished"), *said.named("article:published_time", "date", "dc.date")]
    days = {day for day in map(_day_in, stated[:3]) if day}
    short = [len(one.text) < _SHORT and bool(IS_DATE.search(one.text)) for one in texts]
    found = [is_short and _day_in(one.text) in days for one, is_short in zip(texts, short, strict=True)]
    return np.array(found, dtype=float)


def _day_in(text: str) -> str:
    found = typed(text, Field(field="day", type="date"))
    return found.value if found is not None else ""


def image_labels(images: Sequence[PlacedImage], said: Statements, page: ParsedPage) -> Matrix:
    """Images of the body that are the stated one in any size: by `og:image`, else by other statements."""
    others = [*said.named(*IMAGE_METAS), *addresses_of(said.linked.get("image"))]
    told = said.named(OPEN_GRAPH_IMAGE) or others
    names, same = {picture_name(one) for one in told} - {""}, same_address(images, told, page)
    offered = ({picture_name(url) for url in image_urls(one.element, page.base_url)} for one in images)
    return np.array(
        [float(is_same or bool(names & some)) for is_same, some in zip(same, offered, strict=True)]
    )


def same_address(images: Sequence[PlacedImage], told: Sequence[str], page: ParsedPage) -> list[bool]:
    """Which images have one of the addresses that are told, letter for letter once both are normalised."""
    wanted = {same_page_key(url) for one in told if (url := absolute_url(page.base_url, one))}
    offered = (map(same_page_key, image_urls(one.element, page.base_url)) for one in images)
    return [not wanted.isdisjoint(some) for some in offered]
