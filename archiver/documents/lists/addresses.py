"""Addresses at which older entries may be had, made from those that are known."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from archiver.urls import host_of, is_web, request_url

if TYPE_CHECKING:
    from collections.abc import Sequence

# Where sitemaps are when robots.txt names none: by the protocol, and as the largest systems have them.
_SITEMAPS = ("/sitemap.xml", "/sitemap_index.xml", "/wp-sitemap.xml")

# Where static blogs have the list of all they published: Pelican, Jekyll, Hexo.
_ARCHIVES = ("archives.html", "archive/", "archives/")


def same_site(url: str, others: Sequence[str]) -> bool:
    """True if an address is of the same host as one of the others, or of a part of it."""
    return any(_related(_bare(url), _bare(other)) for other in others)


def _related(one: str, other: str) -> bool:
    return bool(one and other) and (
        one == other or one.endswith(f".{other}") or (other.endswith(f".{one}") and "." in one)
    )


def _bare(url: str) -> str:
    return host_of(url).removeprefix("www.")


def with_page(url: str, name: str, number: int) -> str:
    """The address with `name=number` among its parameters."""
    parts = urlsplit(request_url(url))
    pairs = [pair for pair in parse_qsl(parts.query, keep_blank_values=True) if pair[0] != name]
    return urlunsplit(parts._replace(query=urlencode([*pairs, (name, str(number))])))


def listing_pages(link: str | None, examples: Sequence[str]) -> list[str]:
    """Where a site may list what it published: the channel's own page, then what all entries lie below."""
    found = [link] if link and is_web(link) else []
    if examples:
        found += [urljoin(examples[0], "/")] if not found else []
        found.append(urljoin(examples[0], _common_path(examples)))
    return list(dict.fromkeys(request_url(url) for url in found))


def _common_path(examples: Sequence[str]) -> str:
    """The folders that nearly all entries of the most common host share, without those that are numbers."""
    host = Counter(map(host_of, examples)).most_common(1)[0][0]
    paths = [urlsplit(url).path.split("/")[1:-1] for url in examples if host_of(url) == host]
    shared: list[str] = []
    for place in zip(*(path for path in paths), strict=False):
        if len(set(place)) > 1 or place[0].isdecimal():
            break
        shared.append(place[0])
    return "/" + "".join(f"{segment}/" for segment in shared)


def own_links(links: Sequence[str], url: str, home: str | None) -> list[str]:
    """Those of a channel's links that lead to its own site, not to others that it tells of."""
    return [link for link in links if same_site(link, [url, home or url])]


def robots_of(url: str) -> str:
    return urljoin(request_url(url), "/robots.txt")


def usual_sitemaps(url: str) -> list[str]:
    return [urljoin(url, path) for path in _SITEMAPS]


def usual_archives(url: str) -> list[str]:
    return [urljoin(url, path) for path in _ARCHIVES]
