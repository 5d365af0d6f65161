"""The history of an article in a terminal: what is known of it, then its versions and absences in order."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from archiver.display.tables import printable
from archiver.inspection.history.spoken import (
    MINUS,
    alike,
    bracket,
    how_gone,
    how_twin,
    kinds_in_words,
    second,
    words_counted,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from archiver.inspection.history.model import Absence, ArticleHistory, VersionNote

    Paint = Callable[[str, str], str]
    Moment = tuple[datetime, list[str]]

_TWINS = 5  # so many are listed: there may be hundreds, and the versions come after them
_MARGIN = 15  # of what stands behind the names of facts and of versions


def lines_of(known: ArticleHistory, paint: Paint, *, width: int) -> Iterator[str]:
    """Everything, for a terminal of this width. `paint` colours a text by the name of a colour."""
    if known.title:
        yield paint(printable(known.title), "bold")
    yield printable(known.url)
    for name, text in _facts(known):
        yield from _fact(name, text, width)
    yield ""
    moments = [*_versions(known, paint, width), *_absences(known, paint, width)]
    for _, lines in sorted(moments, key=lambda one: one[0]):
        yield from lines
    yield ""
    yield "All times are UTC."


def _fact(name: str, text: str, width: int) -> list[str]:
    return textwrap.wrap(
        text,
        max(width, 2 * _MARGIN),
        initial_indent=f"{name:<{_MARGIN - 1}} ",
        subsequent_indent=" " * _MARGIN,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [name]


def _facts(known: ArticleHistory) -> Iterator[tuple[str, str]]:
    for channel in known.channels:
        title = f" ({printable(channel.title)})" if channel.title else ""
        yield "announced by", f"{channel.number}  {printable(channel.url)}{title}"
    if known.published:
        yield "published", second(known.published)
    if known.modified and known.modified != known.published:
        yield "modified", second(known.modified)
    yield "first seen", second(known.first_seen)
    yield "last seen", _last_seen(known)
    if known.contributions:
        yield "comments", f"{known.contributions:,}"
    yield from _twins(known)
    yield from _next_looks(known)


def _last_seen(known: ArticleHistory) -> str:
    version = known.versions[-1]
    told = f"{second(known.last_seen)}, as version {version.version}"
    return f"{told}; gone since" if known.is_gone else told


def _twins(known: ArticleHistory) -> Iterator[tuple[str, str]]:
    for twin in known.twins[:_TWINS]:
        age = "seen before it" if twin.is_older else "seen after it"
        near = f"{alike(twin.similarity)} {how_twin(twin.how)}, {age}, found {second(twin.found)}"
        yield "nearly equal", f"{printable(twin.url)} ({near})"
    if more := known.twins[_TWINS:]:
        yield "", f"and {len(more)} more, which --json has"


def _next_looks(known: ArticleHistory) -> Iterator[tuple[str, str]]:
    for page in known.pages:
        of = f" at {printable(page.url)}" if len(known.pages) > 1 else ""
        many = "1 look" if page.looks == 1 else f"{page.looks} looks"
        looks = f"; {many} so far, {page.edits} found an edit" if page.looks else ""
        why = f" ({printable(page.why)})" if page.why else ""
        when = second(page.next_look) if page.next_look else "none is planned"
        yield "next look", f"{when}{of}{why}{looks}"


def _versions(known: ArticleHistory, paint: Paint, width: int) -> Iterator[Moment]:
    before: VersionNote | None = None
    for note in known.versions:
        lines = [_head(note, paint)]
        if before:
            after = note.unchanged_until or before.captured
            lines += _fact("", f"changed {bracket(after, note.captured)}", width)
        if note.title and (before is None or note.title != before.title):
            lines += _fact("", f"title: {printable(note.title)}", width)
        lines += _stated(note, before, width)
        yield note.captured, lines
        before = note


def _head(note: VersionNote, paint: Paint) -> str:
    words = words_counted(note.added, note.removed)
    if f" {MINUS}" in words:
        added, _, removed = words.partition(" ")
        words = f"{paint(added, 'green')} {paint(removed, 'red')}"
    name = f"version {note.version}"
    parts = (second(note.captured), paint(kinds_in_words(note.kinds), "bold"), words, alike(note.similarity))
    return f"{name:<{_MARGIN - 1}} {'  '.join(part for part in parts if part)}"


def _stated(note: VersionNote, before: VersionNote | None, width: int) -> list[str]:
    """Times that the publisher states, where they are not those of the version before."""
    told = [
        f"{name} {second(moment)}"
        for name in ("published", "modified")
        if (moment := getattr(note, name)) and (before is None or moment != getattr(before, name))
    ]
    return _fact("", f"says: {', '.join(told)}", width) if told and before else []


def _absences(known: ArticleHistory, paint: Paint, width: int) -> Iterator[Moment]:
    for one in known.absences:
        yield one.gone, _passing("gone", paint("gone", "red"), _went(one), width)
        if one.back:
            text = f"{second(one.back)}  came back {bracket(one.back_after, one.back)}"
            yield one.back, _passing("back", paint("back", "green"), text, width)


def _went(one: Absence) -> str:
    return f"{second(one.gone)}  {how_gone(one.how)}; went {bracket(one.after, one.gone)}"


def _passing(name: str, painted: str, text: str, width: int) -> list[str]:
    first, *rest = _fact(name, text, width)
    return [first.replace(name, painted, 1), *rest]
