"""What an archived robots.txt says of an address, and by which line."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads annotations
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from archiver.archive.retrieval import find_capture, read_archived, redirect_of
from archiver.archive.warc.reader import read_head
from archiver.documents.robots import forbidding_line, has_rules, is_unavailable, read_robots
from archiver.errors import RecordError

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine

# RFC 9309, 2.3.1.2: at least five are followed.
_MOST_REDIRECTS = 5


class RobotsVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether an address may be asked for; None: not known, and why."""

    address: str
    is_allowed: bool | None
    line: str = ""  # that forbids it
    number: int = 0  # of that line
    captured: datetime | None = None
    why: str = ""


def archived_verdict(index: Index, warc_folder: Path, agent: str, url: str) -> RobotsVerdict:
    """By the newest capture of the robots.txt of the address."""
    parts = urlsplit(url)
    line = newest_answer(index, warc_folder, f"{parts.scheme}://{parts.netloc}/robots.txt")
    if line is None:
        return RobotsVerdict(address=url, is_allowed=None, why="it is not in the archive")
    status = int(line.status) if line.status and line.status.isdecimal() else 200
    if is_unavailable(status) or _is_cut(warc_folder, line):
        return RobotsVerdict(
            address=url, is_allowed=None, captured=line.date, why=f"the server answered {status}"
        )
    if not has_rules(status):
        return RobotsVerdict(address=url, is_allowed=True, captured=line.date)
    try:
        return _ruled(read_archived(index, warc_folder, line).body, agent, url, line.date)
    except RecordError as error:
        return RobotsVerdict(address=url, is_allowed=None, captured=line.date, why=str(error))


def newest_answer(index: Index, warc_folder: Path, url: str) -> CdxLine | None:
    """The newest capture of an address, behind its redirects; None where there is none."""
    line = find_capture(index, url, None)
    for _ in range(_MOST_REDIRECTS):
        target = redirect_of(warc_folder, line) if line is not None else []
        if not target:
            break
        line = find_capture(index, target[0], None)
    return line


def _is_cut(warc_folder: Path, line: CdxLine) -> bool:
    return "warc-truncated" in read_head(warc_folder, line.filename, line.offset).headers


def _ruled(content: bytes, agent: str, url: str, captured: datetime) -> RobotsVerdict:
    found = forbidding_line(content, agent, url)
    return RobotsVerdict(
        address=url,
        is_allowed=read_robots(content, agent).allows(url),
        line=found.text if found is not None else "",
        number=found.number if found is not None else 0,
        captured=captured,
    )
