"""A site that is crawled, the documents of it that are visited, and what each of them says."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.sites.learning.model import ShownText  # noqa: TC001 - msgspec reads annotations
from archiver.acquisition.sites.traps.novelty import Novelty  # noqa: TC001 - msgspec reads annotations
from archiver.documents.contributions import Contribution  # noqa: TC001 - msgspec reads annotations
from archiver.documents.pages.model import Announcement

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.outcomes import Failed
    from archiver.acquisition.pages import PageValidators
    from archiver.archive.warc.records import Capture

# The source whose leads are pages of sites.
SITES = "sites"
# The action by which a copy leads to the address that it names as its own.
CANONICAL = "canonical"


class Strategy(StrEnum):
    """How the pages of a site are found."""

    AUTO = "auto"  # the first of those below that the site allows
    KNOWN = "known"  # by what the knowledge base says of its software
    LEARNED = "learned"  # by the links that are found to lead to new text
    SITEMAP = "sitemap"
    BLIND = "blind"  # every link


class SiteState(StrEnum):
    OPEN = "open"
    DONE = "done"
    PAUSED = "paused"  # by hand, or because the site refuses
    STOPPED = "stopped"  # its limit is used up


class VisitReading(StrEnum):
    """How a visited document is read."""

    PAGE = "page"
    SITEMAP = "sitemap"
    ROBOTS = "robots"  # for the sitemaps that it names
    FEED = "feed"  # one page of it after the other


class VisitState(StrEnum):
    PENDING = "pending"
    HELD = "held"  # asked for only where a cheaper way fails
    DEFERRED = "deferred"  # until more is known of others like it
    RANKED = "ranked"  # until no other links promise more
    SETTLED = "settled"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedVisit:
    """A document that another one leads to."""

    url: str
    via: str
    action: str  # what led there: an action of the knowledge base, `link`, `sitemap`, …
    reading: VisitReading = VisitReading.PAGE
    level: str = ""  # that it is expected to have
    # The first page of the item that it is a further page of.
    whole: str | None = None
    depth: int = 0
    # What is asked for first has the lowest.
    rank: int = 0
    is_further: bool = False  # a further page of a list or an item
    # Asked for only where the document that leads there showed something new.
    if_new: bool = False
    # Which of the sitemaps that an index names are of use: a regular expression.
    only: str = ""
    # Where patterns are learned: the path of the link, and what the page says of where it leads.
    path: str = ""
    teaser: tuple[int, ...] = ()
    is_next: bool = False  # it says that it leads to a further page
    is_last: bool = False  # the page asks not to follow it


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """What is known of a site that is crawled."""

    id: int
    url: str
    scope: str  # the address that those of all its pages begin with
    strategy: Strategy
    state: SiteState
    way: str = ""  # the strategy that was found to work; empty: not decided
    type: str = ""  # of its software; empty: not known
    software: str = ""  # the same for people
    requests: int = 0
    limit: int | None = None
    failures: int = 0  # in a row
    rest_until: datetime | None = None
    # When it was begun to be crawled again; None: it is crawled for the first time.
    again: datetime | None = None
    # Decides which of several links of one kind is followed first.
    seed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingVisit:
    """A document of a site to ask for."""

    id: int
    url: str
    host: str
    site: Site
    via: str
    action: str
    reading: VisitReading
    level: str
    whole: str | None
    depth: int
    only: str = ""
    validators: PageValidators | None = None
    capture: Capture | None = None

    @property
    def source(self) -> str:
        return "visits"


class Followed(msgspec.Struct, frozen=True, kw_only=True):
    """A link that is worth following."""

    url: str
    action: str = "link"
    to: str = ""  # the level that it leads to
    is_repeat: bool = False  # a further page of the same list or item
    is_item: bool = True  # the level has something to keep
    is_last: bool = False  # asked for when nothing else is left
    # Where patterns are learned: the path of its element, and whether it is said to lead to a further page.
    path: str = ""
    is_next: bool = False


class NamedList(msgspec.Struct, frozen=True, kw_only=True):
    """A document that lists the pages of a site, cheaper than its own lists."""

    url: str  # empty: the sitemaps that robots.txt names
    reading: VisitReading = VisitReading.SITEMAP
    only: str = ""
    to: str = ""


class VisitRead(msgspec.Struct, frozen=True, kw_only=True):
    """What a visited document says."""

    # The software behind it, as the knowledge base calls it, and for people.
    type: str = ""
    software: str = ""
    level: str = ""
    # It has something to keep, and does not only lead to what has.
    is_content: bool = False
    follow: tuple[Followed, ...] = ()
    # All links of a first page from which nothing leads on that is known.
    otherwise: tuple[Followed, ...] = ()
    lists: tuple[NamedList, ...] = ()
    sitemaps: tuple[NamedList, ...] = ()  # that robots.txt names
    # The address that the page names as its own, where that is another one of the site.
    canonical: str | None = None
    said: Announcement = Announcement()
    # Comments and the like on the page; whether all that it shows were read.
    contributions: tuple[Contribution, ...] = ()
    has_all: bool = False
    # Actions that found nothing although the knowledge base expects something.
    failed: tuple[str, ...] = ()
    # All actions of the level that found nothing, expected or not; and which learned ones were used.
    empty: tuple[str, ...] = ()
    learned: str = ""
    # The words of the page, for estimates (see coverage.py), and by which near-duplicates are known.
    text: bytes = b""
    sketch: tuple[int, ...] = ()
    # What it may add to what the site has shown; None: it is not a page.
    novelty: Novelty | None = None
    # Where patterns are learned: its text, and which of it announces other pages.
    shown: ShownText | None = None
    # What it says in place of a page: that its reader may be a robot, or has to log in.
    notice: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class VisitFetch:
    """One visit: what came of it."""

    visit: PendingVisit
    url: str  # the URL that answered, after redirects
    read: VisitRead | None = None
    capture: Capture | None = None
    size: int = 0  # of the body as it was received
    content_type: str | None = None
    failed: Failed | None = None
    validators: PageValidators | None = None
    not_modified: bool = False
