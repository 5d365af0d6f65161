"""What is asked of the index, and what it answers."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs

import msgspec

from archiver.documents.contributions import ContributionKind

MOST_HITS = 500  # that one answer may have
# What can be asked of an article's change; those of an edit are of the version that is found.
EDITED, GONE, BACK = "edited", "gone", "back"
CHANGES = ("new", EDITED, "title", "text", "links", "images", "fields", GONE, BACK)
# What was found: the version of an article, or a document whose text was read for the index alone.
# What readers wrote about an article, and revisions of its page, have the names of their kinds.
ARTICLE, PDF = "article", "pdf"
CONTRIBUTIONS = tuple(ContributionKind)
KINDS_OF_HITS = (ARTICLE, PDF, *(kind.value for kind in CONTRIBUTIONS))


class SearchRequest(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Words and filters; all of them must hold. Without words, all that the filters leave."""

    words: str = ""
    channel: tuple[str, ...] = ()  # numbers or addresses: any of them, with the feeds of sites
    label: tuple[str, ...] = ()  # any of them
    author: str = ""
    category: str = ""
    language: str = ""
    # Of publication; where that is not known, of when it was first seen.
    since: datetime | None = None
    until: datetime | None = None
    change: str = ""  # one of CHANGES
    confidence: float = 0.0  # at least
    kind: str = ""  # one of KINDS_OF_HITS
    ranked: bool = False  # the best first, instead of the newest
    all_versions: bool = False  # earlier versions, too
    limit: int = 20
    after: str = ""  # the cursor `next` of the answer before


class HitChannel(msgspec.Struct, frozen=True, kw_only=True):
    """The channel that announced what was found."""

    number: int
    url: str
    title: str | None = None


class SnippetPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a text; marked where it is what was searched for."""

    text: str
    marked: bool = False


class Hit(msgspec.Struct, frozen=True, kw_only=True):
    """A version of an article that was found, or of what readers wrote about it."""

    article: str  # the `id` of its objects; of other documents, empty
    version: int
    kind: str = ARTICLE
    url: str
    title: str | None = None
    # Of a comment, a post or a revision: the `id` of its objects, what it is known by on its page, and its
    # own address; `article`, `url` and `title` are those of its page.
    contribution: str = ""
    key: str = ""
    own_url: str | None = None
    channel: HitChannel | None = None
    authors: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    published: datetime | None = None
    captured: datetime
    language: str | None = None
    kinds: tuple[str, ...] = ()  # of change, as in the object
    gone: bool = False  # not at its address any more
    newest: bool = True  # False: an earlier version
    confidence: float | None = None
    score: float | None = None  # higher is better; only where it was ranked
    snippet: tuple[SnippetPiece, ...] = ()
    # Where its object is, in `ARCHIVE_DIR/objects/`; of other documents, only their number in the index.
    file: str = ""
    offset: int = 0


class SearchResult(msgspec.Struct, frozen=True, kw_only=True):
    """One page of what was found."""

    hits: tuple[Hit, ...] = ()
    total: int = 0
    total_is_exact: bool = True  # False: there are at least so many
    # Ranked among so many of the newest that match; None: among all.
    ranked_among: int | None = None
    next: str = ""  # the cursor of the page behind this one; empty: this is the last
    behind: int = 0  # bytes of objects that are not in the index yet
