"""How the sources stand to each other: which is asked first, and which copy from one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver.documents.times.model import Source, What

if TYPE_CHECKING:
    from archiver.documents.times.model import Evidence

RANK = {source: rank for rank, source in enumerate(Source)}

# Written for machines, about the article: the others are often about something else on the page.
_STRONG = frozenset({Source.FEED, Source.KNOWLEDGE, Source.META, Source.JSON_LD, Source.MICRODATA})
# Of a change, these say when a file was written, whatever changed in it.
WRITTEN = frozenset({Source.SITEMAP, Source.HTTP, Source.ETAG})

_PAGE = "page"
# Two sources of one family repeat the same field of the same program: they do not confirm each other.
_FAMILIES = {
    Source.KNOWLEDGE: _PAGE,
    Source.META: _PAGE,
    Source.JSON_LD: _PAGE,
    Source.MICRODATA: _PAGE,
    Source.VAGUE_META: _PAGE,
    Source.TIME: _PAGE,
    Source.TEXT: _PAGE,
    Source.ETAG: Source.HTTP.value,
}


# Where an entry is from another place than its feed; the other ways lead to pages of the feed itself.
_WAYS = {"sitemap": Source.SITEMAP, "site": Source.LISTING, "listing": Source.LISTING}


def source_of(found_by: str | None) -> Source:
    """Where an entry was found, by the way of filling a gap that brought it."""
    return _WAYS.get(found_by or "", Source.FEED)


def family(source: Source) -> str:
    return _FAMILIES.get(source, source.value)


def is_strong(said: Evidence) -> bool:
    # A sitemap of news states the publication itself.
    return said.source in _STRONG or (said.source is Source.SITEMAP and said.what is What.PUBLISHED)
