"""The feed of edits as Atom (RFC 4287), so that edits can be followed in a reader."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver import __version__
from archiver.clock import rfc3339
from archiver.display.page import plain, safe
from archiver.errors import RecordError
from archiver.inspection.history.articles import read_said
from archiver.inspection.history.diff_html import inline_html, lists_html, title_html
from archiver.inspection.history.difference import compare_articles
from archiver.inspection.history.model import BACK, GONE, UNKNOWN_KIND
from archiver.inspection.history.spoken import alike, bracket, how_gone, kinds_in_words, words_counted
from archiver.urls import redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime
    from pathlib import Path

    from archiver.inspection.history.model import Event

_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>{id}</id>
<title>{title}</title>
<updated>{updated}</updated>
<author><name>archiver</name></author>
<generator version="{version}">archiver</generator>
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedHead:
    """What the feed as a whole is called; its id is the same in every run."""

    id: str
    title: str
    updated: datetime


def document(
    head: FeedHead, events: Iterable[Event], objects: Path, on_problem: Callable[[str], object]
) -> Iterator[str]:
    """The document in parts, with the events in the order in which they come.

    An edit whose objects cannot be read is told without its words, and `on_problem` is told why.
    """
    yield _HEAD.format(
        id=safe(head.id),
        title=safe(head.title),
        updated=rfc3339(head.updated),
        version=safe(__version__),
    )
    for event in events:
        yield _entry(event, objects, on_problem)
    yield "</feed>\n"


def _entry(event: Event, objects: Path, on_problem: Callable[[str], object]) -> str:
    at = rfc3339(event.at)
    lines = [
        f"<id>{safe(event.id)}</id>",
        f"<title>{safe(_title(event))}</title>",
        f"<updated>{at}</updated>",
        f"<published>{at}</published>",
        f'<link rel="alternate" type="text/html" href="{safe(event.url)}"/>',
        *_source(event),
        *(f'<category term="{safe(kind)}"/>' for kind in event.kinds),
        f"<summary>{safe(summary_of(event))}</summary>",
        f'<content type="html">{safe(_content(event, objects, on_problem))}</content>',
    ]
    return "<entry>\n" + "\n".join(lines) + "\n</entry>\n"


def _source(event: Event) -> Iterator[str]:
    """Through which channel it was learned of."""
    if event.channel:
        title = f' title="{safe(event.channel.title)}"' if event.channel.title else ""
        yield f'<link rel="via" href="{safe(event.channel.url)}"{title}/>'


def _title(event: Event) -> str:
    return f"{' '.join((event.title or event.url).split())} ({_what(event)})"


def _what(event: Event) -> str:
    if not event.is_edit:
        return "back again" if event.kinds == (BACK,) else "gone"
    known = [kind for kind in event.kinds if kind != UNKNOWN_KIND]
    return f"{kinds_in_words(known)} changed".strip()


def summary_of(event: Event) -> str:
    """What happened, in a sentence."""
    if event.kinds == (GONE,):
        return f"Went {bracket(event.after, event.at)} UTC: {how_gone(event.how or '')}."
    if event.kinds == (BACK,):
        return f"Came back {bracket(event.after, event.at)} UTC."
    parts = (words_counted(event.added, event.removed), alike(event.similarity))
    told = "".join(f"; {part}" for part in parts if part)
    return (
        f"Version {event.version}: {kinds_in_words(event.kinds)} {bracket(event.after, event.at)} UTC{told}."
    )


def _content(event: Event, objects: Path, on_problem: Callable[[str], object]) -> str:
    summary = f"<p>{safe(summary_of(event))}</p>"
    if not event.is_edit or event.object_before is None:
        return summary
    try:
        before, now = (read_said(objects, place) for place in (event.object_before, event.object))
    except RecordError as error:
        on_problem(str(error))
        return f"{summary}<p>What it said before and after cannot be read.</p>"
    difference = compare_articles(before, now)
    parts = (title_html(difference), inline_html(difference, is_foldable=False), lists_html(difference))
    return summary + "".join(markup for part in parts for markup in part)


def head_title(channels: Iterable[str]) -> str:
    """What the feed is called: of all channels, or of these."""
    named = ", ".join(plain(redact(one)) for one in channels)
    return f"Edits of articles: {named}" if named else "Edits of articles"
