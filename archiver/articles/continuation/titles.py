"""Whether two pages have one title, but for the number of the page in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from archiver.articles.extract.titles import title_of
from archiver.documents.pages.statements import statements_of
from archiver.documents.pages.text import one_line, text_of
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from archiver.articles.extract.model import ParsedPage

_WORD = (
    r"(?:page|pg\.?|p\.|seite|página|pagina|pág\.?|strona|sida|side|sivu|stránka|oldal|sayfa|part|teil|partie|parte"
    r"|страница|стр\.?)"
)
_OF = r"(?:\s*(?:/|of|von|de|sur|di|van|av|af|z|из)\s*\d{1,3})"
_MARKS = re.compile(
    rf"[\s\-\u2013\u2014|:,(\[]{{0,9}}(?:\b{_WORD}\s*\d{{1,3}}{_OF}?|\b\d{{1,3}}{_OF}"
    r"|第\s*\d{1,3}\s*(?:页|頁|ページ)|\(\d{1,3}\)|\d{1,3}\s*(?:ページ目|쪽|페이지))[)\]]*",
    re.IGNORECASE,
)
# Fewer at the beginning of another title may be there by chance.
_LEAST_WORDS = 3
_MOST = 20


def have_one_title(first: ParsedPage, other: ParsedPage) -> bool:
    """Whether the other page names the first one's title as its own, whatever it adds to it."""
    title = _words(title_of(first, statements_of(first.tree)) or "")
    if not title:
        return False
    found = map(_words, _titles(other))
    return any(one == title or (len(title) >= _LEAST_WORDS and one[: len(title)] == title) for one in found)


def _titles(page: ParsedPage) -> Iterator[str]:
    said = statements_of(page.tree)
    yield title_of(page, said) or ""
    yield from said.named("og:title", "twitter:title")
    for heading in [*page.tree.iter("title", "h1")][:_MOST]:
        yield one_line(text_of(heading))


def _words(title: str) -> list[str]:
    return tokens(_MARKS.sub(" ", title))
