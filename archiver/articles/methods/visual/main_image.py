"""The main image of an article whose page states none: the one that looks like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.methods.article.consensus import blocks_in
from archiver.articles.methods.visual.model import shipped_model
from archiver.articles.methods.visual.recognition import seen_page
from archiver.documents.pages.images import counts_visitors
from archiver.documents.pages.model import Image
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from archiver.articles.model import ParsedPage


def seen_image(page: ParsedPage, title: str | None, text: str) -> Image | None:
    """The image that most looks like that of the article with this text; None where none does."""
    if not any(not counts_visitors(one) for one in page.tree.iter("img", "amp-img")):
        return None
    seen = seen_page(page)
    kept = blocks_in(seen.sight.outline, tokens(text))
    found = seen.best_image(shipped_model("image"), kept, title or "")
    if found is None or not found[0].source:
        return None
    return Image(url=found[0].source, alt=found[0].text or None)
