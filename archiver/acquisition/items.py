"""What the spider yields: values that sources turn into state, never Scrapy's own objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from archiver.acquisition.channels.polling.wishes import Wishes

if TYPE_CHECKING:
    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.pages import PageValidators
    from archiver.acquisition.rechecks.sitemaps import SitemapRead
    from archiver.acquisition.targets import ApiAsk, CommentFeedAsk, FormProbe, GapAsk, SitemapAsk, Target
    from archiver.archive.warc.records import Capture
    from archiver.documents.apis.model import ApiPage
    from archiver.documents.contributions import Contribution
    from archiver.documents.feeds.discovered import DiscoveredFeed
    from archiver.documents.feeds.model import ParsedFeed
    from archiver.documents.lists.model import ArchivePage

_NO_WISHES = Wishes()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came of a target: for its source to store."""

    target: Target
    found: object


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What makes the next request conditional, exactly as the server wrote it."""

    etag: str | None = None
    last_modified: str | None = None
    # What they came with: a 304 says that it is still so.
    capture: Capture | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChannelPoll:
    """One poll of a channel: a feed, a site with feeds on it, nothing new, or a failure."""

    channel_id: int
    url: str  # the URL that answered, after redirects
    feed: ParsedFeed | None = None  # with `failed`: the entries that came before it broke off
    discovered: tuple[DiscoveredFeed, ...] | None = None
    # The page of the site on which the feeds were found, where its front page names none.
    found_on: str | None = None
    failed: Failed | None = None
    validators: Validators = Validators()
    # Where every redirect on the way was permanent: the channel's new address.
    moved_to: str | None = None
    capture: Capture | None = None
    # What the head of a usable answer asks of us.
    wishes: Wishes = _NO_WISHES
    # The Link header, which may name a hub.
    links: str = ""
    # True for a 226: what it does not list is still there.
    partial: bool = False
    # The previous validators led to nonsense.
    forgets: bool = False
    # A page that came in the place of a feed names this one.
    names: str | None = None
    size: int = 0  # of the body as it was received


@dataclass(frozen=True, slots=True, kw_only=True)
class RequisiteFetch:
    """One fetch of something that a page needs."""

    requisite_id: int
    url: str
    kind: str
    depth: int
    capture: Capture | None = None
    failed: Failed | None = None
    size: int = 0  # of the body as it was received


@dataclass(frozen=True, slots=True, kw_only=True)
class GapFetch:
    """One fetch of a document in which entries may be that a feed showed between two polls."""

    gap: GapAsk
    url: str  # the URL that answered, after redirects
    page: ArchivePage | None = None
    capture: Capture | None = None
    failed: Failed | None = None
    size: int = 0  # of the body as it was received


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapFetch:
    """One fetch of a sitemap, or of the robots.txt that names it."""

    ask: SitemapAsk
    read: SitemapRead | None = None
    is_not_modified: bool = False
    validators: PageValidators | None = None
    capture: Capture | None = None
    failed: Failed | None = None
    size: int = 0  # of the body as it was received


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentFeedFetch:
    """One fetch of the feed of an article's comments; without a capture it failed, or is as it was."""

    ask: CommentFeedAsk
    found: tuple[Contribution, ...] = ()
    validators: PageValidators | None = None
    capture: Capture | None = None
    failed: Failed | None = None
    size: int = 0  # of the body as it was received


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiFetch:
    """One answer of an API; without a page there was none."""

    ask: ApiAsk
    page: ApiPage | None = None
    capture: Capture | None = None
    failed: Failed | None = None
    size: int = 0  # of the body as it was received


@dataclass(frozen=True, slots=True, kw_only=True)
class PageFetch:
    """One fetch of a page: captured, or failed."""

    page_id: int
    url: str  # the URL that answered, after redirects
    content_type: str | None = None
    capture: Capture | None = None
    size: int = 0  # of the body as it was received
    failed: Failed | None = None
    validators: PageValidators | None = None
    # The server says that it is still as it was.
    not_modified: bool = False
    # No entry waits for it: its article is known, and looked at again.
    is_recheck: bool = False
    # The address that was asked for, where it is that of a further page of the article.
    further: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceFetch:
    """What came of a request of a page in the browser."""

    id: int
    capture: Capture | None = None  # None: there was no answer


@dataclass(frozen=True, slots=True, kw_only=True)
class FormFetch:
    """One answer of a form; failed: there was none."""

    target: FormProbe
    url: str  # that answered, after redirects
    capture: Capture | None = None
    failed: Failed | None = None
    size: int = 0  # of the body as it was received
    redirects: tuple[str, ...] = ()  # where it was led, in order
