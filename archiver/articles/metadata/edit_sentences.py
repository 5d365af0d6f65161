"""The date of an edit in a line that tells readers of it: "Last updated 14 November 2026, 10:30"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.articles.metadata.edit_dates import EDITED, may_tell
from archiver.documents.feeds.dates import moment, written_day
from archiver.documents.times.model import Source, What
from archiver.documents.times.statements import stated

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import date

    from archiver.documents.times.model import Evidence

    # Where in the line a `time` element begins, and the moment that it is marked with.
    Marks = Sequence[tuple[int, str]]

# A longer line is a paragraph of the article, or the small print of the site.
LONGEST_LINE = 300
# Of a line that only leads to the next one.
_LONGEST_LABEL = 60
# No date that is read has more words.
_MOST_WORDS = 8
# A text that was looked through is not one that was changed.
_NO_EDIT = re.compile(r"review|touched", re.IGNORECASE)
# What may stand before the words in their clause: nothing, or the article itself.
_SUBJECT = re.compile(
    r"""[\W_]*(?:
    (?:this|the|our)?\s*(?:article|page|story|post|entry|report|document|text|it)(?:\s+(?:has|had|have|was|is|been|also))*
    |(?:cet(?:te)?\s+)?(?:article|page)\s+(?:a\s+(?:é|e)t(?:é|e)|est)
    |(?:este|esta)\s+(?:art(?:í|i)culo|p(?:á|a)gina|noticia|artigo|mat(?:é|e)ria|not(?:í|i)cia)\s+(?:fue|ha\s+sido|foi)
    |quest[oa]\s+(?:articolo|pagina)\s+(?:è|e)\s+stat[oa]
    |(?:dit|deze)\s+(?:artikel|pagina|bericht)\s+(?:is|werd)
    |diese[rs]?\s+(?:artikel|seite|text|beitrag)\s+(?:wurde|ist)
    )?\s*""",
    re.IGNORECASE | re.VERBOSE,
)
# Where the clause begins that the words are in.
_CLAUSE = re.compile(r"[|\u2022\u00b7;/()\[\]\u2013\u2014]|[.!?]\s|\s-\s|,")
# After these the words are of a sentence, unless a date stands before them or they begin with a capital.
_WEAK = frozenset("(,[\u2013\u2014")
_NEAR = 12
_BETWEEN = re.compile(
    r"[\s:\uff1a,|(\u2013\u2014-]*(?:(?:on|at|as\s+of|the|le|la|am|vom|den|el|il|em|op|dia)\s+)*",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"(?P<time>\d{1,2}[:.h]\d{2}(?::\d{2})?\s*(?:[ap]\.?m\b\.?)?|\d{1,2}\s*[ap]\.?m\b\.?)(?P<zone>\s*[A-Z]{2,5}\b)?",
    re.IGNORECASE,
)
_EDGES = " \t,.;:|()[]\u00b7\u2022/-\u2013\u2014"
# "est" and "met" are words in French and Dutch: a zone is written in capitals.
_NO_ZONE = re.compile(r"\d\s+(?!am\b|pm\b|[ap]\.m|uhr\b)[a-z]{1,5}\.?$")


def edits_in(line: str, marks: Marks = ()) -> Iterator[Evidence]:
    """What a line states of changes: a moment that a `time` element is marked with, else what is written."""
    if len(line) > LONGEST_LINE or not may_tell(line) or not (marks or any(map(str.isdigit, line))):
        return
    for words in EDITED.finditer(line):
        if _NO_EDIT.search(words[0]) or not _is_statement(line, words):
            continue
        found = _marked(line, words.end(), marks) or _written(line, words)
        if found is not None:
            yield found


def ends_open(line: str) -> bool:
    """Whether a line ends with the words, and their date is in the next one."""
    words = list(EDITED.finditer(line)) if len(line) <= _LONGEST_LABEL and may_tell(line) else []
    return bool(words) and _BETWEEN.fullmatch(line, words[-1].end()) is not None


def _is_statement(line: str, words: re.Match[str]) -> bool:
    """Whether the words stand for themselves, and are not part of a sentence about something else."""
    start = words.end() - len(words[0].lstrip())
    begins = list(_CLAUSE.finditer(line, 0, start))
    before = line[begins[-1].end() : start] if begins else line[:start]
    if begins and begins[-1][0] in _WEAK and not before.strip():
        near = line[max(0, begins[-1].start() - _NEAR) : begins[-1].start()]
        return line[start].isupper() or any(map(str.isdigit, near)) or not line[: begins[-1].start()].strip()
    if _SUBJECT.fullmatch(before):
        return True
    # "24 July 2012 Last updated at 15:43 GMT", "By Ann Carter Updated November 14, 2026"
    return line[start].isupper() and (_day_before(before) is not None or before.lower().startswith("by "))


def _marked(line: str, end: int, marks: Marks) -> Evidence | None:
    for place, text in marks:
        if place >= end and _BETWEEN.fullmatch(line, end, place):
            return stated(What.MODIFIED, Source.TIME, text)
    return None


def _written(line: str, words: re.Match[str]) -> Evidence | None:
    between = _BETWEEN.match(line, words.end())
    start = between.end() if between else words.end()
    text = _date_at(line, start) or _clock_first(line, start, words.start())
    return stated(What.MODIFIED, Source.TEXT, text) if text else None


def _clock_first(line: str, start: int, words_start: int) -> str | None:
    """The date of an edit whose hour is written first: its day is behind the hour, or before the words."""
    clock = _CLOCK.match(line, start)
    if clock is None:
        return None
    between = _BETWEEN.match(line, clock.end())
    text = _date_at(line, between.end() if between else clock.end())
    day = written_day(text) if text else _day_before(line[:words_start])
    if day is None:
        return None
    whole = f"{day.isoformat()} {clock['time'].strip()}{clock['zone'] or ''}"
    return whole if moment(whole) else day.isoformat()


def _date_at(line: str, start: int) -> str | None:
    """The longest date that begins here."""
    words = line[start:].split(maxsplit=_MOST_WORDS)[:_MOST_WORDS]
    for count in range(len(words), 0, -1):
        text = " ".join(words[:count]).strip(_EDGES)
        if written_day(text) and not _NO_ZONE.search(text):
            return text
    return None


def _day_before(text: str) -> date | None:
    """The day that a text ends with."""
    words = text.split()[-_MOST_WORDS:]
    found = (written_day(" ".join(words[first:]).strip(_EDGES)) for first in range(len(words)))
    return next(filter(None, found), None)
