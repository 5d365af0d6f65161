"""What a page says of itself, only where that is certain: title, authors, dates, addresses, image."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urldefrag

from lxml import etree

from archiver.articles.metadata.dates import dates_of
from archiver.articles.metadata.titles import title_of
from archiver.documents.pages.dom import absolute_url, elements, is_comments_zone
from archiver.documents.pages.languages import base_language, language_for
from archiver.documents.pages.model import Image
from archiver.documents.pages.seen import is_seen, seen, seen_text
from archiver.documents.pages.statements import addresses_of, metas_of, names_of, statements_of
from archiver.documents.pages.text import one_line, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from datetime import date, datetime

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.statements import Statements
    from archiver.documents.times.model import Evidence


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
# Asked only where some element may be called so: it takes as long as a walk over all of them.
_MARKED = etree.XPath(
    "descendant::*[contains(@class, 'vcard')][contains(concat(' ', @class, ' '), ' vcard ')]"
    "//*[contains(concat(' ', @class, ' '), ' fn ')]"
    " | descendant::a[contains(@rel, 'author')][contains(concat(' ', @rel, ' '), ' author ')]"
    " | descendant::link[contains(@rel, 'author')][contains(concat(' ', @rel, ' '), ' author ')]"
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

LANGUAGE_METAS = ("og:locale", "content-language", "dc.language", "language")
IMAGE_METAS = ("og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src")

MOST_LINKS = 10_000
MOST_CATEGORIES = 20
LONGEST_CATEGORY = 80

_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z0-9]{2,8})*", re.IGNORECASE)
# The part of a page that its links to the comments name.
_COMMENTS_PART = re.compile(
    r"(?:(?:view|post|read|all|article)[_-]?)?comments?(?:[_-](?:list|section|area|form|anchor|container))?"
    r"|respond|disqus_thread|discussion",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    title: str | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    language: str | None = None
    canonical_url: str | None = None
    published: datetime | None = None
    published_day: date | None = None
    modified: datetime | None = None
    dated: tuple[Evidence, ...] = ()
    image: Image | None = None
    comments: str | None = None


def metadata_of(page: ParsedPage, text: str = "", said: Statements | None = None) -> Metadata:
    """What the page says of the article with this text; `said` saves reading its statements again."""
    said = said or statements_of(page.tree)
    title = title_of(page, said)
    dates = dates_of(page, said, title, text)
    canonical_url = _canonical_url(page, said)
    return Metadata(
        title=title,
        authors=authors_of(page, said),
        categories=_categories(page.tree, said),
        language=_language_for(page, text),
        canonical_url=canonical_url,
        published=dates.published,
        published_day=dates.published_day,
        modified=dates.modified,
        dated=dates.dated,
        image=_image(page, said),
        comments=_comments(page, said, canonical_url),
    )


def language_of(tree: Element) -> str | None:
    """The language that the page states, as a tag such as `en` or `pt-BR`."""
    stated = _language(tree.get("lang")) or _language(tree.get("xml:lang"))
    if stated:
        return stated
    metas = metas_of(tree)
    others = (metas[name][0] for name in LANGUAGE_METAS if name in metas)
    return next(filter(None, map(_language, others)), None)


def _language(tag: str | None) -> str | None:
    tag = (tag or "").strip().replace("_", "-")
    return tag if _LANGUAGE.fullmatch(tag) else None


def _language_for(page: ParsedPage, text: str) -> str | None:
    """What the page states, else the feed; where the script contradicts, what the text looks like."""
    stated = [page.language, page.announcement.language]
    found = language_for(text, *stated)
    return next((tag for tag in stated if tag and base_language(tag) == found), found)


def _canonical_url(page: ParsedPage, said: Statements) -> str | None:
    links = [
        link.get("href", "")
        for link in islice(page.tree.iter("link"), MOST_LINKS)
        if "canonical" in link.get("rel", "").lower().split()
    ]
    return _first_address(page.base_url, [*links, *said.named("og:url")])


def _first_address(base_url: str, addresses: Iterable[str]) -> str | None:
    absolute = (absolute_url(base_url, address) for address in addresses if address)
    return next(filter(None, absolute), None)


def _categories(tree: Element, said: Statements) -> tuple[str, ...]:
    """Sections and tags: of the first source that has any."""
    for source in (_sections, _keywords, _tags):
        texts = (name for text in source(tree, said) for name in plain(text).split(","))
        names = dict.fromkeys(filter(None, map(str.strip, texts)))
        categories = tuple(name for name in names if len(name) <= LONGEST_CATEGORY)
        # More than that are a cloud of all tags of the site.
        if 0 < len(categories) <= MOST_CATEGORIES:
            return categories
    return ()


def _sections(_tree: Element, said: Statements) -> list[str]:
    metas = (*said.metas.get("article:section", ()), *said.metas.get("article:tag", ()))
    return [*said.texts("articleSection"), *metas]


def _keywords(_tree: Element, said: Statements) -> list[str]:
    """Only where they are a list: a text of keywords is written for search engines."""
    keywords = said.linked.get("keywords")
    return names_of(keywords) if isinstance(keywords, list) else []


def _tags(tree: Element, _said: Statements) -> list[str]:
    found = islice(seen(_related("tag", tree, "a")), MOST_CATEGORIES + 1)
    return [seen_text(link) for link in found]


def _related(relation: str, tree: Element, *tags: str) -> Iterator[Element]:
    """The links that name a relation."""
    wanted = f" {relation} "
    return (one for one in tree.iter(*tags) if wanted in f" {one.get('rel', '')} ")


def _image(page: ParsedPage, said: Statements) -> Image | None:
    """What the page shows where others link to it, unless that is only the publisher's sign."""
    publisher = said.linked.get("publisher")
    logos = addresses_of(publisher.get("logo")) if isinstance(publisher, dict) else []
    stated = [*said.named(*IMAGE_METAS), *addresses_of(said.linked.get("image"))]
    url = _first_address(page.base_url, (one for one in stated if one not in logos))
    alt = next(iter(said.named("og:image:alt", "twitter:image:alt")), None)
    return Image(url=url, alt=alt) if url else None


