"""A feed and a page that every worker can read: one that cannot is broken, whatever it was asked before."""

from __future__ import annotations

from archiver.articles.extract.methods import extract_group
from archiver.articles.extract.model import Article
from archiver.documents.feeds.parse import parse_feed
from archiver.documents.pages.model import Announcement, RawPage

_URL = "http://proof.invalid/"
_FEED = b"""<?xml version="1.0"?><rss version="2.0"><channel><title>Proof</title><link>http://proof.invalid/</link>
<item><title>The harbour at night</title><link>http://proof.invalid/harbour</link></item></channel></rss>"""
_WORDS = (
    "The harbour at night is a quiet place, and the last ferry leaves it soon after eight.",
    "Whoever misses that ferry walks home along the sea wall, which takes about an hour.",
    "The council has promised a later one for years, and says that next winter it will come.",
)
_PAGE = f"""<!DOCTYPE html><html lang="en"><head><title>The harbour at night</title></head><body>
<nav><a href="/">Home</a> <a href="/about">About</a></nav>
<article><h1>The harbour at night</h1><p>Published on 3 March 2024</p>{"".join(f"<p>{words}</p>" for words in _WORDS)}</article>
<footer>All rights reserved</footer></body></html>""".encode()  # noqa: E501 - as pages are


def prove(method: str | None) -> None:
    """Read what can be read; raises what keeps this worker from it."""
    feed = parse_feed(_FEED, url=_URL, content_type="application/rss+xml")
    if [entry.title for entry in feed.entries] != ["The harbour at night"]:
        raise RuntimeError("a known feed does not show its entry")
    if method is not None:
        _prove_pages(method)


def _prove_pages(method: str) -> None:
    said = Announcement(title="The harbour at night", summary=_WORDS[0])
    page = RawPage(
        id="<proof>", url=f"{_URL}harbour", body=_PAGE, content_type="text/html", announcement=said
    )
    (found,) = extract_group([page], method).results
    # A method of one's own may see this otherwise: that it gives an answer is enough.
    if not isinstance(found, Article) and method == "article":
        raise RuntimeError(f"a known page shows no article: {found.reason}")
