"""What is to be fetched, and for what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from archiver.urls import host_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from archiver.acquisition.apis import ApiState
    from archiver.acquisition.forms.model import Probe
    from archiver.acquisition.items import Validators
    from archiver.acquisition.pages import PageValidators
    from archiver.acquisition.rechecks.sitemaps import SitemapFile
    from archiver.archive.warc.records import Capture
    from archiver.documents.lists.model import Ask
    from archiver.submissions import Submission

# Polls are told by it: also those that WARC files keep.
ACCEPT_FEED = (
    "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml,"
    " application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, text/html;q=0.7, */*;q=0.5"
)


# Of what a page in the browser asks for, in the archive: it is not a requisite, which is fetched for itself.
RENDERING = "rendering"


class Target(Protocol):
    """Something to fetch. Its source hands it out, and takes its answer."""

    @property
    def source(self) -> str:
        """The name of its source."""
        ...

    @property
    def id(self) -> int:
        """What it is known by to its source."""
        ...

    @property
    def host(self) -> str: ...

    @property
    def url(self) -> str: ...


def submission_to(target: Target) -> Submission | None:
    """What is sent with the request for a target; None for all that are only asked for by their addresses."""
    return getattr(target, "submission", None)


@dataclass(frozen=True, slots=True, kw_only=True)
class DueChannel:
    """A channel to poll."""

    id: int
    url: str
    kind: str
    validators: Mapping[str, Validators]
    host: str = ""

    @property
    def source(self) -> str:
        return "channels"


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedSearch:
    """An address at which the feed of a site may be that names none: what is polled is still the site."""

    channel: DueChannel
    site: str  # the address that answered, after redirects
    url: str
    # Well-known addresses are tried first, then links of the site.
    is_link: bool = False
    addresses: tuple[str, ...] = ()
    links: tuple[str, ...] = ()

    @property
    def id(self) -> int:
        return self.channel.id

    @property
    def host(self) -> str:
        return self.channel.host

    @property
    def source(self) -> str:
        return self.channel.source


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingPage:
    """A page to fetch, or to look at again."""

    id: int
    url: str
    host: str
    # What led here, for the archive: the feed and its entry.
    context: tuple[tuple[str, str], ...] = ()
    # What is sent to the address, where it does not say all.
    submission: Submission | None = None
    # What makes the request conditional, and what a 304 refers to.
    validators: PageValidators | None = None
    capture: Capture | None = None
    # Its article is known, and no entry waits for it.
    is_recheck: bool = False
    # A page after the first of its article.
    is_further: bool = False

    @property
    def source(self) -> str:
        return "rechecks" if self.is_recheck else "pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class GapAsk:
    """A document to fetch for a gap."""

    id: int
    channel_id: int
    channel_url: str
    ask: Ask
    tries: int = 0
    # Links of the channel's entries, and since when missing ones may be dated, where they are looked for.
    examples: tuple[str, ...] = ()
    since: datetime | None = None

    @property
    def source(self) -> str:
        return "gaps"

    @property
    def url(self) -> str:
        return self.ask.url

    @property
    def host(self) -> str:
        return host_of(self.ask.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingRequisite:
    """A requisite to fetch for the pages that show it."""

    id: int
    url: str
    host: str
    kind: str
    via: str
    depth: int

    @property
    def source(self) -> str:
        return "requisites"


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedRequisite:
    """Something that a page or a style needs to be shown."""

    url: str
    kind: str
    via: str  # the page or style that named it
    depth: int = 0  # how many styles it lies behind


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderResource:
    """What a page in the browser asks for."""

    id: int
    url: str
    host: str
    page_url: str
    kind: str  # as the browser calls it: script, stylesheet, image, fetch, xhr

    @property
    def source(self) -> str:
        return RENDERING


@dataclass(frozen=True, slots=True, kw_only=True)
class SitemapAsk:
    """A sitemap, or the robots.txt that names it, to fetch for the articles of a site's host."""

    id: int
    site: str
    origin: str
    file: SitemapFile

    @property
    def source(self) -> str:
        return "sitemaps"

    @property
    def url(self) -> str:
        return self.file.url

    @property
    def host(self) -> str:
        return host_of(self.file.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class CommentFeedAsk:
    """The feed of an article's comments, to fetch since the article was looked at."""

    id: int  # of the article's page
    url: str
    page_key: str  # of the article
    page_url: str
    validators: PageValidators | None = None
    capture: Capture | None = None

    @property
    def source(self) -> str:
        return "comments"

    @property
    def host(self) -> str:
        return host_of(self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiAsk:
    """The next document of something that is followed through an API."""

    id: int
    campaign: str
    state: ApiState
    url: str
    accept: str

    @property
    def source(self) -> str:
        return "apis"

    @property
    def host(self) -> str:
        return host_of(self.url)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormProbe:
    """A form to ask, or the page that has it."""

    id: int
    form: str
    form_id: int
    probe: Probe
    url: str
    submission: Submission | None = None  # of a form that sends POST

    @property
    def source(self) -> str:
        return "forms"

    @property
    def host(self) -> str:
        return host_of(self.url)
