"""Whether an article may have changed since its last version, by digests alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.articles.versions.addresses import image_identity, link_identity
from archiver.articles.versions.model import NEW, PARTS, Change, Fingerprint
from archiver.articles.versions.near import sketch
from archiver.digests import are_comparable, text_digest

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.articles.model import Article


def fingerprint(article: Article) -> Fingerprint:
    title = article.title or ""
    return Fingerprint(
        title=text_digest(title),
        text=text_digest(article.text),
        whole=text_digest(f"{title}\n\n{article.text}"),
        links=_set_digest(link_identity(link.url) for link in article.links),
        images=_set_digest(image_identity(image.url) for image in article.images),
        sketch=sketch(article.text),
    )


def compare(before: Fingerprint | None, now: Fingerprint) -> Change | None:
    """None when nothing changed.

    Digests of two versions of the algorithm cannot tell, and count as different: who can read both captures
    shall judge. A part that was never noted is not compared.
    """
    if before is None:
        return Change(kinds=(NEW,))
    kinds = tuple(part for part in PARTS if _differ(getattr(before, part), getattr(now, part)))
    return Change(kinds=kinds) if kinds else None


def is_unknown(before: Fingerprint, now: Fingerprint) -> bool:
    """Whether a difference may only be one of the algorithms that made the digests."""
    return not are_comparable(before.text, now.text)


def _differ(before: str, now: str) -> bool:
    return bool(before and now) and before != now


def _set_digest(identities: Iterable[str]) -> str:
    return text_digest("\n".join(sorted(set(filter(None, identities)))))
