"""Whether a command printed what its document shows, but for what differs from run to run."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# The sample web's own dates end here, and stay as they are; later ones are those of the run.
_RUN_DATE = r"(?:2026-(?:0[7-9]|1[0-2])|202[7-9]|20[3-9]\d)[\d-]*"
_UNSTABLE = [
    (re.compile(pattern), name)
    for pattern, name in (
        (r"archiver-\d{17}-\d{5}-[\w.-]+?(?=\.warc|\.cdxj)", "WARC-NAME"),
        (r"(run|replay)-\d{8}T\d{6,12}Z?", r"\1-TIME"),
        (rf"articles-{_RUN_DATE}", "articles-DATE"),
        (rf"{_RUN_DATE}[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?", "TIME"),
        (r"urn:uuid:[0-9a-f-]{36}", "urn:uuid:ID"),
        # Identifiers of articles and offsets follow from the port and from the order of requests.
        (r'"[a-z2-7]{24}"', '"ID"'),
        (r'("offset": )"?\d+"?', r"\1N"),
        # How sure the extractor is depends on which pages of its site an article was read with.
        (r'("confidence": )0\.\d+', r"\1N"),
        (r"\b\d+(?:\.\d+)? (?:B|kB|MB|GB)\b", "SIZE"),
        (r"\bin \d+ (?:second|minute|hour|day)s?\b", "in SPAN"),
        (r"\b\d+ (?:second|minute|hour|day)s? ago\b", "SPAN ago"),
        # Columns are as wide as what they hold, and where a cell is cut off depends on the others.
        (r"\S+…", "…"),
        (r"[-─]{3,}", "---"),
        (r"\s+", " "),
    )
]
_ELISION = "…"


def normalised(lines: Iterable[str]) -> list[str]:
    """The lines without what differs from run to run."""
    return [_stable(line) for line in lines]


def _stable(line: str) -> str:
    for pattern, name in _UNSTABLE:
        line = pattern.sub(name, line)
    return line.strip()


def difference(shown: Sequence[str], printed: Sequence[str], *, any_order: bool = False) -> str:
    """The lines that are not as shown, for a person; empty where all are.

    A line `…` stands for any number of lines, `…` within a line for any characters.
    """
    expected, found = _trimmed(normalised(shown)), _trimmed(normalised(printed))
    if any_order:
        expected, found = sorted(expected), sorted(found)
    if re.fullmatch(_pattern(expected), "".join(f"{line}\n" for line in found)):
        return ""
    return "\n".join(difflib.unified_diff(expected, found, "shown", "printed", lineterm=""))


def _pattern(lines: Iterable[str]) -> str:
    return "".join(
        r"(?:.*\n)*" if line == _ELISION else re.escape(line).replace(_ELISION, ".*") + r"\n"
        for line in lines
    )


def _trimmed(lines: list[str]) -> list[str]:
    """Without empty lines at the end, which nobody sees."""
    while lines and not lines[-1]:
        lines = lines[:-1]
    return lines
