"""The pages in a WARC file of others: HTML that came with 200, by the time of the capture."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import UTC, datetime
from fnmatch import translate
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from archiver.acquisition.pages import may_be_html
from archiver.archive.cdxj.lines import parse_line
from archiver.archive.cdxj.records import index_lines
from archiver.archive.warc.reader import opened
from archiver.archive.warc.records import PAYLOAD_DIGEST, Capture
from archiver.archive.warc.wire import split_response, without_transfer_coding
from archiver.digests import sha256_digest
from archiver.store.content.imports import ImportedPage
from archiver.urls import is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path
    from re import Pattern

    from archiver.archive.cdxj.lines import CdxLine

_REDIRECTS = frozenset({"301", "302", "303", "307", "308"})
_EVER = datetime.max.replace(tzinfo=UTC)
_NEVER = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageChoice:
    """Which pages of a file are read."""

    patterns: tuple[str, ...] = ()  # of addresses, with * and ?; none: all
    since: datetime = _NEVER
    until: datetime = _EVER
    limit: int | None = None  # of all files together
    # Of a WACZ file that lists its pages: other documents as well.
    everything: bool = False

    @property
    def is_all(self) -> bool:
        """Whether nothing is left for another time."""
        return not self.patterns and self.limit is None and (self.since, self.until) == (_NEVER, _EVER)

    def takes(self, line: CdxLine) -> bool:
        return (not self.patterns or any(one.match(line.url) for one in self._compiled())) and (
            self.since <= line.date <= self.until
        )

    def _compiled(self) -> list[Pattern[str]]:
        return [re.compile(translate(one)) for one in self.patterns]


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPages:
    """The pages of a file, and what was passed over."""

    lines: tuple[CdxLine, ...]
    repeated: int = 0  # revisits of documents that are read where they are kept
    others: int = 0  # that are not listed as pages


def listed_pages(path: Path, choice: PageChoice, named: frozenset[str]) -> ListedPages:
    """The pages of a WARC file, the oldest first; with names of pages, these and where they lead."""
    found: list[CdxLine] = []
    moved: list[CdxLine] = []
    repeated = 0
    for line in map(parse_line, (one.encode() for one in index_lines(path))):
        if not is_web(line.url) or line.submitted is not None or not choice.takes(line):
            continue
        repeated += line.is_revisit
        if line.status in _REDIRECTS:
            moved.append(line)
        elif line.status == "200" and not line.is_revisit and may_be_html(line.mime):
            found.append(line)
    found.sort(key=lambda line: (line.timestamp, line.offset))
    if not named or choice.everything:
        return ListedPages(lines=tuple(found), repeated=repeated)
    keys = _with_targets(path.parent, named, moved)
    lines = tuple(line for line in found if same_page_key(line.url) in keys)
    return ListedPages(lines=lines, repeated=repeated, others=len(found) - len(lines))


def _with_targets(folder: Path, named: frozenset[str], moved: Sequence[CdxLine]) -> set[str]:
    """The keys of pages, and of those that redirects lead to from them."""
    keys = {same_page_key(url) for url in named}
    for line in moved:
        if same_page_key(line.url) in keys:
            with opened(folder, line.filename, line.offset) as record:
                location = split_response(record.block()).header("Location")
            target = urljoin(line.url, location or "")
            if is_web(target):
                keys.add(same_page_key(target))
    return keys


def rounds_of(lines: Sequence[CdxLine]) -> Iterator[list[CdxLine]]:
    """Each page once, then each that was captured again: a version is compared with the one before it."""
    by_page: defaultdict[str, list[CdxLine]] = defaultdict(list)
    for line in lines:
        by_page[same_page_key(line.url)].append(line)
    number = 0
    while found := [some[number] for some in by_page.values() if len(some) > number]:
        yield found
        number += 1


def page_at(folder: Path, line: CdxLine) -> ImportedPage | None:
    """A page as it is handed on to be read; None where it is not whole."""
    with opened(folder, line.filename, line.offset) as record:
        headers = record.head.headers
        if record.head.kind != "response" or "warc-truncated" in headers:
            return None
        body = without_transfer_coding(split_response(record.block())).body
    try:
        date = datetime.fromisoformat(headers.get("warc-date", ""))
    except ValueError:
        date = line.date
    capture = Capture(
        url=headers.get("warc-target-uri", line.url),
        file=line.filename,
        offset=line.offset,
        record_id=record.head.id,
        date=date if date.tzinfo else date.replace(tzinfo=UTC),
        digest=headers.get("warc-payload-digest", ""),
        sha256=headers.get(PAYLOAD_DIGEST.lower(), "") or sha256_digest(body),
    )
    return ImportedPage(capture=capture, size=len(body))


def cut_to(choice: PageChoice, lines: tuple[CdxLine, ...], read: int) -> tuple[CdxLine, ...]:
    """As many as the limit leaves."""
    return lines if choice.limit is None else lines[: max(0, choice.limit - read)]
