"""A search as Atom (RFC 4287), so that what is found anew can be followed in a reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archiver import __version__
from archiver.clock import rfc3339
from archiver.display.page import safe
from archiver.inspection.history.model import urn_of
from archiver.urls import is_web

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from archiver.search.model import Hit

_LONGEST_TITLE = 300


def search_feed(
    name: str, title: str, hits: Sequence[Hit], now: datetime, *, address: str = ""
) -> Iterator[str]:
    """The document in parts. `name` is its id, the same whenever it is made; `address` where it is served."""
    updated = max((hit.captured for hit in hits), default=now)
    link = f'<link rel="self" type="application/atom+xml" href="{safe(address)}"/>\n' if address else ""
    yield (
        '<?xml version="1.0" encoding="utf-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">\n'
        f"<id>{safe(name)}</id>\n<title>{safe(title)}</title>\n<updated>{rfc3339(updated)}</updated>\n"
        f"<author><name>archiver</name></author>\n{link}"
        f'<generator version="{safe(__version__)}">archiver</generator>\n'
    )
    yield from map(_entry, hits)
    yield "</feed>\n"


def _entry(hit: Hit) -> str:
    """An article is one entry, whatever its version: a reader shows it as updated."""
    said = "".join(
        f"<b>{safe(piece.text)}</b>" if piece.marked else safe(piece.text) for piece in hit.snippet
    )
    authors = "".join(f"<author><name>{safe(one)}</name></author>" for one in hit.authors)
    published = f"<published>{rfc3339(hit.published)}</published>" if hit.published else ""
    link = f'<link href="{safe(hit.url)}"/>' if is_web(hit.url) else ""
    source = f'<category term="{safe(hit.channel.title or hit.channel.url)}"/>' if hit.channel else ""
    return (
        f"<entry><id>{urn_of(('article', hit.contribution or hit.article or hit.url))}</id>"
        f"<title>{safe((hit.title or hit.url)[:_LONGEST_TITLE])}</title>{link}{authors}{published}"
        f"<updated>{rfc3339(hit.captured)}</updated>{source}"
        f'<content type="html">{safe(f"<p>{said}</p>")}</content></entry>\n'
    )
