"""Which link of a list leads to its next page: one that counts on, else one that is marked or says so."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from archiver.documents.lists.shapes import LIST_NAMES
from archiver.urls import request_url

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# What the first page of a folder may be called.
_INDEX = re.compile(r"(?:^|(?<=/))index\.\w+$", re.IGNORECASE)
_PAGE_WORDS = r"(?:pages?|seite|pagina)"
# Forms that only pages of lists have: page/2, page2, page-2.html, index2.html.
_PLAIN_FORMS = (
    re.compile(rf"(?P<stem>.*/){_PAGE_WORDS}[-_/]?(?P<number>\d{{1,5}})(?:\.\w+)?/?", re.IGNORECASE),
    re.compile(r"(?P<stem>.*/)index[-_]?(?P<number>\d{1,5})\.\w+", re.IGNORECASE),
)
# Forms that an article may have as well: poets2.html beside poets.html, /2/, /p/2.
_OTHER_FORMS = (
    re.compile(r"(?P<stem>.*/)p[-_/]?(?P<number>\d{1,5})/?", re.IGNORECASE),
    re.compile(r"(?P<stem>.*/[^/]*[^/\d])[-_]?(?P<number>\d{1,5})(?P<ending>\.\w+)"),
    re.compile(r"(?P<stem>.*/)(?P<number>\d{1,5})/?"),
)
_PARAMETERS = frozenset({"page", "paged", "pg", "seite", "pagina", "pagenum", "page_number"})
# WordPress has its articles at ?p=2.
_OTHER_PARAMETERS = _PARAMETERS | {"p"}
# Cheap to ask first: a page may have very many links.
_MAY_BE_NUMBERED = re.compile(r"(?:page|pg|seite|pagina|index)\w*[-_/=]?\d", re.IGNORECASE)
_FURTHER = re.compile(
    r"next|older|more|previous (?:posts|entries)|weiter|ältere|nächste|suivant|précédents|plus ancien"
    r"|siguiente|anteriores|antiguos|próxima|successiv|precedenti|volgende|oudere|äldre|ældre|starsze|следующ|далее"
    r"|назад|下一页|次へ|다음|[\u203a\xbb\u2192\u27e9\u276f\u25b6\u25ba\u21e8\u226b]",
    re.IGNORECASE,
)
# As a sign only where it stands alone: in a text it may stand for anything.
_SIGNS_ALONE = frozenset({">", ">>"})
# A link to the next page says little; the headline of an article that begins with "next" says much.
_LONGEST_PAGER = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class PagerLink:
    """A link of a list: where it leads, what it says, and how it is marked."""

    url: str
    text: str = ""
    label: str = ""  # for those who do not see it, or the class of an arrow that is drawn
    is_marked: bool = False  # rel=next
    is_article: bool = False  # has the form of the channel's entries

    @property
    def may_lead_on(self) -> bool:
        """True if the link is worth a look."""
        told = self.is_marked or self.text.isdecimal() or self.says_further
        return told or _MAY_BE_NUMBERED.search(self.url) is not None

    @property
    def says_further(self) -> bool:
        words = f"{self.text} {self.label}"
        return len(words) <= _LONGEST_PAGER and (_is_further(words) or self.text in _SIGNS_ALONE)


# The links of a site's menus say the same on every page.
@lru_cache(maxsize=5_000)
def _is_further(words: str) -> bool:
    return _FURTHER.search(words) is not None


def numbered_page(url: str, base: str, *, is_sure: bool = True) -> int | None:
    """Which page of the list at `base` an address is; with `is_sure`, no article has such an address."""
    if is_sure and not _MAY_BE_NUMBERED.search(url):
        return None
    stems = _stems(base)
    return next((number for stem, number in _numbered(url, is_sure=is_sure) if stem in stems), None)


@lru_cache(maxsize=16)  # A list is asked about each of its links.
def _stems(base: str) -> frozenset[str]:
    return frozenset({_plain(base), *(stem for stem, _ in _numbered(base, is_sure=False))})


def _numbered(url: str, *, is_sure: bool) -> Iterator[tuple[str, int]]:
    """The lists of which an address may be a numbered page, and the number."""
    parts = urlsplit(request_url(url))
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    names = _PARAMETERS if is_sure else _OTHER_PARAMETERS
    for name, value in pairs:
        if name.lower() in names and value.isdecimal():
            rest = urlencode([pair for pair in pairs if pair[0] != name])
            yield _plain(urlunsplit(parts._replace(query=rest))), int(value)
    for form in _PLAIN_FORMS if is_sure else (*_PLAIN_FORMS, *_OTHER_FORMS):
        if found := form.fullmatch(parts.path):
            named = found.groupdict()
            path = named["stem"] + named.get("ending", "")
            yield _plain(urlunsplit(parts._replace(path=path))), int(named["number"])


def _plain(url: str) -> str:
    """The address of a list in one form."""
    parts = urlsplit(request_url(url))
    path = _INDEX.sub("", parts.path).rstrip("/")
    return urlunsplit(parts._replace(path=path, fragment="")).lower()


def next_page(
    links: Sequence[PagerLink], base: str, number: int, *, sure_forms: bool = True
) -> tuple[str | None, bool]:
    """The page after this one, the `number`th, and whether it counts on from this one.

    Without `sure_forms`, articles of the channel have addresses such as only pages of lists have elsewhere.
    """
    for is_sure in (True, False) if sure_forms else (False,):
        if found := _counted(links, base, number, is_sure=is_sure):
            return found, True
    return next(_others(links, base, number), None), False


def _counted(links: Sequence[PagerLink], base: str, number: int, *, is_sure: bool) -> str | None:
    """The link whose number is the next: the lowest that says so, since the last page has a sign as well."""
    pages = [
        (nth, link) for link in links if (nth := numbered_page(link.url, base, is_sure=is_sure)) is not None
    ]
    here = next((nth for _, nth in _numbered(base, is_sure=True)), None)
    # Some count from 0: their second page is called 1.
    wanted = (here + 1,) if here is not None else (number - 1, number)
    for nth, link in sorted(pages, key=itemgetter(0)):
        has_number = link.text == str(number)
        says_so = has_number or ((link.is_marked or link.says_further) and (is_sure or not link.is_article))
        if nth in wanted and says_so:
            return link.url
    if is_sure and not any(nth == 0 for nth, _ in pages):
        return next((link.url for nth, link in pages if nth == wanted[-1]), None)
    return None


def _others(links: Sequence[PagerLink], base: str, number: int) -> Iterator[str]:
    """Links that do not count on, the surest first; never to a list of something else."""
    apart = [one for one in links if not one.is_article and not _is_other_list(one.url, base)]
    yield from (one.url for one in apart if one.text == str(number))
    yield from (one.url for one in apart if one.is_marked)
    # "More" alone leads anywhere: an address counts as well, some from 0, or is this one with a place in it.
    counts = re.compile(rf"(?<!\d)(?:{number}|{number - 1})(?!\d)")
    for one in apart:
        if one.says_further and (counts.search(one.url) or _is_elsewhere_in(one.url, base)):
            yield one.url


def _is_other_list(url: str, base: str) -> bool:
    """True if an address is that of a category, a tag, an author where the list is not."""
    here, there = (set(urlsplit(one).path.lower().split("/")) for one in (base, url))
    return bool((there - here) & (LIST_NAMES - {"page", "archive", "archives"}))


def _is_elsewhere_in(url: str, base: str) -> bool:
    here, there = urlsplit(urljoin(base, url)), urlsplit(base)
    return here.path == there.path and bool(here.query) and here.query != there.query
