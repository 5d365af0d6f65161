"""What the archive has addresses of: its hosts, and the addresses that begin alike, page by page."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from typing import TYPE_CHECKING

import msgspec

from archiver.archive.cdxj.lines import target_uri
from archiver.archive.cdxj.surt import surt_key
from archiver.errors import ConfigurationError
from archiver.urls import host_of, redact, request_url

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from archiver.archive.cdxj.index import Index
    from archiver.archive.cdxj.lines import CdxLine

# A line of the index is `key time fields`: the signs after a space and after the bracket that ends a host.
_AFTER_KEY, _AFTER_HOST = "!", "*"


class CapturedAddress(msgspec.Struct, frozen=True, kw_only=True):
    """An address with captures, or the first page of a host."""

    url: str
    # Of the newest capture; of a host, none is looked for.
    time: datetime | None = None
    mime: str | None = None


class AddressList(msgspec.Struct, frozen=True, kw_only=True):
    """In the order of the index; with `next` as `after`, the ones behind them can be asked for."""

    addresses: tuple[CapturedAddress, ...] = ()
    next: str | None = None


def list_addresses(index: Index, start: str, *, limit: int = 100, after: str | None = None) -> AddressList:
    """The addresses that begin like this one."""
    found = _stepwise(index, prefix_key(start), after, lambda line: line.key + _AFTER_KEY)
    return _page(found, limit, lambda line: _noted(index, line))


def list_hosts(index: Index, *, limit: int = 100, after: str | None = None) -> AddressList:
    found = _stepwise(index, "", after, lambda line: line.key.partition(")")[0] + _AFTER_HOST)
    return _page(found, limit, lambda line: CapturedAddress(url=_first_page(line.url)))


def prefix_key(start: str) -> str:
    if "?" in start or "#" in start:
        raise ConfigurationError(f"{redact(start)}*: an asterisk ends a path, and cannot stand behind ? or #")
    # A letter more: the key of an address that ends in a slash has none.
    return surt_key(target_uri(request_url(start + "x"))).removesuffix("x")


def _stepwise(
    index: Index, prefix: str, after: str | None, behind: Callable[[CdxLine], str]
) -> Iterator[tuple[CdxLine, str]]:
    """The first capture of each, and where the next one begins: nothing in between is read."""
    start = after or ""
    while (line := next(index.range(prefix, start), None)) is not None:
        start = behind(line)
        # What was sent to an address has a key of its own.
        if line.submitted is None:
            yield line, start


def _page(
    found: Iterator[tuple[CdxLine, str]], limit: int, noted: Callable[[CdxLine], CapturedAddress]
) -> AddressList:
    addresses: list[CapturedAddress] = []
    for line, behind in found:
        addresses.append(noted(line))
        if len(addresses) == limit:
            has_more = next(found, None) is not None
            return AddressList(addresses=tuple(addresses), next=behind if has_more else None)
    return AddressList(addresses=tuple(addresses))


def _noted(index: Index, first: CdxLine) -> CapturedAddress:
    newest = next(index.newest(first.url), first)
    mime = None if newest.is_revisit else newest.mime
    return CapturedAddress(url=redact(newest.url), time=newest.date, mime=mime)


def _first_page(url: str) -> str:
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.partition('/')[0]}/" if host_of(url) else redact(url)
