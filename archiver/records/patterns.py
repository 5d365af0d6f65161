"""What values of a column have around them: a text before, a text after, which are not part of the value."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_SURE = 0.8  # share of values that have it
_FEWEST = 3
_LONGEST = 30
_LABEL = re.compile(r"([^\W\d_][^:]{0,30}):\s*")


def pattern_of(texts: Sequence[str]) -> tuple[str, str]:
    """A regular expression with the value as its group, and what names the value; both may be empty."""
    if len(set(texts)) < _FEWEST:
        return "", ""
    before = _common(texts, at_start=True)
    rest = [text.removeprefix(before) for text in texts]
    after = _common(rest, at_start=False)
    if not before and not after:
        return "", ""
    label = _LABEL.match(before)
    return f"{re.escape(before)}(.+){re.escape(after)}", label[1] if label else ""


def _common(texts: Sequence[str], *, at_start: bool) -> str:
    """The longest beginning or end of whole words that most texts share, and that is not all of any."""
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(set(_affixes(text, at_start=at_start)))
    good = [one for one, count in counts.items() if count >= _SURE * len(texts)]
    best = max(good, key=len, default="")
    return best if best.strip() else ""


def _affixes(text: str, *, at_start: bool) -> list[str]:
    """Beginnings that end with white space or a mark, or ends that begin with it."""
    found = []
    for place in range(1, min(len(text), _LONGEST)):
        part, rest = (text[:place], text[place:]) if at_start else (text[-place:], text[:-place])
        edge = part[-1] if at_start else part[0]
        if _is_edge(edge) and any(map(str.isalnum, rest)) and not any(map(str.isdigit, part)):
            found.append(part)
    return found


def _is_edge(sign: str) -> bool:
    return sign.isspace() or sign in ":#("


def value_in(text: str, pattern: str) -> str:
    """The value within a text; the whole text where it does not have the form of most."""
    found = re.fullmatch(pattern, text) if pattern else None
    return found[1].strip() if found else text
