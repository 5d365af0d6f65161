"""Contributions: what readers and editors add to a page, such as comments, posts of a forum and revisions."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from archiver.digests import folded, name_digest
from archiver.documents.feeds.model import FeedDate  # noqa: TC001 - msgspec reads annotations when it runs

if TYPE_CHECKING:
    from collections.abc import Iterable

# Of a key that the page gives; longer ones are cut, with a digest of the whole.
_LONGEST_KEY = 200


class ContributionKind(StrEnum):
    COMMENT = "comment"
    POST = "post"  # of a forum, or a note in a tracker
    REVISION = "revision"  # of a page of a wiki


class ReadBy(StrEnum):
    """What read a contribution. Texts that were read in different ways are not compared."""

    KNOWLEDGE = "knowledge"  # an entry of the knowledge base
    MARKUP = "markup"  # what the page itself says: microdata, JSON-LD, microformats
    LAYOUT = "layout"  # repeated siblings in a zone of comments
    FEED = "feed"  # the feed of the comments


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """One contribution as a page or a feed shows it."""

    kind: ContributionKind
    # What it is known by on its page, the same at each look: `comment-12`. See `stable_key`.
    key: str
    text: str
    html: str = ""  # clean markup, as `html` of an article
    author: str | None = None
    author_url: str | None = None
    # As it is written, with the moment in UTC where that is certain.
    published: FeedDate | None = None
    # The key of what it answers; None where it answers the page.
    parent: str | None = None
    url: str | None = None  # its own address
    position: int = 0  # on the page, from 0
    # From 0 to 1; 1 where a knowledge base or the page itself says what it is.
    confidence: float = 1.0
    read_by: ReadBy = ReadBy.KNOWLEDGE


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentsRead:
    """What a page shows of its comments, and whether that is all of them, as far as it says."""

    found: tuple[Contribution, ...] = ()
    is_whole: bool = False


def stable_key(own: str | None, author: str | None, published: str | None, text: str) -> str:
    """The name that the page gives; else one made from what does not change by itself.

    Where there is a date with a time, the text is left out: an edit is a new version, and not a new comment.
    """
    if own and own.strip():
        own = own.strip()
        return own if len(own) <= _LONGEST_KEY else f"{own[:_LONGEST_KEY]}…{name_digest(own)}"
    dated = published if published and ":" in published else ""
    return "~" + name_digest("\n".join((author or "", dated or folded(text))), 16)


def distinct_keys(found: Iterable[Contribution]) -> list[Contribution]:
    """All of them, where two have one key under a key of their own: in the order of the page."""
    taken: dict[str, int] = {}
    kept = []
    for one in found:
        taken[one.key] = number = taken.get(one.key, 0) + 1
        kept.append(one if number == 1 else replace(one, key=f"{one.key}~{number}"))
    return kept
