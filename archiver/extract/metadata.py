"""What a page says of itself: title, authors, language, address and dates, only where that is certain."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree

from archiver.extract.dom import absolute_url, elements, is_comments_zone
from archiver.extract.signifiers import tokens
from archiver.extract.text import one_line, plain, text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.extract.model import ParsedPage

# The names of `meta` elements, the most certain first.
TITLE_METAS = ("og:title", "twitter:title", "headline")
SITE_METAS = ("og:site_name", "application-name")
AUTHOR_METAS = ("author", "article:author", "dc.creator", "parsely-author", "sailthru.author")
LANGUAGE_METAS = ("og:locale", "content-language", "dc.language", "language")
PUBLISHED_METAS = ("article:published_time", "datepublished", "parsely-pub-date", "dc.date.issued", "date")
MODIFIED_METAS = ("article:modified_time", "datemodified", "og:updated_time", "dc.date.modified")

MOST_ELEMENTS = 20
MOST_TEXTS = 5

_METAS = etree.XPath("//meta[@content]")
_HEADLINES = etree.XPath("//h1")
_HEADINGS = etree.XPath("//h1 | //h2 | //h3")
_TITLES = etree.XPath("//title")
_AUTHORS = etree.XPath(
    "//*[(self::a or self::link) and contains(concat(' ', @rel, ' '), ' author ')] | //*[@itemprop='author']"
)
_CANONICAL = etree.XPath("//link[contains(concat(' ', @rel, ' '), ' canonical ')]")
_JSON_LD = etree.XPath("//script[starts-with(@type, 'application/ld+json')]")
_TIMES = etree.XPath("//time[@datetime]")

_ARTICLE_TYPE = re.compile(r"(?:Article|Posting|Report|Review)$")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", re.IGNORECASE)
# Between the title of a page and the name of its site.
_SEPARATOR = re.compile(r"\s+[|\-\u2013\u2014\u00b7\u2022:\u00ab\u00bb\u2039\u203a]+\s+")
_BY = re.compile(r"(?:written\s+)?by:?\s+", re.IGNORECASE)
# The address of a profile, or a whole biography: no name.
_NO_NAME = re.compile(r"https?:|www\.|@|.{100}")
# What programs write for "no date".
_UNSET = frozenset({datetime(1, 1, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)})

Metas = Mapping[str, str]
Linked = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    title: str | None = None
    authors: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    published: datetime | None = None
    modified: datetime | None = None


def metadata_of(page: ParsedPage) -> Metadata:
    tree, metas = page.tree, metas_of(page.tree)
    linked = _linked_article(tree)
    published = [*_named(metas, PUBLISHED_METAS), linked.get("datePublished"), *_times(tree, "datePublished")]
    modified = [*_named(metas, MODIFIED_METAS), linked.get("dateModified"), *_times(tree, "dateModified")]
    return Metadata(
        title=_title(page, metas, linked),
        authors=_authors(page.cleaned, metas, linked),
        language=page.language or page.announcement.language,
        canonical_url=_canonical_url(page, metas),
        published=_first_date([*published, _only_time(tree)]),
        modified=_first_date(modified),
    )


def metas_of(tree: Element) -> dict[str, str]:
    """The `meta` elements by their names in lower case; of two with one name the first counts."""
    metas: dict[str, str] = {}
    for meta in elements(_METAS, tree):
        for attribute in ("property", "name", "itemprop", "http-equiv"):
            name, content = meta.get(attribute), meta.get("content", "").strip()
            if name and content:
                metas.setdefault(name.strip().lower(), content)
    return metas


def _named(metas: Metas, names: Iterable[str]) -> list[str]:
    return [one_line(metas[name]) for name in names if name in metas]


def language_of(tree: Element) -> str | None:
    """The language that the page states, as a tag such as `en` or `pt-BR`."""
    stated = _language(tree.get("lang")) or _language(tree.get("xml:lang"))
    return stated or next(filter(None, map(_language, _named(metas_of(tree), LANGUAGE_METAS))), None)


def _language(tag: str | None) -> str | None:
    tag = (tag or "").strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _title(page: ParsedPage, metas: Metas, linked: Linked) -> str | None:
    announced = plain(page.announcement.title or "")
    stated = (*_named(metas, TITLE_METAS), _headline(page.cleaned), _string(linked.get("headline")))
    titles = [title for title in (*stated, *_texts(_TITLES, page.cleaned)) if title]
    # A heading that reads as the feed has it is the title, whatever stands above it.
    confirmed = [
        text for text in (*titles, *_texts(_HEADINGS, page.cleaned)) if _is_one_of(text, [announced])
    ]
    title = next(iter([*confirmed, *titles]), announced)
    return _without_site(title, _named(metas, SITE_METAS), announced) or None


def _headline(tree: Element) -> str | None:
    """The only first-level heading; several are sections, or a logo and a title."""
    headings = _texts(_HEADLINES, tree)
    return headings[0] if len(headings) == 1 else None


def _texts(path: etree.XPath, tree: Element) -> list[str]:
    """The first texts there: a page may nest a thousand headings, each of which holds the others' text."""
    texts = filter(None, map(_text, elements(path, tree)[:MOST_ELEMENTS]))
    return list(islice(texts, MOST_TEXTS))


