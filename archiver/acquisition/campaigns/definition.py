"""The definition of a campaign, as its YAML file has it: what is sought, from where, and at what cost."""

from __future__ import annotations

from datetime import date, timedelta
from typing import ClassVar, Literal, NewType

import msgspec

# A number of bytes, written as such or as 500MB; a time, written as 14d or 36h; a share between 0 and 1.
Size = NewType("Size", int)
Share = NewType("Share", float)
Weight = NewType("Weight", float)
Span = NewType("Span", timedelta)
# A day, or a time after the end of something, written as +30d.
Until = NewType("Until", str)

ApiKind = Literal["mastodon", "activitypub", "bluesky", "mediawiki", "wordpress", "discourse", "lemmy"]
API_KINDS: tuple[ApiKind, ...] = (
    "mastodon", "activitypub", "bluesky", "mediawiki", "wordpress", "discourse", "lemmy",
)  # fmt: skip
# Of narrower terms: they say less of the subject than its own words.
NARROWER = 0.5


class Keyword(msgspec.Struct, frozen=True, kw_only=True):
    """A word or a phrase; its forms count as itself, and without any its stem does."""

    shorthand: ClassVar[str] = "term"

    term: str
    weight: Weight = Weight(1.0)
    forms: tuple[str, ...] = ()


class Entity(msgspec.Struct, frozen=True, kw_only=True):
    """A person, a place or anything that has names."""

    shorthand: ClassVar[str] = "name"

    name: str
    also: tuple[str, ...] = ()
    kind: str = ""
    weight: Weight = Weight(1.0)
    id: str = ""
    # Its other names count only near one of these words.
    needs: tuple[str, ...] = ()


class TimeSpan(msgspec.Struct, frozen=True, kw_only=True, rename={"begin": "from", "end": "to"}):
    """When it happened; what was published outside counts half after each `fade`."""

    begin: date | None = None
    end: date | None = None
    fade: Span = Span(timedelta(days=14))


class Examples(msgspec.Struct, frozen=True, kw_only=True):
    """The addresses of pages that a person has chosen."""

    like: tuple[str, ...] = ()
    unlike: tuple[str, ...] = ()


class SeedPlace(msgspec.Struct, frozen=True, kw_only=True):
    """An address to begin with, or a file that names some: text, OPML or CSV."""

    shorthand: ClassVar[str] = "url"

    url: str = ""
    file: str = ""


class BlueskyAsk(msgspec.Struct, frozen=True, kw_only=True):
    """Whose posts are read on Bluesky, and what is searched for there: the latter needs a token."""

    shorthand: ClassVar[str] = "actors"

    actors: tuple[str, ...] = ()
    search: tuple[str, ...] = ()


class ApiSource(msgspec.Struct, frozen=True, kw_only=True):
    """A service that is asked through its API: one of the first seven keys, and what is wanted of it."""

    mastodon: str = ""  # a host
    activitypub: str = ""  # an account, such as @name@host
    bluesky: BlueskyAsk | None = None
    mediawiki: str = ""  # an address
    wordpress: str = ""  # an address
    discourse: str = ""  # an address
    lemmy: str = ""  # a host
    tags: tuple[str, ...] = ()
    accounts: tuple[str, ...] = ()
    communities: tuple[str, ...] = ()
    search: tuple[str, ...] = ()
    # Of a WordPress site: what readers write about its posts, too.
    comments: bool = False

    @property
    def kinds(self) -> tuple[ApiKind, ...]:
        """Which services are named: there must be one."""
        return tuple(kind for kind in API_KINDS if getattr(self, kind))

    @property
    def kind(self) -> ApiKind:
        return self.kinds[0]

    @property
    def place(self) -> str:
        """The host, address or account, as the file has it; nothing for Bluesky, which is one place."""
        found = getattr(self, self.kind)
        return found if isinstance(found, str) else ""


class CampaignScope(msgspec.Struct, frozen=True, kw_only=True):
    """What is never asked for. In a pattern, `*` is anything."""

    deny: tuple[str, ...] = ()
    hosts_deny: tuple[str, ...] = ()
    per_host: int = 500
    # Pages that are not relevant, one behind another, on the way to one that is.
    depth_off_topic: int = 3


class CampaignBudget(msgspec.Struct, frozen=True, kw_only=True):
    """What a campaign may cost: every exchange is a request, robots.txt and redirects too."""

    requests: int = 2000
    bytes: Size | None = None
    days: int | None = None
    per_day: int | None = None


class CampaignFeeds(msgspec.Struct, frozen=True, kw_only=True):
    """Which feeds of relevant pages are polled, and for how long."""

    follow: bool = True
    # How relevant two pages of a host are, at least, whose feeds are polled.
    floor: Share = Share(0.6)
    most: int = 50
    # The last day, or how long after the campaign has ended.
    until: Until = Until("+0d")


class Definition(msgspec.Struct, frozen=True, kw_only=True):
    """What a campaign is about. Its text is a revision, and every revision is kept."""

    campaign: str
    about: str = ""
    languages: tuple[str, ...] = ()
    strict_languages: bool = False
    time: TimeSpan | None = None
    keywords: tuple[Keyword, ...] = ()
    # Of each group, one must be there.
    all_of: tuple[tuple[str, ...], ...] = ()
    none_of: tuple[str, ...] = ()
    entities: tuple[Entity, ...] = ()
    # A SKOS file whose narrower concepts are keywords, too.
    narrower: str = ""
    examples: Examples = Examples()
    seeds: tuple[SeedPlace, ...] = ()
    apis: tuple[ApiSource, ...] = ()
    # Whether sites whose relevant pages name an API are asked through it.
    through_apis: bool = True
    scope: CampaignScope = CampaignScope()
    budget: CampaignBudget = CampaignBudget()
    feeds: CampaignFeeds = CampaignFeeds()
    # The share of requests that go to what the scores do not favour.
    explore: Share = Share(0.08)
