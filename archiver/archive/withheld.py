"""What is withheld: kept in the archive, and shown to no reader, until it is lifted."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec

from archiver.archive.cdxj.lines import target_uri
from archiver.archive.cdxj.surt import surt_key
from archiver.errors import ConfigurationError, WithheldError
from archiver.urls import is_web, redact, request_url, same_page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

URL, PREFIX, HOST = "url", "prefix", "host"
EVERYTHING_BELOW = "*"
_WWW = re.compile(r"www\d*\.")
_HOST = re.compile(r"(?P<name>[a-z0-9_-]+(?:\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?")
_ADDRESS = re.compile(r"https?://[^\s()]+")
_DEFAULT_PORTS = {"http": 80, "https": 443}


class WithheldPattern(msgspec.Struct, frozen=True, kw_only=True):
    """What an order is about: a page, all pages whose addresses begin so, or a host and those below it."""

    kind: str
    named: str  # as it was typed
    keys: tuple[str, ...]


class WithholdingOrder(msgspec.Struct, frozen=True, kw_only=True):
    """An order to withhold, in force until it is lifted."""

    kind: str
    named: str
    reason: str
    since: datetime
    lifted: datetime | None = None
    lift_reason: str | None = None
    # A run has not taken it up yet; it holds all the same.
    is_waiting: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """All that is withheld: the reasons by the keys of pages, of beginnings of addresses, and by hosts."""

    pages: Mapping[str, str] = field(default_factory=dict)
    prefixes: Mapping[str, str] = field(default_factory=dict)
    hosts: Mapping[str, str] = field(default_factory=dict)
    # The sites of the first two: other URLs need no key.
    sites: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.pages or self.prefixes or self.hosts)

    def hides(self, url: str) -> bool:
        return self.reason(url) is not None

    def hides_any(self, urls: Iterable[str | None]) -> bool:
        return bool(self) and any(self.hides(url) for url in urls if url)

    def hides_within(self, text: str) -> bool:
        """Whether a text, such as a note of a run, names an address that is withheld."""
        return bool(self) and self.hides_any(found[0].rstrip(".,:;") for found in _ADDRESS.finditer(text))

    def reason(self, url: str) -> str | None:
        """Why a URL is withheld; None where it is not."""
        if not self:
            return None
        if self.hosts and (found := next(filter(None, map(self.hosts.get, _hosts_of(url))), None)):
            return found
        site = _quick_site(url)
        if not self.sites or (site is not None and site not in self.sites):
            return None
        key = page_key(url)
        if found := self.pages.get(key):
            return found
        return next((why for start, why in self.prefixes.items() if key.startswith(start)), None)

    def concerns(self, host: str) -> bool:
        """Whether anything of a host may be withheld: of others, no address needs to be looked at."""
        url = f"http://{host}/"
        site = _quick_site(url)
        return bool(self) and (site is None or site in self.sites or self.hides(url))

    def refuse(self, url: str) -> None:
        """Raise WithheldError where the URL is withheld."""
        if (why := self.reason(url)) is not None:
            raise WithheldError(refusal(url, why))


NOTHING_WITHHELD = Withheld()


def refusal(url: str, why: str) -> str:
    return f"{redact(url)} is withheld ({redact(why)}): `scrapy withhold --list` has all that is"


def withheld_by(patterns: Iterable[tuple[WithheldPattern, str]]) -> Withheld:
    """The value of patterns in force, each with its reason."""
    found: dict[str, dict[str, str]] = {URL: {}, PREFIX: {}, HOST: {}}
    for pattern, reason in patterns:
        found[pattern.kind].update(dict.fromkeys(pattern.keys, reason or "no reason was given"))
    sites = {_site_of(key) for key in (*found[URL], *found[PREFIX])}
    return Withheld(pages=found[URL], prefixes=found[PREFIX], hosts=found[HOST], sites=frozenset(sites))


def pattern_of(text: str) -> WithheldPattern:
    """What a person names: `https://…` a page, `https://…/*` all below it, `example.org` a host."""
    text = text.strip()
    if text.endswith(EVERYTHING_BELOW) and is_web(text.removesuffix(EVERYTHING_BELOW)):
        return WithheldPattern(
            kind=PREFIX, named=text, keys=(_prefix_key(text.removesuffix(EVERYTHING_BELOW)),)
        )
    if is_web(text):
        return WithheldPattern(kind=URL, named=text, keys=page_keys([text]))
    return WithheldPattern(kind=HOST, named=text, keys=(_host_key(text),))


def page_keys(urls: Iterable[str]) -> tuple[str, ...]:
    """The keys of pages, also as objects and feeds show them: without passwords and tokens."""
    return tuple(dict.fromkeys(page_key(one) for url in urls for one in (url, redact(url))))


def page_key(url: str) -> str:
    """One for http and https, with `www.` or without, whatever the case, fragment and tracking parameters.

    The index tells no more of them apart, and what is to be hidden must not be had by another spelling.
    """
    try:
        return surt_key(target_uri(same_page_key(url)))
    except ValueError:
        return url


def _prefix_key(start: str) -> str:
    if "?" in start or "#" in start:
        raise ConfigurationError(f"{redact(start)}*: an asterisk ends a path, and cannot stand behind ? or #")
    # A letter more: the key of an address that ends in a slash has none.
    return surt_key(target_uri(request_url(start + "x"))).removesuffix("x")


def _host_key(text: str) -> str:
    found = _HOST.fullmatch(_plain_host(text))
    if found is None:
        told = f"{redact(text)} is neither a web address nor a host: write https://example.org/page,"
        raise ConfigurationError(f"{told} https://example.org/folder/* or example.org")
    return found[0]


def _plain_host(text: str) -> str:
    name = text.strip().rstrip(".").lower()
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode("ascii")
    except UnicodeError:
        return name


def _hosts_of(url: str) -> Iterator[str]:
    """The names under which the host of a URL may be withheld: with its port or without; those above it."""
    try:
        parts = urlsplit(url.strip())
        name, port = _plain_host(parts.hostname or ""), parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return
    name = f"[{name}]" if ":" in name else name
    for one in (name, f"www.{name}", *_names_above(name)):
        yield one
        yield f"{one}:{port}"


def _names_above(name: str) -> Iterator[str]:
    while "." in name:
        name = name.partition(".")[2]
        yield name


def _site_of(key: str) -> str:
    """`org,example` of `org,example)/page`; without the port."""
    return key.partition(")")[0].partition(":")[0]


def _quick_site(url: str) -> str | None:
    """The same of a URL, without its key; None where only the key can tell."""
    try:
        name = (urlsplit(url.strip()).hostname or "").lower()
    except ValueError:
        return None
    # An address has several forms, of which the key has one.
    if not _HOST.fullmatch(name) or name.replace(".", "").isdecimal():
        return None
    return ",".join(reversed(_WWW.sub("", name, count=1).split(".")))
