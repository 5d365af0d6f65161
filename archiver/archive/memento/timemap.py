"""TimeMaps: the mementos of an address as a list of links (RFC 7089, RFC 6690, RFC 8288)."""

from __future__ import annotations

import re
from email.utils import format_datetime
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from archiver.archive.cdxj.lines import CdxLine

MEDIA_TYPE = "application/link-format"
# What RFC 3986 lets stand in an address; all else, such as the `>` that would end it, is escaped.
_ALLOWED = "!#$%&'()*+,/:;=?@~"
_LONE_PERCENT = re.compile(r"%(?![0-9A-Fa-f]{2})")
# A host may be written in brackets, as an address of IPv6; nothing else may.
_HOST = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://\[[0-9A-Fa-f:.]+\]")


class Addresses:
    """Where an archive answers, in the way of Wayback machines: all below one address."""

    def __init__(self, base_url: str) -> None:
        self.base = as_uri(base_url.rstrip("/") + "/")

    def timemap(self, url: str) -> str:
        return f"{self.base}timemap/link/{escaped(url)}"

    def timegate(self, url: str) -> str:
        return f"{self.base}{escaped(url)}"

    def memento(self, capture: CdxLine) -> str:
        return f"{self.base}{capture.timestamp}/{escaped(capture.url)}"


def link_format(url: str, captures: Sequence[CdxLine], addresses: Addresses) -> str:
    """The TimeMap of an address that has captures, the oldest first."""
    span = {"from": http_date(captures[0].date), "until": http_date(captures[-1].date)}
    links = [
        _link(as_uri(url), rel="original"),
        _link(addresses.timemap(url), rel="self", type=MEDIA_TYPE, **span),
        _link(addresses.timegate(url), rel="timegate"),
        *_mementos(captures, addresses),
    ]
    return ",\n".join(links) + "\n"


def http_date(moment: datetime) -> str:
    return format_datetime(moment, usegmt=True)


def as_uri(url: str) -> str:
    """An address with nothing in it that no address may have; what is escaped already stays as it is."""
    host = _HOST.match(url)
    return host[0] + escaped(url[host.end() :]) if host else escaped(url)


def escaped(url: str) -> str:
    """The same for an address within another one."""
    return quote(_LONE_PERCENT.sub("%25", url), safe=_ALLOWED)


def _mementos(captures: Sequence[CdxLine], addresses: Addresses) -> Iterator[str]:
    for place, capture in enumerate(captures, start=1):
        ends = ("first " if place == 1 else "") + ("last " if place == len(captures) else "")
        yield _link(addresses.memento(capture), rel=f"{ends}memento", datetime=http_date(capture.date))


def _link(target: str, **parameters: str) -> str:
    return "; ".join((f"<{target}>", *(f'{name}="{_quoted(value)}"' for name, value in parameters.items())))


def _quoted(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
