"""Whether an article changed since its last version, and in what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.digests import text_digest

if TYPE_CHECKING:
    from archiver.extract.model import Article


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprint:
    """Digests of the parts that make a version."""

    title: str
    text: str
    whole: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Making:
    """What made an article: the method with its version, and the wrapper where one served."""

    extractor: str
    wrapper: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is different from the version before: `new` for the first one."""

    kinds: tuple[str, ...]


def fingerprint(article: Article) -> Fingerprint:
    title = article.title or ""
    return Fingerprint(
        title=text_digest(title),
        text=text_digest(article.text),
        whole=text_digest(f"{title}\n\n{article.text}"),
    )


def compare(before: Fingerprint | None, now: Fingerprint) -> Change | None:
    """None when nothing changed."""
    if before is None:
        return Change(kinds=("new",))
    kinds = tuple(part for part in ("title", "text") if getattr(before, part) != getattr(now, part))
    return Change(kinds=kinds) if kinds else None


def are_alike(before: Making, now: Making, *, sees_siblings: bool) -> bool:
    """True where a difference between two articles can only be one of the page.

    What a method found that sees siblings depends on them too, unless a wrapper had settled it before.
    """
    if before.extractor != now.extractor:
        return False
    return not sees_siblings or (now.wrapper is not None and before.wrapper == now.wrapper)
