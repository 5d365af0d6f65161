"""Who wrote an article, as names: of the first source that has any."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.pages.dom import elements, is_comments_zone
from archiver.documents.pages.statements import names_of
from archiver.documents.pages.text import one_line, plain, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lxml.etree import _Element as Element

    from archiver.articles.extract.model import ParsedPage
    from archiver.documents.pages.statements import Statements

AUTHOR_METAS = (
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
)
MOST_ELEMENTS = 20
MOST_AUTHORS = 20
NAME_WORDS = range(2, 5)

_MARKED = etree.XPath(
    "//*[(self::a or self::link) and contains(concat(' ', @rel, ' '), ' author ')]"
    " | //*[contains(concat(' ', @class, ' '), ' vcard ')]//*[contains(concat(' ', @class, ' '), ' fn ')]"
)
_BY = re.compile(
    r"(?:(?:written|words|story|text|posted|reported)\s+)?(?:by|von|por|par|di|door|av|af)\s*:?\s+",
    re.IGNORECASE,
)
# Between names. A comma is one only between what can be whole names: "Lovelace, Ada" is one.
_BETWEEN = re.compile(r"\s*(?:;|\||\s&\s|\s+(?:and|und|et|y|e|en|och|og)\s+|、)\s*")
_COMMA = re.compile(r"\s*[,\uff0c]\s*")
# The address of a profile, or a whole biography: no name.
_NO_NAME = re.compile(r"https?:|www\.|@|.{100}")
_ROLE = re.compile(
    r"\b(?:editors?|reporters?|writers?|correspondents?|staff|columnist|contributors?|redaktion|redacción|rédaction"
    r"|admin|administrator|webmaster|unknown|anonymous)\b",
    re.IGNORECASE,
)


def authors_of(page: ParsedPage, said: Statements) -> tuple[str, ...]:
    sources = (
        names_of(said.linked.get("author")) or names_of(said.linked.get("creator")),
        said.properties.get("author", ()),
        [name for meta in AUTHOR_METAS for name in said.metas.get(meta, ())],
        _marked(page.cleaned),
    )
    for source in sources:
        names = dict.fromkeys(name for text in islice(source, MOST_AUTHORS) for name in _names(text))
        if names:
            return tuple(names)
    return ()


def _marked(tree: Element) -> Iterator[str]:
    """Names that the page marks as its author's, and not as a reader's."""
    for element in elements(_MARKED, tree)[:MOST_ELEMENTS]:
        if not any(map(is_comments_zone, element.iterancestors())):
            yield text_of(element)


def _names(text: str) -> Iterable[str]:
    """The names in a line such as "By Ada Lovelace and Charles Babbage"."""
    line = _BY.sub("", one_line(plain(text)), count=1) if _BY.match(one_line(text)) else one_line(plain(text))
    if _NO_NAME.search(line):
        return []
    parts = [name for part in _BETWEEN.split(line) for name in _at_commas(part)]
    people = [part for part in parts if part and not _ROLE.fullmatch(part)]
    return people if len(parts) == 1 else [part for part in people if not _ROLE.search(part)]


def _at_commas(text: str) -> list[str]:
    parts = _COMMA.split(text)
    return parts if all(len(part.split()) in NAME_WORDS for part in parts) else [text]
