"""Whether an article leads to other pages than before, or shows other images."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from archiver.articles.versions.addresses import image_identity
from archiver.articles.versions.views import Placed
from archiver.lexicon import zone_names

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from archiver.articles.versions.edits import Edits
    from archiver.articles.versions.reading import ComparedLink, PageImage
    from archiver.articles.versions.views import View

# Addresses by which a page is passed on carry its title.
_SHARING = re.compile(
    r"/(?:share|sharer|sharearticle|sharing|intent|pin/create)\b|[?&](?:url|u)=http", re.IGNORECASE
)


def changed_links(before: View, now: View, edits: Edits) -> bool:
    old, new = edits.ignored
    return bool(_new_links(before, now, old) or _new_links(now, before, new))


def _new_links(view: View, other: View, ignored: Collection[int]) -> list[ComparedLink]:
    """Links of the article that the other page does not have, or not as often."""
    pairs = {(link.identity, link.words) for link in other.page.links}
    ours = Counter(link.identity for link in view.page.links)
    others = Counter(link.identity for link in other.page.links)
    return [
        link
        for link in view.page.links
        if (link.identity, link.words) not in pairs
        and ours[link.identity] > others[link.identity]
        and link.block not in ignored
        and _is_of_text(link, view, other)
    ]


def _is_of_text(link: ComparedLink, view: View, other: View) -> bool:
    """Whether a link stands in what the article says."""
    if link.block >= len(view.blocks) or not link.words or _SHARING.search(link.identity):
        return False
    placed = Placed(block=view.blocks[link.block], place=link.block)
    is_alone = not other.stands(placed.block.key)
    is_ours = view.is_of_article(placed.block) or view.is_beside(placed, is_alone=is_alone)
    if not is_ours and (is_alone or not view.is_among(placed)):
        return False
    return not view.is_headline(placed.block.key) and not view.noise(placed)


def changed_images(before: View, now: View) -> bool:
    gone, come = _new_images(before, now), _new_images(now, before)
    if any(_is_shown(image, before) for image in gone) or any(_is_shown(image, now) for image in come):
        return True
    # Outside of what was extracted, one that took the place of another.
    return not _places(before, gone).isdisjoint(_places(now, come))


def _new_images(view: View, other: View) -> list[PageImage]:
    """Images near the article that the other page has nowhere."""
    known = {identity for image in other.page.images for identity in image.identities}
    known |= {image_identity(image.url) for image in other.article.images}
    return [
        image
        for image in view.page.images
        if known.isdisjoint(image.identities)
        and not zone_names.noise_in(view.zones_at(image.node))
        and not view.parts.is_boxed(image.node)
        and view.boilerplate.images.isdisjoint(image.identities)
    ]


def _is_shown(image: PageImage, view: View) -> bool:
    """Whether an image is one of the article: of what was extracted, or between its paragraphs."""
    if not {image_identity(one.url) for one in view.article.images}.isdisjoint(image.identities):
        return True
    # Extraction drops elements that hold no words; advertisements lead away.
    first, last = view.span
    return (
        first < image.block <= last and not image.leads and not view.zones_at(image.node) & zone_names.BESIDE
    )


def _places(view: View, images: Sequence[PageImage]) -> set[str]:
    """The types of places beside the article where images stand that lead nowhere else."""
    first, last = view.reach
    near = (image for image in images if first <= image.block <= last and not image.leads)
    return {image.node.type for image in near if not view.zones_at(image.node) & zone_names.BESIDE}
