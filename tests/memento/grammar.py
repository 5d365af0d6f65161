"""RFC 7089's TimeMaps read as its grammar has it, and not more leniently."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime

# RFC 3986: what may stand in an address. RFC 7230: names and quoted strings. RFC 7089: dates of RFC 1123.
_URI = (
    r"[A-Za-z][A-Za-z0-9+.-]*:(?:[A-Za-z0-9\-._~:/?#@!$&'()*+,;=]|%[0-9A-Fa-f]{2}|(?<=//)\[[0-9A-Fa-f:.]+\])*"
)
_PARAMETER = r'[ \t]*;[ \t]*([!#$&+.^_`|~0-9A-Za-z-]+)="((?:[^"\\]|\\.)*)"'
_LINK = re.compile(rf"<({_URI})>((?:{_PARAMETER})*)")
_BETWEEN = re.compile(r"[ \t]*,[ \t\r\n]*")
_DATE = re.compile(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} "
    r"\d\d:\d\d:\d\d GMT"
)


@dataclass(frozen=True)
class Link:
    uri: str
    rel: tuple[str, ...]
    parameters: dict[str, str]


@dataclass(frozen=True)
class TimeMap:
    original: str
    timegate: str
    itself: Link
    mementos: dict[str, datetime]  # in the order of the document
    first: str
    last: str


def parse_links(text: str) -> list[Link]:
    found, position = [], 0
    while True:
        link = _LINK.match(text, position)
        assert link, f"no link at {text[position : position + 60]!r}"
        pairs = [(name, re.sub(r"\\(.)", r"\1", value)) for name, value in re.findall(_PARAMETER, link[2])]
        parameters = dict(pairs)
        assert len(parameters) == len(pairs), f"a parameter comes twice: {link[0]}"
        found.append(Link(link[1], tuple(parameters["rel"].split(" ")), parameters))
        position = link.end()
        if not text[position:].strip():
            return found
        between = _BETWEEN.match(text, position)
        assert between, f"no comma at {text[position : position + 60]!r}"
        position = between.end()


def parse_date(text: str) -> datetime:
    assert _DATE.fullmatch(text), text
    moment = datetime.strptime(text, "%a, %d %b %Y %H:%M:%S GMT").replace(tzinfo=UTC)
    assert f"{moment:%a}" == text[:3], f"no such day of the week: {text}"
    return moment


def parse_timemap(text: str) -> TimeMap:
    links = parse_links(text)
    mementos = [link for link in links if "memento" in link.rel]
    (original,) = (link.uri for link in links if link.rel == ("original",))
    (timegate,) = (link.uri for link in links if link.rel == ("timegate",))
    (itself,) = (link for link in links if link.rel == ("self",))
    (first,) = (link.uri for link in mementos if "first" in link.rel)
    (last,) = (link.uri for link in mementos if "last" in link.rel)
    assert len(links) == 3 + len(mementos)
    assert all(set(link.rel) <= {"first", "last", "memento"} for link in mementos)
    assert itself.parameters["type"] == "application/link-format"
    dates = {link.uri: parse_date(link.parameters["datetime"]) for link in mementos}
    assert len(dates) == len(mementos), "a memento is listed twice"
    return TimeMap(original, timegate, itself, dates, first, last)
