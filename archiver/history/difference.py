"""Two versions of an article beside each other: title, text, links and images."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from archiver.extract.model import Image, Link
from archiver.versions.words import Piece, diff_words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.history.articles import Said

_Thing = TypeVar("_Thing", Link, Image)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchanged(Generic[_Thing]):
    """What of a list came, what went, and what is the same with other words: as it was, as it is."""

    added: tuple[_Thing, ...] = ()
    removed: tuple[_Thing, ...] = ()
    reworded: tuple[tuple[_Thing, _Thing], ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.removed or self.reworded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What became of the words, and of what stands among them."""

    title: tuple[Piece, ...]
    text: tuple[Piece, ...]
    links: Exchanged[Link]
    images: Exchanged[Image]

    def __bool__(self) -> bool:
        return has_changed(self.title) or has_changed(self.text) or bool(self.links or self.images)


def compare_articles(before: Said, now: Said) -> Difference:
    return Difference(
        title=tuple(diff_words(_one_line(before.title), _one_line(now.title))),
        text=tuple(diff_words(before.text, now.text)),
        links=_exchanged(before.links, now.links),
        images=_exchanged(before.images, now.images),
    )


def has_changed(pieces: Iterable[Piece]) -> bool:
    return any(piece.kind != "same" for piece in pieces)


def words_in(pieces: Iterable[Piece], kind: str) -> int:
    return sum(len(piece.text.split()) for piece in pieces if piece.kind == kind)


def _one_line(text: str | None) -> str:
    return " ".join((text or "").split())


def _exchanged(before: Iterable[_Thing], now: Iterable[_Thing]) -> Exchanged[_Thing]:
    old = {one.url: one for one in before}
    new = {one.url: one for one in now}
    return Exchanged(
        added=tuple(one for url, one in new.items() if url not in old),
        removed=tuple(one for url, one in old.items() if url not in new),
        reworded=tuple((old[url], one) for url, one in new.items() if url in old and old[url] != one),
    )


def words_of(thing: Link | Image) -> str:
    """What a reader is shown of a link or an image, apart from its address."""
    if isinstance(thing, Link):
        return _one_line(thing.text)
    return _one_line(" – ".join(part for part in (thing.alt, thing.caption) if part))
