"""What an application holds: its items with their comments, as the file beside it tells."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

Gram = tuple[str, str]

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


class TruthError(ValueError):
    """A file that does not say what an application holds; the message tells where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    author: str
    text: str
    time: datetime | None = None
    """None where the file does not say it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    url: str
    title: str
    text: str
    author: str = ""
    time: datetime | None = None
    comments: tuple[Comment, ...] = ()
    kind: str = ""

    @property
    def texts(self) -> Iterator[str]:
        """Each run of words that stands alone: title, lines of the text, lines of comments."""
        yield self.title
        yield from filter(str.strip, self.text.splitlines())
        for comment in self.comments:
            yield from filter(str.strip, comment.text.splitlines())

    @property
    def whole_texts(self) -> Iterator[str]:
        yield self.title
        yield self.text
        yield from (comment.text for comment in self.comments)


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    home: str
    items: tuple[Item, ...]

    @property
    def comments(self) -> Iterator[tuple[Item, Comment]]:
        return ((item, comment) for item in self.items for comment in item.comments)

    def grams_in_blocks(self) -> set[Gram]:
        return grams_of(text for item in self.items for text in item.texts)

    def grams_across(self) -> set[Gram]:
        return grams_of(text for item in self.items for text in item.whole_texts)

    def as_held(self, times: Mapping[str, datetime]) -> Truth:
        """Keep the comments that the application itself says it has, with its times, by their words."""
        if not times:
            return self
        items = tuple(
            replace(
                item,
                comments=tuple(_timed(each, times) for each in item.comments if plain(each.text) in times),
            )
            for item in self.items
        )
        return replace(self, items=items)


def words_of(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def plain(text: str) -> str:
    """Words alone, so that two texts compare without punctuation, case and spaces."""
    return " ".join(words_of(text))


def grams_of(texts: Iterable[str]) -> set[Gram]:
    """Pairs of neighbouring words, none across two texts."""
    return {pair for text in texts for pair in pairwise(words_of(text))}


def page_key(url: str) -> str:
    """One key for the ways to write an address: no scheme and host, no fragment, no last slash."""
    parts = urlsplit(url)
    return (unquote(parts.path).rstrip("/") or "/") + (f"?{unquote(parts.query)}" if parts.query else "")


def read_truth(path: Path) -> Truth:
    try:
        written = json.loads(path.read_text())
        items = tuple(_item(each) for each in written["items"])
    except OSError as error:
        raise TruthError(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise TruthError(f"{path} does not list items as expected: {error!r}") from error
    if not items:
        raise TruthError(f"{path} lists no items")
    return Truth(home=written.get("home", items[0].url), items=items)


def time_of(text: str | None) -> datetime | None:
    if not text:
        return None
    time = datetime.fromisoformat(text)
    return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)


def _item(written: dict[str, Any]) -> Item:
    comments = tuple(
        Comment(author=each["author"], text=each["text"], time=time_of(each.get("date")))
        for each in written.get("comments") or ()
    )
    return Item(
        url=written["url"],
        title=written["title"],
        text=written["text"],
        author=written.get("author") or "",
        time=time_of(written.get("date")),
        comments=comments,
        kind=written.get("type") or "",
    )


def _timed(comment: Comment, times: Mapping[str, datetime]) -> Comment:
    return comment if comment.time else replace(comment, time=times.get(plain(comment.text)))
