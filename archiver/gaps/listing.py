"""A site's list of what it published, as its readers see it: links, titles, dates, and the next page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from lxml import etree, html

from archiver.feeds import fields
from archiver.feeds.decoding import decode
from archiver.feeds.model import FeedEntry
from archiver.gaps.addresses import same_site
from archiver.gaps.shapes import learn, matches
from archiver.urls import same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.feeds.model import Stamp
    from archiver.gaps.shapes import Shape

MAX_BYTES = 8 * 1024 * 1024
MAX_LINKS = 2000
_MOST_ANCHORS = 20_000
# Menus, and lists such as "most read", are in another order than that of publication.
_BESIDE = frozenset({"nav", "aside"})
_BESIDE_ROLES = frozenset({"navigation", "complementary", "banner", "contentinfo", "search"})
_BESIDE_NAMES = re.compile(
    r"(?:^|\s)(?:sidebar|related|popular|trending|most-?read|breadcrumbs?|menu)", re.IGNORECASE
)
# How far above a link its date may stand.
_CLIMB = 4
_FURTHER = re.compile(
    r"next|older|more|previous (?:posts|entries)|weiter|ältere|nächste|suivant|précédents|siguiente"
    r"|anteriores|próxima|successiv|volgende|oudere|следующ|далее|назад|下一页|次へ|다음|[\u203a\xbb\u2192]",
    re.IGNORECASE,
)
# Pages of a list, where an article might have such an address as well.
_PAGE_OF_LIST = re.compile(r"/(?:page|seite|pagina)[-_/]?\d+/?(?:$|[?#])", re.IGNORECASE)
_MOST_TEXT = 1000
_LONGEST_TITLE = 300
_HEADINGS = ("h1", "h2", "h3", "h4")
# A link to the next page says little; the headline of an article that begins with "next" says much.
_LONGEST_PAGER = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Listing:
    entries: tuple[FeedEntry, ...] = ()
    following: str | None = None


def read_listing(
    body: bytes, *, url: str, content_type: str | None, examples: Sequence[str], number: int
) -> Listing:
    """What a page lists that looks like the examples; `number` is that of the page which would follow it."""
    page = _parse(body, content_type)
    if page is None:
        return Listing()
    base = fields.first(fields.link(one.get("href"), url) for one in page.iter("base")) or url
    shapes = learn(examples)
    return Listing(
        entries=tuple(_entries(page, base, shapes)), following=_following(page, base, number, shapes)
    )


def _parse(body: bytes, content_type: str | None) -> html.HtmlElement | None:
    text = decode(body[:MAX_BYTES], content_type).text
    parser = html.HTMLParser(encoding="utf-8")
    try:
        return html.document_fromstring(text.replace("\x00", "").encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None


def _entries(page: html.HtmlElement, base: str, shapes: Sequence[Shape]) -> Iterator[FeedEntry]:
    links: dict[str, list[html.HtmlElement]] = {}
    addresses: dict[str, str] = {}
    for element in islice(page.iter("a"), _MOST_ANCHORS):
        address = fields.link(element.get("href"), base)
        if address is None or not _is_article(address, shapes) or _is_beside(element):
            continue
        key = same_page_key(address)
        addresses.setdefault(key, address.partition("#")[0])
        links.setdefault(key, []).append(element)
        if len(links) >= MAX_LINKS:
            break
    surroundings = _Surroundings()
    for key, elements in links.items():
        title = _title(elements) or surroundings.heading_beside(elements)
        yield FeedEntry(link=addresses[key], title=title, published=surroundings.date_beside(elements))


def _is_article(address: str, shapes: Sequence[Shape]) -> bool:
    return matches(address, shapes) and not _PAGE_OF_LIST.search(address)


def _is_beside(element: html.HtmlElement) -> bool:
    """True for what stands beside the list: an article may have a header of its own, with its headline."""
    is_in_header = False
    for above in element.iterancestors():
        if above.tag in {"article", "main"}:
            return False
        if above.tag in _BESIDE or above.get("role") in _BESIDE_ROLES:
            return True
        named = f"{above.get('class') or ''} {above.get('id') or ''}"
        if above.tag not in {"body", "html"} and _BESIDE_NAMES.search(named):
            return True
        is_in_header = is_in_header or above.tag in {"header", "footer"}
    return is_in_header


def _title(elements: Sequence[html.HtmlElement]) -> str | None:
    """The heading that a link holds, or the longest of the texts that lead there: others say "read more"."""
    headings = [_text_of(one) for element in elements for one in element.iter(*_HEADINGS)]
    return fields.first(headings) or fields.text(max(map(_text_of, elements), key=len)[:_LONGEST_TITLE])


class _Surroundings:
    """What stands beside links; each element is looked through once, however many links it holds."""

    def __init__(self) -> None:
        self._known: dict[html.HtmlElement, _Within] = {}

    def date_beside(self, elements: Sequence[html.HtmlElement]) -> Stamp | None:
        """The date near a link, as long as no link to something else is as near."""
        times = next((one.times for one in self._around(elements) if one.times), frozenset())
        return fields.stamp(next(iter(times))) if len(times) == 1 else None

    def heading_beside(self, elements: Sequence[html.HtmlElement]) -> str | None:
        """The heading near a link that has no words of its own, such as one that covers a card."""
        return fields.first(one.heading for one in self._around(elements))

    def _around(self, elements: Sequence[html.HtmlElement]) -> Iterator[_Within]:
        for above in islice(elements[0].iterancestors(), _CLIMB):
            if above.tag in {"body", "main", "html"}:
                return
            within = self._within(above)
            if within.links - len(elements) > _CLIMB:
                return
            yield within

    def _within(self, above: html.HtmlElement) -> _Within:
        if above not in self._known:
            times = [one for one in above.iter("time") if one.get("datetime")]
            # One that says what it is stands before others, such as that of the last change.
            told = [one for one in times if "published" in (one.get("itemprop") or "").lower()] or times
            heading = next((_text_of(one) for one in above.iter(*_HEADINGS)), None)
            links = sum(1 for _ in above.iter("a"))
            dates = frozenset(one.get("datetime", "") for one in told)
            self._known[above] = _Within(links=links, times=dates, heading=heading)
        return self._known[above]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Within:
    links: int
    times: frozenset[str]
    heading: str | None


def _text_of(element: html.HtmlElement) -> str:
    return " ".join(element.text_content()[:_MOST_TEXT].split())


def _following(page: html.HtmlElement, base: str, number: int, shapes: Sequence[Shape]) -> str | None:
    """The page after this one: as it is marked, as its number says, or as a word or an arrow does."""
    marked, numbered, worded = [], [], []
    here = same_page_key(base)
    for element in islice(page.iter("link", "a"), _MOST_ANCHORS):
        text = _text_of(element)
        is_marked = "next" in (element.get("rel") or "").lower().split()
        if not is_marked and text != str(number) and not _says_further(element, text):
            continue
        address = fields.link(element.get("href"), base)
        if address is None or not same_site(address, [base]) or same_page_key(address) == here:
            continue
        if is_marked:
            marked.append(address)
        elif not _is_article(address, shapes) and element.tag == "a":
            # "More" alone leads anywhere: an address counts as well, some from 0.
            counts = re.search(rf"(?<!\d)(?:{number}|{number - 1})(?!\d)", address)
            numbered += [address] if text == str(number) else []
            worded += [address] if counts else []
    found = fields.first([*marked, *numbered, *worded])
    return found.partition("#")[0] if found else None


def _says_further(element: html.HtmlElement, text: str) -> bool:
    label = element.get("aria-label") or element.get("title") or ""
    # An arrow that is drawn has no words but those of its class.
    words = f"{text} {label}" if text or label else re.sub(r"\W", " ", element.get("class") or "")
    return len(words) <= _LONGEST_PAGER and _FURTHER.search(words) is not None
