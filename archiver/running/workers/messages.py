"""What workers are asked and what they answer: tasks name records of the archive, bodies never travel."""

from __future__ import annotations

import struct
from datetime import datetime  # noqa: TC003 - msgspec reads the annotations at run time
from enum import StrEnum

import msgspec

# msgspec reads the annotations at run time.
from archiver.articles.model import Article, NoArticle, Wrapper  # noqa: TC001
from archiver.articles.versions.model import Fingerprint, Judgement, Spot  # noqa: TC001
from archiver.documents.feeds.discover import DiscoveredFeed  # noqa: TC001
from archiver.documents.feeds.model import ParsedFeed  # noqa: TC001
from archiver.documents.lists.model import Ask  # noqa: TC001
from archiver.documents.pages.model import Announcement
from archiver.documents.requisites.model import Requisite  # noqa: TC001

# How long a message is stands before it.
LENGTH = struct.Struct("!I")
# Sent once, when the worker has imported everything: from there on a task's time counts.
READY = LENGTH.pack(0)


class ReadFeed(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Read a feed from its record; where it is a web page, find the feeds that it names."""

    url: str  # the record may have been made for another one, with the same payload
    folder: str
    file: str
    offset: int


class Beside(msgspec.Struct, frozen=True, kw_only=True):
    """Another part of a page, and what its feed said of it."""

    part: str  # empty: it was read by the whole page
    announcement: Announcement = Announcement()
    is_older: bool = True


class FurtherToRead(msgspec.Struct, frozen=True, kw_only=True):
    """Where a further page of an article is."""

    id: str  # of the record
    url: str
    file: str
    offset: int
    asked: str = ""  # as the pager has its address


class PageToRead(msgspec.Struct, frozen=True, kw_only=True):
    """Where a page is, and what its feed said of it."""

    id: str  # of the record
    url: str
    file: str
    offset: int
    announcement: Announcement = Announcement()
    # The part that is the article (see documents.parts), and whether an article was made of that part before.
    part: str = ""
    is_known_part: bool = False
    # What other entries announced on the page: what is one of theirs as well is theirs.
    beside: tuple[Beside, ...] = ()
    # The further pages of its article; whether the next one is looked for, and what it is not.
    further: tuple[FurtherToRead, ...] = ()
    is_followed: bool = False
    passed: tuple[str, ...] = ()


class ReadPages(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Find the articles on sibling pages in their records."""

    folder: str
    method: str
    pages: tuple[PageToRead, ...]
    # What was learned of the channel before.
    memory: tuple[Wrapper, ...] = ()
    # Pages that were read before, not read for their own sake: looked at where nothing fits that was learned.
    siblings: tuple[PageToRead, ...] = ()
    # What the pages need to be shown is looked for as well: none, article or page.
    requisites: str = "none"
    most_requisites: int = 0
    outlinks: bool = False


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two captures of one article: that of its last version, and what was found on the other."""

    before: PageToRead
    now: PageToRead
    article: Article
    # What is known to change by itself; whether this look was made to find that out.
    volatile: tuple[Spot, ...] = ()
    is_moment_later: bool = False


class JudgePages(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Tell edits of articles from changes of the pages around them."""

    folder: str
    method: str
    pairs: tuple[Pair, ...]
    # What today's articles were read with.
    memory: tuple[Wrapper, ...] = ()
    siblings: tuple[PageToRead, ...] = ()


class ReadStyle(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Find what a style sheet in its record needs."""

    url: str
    folder: str
    file: str
    offset: int
    most: int


class ReadArchivePage(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Read a document in which entries may be that a feed no longer shows."""

    url: str
    folder: str
    file: str
    offset: int
    ask: Ask
    examples: tuple[str, ...] = ()
    since: datetime | None = None


class ReadSitemap(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Read what a sitemap, or a robots.txt, says of a host's pages."""

    url: str
    folder: str
    file: str
    offset: int
    host: str


class ReadContent(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Make an article of the content that a feed carried."""

    url: str
    announcement: Announcement


class ProveYourself(msgspec.Struct, frozen=True, kw_only=True, tag=True):
    """Read a feed and a page that are known to be readable: a worker that cannot blames no document."""

    # What pages are read with; None where they are not read.
    method: str | None = None


Task = (
    ReadFeed
    | ReadPages
    | JudgePages
    | ReadStyle
    | ReadArchivePage
    | ReadSitemap
    | ReadContent
    | ProveYourself
)
# A page takes a fraction of the time that one is allowed; the share that each further one of a group adds.
_FURTHER_PAGE = 0.1
# A proof loads everything that reading may need, perhaps on a machine that is in trouble.
_PROOF = 20.0


def patience(task: Task) -> float:
    """How many times as long as one document a task may take."""
    if isinstance(task, ReadPages):
        further = sum(len(page.further) for page in task.pages)
        return 1.0 + _FURTHER_PAGE * (len(task.pages) + further + len(task.siblings) - 1)
    if isinstance(task, JudgePages):
        further = sum(len(pair.before.further) + len(pair.now.further) for pair in task.pairs)
        return 1.0 + _FURTHER_PAGE * (2 * len(task.pairs) + 2 * further + len(task.siblings) - 1)
    return _PROOF if isinstance(task, ProveYourself) else 1.0


class FeedRead(msgspec.Struct, frozen=True, kw_only=True):
    feed: ParsedFeed | None = None
    discovered: tuple[DiscoveredFeed, ...] | None = None
    # Of a page that names no feed: the links that may lead to one.
    leads: tuple[str, ...] = ()
    problem: str = ""
    # The document ends before it is whole; `feed` is what of it can be used.
    broken_off: bool = False


class PageRead(msgspec.Struct, frozen=True, kw_only=True):
    article: Article | None = None
    fingerprint: Fingerprint | None = None
    nothing: NoArticle | None = None
    # The part of the page that the article is; empty: all of it.
    part: str = ""
    # What found it: the method and its version.
    extractor: str = ""
    requisites: tuple[Requisite, ...] = ()
    outlinks: tuple[str, ...] = ()
    # How many of the further pages are of the article, and where it goes on.
    used: int = 0
    onward: str | None = None
    is_unjoined: bool = False  # they are of it, and together they cannot be read


class PagesRead(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on each page, in their order, and what they taught."""

    pages: tuple[PageRead, ...]
    learned: tuple[Wrapper, ...] = ()
    outdated: tuple[str, ...] = ()


class PagesJudged(msgspec.Struct, frozen=True, kw_only=True):
    """What each pair came to; None where the capture of before no longer shows an article."""

    judgements: tuple[Judgement | None, ...]


class StyleRead(msgspec.Struct, frozen=True, kw_only=True):
    requisites: tuple[Requisite, ...] = ()


class Proved(msgspec.Struct, frozen=True, kw_only=True):
    """The worker can read."""


class Trouble(StrEnum):
    """What kept a task from being done."""

    # The task named a record that is not in the archive, or is damaged.
    RECORD = "record"
    # An exception that the document provoked, or a mistake of ours.
    ERROR = "error"
    # More memory than a worker is allowed.
    MEMORY = "memory"
    # More time than a task is allowed, and it was used; or the machine did not give it any.
    TIME = "time"
    WAITED = "waited"
    # The process crashed.
    DIED = "died"
    # A missing or broken package, a file that cannot be opened, memory that is not there.
    MACHINE = "machine"
    # SIGKILL: no document can do that, but a machine that runs out of memory does.
    KILLED = "killed"


class Reply(msgspec.Struct, frozen=True, kw_only=True):
    """A result, or what went wrong in words."""

    result: msgspec.Raw = msgspec.Raw(b"null")
    error: str = ""
    trouble: Trouble | None = None
