"""Two versions of an article beside each other: title, text, links and images."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import TYPE_CHECKING, Generic, TypeVar

from archiver.articles.versions.words import WordRun, diff_words
from archiver.articles.versions.words import words_of as compared_words
from archiver.documents.pages.model import Image, Link

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from archiver.inspection.history.articles import ObjectWords

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

    title: tuple[WordRun, ...]
    text: tuple[WordRun, ...]
    links: Exchanged[Link]
    images: Exchanged[Image]

    def __bool__(self) -> bool:
        return has_changed(self.title) or has_changed(self.text) or bool(self.links or self.images)


def compare_articles(before: ObjectWords, now: ObjectWords) -> Difference:
    return Difference(
        title=tuple(_apart(diff_words(_one_line(before.title), _one_line(now.title)))),
        text=tuple(_apart(diff_words(before.text, now.text))),
        links=_exchanged(before.links, now.links),
        images=_exchanged(before.images, now.images),
    )


def _apart(pieces: Sequence[WordRun]) -> Iterator[WordRun]:
    """What came does not stick to what it came for, at the end of a line as elsewhere."""
    for piece, following in zip_longest(pieces, pieces[1:]):
        is_replaced = piece.kind == "removed" and following is not None and following.kind == "added"
        is_open = not piece.text[-1:].isspace() and "\n" not in (following.text if following else "")
        yield replace(piece, text=piece.text + " ") if is_replaced and is_open else piece


def has_changed(pieces: Iterable[WordRun]) -> bool:
    return any(piece.kind != "same" for piece in pieces)


def words_in(pieces: Iterable[WordRun], kind: str) -> int:
    """Counted as the versions have it."""
    return sum(len(compared_words(piece.text)) for piece in pieces if piece.kind == kind)


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
