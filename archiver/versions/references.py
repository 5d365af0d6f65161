"""Whether an article leads to other pages than before, or shows other images."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.versions import zones
from archiver.versions.addresses import image_identity, link_identity
from archiver.versions.views import Placed

if TYPE_CHECKING:
    from archiver.versions.reading import PageImage, PageLink
    from archiver.versions.views import View


def changed_links(before: View, now: View) -> bool:
    return bool(_new_links(before, now) or _new_links(now, before))


def _new_links(view: View, other: View) -> list[PageLink]:
    """Links of the article that the other page has nowhere."""
    pairs = {(link.identity, link.words) for link in other.outline.links}
    ours = {link_identity(link.url) for link in view.article.links}
    others = {link_identity(link.url) for link in other.article.links}
    return [
        link
        for link in view.outline.links
        if (link.identity, link.words) not in pairs
        and link.identity in ours
        and link.identity not in others
        and _is_of_text(link, view)
    ]


def _is_of_text(link: PageLink, view: View) -> bool:
    """Whether a link stands in what the article says."""
    if link.block >= len(view.blocks) or not link.words:
        return False
    block = view.blocks[link.block]
    if not view.is_of_article(block) or zones.noise_in(view.zones_at(link.node)):
        return False
    return not view.noise(Placed(block=block, place=link.block))


def changed_images(before: View, now: View) -> bool:
    return bool(_new_images(before, now) or _new_images(now, before))


def _new_images(view: View, other: View) -> list[PageImage]:
    """Images of the article that the other page has nowhere."""
    known = {identity for image in other.outline.images for identity in image.identities}
    known |= {image_identity(image.url) for image in other.article.images}
    ours = {image_identity(image.url) for image in view.article.images}
    return [
        image
        for image in view.outline.images
        if known.isdisjoint(image.identities)
        and not ours.isdisjoint(image.identities)
        and not zones.noise_in(view.zones_at(image.node))
    ]
