"""What the index takes from the line of an object."""

from __future__ import annotations

from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeVar

import msgspec

from archiver.articles.versions.model import Change  # noqa: TC001 - msgspec reads the annotations at run time
from archiver.documents.pages.words import normal
from archiver.search.expression import ANYTHING, change_tag, channel_tag, kind_tag, language_tags
from archiver.search.folding import split_scripts
from archiver.search.model import ARTICLE, EDITED

if TYPE_CHECKING:
    from typing import BinaryIO

    from archiver.search.contributed import IndexedContribution

Line = TypeVar("Line")
# Characters of a text that are searched: a book has less.
_MOST_TEXT = 2_000_000


class IndexedLine(msgspec.Struct, frozen=True, kw_only=True):
    """The fields of an object that are searched and shown; the others are passed over."""

    id: str
    url: str
    version: int
    title: str | None = None
    text: str = ""
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str | None = None
    published: datetime | None = None
    published_day: date | None = None
    first_seen: datetime
    captured: datetime
    change: Change
    confidence: float = 0.0


class LineReader(Generic[Line]):
    """Reads lines of one file; those that follow each other without looking for the place again."""

    def __init__(self, file: BinaryIO, model: type[Line]) -> None:
        self._file = file
        self._at = -1
        self._decoder = msgspec.json.Decoder(model)

    def read(self, offset: int) -> Line | None:
        """The object at this place; None where there is none."""
        try:
            if self._at != offset:
                self._file.seek(offset)
            line = self._file.readline()
            self._at = offset + len(line)
            return self._decoder.decode(line)
        except (OSError, msgspec.DecodeError):
            self._at = -1
            return None


def moment_of(line: IndexedLine | IndexedContribution) -> datetime:
    """When it was published; else when it was first seen. Never later than its capture, whatever it says."""
    said = line.published or _within(line.published_day, line.first_seen) or line.first_seen
    return min(said, line.captured).astimezone(UTC)


def _within(day: date | None, seen: datetime) -> datetime | None:
    """A moment of this day: when it was seen, if that was then."""
    if day is None or seen.astimezone(UTC).date() == day:
        return seen if day else None
    return datetime.combine(day, time(), UTC)


class IndexedText(NamedTuple):
    """What is searched of a document, when it counts as of, and how surely it was found."""

    moment: datetime
    confidence: int  # in ten-thousandths
    title: str
    text: str
    authors: str
    categories: str
    tags: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Title, text, pairs of characters, authors, categories and tags, as FTS5 has them."""
        title, title_grams = split_scripts(self.title)
        text, grams = split_scripts(self.text)
        # The word between them is never looked for: no pair reaches from the one into the other.
        grams = f"{title_grams} {ANYTHING} {grams}" if title_grams else grams
        return title, text, grams, self.authors, self.categories, self.tags


def text_of(line: IndexedLine | IndexedContribution, channel: int) -> IndexedText:
    if not isinstance(line, IndexedLine):
        return _text_of_contribution(line, channel)
    return IndexedText(
        moment=moment_of(line),
        confidence=round(10_000 * line.confidence),
        title=line.title or "",
        text=line.text[:_MOST_TEXT],
        authors=_listed(line.authors),
        categories=_listed(line.categories),
        tags=" ".join(_tags(line, channel)),
    )


def _text_of_contribution(line: IndexedContribution, channel: int) -> IndexedText:
    changes = (EDITED, line.change) if line.version > 1 else ("new",)
    tags = (ANYTHING, kind_tag(line.kind), channel_tag(channel), *map(change_tag, changes))
    return IndexedText(
        moment=moment_of(line),
        confidence=round(10_000 * line.confidence),
        title=line.title or "",
        text=line.text[:_MOST_TEXT],
        authors=_listed((line.author,) if line.author else ()),
        categories="",
        tags=" ".join(tags),
    )


def _listed(names: tuple[str, ...]) -> str:
    return " , ".join(map(normal, names))


def _tags(line: IndexedLine, channel: int) -> list[str]:
    changes = (EDITED, *line.change.kinds) if line.version > 1 else ("new",)
    return [
        ANYTHING,
        kind_tag(ARTICLE),
        channel_tag(channel),
        *map(change_tag, changes),
        *language_tags(line.language),
    ]
