"""Words over time: terms that came for the first time, that rise and that fall, each with its articles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import msgspec

from archiver.errors import ArchiveError
from archiver.inspection.terms.model import TermReport  # noqa: TC001 - msgspec reads it
from archiver.inspection.terms.reading import TermsAsked, chosen, counted_terms
from archiver.web.asking import moment_of
from archiver.web.view import WebView

if TYPE_CHECKING:
    from archiver.web.opened import OpenedArchive

# So long an answer waits for articles that are not counted yet; the next one goes on from there.
_SECONDS = 2.0


class WordsAsked(msgspec.Struct, frozen=True, kw_only=True):
    channel: tuple[Annotated[str, msgspec.Meta(max_length=500)], ...] = ()
    label: tuple[Annotated[str, msgspec.Meta(max_length=500)], ...] = ()
    since: Annotated[str, msgspec.Meta(max_length=40, description="From the week of this day on")] = ""
    limit: Annotated[int, msgspec.Meta(ge=1, le=100)] = 20


class WordsRead(msgspec.Struct, frozen=True, kw_only=True):
    """Terms of the last weeks; or why they cannot be told."""

    report: TermReport | None = None
    problem: str | None = None


def read_words(archive: OpenedArchive, asked: WordsAsked) -> WordsRead:
    since = moment_of(asked.since).date() if asked.since else None
    channels = chosen(archive.state, asked.channel, asked.label)
    wanted = TermsAsked(channels=channels, since=since, limit=asked.limit)
    try:
        found = counted_terms(archive.folder, archive.state, archive.withheld, wanted, seconds=_SECONDS)
    except ArchiveError as error:
        return WordsRead(problem=str(error))
    return WordsRead(report=found)


WORDS = WebView(
    name="words",
    path="/words",
    about="Terms that are new, that rise and that fall, against the months before",
    parameters=WordsAsked,
    answer=WordsRead,
    read=read_words,
    part="words",
)
