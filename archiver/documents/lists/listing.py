"""A site's list of what it published, as its readers see it: links, titles, dates, and the next page."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

from archiver.documents.feeds import fields
from archiver.documents.feeds.decoding import decode
from archiver.documents.feeds.model import FeedEntry
from archiver.documents.lists.addresses import same_site
from archiver.documents.lists.model import ArchivePage
from archiver.documents.lists.pager import PagerLink, next_page, numbered_page
from archiver.documents.lists.shapes import learn, matches
from archiver.documents.pages.dom import base_url, parse_markup
from archiver.documents.pages.links import links_of, text_within
from archiver.lexicon.elements import HEADINGS
from archiver.lexicon.zone_names import ROLES
from archiver.urls import is_web, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lxml.etree import _Element as Element

    from archiver.documents.feeds.model import FeedDate
    from archiver.documents.lists.shapes import Shape
    from archiver.documents.pages.links import PageLink

MAX_BYTES = 8 * 1024 * 1024
MAX_LINKS = 2000
_MOST_ANCHORS = 20_000
# Menus, and lists such as "most read", are in another order than that of publication.
_BESIDE = frozenset({"nav", "aside"})
_BESIDE_NAMES = re.compile(
    r"(?:^|\s)(?:sidebar|related|popular|trending|most-?read|breadcrumbs?|menu)", re.IGNORECASE
)
# How far above a link its date may stand.
_CLIMB = 4
# Pages of a list, where an article might have such an address as well.
_PAGE_OF_LIST = re.compile(r"/(?:page|seite|pagina)[-_/]?\d+/?(?:$|[?#])", re.IGNORECASE)
_MOST_TEXT = 1000
_LONGEST_TITLE = 300
_HEADINGS = HEADINGS[:4]
# What a page calls the list of everything that it has; not the archive of a year.
_ARCHIVE_TEXT = re.compile(
    r"(?:the )?(?:full |blog |news |post )?archives?|all (?:posts|articles|entries|stories|news)|archiv"
    r"|alle (?:beiträge|artikel|meldungen)|tous les (?:articles|billets)|archivos?|arquivos?|archivio"
    r"|todas las (?:entradas|noticias)|tutti gli articoli|archief|архив|归档|アーカイブ",
    re.IGNORECASE,
)
_ARCHIVE_PATH = re.compile(r"(?:^|/)(?:archives?|archiv|all-posts)(?:\.\w+)?/?$", re.IGNORECASE)
_MOST_ARCHIVES = 2
# What leads to the first, the next or the last page and is nothing else.
_SIGNS = frozenset("< > << >> « » ‹ › ← → ⟨ ⟩ ⟪ ⟫ ❮ ❯ ◀ ▶".split())  # noqa: RUF001, SIM905 - as pagers show them


def read_listing(
    body: bytes, *, url: str, content_type: str | None, examples: Sequence[str], number: int
) -> ArchivePage:
    """What a page lists that looks like the examples; `number` is that of the page which would follow it."""
    page = parse_markup(decode(body[:MAX_BYTES], content_type).text)
    if page is None:
        return ArchivePage(is_counted=False)
    base = base_url(page, url)
    shapes = learn(examples)
    links = list(_pager_links(page, base, shapes))
    sure_forms = all(numbered_page(one, base) is None for one in examples)
    following, is_counted = next_page(links, base, number, sure_forms=sure_forms)
    pages = _PagesOf(base=base, following=following, sure_forms=sure_forms)
    return ArchivePage(
        entries=tuple(_entries(page, base, shapes, pages)),
        following=following,
        is_counted=is_counted,
        archives=_archives(links, base),
    )


def _entries(page: Element, base: str, shapes: Sequence[Shape], pages: _PagesOf) -> Iterator[FeedEntry]:
    links: dict[str, list[Element]] = {}
    addresses: dict[str, str] = {}
    for link in islice(links_of(page, base, page.iter("a")), _MOST_ANCHORS):
        if not _is_article(link.url, shapes) or _is_beside(link.element):
            continue
        # Written as feeds have it, by which known entries are told.
        address = fields.link(link.element.get("href"), base)
        if address is None or pages.have(link):
            continue
        key = same_page_key(address)
        addresses.setdefault(key, address.partition("#")[0])
        links.setdefault(key, []).append(link.element)
        if len(links) >= MAX_LINKS:
            break
    surroundings = _Surroundings()
    for key, elements in links.items():
        title = _title(elements) or surroundings.heading_beside(elements)
        yield FeedEntry(link=addresses[key], title=title, published=surroundings.date_beside(elements))


def _is_article(address: str, shapes: Sequence[Shape]) -> bool:
    return matches(address, shapes) and not _PAGE_OF_LIST.search(address)


@dataclass(frozen=True, slots=True, kw_only=True)
class _PagesOf:
    """The pages of the list itself, which may look like articles: index2.html."""

    base: str
    following: str | None
    sure_forms: bool

    def have(self, link: PageLink) -> bool:
        """True by the address, or by a number or a sign that leads there."""
        if link.url == self.following:
            return True
        if self.sure_forms and numbered_page(link.url, self.base) is not None:
            return True
        if link.text not in _SIGNS and not link.text.isdecimal():
            return False
        number = numbered_page(link.url, self.base, is_sure=False)
        return number is not None and link.text in {str(number), *_SIGNS}


def _is_beside(element: Element) -> bool:
    """True for what stands beside the list: an article may have a header of its own, with its headline."""
    is_in_header = False
    for above in element.iterancestors():
        if above.tag in {"article", "main"}:
            return False
        if above.tag in _BESIDE or above.get("role") in ROLES:
            return True
        named = f"{above.get('class') or ''} {above.get('id') or ''}"
        if above.tag not in {"body", "html"} and _BESIDE_NAMES.search(named):
            return True
        is_in_header = is_in_header or above.tag in {"header", "footer"}
    return is_in_header


def _title(elements: Sequence[Element]) -> str | None:
    """The heading that a link holds, or the longest of the texts that lead there: others say "read more"."""
    headings = [_text_of(one) for element in elements for one in element.iter(*_HEADINGS)]
    return fields.first(headings) or fields.text(max(map(_text_of, elements), key=len)[:_LONGEST_TITLE])


class _Surroundings:
    """What stands beside links; each element is looked through once, however many links it holds."""

    def __init__(self) -> None:
        self._known: dict[Element, _Within] = {}

    def date_beside(self, elements: Sequence[Element]) -> FeedDate | None:
        """The date near a link, as long as no link to something else is as near."""
        times = next((one.times for one in self._around(elements) if one.times), frozenset())
        return fields.stamp(next(iter(times))) if len(times) == 1 else None

    def heading_beside(self, elements: Sequence[Element]) -> str | None:
        """The heading near a link that has no words of its own, such as one that covers a card."""
        return fields.first(one.heading for one in self._around(elements))

    def _around(self, elements: Sequence[Element]) -> Iterator[_Within]:
        for above in islice(elements[0].iterancestors(), _CLIMB):
            if above.tag in {"body", "main", "html"}:
                return
            within = self._within(above)
            if within.links - len(elements) > _CLIMB:
                return
            yield within

    def _within(self, above: Element) -> _Within:
        if above not in self._known:
            times = [one for one in above.iter("time", "abbr") if _datetime_of(one)]
            # One that says what it is stands before others, such as that of the last change.
            told = [one for one in times if "published" in (one.get("itemprop") or "").lower()] or times
            heading = next((_text_of(one) for one in above.iter(*_HEADINGS)), None)
            links = sum(1 for _ in above.iter("a"))
            dates = frozenset(map(_datetime_of, told))
            self._known[above] = _Within(links=links, times=dates, heading=heading)
        return self._known[above]


def _datetime_of(element: Element) -> str:
    """A moment as <time> states it, or as templates did before there was <time>."""
    if element.tag == "abbr" and "published" in (element.get("class") or "").lower().split():
        return str(element.get("title") or "")
    return str(element.get("datetime") or "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Within:
    links: int
    times: frozenset[str]
    heading: str | None


def _text_of(element: Element) -> str:
    return text_within(element, _MOST_TEXT)


def _pager_links(page: Element, base: str, shapes: Sequence[Shape]) -> Iterator[PagerLink]:
    """The links of the same site that may lead to a further page or to an archive."""
    here = same_page_key(base)
    for link in islice(links_of(page, base, page.iter("link", "a")), _MOST_ANCHORS):
        told = pager_link(link)
        if not (told.may_lead_on or _is_archive(told)) or (link.element.tag == "link" and not told.is_marked):
            continue
        if not (is_web(link.url) and same_site(link.url, [base])) or same_page_key(link.url) == here:
            continue
        yield replace(told, url=link.url.partition("#")[0], is_article=_is_article(link.url, shapes))


def pager_link(link: PageLink) -> PagerLink:
    """As the page writes it: what is not in the link itself may be in the address of the page."""
    # An arrow that is drawn has no words but those of its class.
    drawn = "" if link.text or link.label else re.sub(r"\W", " ", link.element.get("class") or "")
    return PagerLink(
        url=link.element.get("href") or "",
        text=link.text,
        label=link.label or drawn,
        is_marked="next" in link.rel,
    )


def _archives(links: Sequence[PagerLink], base: str) -> tuple[str, ...]:
    here = same_page_key(base)
    named = dict.fromkeys(one.url for one in links if _is_archive(one))
    return tuple(url for url in named if same_page_key(url) != here)[:_MOST_ARCHIVES]


def _is_archive(link: PagerLink) -> bool:
    is_named = _ARCHIVE_TEXT.fullmatch(link.text) or _ARCHIVE_PATH.search(link.url)
    return is_named is not None and not link.is_marked
