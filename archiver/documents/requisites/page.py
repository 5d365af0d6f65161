"""What a page needs to be shown as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.pages.dom import base_url, decode, parse_markup, why_not_html
from archiver.documents.requisites.gather import Gathering
from archiver.documents.requisites.markup import references_in
from archiver.documents.requisites.model import MOST_PER_PAGE, WANTED

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from archiver.documents.requisites.model import Kind, Requisite, Scope


def page_requisites(
    body: bytes,
    *,
    url: str,
    content_type: str | None,
    scope: Scope,
    article_images: Sequence[str] = (),
    limit: int = MOST_PER_PAGE,
    kinds: Collection[Kind] = WANTED,
) -> list[Requisite]:
    """What a browser needs besides the page at `url`, at most `limit`, the most important first.

    `article_images` are the addresses that the article names: the best candidate of each image and no other.
    With the scope "article" they are all there is, and the page is not even parsed.
    """
    tree = None
    if scope == "page" and not why_not_html(body, content_type):
        tree = parse_markup(decode(body, content_type))
    base = url if tree is None else base_url(tree, url)
    gathering = Gathering(url=url, base_url=base, limit=limit, kinds=kinds)
    gathering.add_article_images(article_images)
    if tree is not None:
        gathering.add(references_in(tree))
    return gathering.requisites()
