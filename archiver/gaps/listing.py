"""A site's list of what it published, as its readers see it: links, titles, dates, and the next page."""

from __future__ import annotations

import re
from dataclasses import dataclass
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

MAX_BYTES = 8 * 1024 * 1024
MAX_LINKS = 2000
# Menus, and lists such as "most read", are in another order than that of publication.
_BESIDE = frozenset({"nav", "aside", "footer", "header"})
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
    return Listing(entries=tuple(_entries(page, base, examples)), following=_following(page, base, number))


def _parse(body: bytes, content_type: str | None) -> html.HtmlElement | None:
    text = decode(body[:MAX_BYTES], content_type).text
    parser = html.HTMLParser(encoding="utf-8")
    try:
        return html.document_fromstring(text.replace("\x00", "").encode("utf-8", "replace"), parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError):
        return None


def _entries(page: html.HtmlElement, base: str, examples: Sequence[str]) -> Iterator[FeedEntry]:
    shapes = learn(examples)
    links: dict[str, list[html.HtmlElement]] = {}
    addresses: dict[str, str] = {}
    for element in page.iter("a"):
        address = fields.link(element.get("href"), base)
        if address is None or not matches(address, shapes) or _is_beside(element):
            continue
        key = same_page_key(address)
        addresses.setdefault(key, address.partition("#")[0])
        links.setdefault(key, []).append(element)
        if len(links) > MAX_LINKS:
            break
    for key, elements in links.items():
        yield FeedEntry(link=addresses[key], title=_title(elements), published=_date(elements, set(elements)))


def _is_beside(element: html.HtmlElement) -> bool:
    """True for what stands beside the list: an article may have a header of its own, with its headline."""
    for above in element.iterancestors():
        if above.tag in {"article", "main"}:
            return False
        if above.tag in _BESIDE or above.get("role") in _BESIDE_ROLES:
            return True
        if above.tag not in {"body", "html"} and _BESIDE_NAMES.search(
            f"{above.get('class') or ''} {above.get('id') or ''}"
        ):
            return True
    return False


def _title(elements: Sequence[html.HtmlElement]) -> str | None:
    """The longest of the texts that lead there: others say "read more", or hold an image."""
    texts = [" ".join(element.text_content().split()) for element in elements]
    return fields.text(max(texts, key=len)[:500])


def _date(elements: Sequence[html.HtmlElement], own: set[html.HtmlElement]) -> Stamp | None:
    """The date beside a link, as long as no link to something else is nearer to it."""
    above = elements[0]
    for _ in range(_CLIMB):
        above = above.getparent()
        if above is None or above.tag in {"body", "main", "html"}:
            return None
        times = [one.get("datetime") for one in above.iter("time") if one.get("datetime")]
        if times:
            return fields.stamp(times[0]) if len(set(times)) == 1 else None
        if sum(1 for one in above.iter("a") if one not in own) > _CLIMB:
            return None
    return None


def _following(page: html.HtmlElement, base: str, number: int) -> str | None:
    """The page after this one: as it is marked, as its number says, or as a word or an arrow does."""
    marked, numbered, worded = [], [], []
    for element in page.iter("link", "a"):
        address = fields.link(element.get("href"), base)
        if address is None or not same_site(address, [base]) or same_page_key(address) == same_page_key(base):
            continue
        if "next" in (element.get("rel") or "").lower().split():
            marked.append(address)
        elif element.tag == "a":
            text = " ".join(element.text_content().split())
            if text == str(number):
                numbered.append(address)
            elif _is_pager(element, text, number, address):
                worded.append(address)
    found = fields.first([*marked, *numbered, *worded])
    return found.partition("#")[0] if found else None


def _is_pager(element: html.HtmlElement, text: str, number: int, address: str) -> bool:
    label = element.get("aria-label") or element.get("title") or ""
    says = f"{text} {label}".strip()
    # Its address counts, too: "more" alone leads anywhere. Some count from 0.
    counts = re.search(rf"(?<!\d)(?:{number}|{number - 1})(?!\d)", address)
    return 0 < len(says) <= _LONGEST_PAGER and bool(_FURTHER.search(says)) and counts is not None
