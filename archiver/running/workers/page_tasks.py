"""Tasks that read pages, and judge them against earlier captures; and their results.

What performs them is imported by workers alone: it takes long, and the crawl has no use for it.
"""
# ruff: noqa: PLC0415 - as said above

from __future__ import annotations

import msgspec

# msgspec reads the annotations at run time.
from archiver.acquisition.reliability.software import Software  # noqa: TC001
from archiver.articles.labels.model import LabelledPage  # noqa: TC001
from archiver.articles.model import Article, NoArticle, Wrapper  # noqa: TC001
from archiver.articles.versions.model import Fingerprint, Judgement, Spot  # noqa: TC001
from archiver.documents.contributions import CommentsRead
from archiver.documents.pages.model import Announcement
from archiver.documents.requisites.model import Requisite  # noqa: TC001
from archiver.fields.model import FieldsRead  # noqa: TC001
from archiver.running.workers import R, Task

# A page takes a fraction of the time that one is allowed; the share that each further one of a group adds.
_FURTHER_PAGE = 0.1


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
    # The file of the wrapper by which its fields are read, as text; empty: none is for it.
    fields_by: str = ""
    # Whether to tell which blocks several sources take for the article.
    is_labelled: bool = False
    # Where the document is that a browser made of it: that is what is read.
    rendered: tuple[str, int] | None = None


class PageRead(msgspec.Struct, frozen=True, kw_only=True):
    article: Article | None = None
    fingerprint: Fingerprint | None = None
    nothing: NoArticle | None = None
    # What its field wrapper read; and where there is no article, the object that has nothing but fields.
    fields: FieldsRead | None = None
    instead: Article | None = None
    # The part of the page that the article is; empty: all of it.
    part: str = ""
    # What found it: the method and its version.
    extractor: str = ""
    requisites: tuple[Requisite, ...] = ()
    outlinks: tuple[str, ...] = ()
    comments: CommentsRead = CommentsRead()
    # How many of the further pages are of the article, and where it goes on.
    used: int = 0
    onward: str | None = None
    is_unjoined: bool = False  # they are of it, and together they cannot be read
    # What the server and the page name themselves, and what sources of labels say of the page.
    software: Software | None = None
    labelled: LabelledPage | None = None
    # It is empty as it was served, and its scripts would fill it.
    needs_browser: bool = False


class PagesRead(msgspec.Struct, frozen=True, kw_only=True):
    """What was found on each page, in their order, and what they taught."""

    pages: tuple[PageRead, ...]
    learned: tuple[Wrapper, ...] = ()
    outdated: tuple[str, ...] = ()


class _PagesTask(Task[R], frozen=True, kw_only=True):
    folder: str
    method: str
    # What was learned of the channel before.
    memory: tuple[Wrapper, ...] = ()
    # Pages that were read before, not read for their own sake: looked at where nothing fits that was learned.
    siblings: tuple[PageToRead, ...] = ()

    def extracts_with(self) -> str:
        return self.method

    def patience_for(self, pages: int) -> float:
        return 1.0 + _FURTHER_PAGE * (pages + len(self.siblings) - 1)


class ReadPages(_PagesTask[PagesRead], frozen=True, kw_only=True):
    """Find the articles on sibling pages in their WARC records."""

    pages: tuple[PageToRead, ...]
    # What the pages need to be shown is looked for as well: none, article or page.
    requisites: str = "none"
    most_requisites: int = 0
    outlinks: bool = False
    comments: bool = False

    def perform(self) -> PagesRead:
        from archiver.running.workers.pages import read_pages

        return read_pages(self)

    def patience(self) -> float:
        return self.patience_for(sum(1 + len(page.further) for page in self.pages))


class ReadFields(Task[PagesRead], frozen=True, kw_only=True):
    """Read what field wrappers find on pages in their records; articles are not looked for."""

    folder: str
    pages: tuple[PageToRead, ...]

    def perform(self) -> PagesRead:
        from archiver.running.workers.pages import read_fields_alone

        return read_fields_alone(self)

    def patience(self) -> float:
        return 1.0 + _FURTHER_PAGE * (sum(1 + len(page.further) for page in self.pages) - 1)


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """Two captures of one article: that of its last version, and what was found on the other."""

    before: PageToRead
    now: PageToRead
    article: Article
    # What is known to change by itself; whether this look was made to find that out.
    volatile: tuple[Spot, ...] = ()
    is_moment_later: bool = False


class PagesJudged(msgspec.Struct, frozen=True, kw_only=True):
    """What each pair came to; None where the older capture no longer shows an article."""

    judgements: tuple[Judgement | None, ...]


class JudgePages(_PagesTask[PagesJudged], frozen=True, kw_only=True):
    """Tell edits of articles from changes around them; `memory` is what today's articles were read with."""

    pairs: tuple[Pair, ...]

    def perform(self) -> PagesJudged:
        from archiver.running.workers.judging import judge_pages

        return judge_pages(self)

    def patience(self) -> float:
        further = sum(len(pair.before.further) + len(pair.now.further) for pair in self.pairs)
        return self.patience_for(2 * len(self.pairs) + 2 * further)


class ReadContent(Task[PageRead], frozen=True, kw_only=True):
    """Make an article of the content that a feed carried."""

    url: str
    announcement: Announcement

    def perform(self) -> PageRead:
        from archiver.running.workers.pages import read_content

        return read_content(self)