def main_image(stated: Image | None, images: tuple[Image, ...]) -> Image | None:
    """The stated image with the words that it has in the article; the first one there if none is stated."""
    if stated is None:
        return next(iter(images), None)
    same = (image for image in images if _without_query(image.url) == _without_query(stated.url))
    return next(same, stated)


def _without_query(url: str) -> str:
    return url.partition("?")[0]


def _comments(page: ParsedPage, said: Statements, canonical_url: str | None) -> str | None:
    """Where readers comment: what is stated, else the part of this page that a link calls so."""
    stated = _first_address(page.base_url, said.texts("discussionUrl"))
    return stated or next(_links_to_comments(page, canonical_url), None)


def _links_to_comments(page: ParsedPage, canonical_url: str | None) -> Iterator[str]:
    here = {page.url, canonical_url}
    for link in islice(page.tree.iter("a"), MOST_LINKS):
        address, _, part = link.get("href", "").partition("#")
        if not part or not _COMMENTS_PART.fullmatch(part.strip()) or not is_seen(link):
            continue
        url = absolute_url(page.base_url if address else page.url, link.get("href", ""))
        if url and urldefrag(url).url in here:
            yield one_line(url)


def authors_of(page: ParsedPage, said: Statements) -> tuple[str, ...]:
    sources = (
        names_of(said.linked.get("author")) or names_of(said.linked.get("creator")),
        said.properties.get("author", ()),
        [name for meta in AUTHOR_METAS for name in said.metas.get(meta, ())],
        _marked(page),
    )
    for source in sources:
        names = dict.fromkeys(name for text in islice(source, MOST_AUTHORS) for name in _names(text))
        if names:
            return tuple(names)
    return ()


def _marked(page: ParsedPage) -> Iterator[str]:
    """Names that the page marks as its author's, and not as a reader's."""
    tree = page.tree
    named = elements(_MARKED, tree) if page.may_say(b"vcard") else _related("author", tree, "a", "link")
    for element in islice(seen(named), MOST_ELEMENTS):
        if not any(map(is_comments_zone, element.iterancestors())):
            yield seen_text(element)


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
