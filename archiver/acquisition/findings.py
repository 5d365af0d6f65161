"""What a page came to, on its way into the archive, and what the archive has of its article."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.pages import EntryOutcome
from archiver.articles.continuation.model import NONE, Further
from archiver.articles.objects.model import making_of
from archiver.documents.contributions import CommentsRead
from archiver.documents.parts import part_key
from archiver.submissions import request_key

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.rechecks.absence import AbsenceKind
    from archiver.acquisition.reliability.software import Software
    from archiver.acquisition.targets import WantedRequisite
    from archiver.archive.warc.records import Capture
    from archiver.articles.labels.model import LabelledPage
    from archiver.articles.leads import Announcer, Lead
    from archiver.articles.model import Article
    from archiver.articles.versions.model import Fingerprint, Judgement, Making
    from archiver.fields.model import FieldsRead


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a comparison with this version of the article came to, both read alike."""

    version: int
    judgement: Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What a page came to: an article, or an outcome without one."""

    page_id: int
    url: str
    leads: tuple[Lead, ...]
    # Entries that changed before this moment are answered by it.
    known_at: datetime
    capture: Capture | None = None
    # The pages after the first, where the article has several.
    further: Further = NONE
    article: Article | None = None
    # What its field wrapper read, whether or not there is an article.
    fields: FieldsRead | None = None
    fingerprint: Fingerprint | None = None
    extractor: str = ""
    judged: Judged | None = None
    # The part of the page that the article is; empty: all of it.
    part: str = ""
    # It was read by a part, and turned out to be the whole page's article or another part's.
    is_elsewhere: bool = False
    # The article that its page was known to show.
    article_id: int | None = None
    # It is still as it was, by the server's word or by the payload.
    is_same: bool = False
    # What was there instead of it.
    absence: AbsenceKind | None = None
    # No entry waits for it.
    is_recheck: bool = False
    outcome: EntryOutcome = EntryOutcome.STORED
    detail: str | None = None
    requisites: tuple[WantedRequisite, ...] = ()
    outlinks: tuple[str, ...] = ()
    comments: CommentsRead = CommentsRead()
    # What the server and the page name themselves, and what sources of labels say of the page.
    software: Software | None = None
    labelled: LabelledPage | None = None

    @property
    def announcer(self) -> Announcer | None:
        """The entry that it was read with, where a feed led to it."""
        return self.leads[0].announcer if self.leads else None

    @property
    def is_imported(self) -> bool:
        """Whether another program captured it: nothing was fetched, and nothing is for it."""
        return bool(self.leads) and self.leads[0].is_import

    @property
    def key(self) -> str:
        """What an article that was found is known by: its page and its part."""
        return part_key(request_key(self.url, self.capture.submission if self.capture else ""), self.part)

    @property
    def making(self) -> Making:
        return making_of(self.article, self.extractor)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownArticle:
    """An article's last version, or the one that an older capture is compared with."""

    id: int
    key: str
    url: str
    first_seen: datetime
    last_captured: datetime
    version: int
    fingerprint: Fingerprint
    capture: Capture
    making: Making
    further: Further = NONE
    highest: int = 0  # the highest number of its versions; 0: that of this one
    # The capture at hand is older than its last version; then, older than this one, too.
    is_past: bool = False
    is_later: bool = False

    @property
    def next_number(self) -> int:
        return max(self.highest, self.version) + 1

    def is_captured_as(self, capture: Capture, further: Further) -> bool:
        """Whether these captures have the very bytes of its own, page by page."""
        return capture.shares_payload(self.capture) and further.shares_payloads(self.further)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownArticles:
    """Articles by their addresses' keys, and by their numbers."""

    by_key: dict[str, KnownArticle]
    by_id: dict[int, KnownArticle]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """How a page ended."""

    page_id: int
    outcome: EntryOutcome
    # Entries that changed before this moment are answered; one that changed since asks again.
    known_at: datetime
    detail: str | None = None
    article_id: int | None = None
    # The entry that an object names, where one was written.
    carried: int | None = None
    # What it showed is not its article: a 304 to the next request would say nothing.
    forgets: bool = False
