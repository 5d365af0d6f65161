"""Which page of an article an address is, as far as addresses count: report-2.html, report/2, ?page=2."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urljoin, urlsplit, urlunsplit

from archiver.urls import LONGEST_URL, request_url, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.parse import SplitResult

_INDEX = re.compile(r"/(?:index|default)\.\w+$", re.IGNORECASE)
_ENDING = re.compile(r"\.(?:html?|xhtml|shtml|php\d?|aspx?|jsp|cfm|do)$", re.IGNORECASE)
_WORD = r"(?:pages?|seite|pagina|p(?:a)?g|part|teil|sida|side|strona|p|s)"
# What stands behind the name of the article: /2, /page/2, -2, _p2, ,2, ~2, .2; then perhaps an ending.
_FORMS = (
    re.compile(rf"(?P<stem>.+?)/(?:{_WORD}[-_/]?)?(?P<number>\d{{1,3}})", re.IGNORECASE),
    re.compile(rf"(?P<stem>.*[^/\d])[-_,.~](?:{_WORD}[-_]?)?(?P<number>\d{{1,3}})", re.IGNORECASE),
    re.compile(r"(?P<stem>.*/[^/]*[^/\d\W_])(?P<number>\d{1,3})", re.IGNORECASE),
    # page2.html beside index.html
    re.compile(rf"(?P<stem>.*)/(?:index|{_WORD})[-_]?(?P<number>\d{{1,3}})", re.IGNORECASE),
)
_PARAMETERS = frozenset({
    "page", "paged", "pg", "p", "pag", "pagina", "pagenum", "page_number", "pageno", "page_no", "pagenumber",
    "pn", "seite", "part", "s", "sida", "strona",
})  # fmt: skip
_MOST_DIGITS = 3
# In the markup itself: most pages are known to end there without being parsed for it.
# Each is read once, whatever a page holds: no pattern begins again within what it has passed over.
# In small letters, which a page is searched for many times faster than for either.
_HREF = re.compile(rb"""href\s*=\s*["']?([^"'>\s#]+)""")
_DIGITS = re.compile(rb"[0-9]{1,3}")
_MOST_HREFS = 5000
_BASE = re.compile(rb"""<base\b[^<>]*href\s*=\s*["']?([^"'>\s]+)""", re.IGNORECASE)
_TAIL = re.compile(r"[\W_]*\d*$|%.*|[^ -~].*")


def may_continue(body: bytes, first: str, number: int) -> bool:
    """Whether the markup of a page has a link with this number, or to the address of such a page."""
    if _text_of_link(number).search(body):
        return True
    parts = urlsplit(first)
    name = _TAIL.sub("", _name(parts.path).rpartition("/")[2]).encode()
    wanted = _hrefs(body, name, _host(parts.netloc), number)
    base = _BASE.search(body) if wanted else None
    here = _address(base[1], first) if base else first
    return any(_may_be(href, here, first, number) for href in wanted)


def _hrefs(body: bytes, name: bytes, host: bytes, number: int) -> list[bytes]:
    """The addresses of links that have the name and the number, but for those at another host."""
    lower = body.lower()
    found: dict[bytes, None] = {}
    for match in _HREF.finditer(lower):
        href = match[1]
        is_absolute = href.startswith((b"/", b"http"))
        if (is_absolute and name not in href) or not _has_number(href, number):
            continue
        if not _is_elsewhere(href, host):
            found[body[slice(*match.span(1))]] = None
    return list(found)[:_MOST_HREFS]


def _host(netloc: str) -> bytes:
    """As links have it; nothing where they may have it in two ways."""
    return netloc.rpartition("@")[2].lower().encode() if netloc.isascii() else b""


def _is_elsewhere(href: bytes, host: bytes) -> bool:
    """Whether an address names another host for sure."""
    return b"//" in href[:8] and href.isascii() and host not in href.split(b"/", 3)[2]


@lru_cache(maxsize=64)
def _text_of_link(number: int) -> re.Pattern[bytes]:
    return re.compile(rb">[\s\[(]*+%d[\s\])]*+<" % number)


def _has_number(href: bytes, number: int) -> bool:
    """Whether it has this number or the one before; some count from 0."""
    return len(href) <= LONGEST_URL and not {number, number - 1}.isdisjoint(map(int, _DIGITS.findall(href)))


def _may_be(href: bytes, here: str, first: str, number: int) -> bool:
    return nth_page(_address(href, here), first) in (number, number - 1)


def _address(href: bytes, here: str) -> str:
    try:
        return urljoin(here, unescape(href.decode("utf-8", "replace")))
    except ValueError:  # such as an unfinished IPv6 host
        return here


def is_front_page(url: str) -> bool:
    """Whether an address is that of a whole site, whose pager leads to older articles."""
    parts = urlsplit(url)
    return parts.path in ("", "/") and not parts.query


def nth_page(url: str, first: str) -> int | None:
    """Which page of the article that begins at `first` an address is; None where it does not say.

    An article that has a number in its own address is the first page of nothing: /notes/41, /notes/42.
    """
    base = _base(first)
    try:
        parts = urlsplit(request_url(url))
    except ValueError:
        return None
    if parts.netloc.lower() != base.host:
        return None
    for name, value in _counting(parts.query):
        if same_page_key(urlunsplit(_without(parts, name))) in (base.key, base.bare.get(name)):
            return int(value.rpartition(",")[2])
    # As a part of the path; what else the address has must be as it is.
    found = next((number for stem, number in _counted(parts.path) if stem in base.names), None)
    if found is None or same_page_key(urlunsplit(base.parts._replace(query=parts.query))) != base.key:
        return None
    return found


def counts_itself(first: str) -> bool:
    """Whether the first page has a number as well, so that the next one may be the next article."""
    base = _base(first)
    return bool(base.bare) or len(base.names) > 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Base:
    """The first page of an article, as others are compared with it."""

    parts: SplitResult
    key: str
    # Without a parameter that counts, and is 0 or 1.
    bare: dict[str, str]
    names: frozenset[str]

    @property
    def host(self) -> str:
        return self.parts.netloc.lower()


@lru_cache(maxsize=64)  # A page is asked about each of its links.
def _base(first: str) -> _Base:
    parts = urlsplit(request_url(first))
    # report-1.html is followed by report-2.html.
    names = {stem for stem, number in _counted(parts.path) if number in (0, 1)}
    bare = {
        name: same_page_key(urlunsplit(_without(parts, name)))
        for name, value in _counting(parts.query)
        if int(value.rpartition(",")[2]) in (0, 1)
    }
    return _Base(
        parts=parts, key=same_page_key(first), bare=bare, names=frozenset({_name(parts.path), *names})
    )


def _counting(query: str) -> Iterator[tuple[str, str]]:
    """The parameters that may count pages, each once."""
    found: dict[str, str] = {}
    for name, value in parse_qsl(query):
        if _is_number(name, value):
            found.setdefault(name, value)
    yield from found.items()


def _is_number(name: str, value: str) -> bool:
    """Also for the second pager of a page, as Drupal counts: page=0,1."""
    value = value.removeprefix("0,").removeprefix("0,")
    return name.lower() in _PARAMETERS and value.isdecimal() and len(value) <= _MOST_DIGITS


def _without(parts: SplitResult, name: str) -> SplitResult:
    pairs = [pair for pair in parts.query.split("&") if pair.partition("=")[0] != name]
    return parts._replace(query="&".join(pairs))


def _counted(path: str) -> Iterator[tuple[str, int]]:
    """The articles of which a path may be a numbered page."""
    bare = _ENDING.sub("", path.rstrip("/"))
    for form in _FORMS:
        if found := form.fullmatch(bare):
            yield _name(found["stem"]), int(found["number"])


def _name(path: str) -> str:
    return _ENDING.sub("", _INDEX.sub("", path)).rstrip("/").lower()
