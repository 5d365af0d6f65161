"""Feeds of wikis announce changes and link to differences: which page each entry is a change of.

MediaWiki and DokuWiki, as their own feeds are written. Nothing is guessed: where neither the feed nor the
address is surely that software's, a link stays what it is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote, urlsplit, urlunsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from urllib.parse import SplitResult

    from archiver.documents.feeds.model import FeedEntry, ParsedFeed

_MEDIAWIKI = re.compile(r"\s*mediawiki\b", re.IGNORECASE)
_DOKUWIKI = re.compile(r"dokuwiki", re.IGNORECASE)
# By which DokuWiki makes its feeds, and others make theirs.
_FEEDCREATOR = re.compile(r"feedcreator", re.IGNORECASE)
# A revision of MediaWiki: a number, or a place beside one.
_REVISION = re.compile(r"\d+|prev|next|cur", re.IGNORECASE)
# A revision of DokuWiki: the second in which it was made.
_SECOND = re.compile(r"\d{9,11}")
# What an address of MediaWiki has beside its page.
_OF_MEDIAWIKI = frozenset({"diff", "oldid", "rcid", "diffmode", "type", "unhide", "action", "direction"})
_OF_DOKUWIKI = frozenset({"rev", "do", "difftype", "mediado", "tab_details", "rev2[0]", "rev2[1]"})
_DOKUWIKI_ACTIONS = frozenset({"diff", "revisions"})
# These pages have no title of their own in their address: `Special:Diff/2`, in whatever language the wiki is.
_BY_NUMBER = re.compile(r"(?P<root>.*/)special:(?:diff|permanentlink|permalink)/", re.IGNORECASE)
# Where MediaWiki's feeds of changes are, and what they call themselves.
_OF_CHANGES = re.compile(
    r"action=(?:history|feedrecentchanges|feedwatchlist|feedcontributions)\b|recentchanges", re.IGNORECASE
)
_SPECIAL = re.compile(r"special:", re.IGNORECASE)
# What MediaWiki itself leaves as it is in addresses.
_PLAIN = "-._~:/;@$!*(),"


def with_changed_pages(feed: ParsedFeed, url: str) -> ParsedFeed:
    """The feed, with the pages of which its entries announce changes; `url` is the feed's own."""
    about = _about(feed, url)
    pages = [_page(entry, about) for entry in feed.entries]
    if any(pages) or about.is_of_changes:
        # Among differences, a plain link is what happened to a page as a whole: moved, deleted, protected.
        pages = [page or about.plain(entry) for page, entry in zip(pages, feed.entries, strict=True)]
    if not any(pages):
        return feed
    found = zip(feed.entries, pages, strict=True)
    return replace(feed, entries=tuple(_changed(entry, page) if page else entry for entry, page in found))


def _changed(entry: FeedEntry, page: str) -> FeedEntry:
    # When a page was changed says nothing of when it was published.
    return replace(entry, changed_page=page, published=None, updated=entry.updated or entry.published)


@dataclass(frozen=True, slots=True, kw_only=True)
class _About:
    """What a feed tells of its software."""

    is_mediawiki: bool
    is_dokuwiki: bool
    may_be_dokuwiki: bool
    is_of_changes: bool
    # Where MediaWiki has its pages, as people see them: such as https://example.org/wiki/
    root: str | None

    def plain(self, entry: FeedEntry) -> str | None:
        return (entry.original_link or entry.link) if self.is_mediawiki or self.is_dokuwiki else None


def _about(feed: ParsedFeed, url: str) -> _About:
    said = feed.info.generator or ""
    is_mediawiki = _MEDIAWIKI.match(said) is not None
    is_dokuwiki = _DOKUWIKI.search(said) is not None or _path(url).endswith("/feed.php")
    named = f"{unquote(url)} {unquote(feed.info.link or '')}"
    lists_pages = is_dokuwiki and any("/doku.php" in _path(entry.link or "") for entry in feed.entries)
    return _About(
        is_mediawiki=is_mediawiki,
        is_dokuwiki=is_dokuwiki,
        may_be_dokuwiki=is_dokuwiki or _FEEDCREATOR.search(said) is not None,
        is_of_changes=(is_mediawiki and _OF_CHANGES.search(named) is not None) or lists_pages,
        root=next(_roots(feed), None) if is_mediawiki else None,
    )


