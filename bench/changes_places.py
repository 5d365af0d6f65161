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


def opening(page: Source, one: Segment) -> str:
    """The tag that opens a paragraph, for another one like it."""
    return re.sub(r"\sid\s*=\s*(?:\"[^\"]*\"|'[^']*')", "", page.html[span(one)[0] : one.start])


def changed(page: Source, moment: int, span: tuple[int, int], new: str) -> str:
    return page.between(*span, new) if moment else page.html


def put_behind(
    page: Source, moment: int, rng: Random, made: Callable[[str], str], *, length: int
) -> str | None:
    """With something new between two paragraphs of the article; `<p>` is opened as they are."""
    text = composed(page.gold, rng, length)
    if not page.neighbours or text is None:
        return None
    one = rng.choice(page.neighbours)[0]
    behind = span(one)[1]
    new = made(text)
    new = opening(page, one) + new.removeprefix("<p>") if new.startswith("<p>") else new
    return changed(page, moment, (behind, behind), new)


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
