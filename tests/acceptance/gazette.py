"""A small site that sends its pages in all the ways that an archive must be able to give back."""

from __future__ import annotations

import gzip
import random
from typing import TYPE_CHECKING

import brotli

from tests.crawl.documents import Entry, page, prose, rss
from tests.crawl.site import Answer, conditional, not_found, redirect

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.crawl.site import Site

FEED = "/feed.xml"


def _article(number: int) -> Answer:
    # Long enough to be kept only once, also when it is compressed.
    return page(f"Article {number}", prose(number, paragraphs=20))


def _gzipped(answer: Answer) -> Answer:
    return answer.but(("Content-Encoding", "gzip"), body=gzip.compress(answer.body, mtime=0))


def _brotli(answer: Answer) -> Answer:
    return answer.but(("Content-Encoding", "br"), body=brotli.compress(answer.body))


_PLAIN = _article(1)
# Any two bodies of this size differ, and none of them gets smaller.
_PAPER = Answer(headers=(("Content-Type", "application/pdf"),), body=random.Random(1).randbytes(40_000))

# The pages on which to find them, by the number that their words were made from.
ARTICLES = {1: "/plain", 2: "/gzip", 3: "/brotli", 4: "/chunked", 5: "/gzip-in-chunks"}
PAGES = {
    "/plain": _PLAIN,
    "/gzip": _gzipped(_article(2)),
    "/brotli": _brotli(_article(3)),
    "/chunked": _article(4).but(chunked=True),
    "/gzip-in-chunks": _gzipped(_article(5)).but(chunked=True),
    "/paper.pdf": _PAPER,
}
# Bodies that the archive has already, under another address.
COPIES = {"/plain-again": "/plain", "/paper-again.pdf": "/paper.pdf", "/gzip-again": "/gzip"}
REDIRECTS = {"/moved": (302, "/target"), "/moved-for-good": (301, "/target-for-good")}
TARGETS = {"/target": _article(6), "/target-for-good": _article(7).but(chunked=True)}
OTHERS = {"/missing": not_found(), "/empty": Answer(headers=(("Content-Type", "text/html"),))}

WHOLE = {**PAGES, **{path: PAGES[original] for path, original in COPIES.items()}, **TARGETS}
CHUNKED = {path for path, answer in WHOLE.items() if answer.chunked}


# What the feed announces: copies only once their originals have been kept.
FIRST_DAY = (*PAGES, *OTHERS, *REDIRECTS)
ALL_DAYS = (*FIRST_DAY, *COPIES)


def put_up(site: Site) -> None:
    """Script the whole site. Its feed says nothing new from the third time on."""
    for path, answer in {**WHOLE, **OTHERS}.items():
        site.add(path, answer)
    for path, (code, target) in REDIRECTS.items():
        site.add(path, redirect(target, code))
    site.add(FEED, feed(FIRST_DAY), conditional(feed(ALL_DAYS)))


def feed(paths: Sequence[str] = ALL_DAYS) -> Answer:
    entries = [Entry(link=path, title=path, id=path) for path in paths]
    return rss(entries).but(("ETag", f'"{len(paths)}"'))
