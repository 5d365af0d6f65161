"""The title of an article: the headline that its readers see, without the name of the site.

0. What the knowledge base finds where the page's software is known to have it.
1. What reads as the feed's title does: a heading, else a statement of the page.
2. The first heading that agrees with a stated title: one is half of the other or more.
3. The stated title: JSON-LD `headline`, `og:title`, `twitter:title`, microdata `headline`.
4. The only heading of the first level; several are sections, or a logo and a title.
5. The page's `title`; the feed's title.
6. Where the heading of the first level is the site's name, the next heading below it.

The site's name is what the page or its address says, what the feed is called, a first heading that leads to
the first page of the site or that sibling pages have too, and one that `title` has behind another heading.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.documents.pages.dom import absolute_url
from archiver.documents.pages.seen import seen, seen_text
from archiver.documents.pages.statements import names_of
from archiver.documents.pages.text import one_line, plain, text_of
from archiver.documents.pages.words import tokens

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.articles.model import ParsedPage
    from archiver.documents.pages.statements import Statements

# A page may nest a thousand headings, each of which holds the others' text.
MOST_ELEMENTS = 20
MOST_TEXTS = 5
LONGEST = 500
LEAST_AGREEMENT = 0.5

# Between the title of a page and the name of its site.
_SEPARATOR = re.compile(r"\s+[|\-\u2013\u2014\u00b7\u2022:\u00ab\u00bb\u2039\u203a]+\s+")
_CUT = ("\u2026", "...")


def title_of(page: ParsedPage, said: Statements) -> str | None:
    announced = plain(page.announcement.title or "")
    if announced and page.announcement.body:
        return announced
    tops, below = _headings(page.tree, "h1"), _headings(page.tree, "h2", "h3")
    titles = _texts(page.tree.iter("title"), text_of)[:1]
    sites = [*_sites(page, said), *_site_headings(page, titles, [*tops, *below])]
    sites = [name for name in sites if not _is_one_of(name, [announced])]
    stated = [_without_site(title, sites, announced) for title in _stated(said)]
    first = [heading for heading in tops if not _is_one_of(heading, sites)]
    named = [_without_site(title, sites, announced) for title in titles]
    headings = [*first, *below]
    confirmed = (text for text in (*headings, *stated, *named) if _is_one_of(text, [announced]))
    agreed = (text for text in headings if any(_agree(text, title) for title in (*stated, *named)))
    only = first if len(first) == 1 else []
    whole = (title for title in stated if not title.endswith(_CUT))
    choices = (
        *islice(confirmed, 1),
        *islice(agreed, 1),
        *islice(whole, 1),
        *only,
        *stated,
        *(title for title in named if not tops or first or not _is_one_of(title, sites)),
        announced,
        *(below[:1] if tops and not first else ()),
        *named,
    )
    return next(filter(None, choices), None)


def _site_headings(page: ParsedPage, titles: Sequence[str], headings: Sequence[str]) -> Iterator[str]:
    """Headings that name the site: each leads to its first page, or stands behind another one in `title`."""
    yield from page.site_headings
    for heading in islice(seen(page.tree.iter("h1")), MOST_ELEMENTS):
        links = [link.get("href", "") for link in seen(heading.iter("a"))]
        text = one_line(seen_text(heading))[:LONGEST]
        if links and all(_is_home(page, link) for link in links):
            yield text
        for title in titles:
            parts = _SEPARATOR.split(title)
            if len(parts) > 1 and _is_one_of(text, parts[-1:]) and _has_other(parts[0], text, headings):
                yield text


def _is_home(page: ParsedPage, href: str) -> bool:
    here, there = urlsplit(page.url), urlsplit(absolute_url(page.base_url, href) or "")
    return (
        there.netloc == here.netloc
        and there.path in ("", "/")
        and not there.query
        and here.path != there.path
    )


def _has_other(part: str, text: str, headings: Sequence[str]) -> bool:
    return any(_is_one_of(part, [other]) for other in headings if other != text)


def site_headings_of(pages: Sequence[ParsedPage]) -> frozenset[str]:
    """The first headings that several of the sibling pages have, whose articles are different ones."""
    found: dict[str, set[str]] = {}
    for page in pages:
        for text in _texts(page.tree.iter("h1"), text_of)[:1]:
            found.setdefault(text, set()).add(plain(page.announcement.title or "") or page.url)
    return frozenset(text for text, articles in found.items() if len(articles) > 1)


def _stated(said: Statements) -> list[str]:
    linked = [plain(one[:LONGEST]) for one in [said.linked.get("headline")] if isinstance(one, str)]
    metas = [plain(one[:LONGEST]) for one in said.named("og:title", "twitter:title", "headline")]
    return [title for title in (*linked, *metas, *said.properties.get("headline", ())) if title]


def _sites(page: ParsedPage, said: Statements) -> list[str]:
    """What the site is called; of its address, what may stand in a title in place of a name."""
    host = (urlsplit(page.url).hostname or "").removeprefix("www.")
    labels = host.split(".")
    return [
        *said.named("og:site_name", "application-name"),
        *names_of(said.linked.get("publisher")),
        *_names_of_feed(page),
        host,
        *(label for label in labels[:-1] if len(label) > 2),
    ]


def _names_of_feed(page: ParsedPage) -> list[str]:
    """What the feed is called, also without what of the site it has."""
    name = plain(page.announcement.site or "")
    return list(filter(None, (name, *_SEPARATOR.split(name)[:1])))


def _headings(tree: Element, *tags: str) -> list[str]:
    """As readers see them."""
    return _texts(seen(tree.iter(*tags)), seen_text)


def _texts(found: Iterable[Element], text: Callable[[Element], str]) -> list[str]:
    texts = (one_line(text(one))[:LONGEST] for one in islice(found, MOST_ELEMENTS))
    return list(islice(filter(None, texts), MOST_TEXTS))


def _without_site(title: str, sites: Sequence[str], announced: str) -> str:
    """The title without the name of the site beside it, and as the feed has it if that is a part of it."""
    for separator in _SEPARATOR.finditer(title):
        head, tail = title[: separator.start()], title[separator.end() :]
        if _is_one_of(tail, sites) or _is_one_of(head, [announced]):
            return head
        if _is_one_of(head, sites) or _is_one_of(tail, [announced]):
            return tail
    head, _, tail = title.partition(": ")
    return tail if tail and (_is_one_of(head, sites) or _is_one_of(tail, [announced])) else title


def _is_one_of(text: str, names: Sequence[str]) -> bool:
    """Whether the words are the same; "Island Post" is also the "islandpost" of an address."""
    words = _letters(text)
    return bool(words) and any(words == _letters(name) for name in names if name)


# Each of a few titles is held against each of a few names.
@lru_cache(maxsize=256)
def _letters(text: str) -> str:
    return "".join(tokens(text))


def _agree(heading: str, title: str) -> bool:
    """Whether one is a part of the other, and not a small one."""
    shorter, longer = sorted((tokens(heading), tokens(title)), key=len)
    if len(shorter) < LEAST_AGREEMENT * len(longer) or not shorter:
        return False
    return shorter in _runs(longer, len(shorter))


def _runs(words: Sequence[str], length: int) -> Iterator[list[str]]:
    return (list(words[start : start + length]) for start in range(len(words) - length + 1))