def _roots(feed: ParsedFeed) -> Iterator[str]:
    """By the feed's own page, which is a special one, and by the talk pages of what was changed."""
    for link in (feed.info.link, *(entry.comments for entry in feed.entries)):
        parts = _split(link)
        if parts is None or parts.query:
            continue
        above, segments = "", parts.path.split("/")
        for segment in segments:
            if ":" in unquote(segment):
                yield urlunsplit(parts._replace(path=above, fragment=""))
                break
            above += f"{segment}/"


def _page(entry: FeedEntry, about: _About) -> str | None:
    parts = _split(entry.original_link or entry.link)
    if parts is None:
        return None
    return _mediawiki_page(entry, parts, about) or _dokuwiki_page(parts, about)


# ── MediaWiki ────────────────────────────────────────────────────────────────────────────────────────────


def _mediawiki_page(entry: FeedEntry, parts: SplitResult, about: _About) -> str | None:
    query = _raw_query(parts)
    if about.is_mediawiki and (found := _BY_NUMBER.match(unquote(parts.path))):
        return _titled(entry, urlunsplit(parts._replace(path=found["root"], query="", fragment="")))
    is_script = parts.path.endswith("/index.php")
    is_certain = is_script and query.keys() >= {"title", "diff", "oldid"}
    revisions = [query[name] for name in ("diff", "oldid") if name in query]
    if (
        not (is_certain or about.is_mediawiki)
        or not revisions
        or not all(map(_REVISION.fullmatch, revisions))
    ):
        return None
    title = query.get("title", "")
    if title and not _SPECIAL.match(unquote(title)):
        return _at_root(parts, title, about.root)
    rest = {name: value for name, value in query.items() if name not in _OF_MEDIAWIKI | {"title"}}
    if "curid" in rest or not is_script:
        return urlunsplit(parts._replace(query="&".join(f"{a}={b}" for a, b in rest.items()), fragment=""))
    return _titled(entry, about.root)


def _at_root(parts: SplitResult, title: str, root: str | None) -> str:
    """The page as people see it, where that is known: the script itself is often closed to robots."""
    if root is not None and urlsplit(root).netloc == parts.netloc:
        return f"{root}{title}"
    return urlunsplit(parts._replace(query=f"title={title}", fragment=""))


def _titled(entry: FeedEntry, root: str | None) -> str | None:
    """Where an address has only numbers: the page by its name, which is the title of the entry."""
    return f"{root}{quote(entry.title.replace(' ', '_'), safe=_PLAIN)}" if root and entry.title else None


# ── DokuWiki ─────────────────────────────────────────────────────────────────────────────────────────────


def _dokuwiki_page(parts: SplitResult, about: _About) -> str | None:
    query = _raw_query(parts)
    action = query.get("do", "")
    is_its = about.may_be_dokuwiki if action else about.is_dokuwiki
    if not is_its or not _SECOND.fullmatch(query.get("rev", "")):
        return None
    if action and action not in _DOKUWIKI_ACTIONS and not (action == "media" and "image" in query):
        return None
    left_out = _OF_DOKUWIKI - ({"do"} if action == "media" else set())
    rest = [f"{name}={value}" for name, value in query.items() if name not in left_out]
    return urlunsplit(parts._replace(query="&".join(rest), fragment=""))


# ── Addresses ────────────────────────────────────────────────────────────────────────────────────────────


def _split(link: str | None) -> SplitResult | None:
    try:
        parts = urlsplit(link or "")
    except ValueError:  # such as an unfinished IPv6 host
        return None
    return parts if parts.scheme in {"http", "https"} and parts.netloc else None


def _path(url: str) -> str:
    parts = _split(url)
    return parts.path if parts else ""


def _raw_query(parts: SplitResult) -> dict[str, str]:
    """The parameters as they are written: the same escapes stand in a path."""
    pairs = (pair.partition("=") for pair in parts.query.split("&") if pair)
    return {name: value for name, _, value in pairs}