def _without_site(title: str, sites: Sequence[str], announced: str) -> str:
    """The title without the name of the site beside it, and as the feed has it if that is a part of it."""
    for separator in _SEPARATOR.finditer(title):
        head, tail = title[: separator.start()], title[separator.end() :]
        if _is_one_of(tail, sites) or _is_one_of(head, [announced]):
            return head
        if _is_one_of(head, sites) or _is_one_of(tail, [announced]):
            return tail
    return title


def _is_one_of(text: str, names: Sequence[str]) -> bool:
    return any(tokens(text) == tokens(name) for name in names if name)


def _authors(tree: Element, metas: Metas, linked: Linked) -> tuple[str, ...]:
    """The names of the first source that has any."""
    sources = (
        _linked_names(linked.get("author")),
        _named(metas, AUTHOR_METAS),
        _texts(_AUTHORS, tree),
    )
    for source in sources:
        names = [_BY.sub("", one_line(name), count=1) for name in source if not _NO_NAME.search(name)]
        if any(names):
            return tuple(dict.fromkeys(filter(None, names)))
    return ()


def _linked_names(author: object) -> list[str]:
    people = author if isinstance(author, list) else [author]
    names = [person.get("name") if isinstance(person, dict) else person for person in people]
    return [name for name in names if isinstance(name, str)]


def _canonical_url(page: ParsedPage, metas: Metas) -> str | None:
    stated = [link.get("href") for link in elements(_CANONICAL, page.tree)] + [metas.get("og:url")]
    absolute = (absolute_url(page.base_url, href) for href in stated if href)
    return next(filter(None, absolute), None)


def _linked_article(tree: Element) -> Linked:
    """The first object of the page's JSON-LD that is an article."""
    for script in elements(_JSON_LD, tree):
        try:
            value: object = json.loads(script.text or "", strict=False)
        except (ValueError, RecursionError):
            continue
        for thing in _things(value):
            if any(_ARTICLE_TYPE.search(name) for name in _types(thing)):
                return thing
    return {}


def _things(value: object) -> Iterator[Linked]:
    """The objects of a JSON-LD document: one, a list of them, or a graph."""
    waiting = deque([value])
    while waiting:
        thing = waiting.popleft()
        if isinstance(thing, list):
            waiting.extend(thing)
        elif isinstance(thing, dict):
            yield thing
            waiting.append(thing.get("@graph"))


def _types(thing: Linked) -> list[str]:
    types = thing.get("@type")
    return [name for name in (types if isinstance(types, list) else [types]) if isinstance(name, str)]


def _times(tree: Element, role: str) -> list[str | None]:
    times = elements(_TIMES, tree)
    return [time.get("datetime") for time in times if role in time.get("itemprop", "").split()]


def _only_time(tree: Element) -> str | None:
    """The one moment that the page names, comments left out: with several, none is certain."""
    times = {time.get("datetime") for time in elements(_TIMES, tree) if not _in_comments(time)}
    return times.pop() if len(times) == 1 else None


def _in_comments(element: Element) -> bool:
    return any(map(is_comments_zone, element.iterancestors()))


def _first_date(candidates: Iterable[object]) -> datetime | None:
    return next(filter(None, map(_date, candidates)), None)


def _date(text: object) -> datetime | None:
    """A moment in UTC; a date without a zone is not one."""
    try:
        moment = datetime.fromisoformat(text.strip()) if isinstance(text, str) else None
        moment = moment.astimezone(UTC) if moment and moment.tzinfo else None
    except (ValueError, OverflowError):
        return None
    return None if moment in _UNSET else moment


def _string(value: object) -> str | None:
    return one_line(value) or None if isinstance(value, str) else None


def _text(element: Element) -> str:
    return one_line(text_of(element))
