"""What is asked of an API, and what its answers say: values for all of its readers."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - msgspec reads annotations when it runs
from typing import Protocol

import msgspec

from archiver.documents.contributions import ContributionKind
from archiver.documents.pages.model import Link  # noqa: TC001 - as above

JSON = "application/json"


class ApiQuery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing to follow through one API: a tag, an account, a search, a whole site."""

    api: str  # the name of its reader
    base: str  # the address of the server or of the site, without a slash at its end
    what: str = ""  # tag, account, search, community; empty: whatever the site publishes
    value: str = ""  # the tag, the name, the words
    # What was published before this, and after this, is not asked for.
    since: datetime | None = None
    until: datetime | None = None
    # No file names it: a page of the site did.
    is_found: bool = False

    @property
    def key(self) -> str:
        """By which it is known, whatever times it is about."""
        return " ".join(filter(None, (self.api, self.base, self.source)))

    @property
    def source(self) -> str:
        """What is followed at the server, in words."""
        return " ".join(filter(None, (self.what, self.value))) or "posts"


class Cursor(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How far a query is. A round goes through all that an API lists; then the next one begins."""

    # Where the API is, once the site has said so, or the number of an account, once it was looked up.
    root: str = ""
    # Where the next page of the list begins, in the API's own words; empty: at its beginning.
    at: str = ""
    # What a list named, to be asked for one by one before the list goes on.
    waiting: tuple[dict[str, str], ...] = ()
    # How many things the list had when it was last asked for.
    total: int = 0
    # Which state of each thing was read, by its number: a revision, the number of its posts.
    states: dict[str, str] = {}
    # Requests of this round; where one of its pages began; and how many in a row had nothing new.
    asked: int = 0
    mark: str = ""
    stale: int = 0
    # A round came to its end: the next one ends where nothing is new.
    is_whole: bool = False


class ApiRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The next thing to ask for."""

    url: str
    accept: str = JSON


class ApiResponse(msgspec.Struct, frozen=True, kw_only=True):
    """What came, as the archive keeps it."""

    url: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    # When it was asked for, by this machine's clock.
    date: datetime

    def header(self, name: str) -> str:
        """The value of a header; several lines of one name are one list, as HTTP has it."""
        return ", ".join(value for key, value in self.headers if key.lower() == name.lower())


class PostAuthor(msgspec.Struct, frozen=True, kw_only=True):
    name: str | None = None
    handle: str | None = None  # by which the network knows the account
    url: str | None = None


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """One post as an API shows it."""

    id: str  # the network's own: an ActivityPub id, an at:// address, or a URL
    pointer: str  # RFC 6901: where in the JSON it stands
    url: str | None = None
    kind: ContributionKind = ContributionKind.POST
    author: PostAuthor = PostAuthor()
    published: datetime | None = None
    edited: datetime | None = None
    language: str | None = None
    title: str | None = None
    text: str = ""
    html: str = ""
    links: tuple[Link, ...] = ()
    in_reply_to: str | None = None  # the id of what it answers, or its address
    thread: str | None = None  # the id of what the conversation began with
    tags: tuple[str, ...] = ()
    boosts: int | None = None
    replies: int | None = None
    # Its author says in the profile that bots, or archives, should leave it alone.
    is_unwanted: bool = False


class ApiPage(msgspec.Struct, frozen=True, kw_only=True):
    """What one answer says."""

    posts: tuple[Post, ...] = ()
    # Ids of posts that the answer says are no longer there.
    gone: tuple[str, ...] = ()
    # How many were left out because their author does not want to be archived, or not by everybody.
    withheld: int = 0
    links: tuple[Link, ...] = ()  # beside those of the posts
    feeds: tuple[str, ...] = ()  # to poll where the API refuses
    # What to ask for next; where the round is over, what is to be known in the next one.
    next: Cursor = Cursor()
    is_over: bool = False
    # The list has the newest first: where nothing is new, nothing further down is.
    newest_first: bool = False
    # Seconds for which nothing is asked of the host.
    wait: float = 0.0
    problem: str = ""
    # The problem will not go away by itself: a refusal, or a site without this API.
    is_final: bool = False


class ApiReader(Protocol):
    """A module of this room that reads one API. Both functions are pure."""

    def request(self, query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:
        """The next thing to ask for."""
        ...

    def read(self, response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
        """What an answer says, whatever its status."""
        ...
