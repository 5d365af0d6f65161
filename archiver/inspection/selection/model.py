"""Articles that were chosen, with their texts."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.objects.kinds import read_part
from archiver.errors import RecordError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from archiver.search.model import Hit
    from archiver.search.sieve import SearchIndex


class _Text(msgspec.Struct):
    text: str = ""


class ChosenArticle(msgspec.Struct, frozen=True, kw_only=True):
    """One article of a selection."""

    id: str
    version: int
    url: str
    title: str
    authors: tuple[str, ...] = ()
    channel: str = ""
    language: str = ""
    published: datetime | None = None
    captured: datetime
    paragraphs: tuple[str, ...] = ()


def chosen_articles(
    index: SearchIndex, objects: Path, hits: Sequence[Hit], on_problem: Callable[[str], object]
) -> Iterator[ChosenArticle]:
    """What was found, with its whole text; where that cannot be read, with what was shown of it."""
    papers = index.papers([hit.offset for hit in hits if not hit.file])
    for hit in hits:
        try:
            text = (
                read_part(objects, hit.file, hit.offset, _Text).text if hit.file else papers[hit.offset].text
            )
        except (RecordError, KeyError) as error:
            on_problem(f"The text of {hit.url} cannot be read: {error}")
            text = "".join(piece.text for piece in hit.snippet)
        yield ChosenArticle(
            id=hit.contribution or hit.article,
            version=hit.version,
            url=hit.url,
            title=hit.title or hit.url,
            authors=hit.authors,
            channel=(hit.channel.title or hit.channel.url) if hit.channel else "",
            language=hit.language or "",
            published=hit.published,
            captured=hit.captured,
            paragraphs=tuple(part.strip() for part in text.split("\n\n") if part.strip()),
        )
