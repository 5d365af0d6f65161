"""Whether two addresses give one feed: by what the feeds say of themselves, never by how addresses look."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.digests import name_digest

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from archiver.documents.feeds.model import FeedEntry, ParsedFeed

# So many entries in a row must be the same, in the same order.
LEAST_SHARED = 5
# Of so many entries that a feed shows first, a short name is remembered.
_MOST_SHOWN = 20
_NAME_LENGTH = 8


def identity_of(feed: ParsedFeed, url: str) -> str | None:
    """The same for feeds that claim to be one: worth a look at their entries. None: it claims nothing."""
    info = feed.info
    # What carries whole articles is worth more than what announces them: they are never one.
    kind = "full" if any(entry.content for entry in feed.entries) else "brief"
    if info.self_url:
        return name_digest(f"self {kind} {info.self_url}")
    if not info.title or not info.link:
        return None
    # Without an address of its own a feed says too little: only spellings of one address are looked at.
    return name_digest("\n".join(("bare", kind, _bare(url), feed.format, info.link, info.title)))


def shown_by(entries: Sequence[FeedEntry]) -> tuple[str, ...]:
    """Short names of the entries that a feed shows first, in its order; nothing if they have none."""
    names = [entry.id or entry.link for entry in entries[:_MOST_SHOWN]]
    if None in names or len(set(names)) < len(names):
        return ()
    return tuple(name_digest(name or "", _NAME_LENGTH) for name in names)


def show_the_same(one: Sequence[str], other: Sequence[str]) -> bool:
    """True for two looks at one feed, at different times or with windows of different sizes.

    Then the later one shows new entries first and goes on just as the earlier one begins. A feed of one
    category beside the feed of everything does not: others stand between its entries.
    """
    return any(_goes_on(*pair) for pair in ((one, other), (other, one)))


def _goes_on(earlier: Sequence[str], later: Sequence[str]) -> bool:
    return any(
        len(both) >= LEAST_SHARED and all(mine == theirs for mine, theirs in both)
        for both in _overlaps(earlier, later)
    )


def _overlaps(earlier: Sequence[str], later: Sequence[str]) -> Iterator[list[tuple[str, str]]]:
    for new in range(len(later)):
        yield list(zip(earlier, later[new:], strict=False))


def _bare(url: str) -> str:
    """The address without what often makes no difference."""
    parts = urlsplit(url)
    return f"{(parts.hostname or '').removeprefix('www.')}{parts.path.rstrip('/')}?{parts.query}"
