"""What the knowledge base says of an application: the structs of its YAML files."""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from archiver.documents.expressions.model import Expression  # noqa: TC001 - read at run time

FORMAT = 1
# Patterns of a type count when together they weigh as much.
ENOUGH = 100

Category = Literal["blog", "forum", "wiki", "news", "docs", "tracker"]
Expect = Literal["one", "some", "any"]
# How a value is read: all text, cleaned markup, a time, an address, a number.
Reading = Literal["text", "html", "date", "url", "number"]
# What is taken from a page or from a part of it.
FieldName = Literal["title", "author", "published", "modified", "body", "tags", "url"]
LevelKind = Literal["intermediate", "terminal"]
PartKind = Literal["comment", "post", "revision"]
Order = Literal["newest", "oldest", "none"]


class TypePattern(msgspec.Struct, frozen=True, kw_only=True):
    """What the pages of a type, or of a level, have: each of the expressions finds something."""

    shorthand: ClassVar[str] = "all"

    all: tuple[Expression, ...]
    weight: int = ENOUGH
    # What leads to a text with the version in it: the first number with dots is taken.
    version: Expression | None = None


class AvoidRule(msgspec.Struct, frozen=True, kw_only=True):
    """Addresses that are never followed, whatever leads there."""

    # Names of parameters, or `name=value`.
    query: tuple[str, ...] = ()
    # Parts of paths; with `*`, the whole path.
    path: tuple[str, ...] = ()
    # Regular expressions (RE2) on path and query.
    shape: tuple[str, ...] = ()


class SameRule(msgspec.Struct, frozen=True, kw_only=True):
    """Which addresses lead to one page."""

    drop: tuple[str, ...] = ()
    # The page's own canonical link is to be believed; None: as above in the hierarchy.
    canonical: bool | None = None


class SitemapList(msgspec.Struct, frozen=True, kw_only=True):
    """A sitemap that names content."""

    shorthand: ClassVar[str] = "at"

    # Empty: where robots.txt says.
    at: str = ""
    # A regular expression (RE2): the only sitemaps of an index that are read.
    only: str = ""


class ApiList(msgspec.Struct, frozen=True, kw_only=True):
    """JSON of the application that names content."""

    at: str
    # Where the list is in the answer, and the address in an item of it: keys, with dots.
    items: str = "[]"
    link: str = "link"
    title: str = ""
    # The time of publication, in UTC: such lists fill gaps of feeds.
    date: str = ""
    # The parameter that leaves out what is older.
    since: str = ""
    next: Literal["link-header", "none"] = "none"


class ListSource(msgspec.Struct, frozen=True, kw_only=True):
    """A way to all content that costs few requests: one of the four."""

    sitemap: SitemapList | None = None
    feed: Literal["paged"] | None = None
    api: ApiList | None = None
    page: str | None = None
    # The level of the pages that it names.
    to: str = ""

    @property
    def kind(self) -> str:
        kinds = {"sitemap": self.sitemap, "feed": self.feed, "api": self.api, "page": self.page}
        return next((name for name, value in kinds.items() if value is not None), "")


class FollowAction(msgspec.Struct, frozen=True, kw_only=True):
    """Links to follow: the first of the paths that finds any is taken."""

    id: str
    path: tuple[Expression, ...]
    to: str
    # They lead on within a series of pages, such as the pages of a list.
    repeat: bool = False
    expect: Expect = "any"
    # `stale`: only when a site is crawled again.
    when: Literal["always", "stale"] = "always"


class ExtractAction(msgspec.Struct, frozen=True, kw_only=True):
    """A value to take: the first of the paths that finds any is taken."""

    field: FieldName
    path: tuple[Expression, ...]
    id: str = ""
    expect: Expect = "any"
    reading: Reading = msgspec.field(default="text", name="as")
    # Of a date: the forms in which the application writes it for readers, as `strptime` has them.
    form: tuple[str, ...] = ()
    # Of a date: where its day stands as 2026-11-17, such as in an address. It decides between two forms.
    day: tuple[Expression, ...] = ()

    @property
    def key(self) -> str:
        return self.id or self.field


class PartRule(msgspec.Struct, frozen=True, kw_only=True):
    """Repeated things on a page, such as comments: each of them is a contribution of its own."""

    kind: PartKind
    each: tuple[Expression, ...]
    id: str = ""
    # Within each: what names it, for ever; and what names the one that it answers.
    key: tuple[Expression, ...] = ()
    parent: tuple[Expression, ...] = ()
    extract: tuple[ExtractAction, ...] = ()

    @property
    def name(self) -> str:
        return self.id or self.kind


class Level(msgspec.Struct, frozen=True, kw_only=True):
    """A kind of page of a type."""

    name: str
    # `intermediate` pages lead on, `terminal` pages are content. None: as above in the hierarchy.
    kind: LevelKind | None = None
    detect: tuple[TypePattern, ...] = ()
    follow: tuple[FollowAction, ...] = ()
    extract: tuple[ExtractAction, ...] = ()
    parts: tuple[PartRule, ...] = ()
    order: Order | None = None

    @property
    def is_terminal(self) -> bool:
        return self.kind == "terminal"


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """On what an entry was tried."""

    version: str = ""
    theme: str = ""
    on: str = ""
    digest: str = ""


class SiteType(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of an application, of a category of them, or of one site."""

    type: str
    format: int = FORMAT
    # For people, such as WordPress.
    name: str = ""
    category: Category | None = None
    parent: str = ""
    # Hosts or addresses: only there, and there without detection.
    site: tuple[str, ...] = ()
    detect: tuple[TypePattern, ...] = ()
    avoid: tuple[AvoidRule, ...] = ()
    same: SameRule = SameRule()
    lists: tuple[ListSource, ...] = ()
    levels: tuple[Level, ...] = ()
    tested: tuple[Trial, ...] = ()

    @property
    def title(self) -> str:
        return self.name or self.type

    def level(self, name: str) -> Level | None:
        return next((level for level in self.levels if level.name == name), None)
