"""Sitemaps: what a site says that it has, with dates; and robots.txt, which names them."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING

from lxml import etree

from archiver.documents.codings import decode_content
from archiver.documents.feeds import fields
from archiver.documents.feeds.dates import written_day
from archiver.documents.feeds.model import FeedDate, FeedEntry
from archiver.documents.lists.model import ArchivePage, SitemapLink
from archiver.documents.lists.shapes import learn, matches

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# The protocol's own limits: 50 MiB and 50,000 addresses.
MAX_BYTES = 50 * 1024 * 1024
MAX_URLS = 50_000
# So many are looked at; dated ones that are too old are not counted.
MAX_ENTRIES = 5000
MAX_SITEMAPS = 1000
_GZIP = b"\x1f\x8b"
# Within a line: many empty ones would be gone through from each of them.
_NAMED = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S+)", re.IGNORECASE | re.MULTILINE)
_ROBOTS_BYTES = 512 * 1024
# A sitemap's date may be that of another time zone.
_SLACK = timedelta(days=1)


def sitemaps_in_robots(body: bytes, *, url: str) -> tuple[SitemapLink, ...]:
    """The sitemaps that a robots.txt names."""
    text = body[:_ROBOTS_BYTES].decode("utf-8", "replace")
    named = fields.unique(fields.link(address, url) for address in _NAMED.findall(text))
    return tuple(SitemapLink(url=address) for address in named[:MAX_SITEMAPS])


def read_sitemap(
    body: bytes, *, url: str, examples: Sequence[str], since: datetime | None, most: int = MAX_ENTRIES
) -> ArchivePage:
    """What looks like the examples and is no older than `since`; of an index, where that may be."""
    shapes = learn(examples)
    entries: dict[str, FeedEntry] = {}
    sitemaps: list[SitemapLink] = []
    for found in listed(body, url):
        if found.is_sitemap:
            sitemaps += [found.link] if len(sitemaps) < MAX_SITEMAPS and found.may_be(since) else []
        elif matches(found.url, shapes) and found.may_be(since):
            entries.setdefault(found.url, found.entry)
        if len(entries) >= most:
            break
    return ArchivePage(entries=tuple(entries.values()), sitemaps=tuple(sitemaps))


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What a sitemap lists: a page, or another sitemap."""

    url: str
    is_sitemap: bool
    modified: FeedDate | None = None
    published: FeedDate | None = None
    title: str | None = None

    @property
    def at(self) -> datetime | None:
        return _latest(self.published or self.modified)

    @property
    def lastmod(self) -> datetime | None:
        return _latest(self.modified)

    def may_be(self, since: datetime | None) -> bool:
        """True unless it is known to be older."""
        return since is None or self.at is None or self.at >= since - _SLACK

    @property
    def link(self) -> SitemapLink:
        return SitemapLink(url=self.url, modified=self.at)

    @property
    def entry(self) -> FeedEntry:
        # A change is not a publication; the page itself has its own date.
        return FeedEntry(link=self.url, title=self.title, published=self.published, updated=self.modified)


def _latest(stamp: FeedDate | None) -> datetime | None:
    """The last moment that a date may mean."""
    if stamp is None or stamp.utc:
        return stamp.utc if stamp else None
    day = written_day(stamp.text)
    return datetime.combine(day, time.max, tzinfo=UTC) if day else None


def listed(body: bytes, url: str) -> Iterator[Listed]:
    """Whatever a sitemap lists, in its order, within the protocol's limits."""
    if body.startswith(_GZIP):
        body = decode_content(body, ["gzip"], MAX_BYTES)
    body = body[:MAX_BYTES]
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<"):
        yield from _lines(body, url)
        return
    # Entities stay what they are: a bomb of them is never lit. Nothing is fetched for a DTD.
    options = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
    events = etree.iterparse(io.BytesIO(body), events=("end",), recover=True, **options)
    count = 0
    try:
        for _, element in events:
            name = _name(element)
            if name not in {"url", "sitemap"}:
                continue
            if found := _found(element, url, is_sitemap=name == "sitemap"):
                yield found
            element.clear()
            count += 1
            if count >= MAX_URLS:
                return
    except etree.XMLSyntaxError:
        # What came before the damage counts.
        return


def _lines(body: bytes, url: str) -> Iterator[Listed]:
    """A sitemap may be a plain list of addresses."""
    for line in body.decode("utf-8", "replace").splitlines()[:MAX_URLS]:
        if line.startswith(("http://", "https://")) and (address := fields.link(line, url)):
            yield Listed(url=address, is_sitemap=False)


def _found(element: etree._Element, url: str, *, is_sitemap: bool) -> Listed | None:
    texts: dict[str, str] = {}
    for part in element.iter():
        name = _name(part)
        if name and part.text and name not in texts:
            texts[name] = part.text
    address = fields.link(texts.get("loc"), url)
    if address is None:
        return None
    return Listed(
        url=address,
        is_sitemap=is_sitemap,
        modified=fields.stamp(texts.get("lastmod")),
        published=fields.stamp(texts.get("publication_date")),
        title=fields.plain(texts.get("title"), markup=False),
    )


def _name(element: etree._Element) -> str:
    """The name without its namespace; nothing for comments and entities."""
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""
