"""Feeds that a site names, and where they may be that it does not name."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

WELL_KNOWN_PATHS: tuple[str, ...] = ("/feed", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/rss")


# Narrow on purpose: newspapers call their opinion pages "Comment", "Kommentare" or "Commentaire".
_COMMENTS_IN_PATH = re.compile(
    r"/comments(?:/|$|[-_.]?(?:feed|rss|atom|xml)\b)|/(?:feed|rss|atom)s?[-_/]comments\b", re.IGNORECASE
)


_COMMENTS_IN_TITLE = re.compile(
    r"\bcomments\b|\bkommentare? ?-? ?(?:feed|rss|zu\b)|\breacties ?-?feed|"
    r"(?:feed|flux|rss|fil)\b.*\b(?:commentaires|comentarios|comentários|commenti)|"
    r"лента комментариев|コメント|评论|評論|댓글",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscoveredFeed:
    url: str
    title: str | None = None
    type: str | None = None


def well_known(url: str) -> list[str]:
    """Addresses worth a try: beside the page, then at the top of its site."""
    starts = dict.fromkeys((urljoin(url, "."), urljoin(url, "/")))
    return [urljoin(start, path.lstrip("/")) for start in starts for path in WELL_KNOWN_PATHS]


def is_of_comments(feed: DiscoveredFeed) -> bool:
    """True where a feed's title or address says that it carries the comments of readers."""
    in_title = _COMMENTS_IN_TITLE.search(feed.title or "")
    return bool(in_title or _COMMENTS_IN_PATH.search(urlsplit(feed.url).path))
