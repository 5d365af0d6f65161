"""Where edits are made in a foreign page: behind a paragraph of its article, or at a word of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from changes_source import span
from changes_words import composed

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from changes_source import Segment, Source

PLAIN_WORD = re.compile(r"(?<![\w&#;/-])[^\W\d_]{5,}(?![\w;-])")
# A shorter text may be a date or a name.
_SENTENCE = 12


def unlinked(page: Source) -> list[Segment]:
    """Paragraphs with which no link and no image goes."""
    return [one for one in page.body if not {token.name for token in one.tokens} & {"a", "img"}]


def changed(page: Source, moment: int, span: tuple[int, int], new: str) -> str:
    return page.between(*span, new) if moment else page.html


def put_behind(
    page: Source, moment: int, rng: Random, made: Callable[[str], str], *, length: int
) -> str | None:
    """With something new between two paragraphs of the article."""
    text = composed(page.gold, rng, length)
    if not page.neighbours or text is None:
        return None
    behind = span(rng.choice(page.neighbours)[0])[1]
    return changed(page, moment, (behind, behind), made(text))


def replaced_word(
    page: Source, moment: int, rng: Random, pattern: re.Pattern[str], made: Callable[[str], str]
) -> str | None:
    """With a word of the article's text replaced, where it stands in no link."""
    found = [
        match
        for one in page.body or page.article
        if len(one.words) >= _SENTENCE and not any(token.name == "a" for token in one.tokens)
        for token in one.tokens
        if token.kind == "text"
        for match in pattern.finditer(page.html, token.start, token.end)
    ]
    if not found:
        return None
    match = rng.choice(found)
    return changed(page, moment, match.span(), made(match[0]))
