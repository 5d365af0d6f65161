"""What a campaign asks of APIs: each tag, account, search or site of its file is followed by itself."""

from __future__ import annotations

import re
from datetime import UTC, datetime, time, timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from archiver.acquisition.seeds.address import url_flaw
from archiver.documents.apis.model import ApiQuery

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from datetime import date

    from archiver.acquisition.campaigns.definition import ApiSource, Definition
    from archiver.documents.apis.named import NamedApi

# Where Bluesky answers without an account: https://docs.bsky.app/docs/advanced-guides/api-directory
BLUESKY = "https://public.api.bsky.app"
# What each service is asked for, by the keys of the file.
_WANTED: dict[str, tuple[str, ...]] = {
    "mastodon": ("tags", "accounts"),
    "activitypub": (),
    "bluesky": ("accounts", "search"),
    "mediawiki": ("search",),
    "wordpress": ("search",),
    "discourse": ("search",),
    "lemmy": ("communities", "search"),
}
# These have nothing to show as a whole that would not be far too much.
_NEEDS_ONE = frozenset({"mastodon", "bluesky", "mediawiki", "lemmy"})
_KEYS = {"tags": "tag", "accounts": "account", "communities": "community", "search": "search"}
# Of a site that was found: each costs a request at least.
_MOST_SEARCHES = 3
_ACCOUNT = re.compile(r"@?([^@\s/]+)@([^@\s/]+)")


def queries_of(definition: Definition, bluesky: str = BLUESKY) -> list[ApiQuery]:
    """Everything that a campaign follows; its file was checked by `flaw_of`."""
    since, until = _bounds(definition)
    return [
        ApiQuery(api=api.kind, base=base, what=what, value=value, since=since, until=until)
        for api in definition.apis
        for base in [_base(api, bluesky)]
        for what, value in _wishes(api)
    ]


def queries_of_named(named: NamedApi, definition: Definition) -> list[ApiQuery]:
    """What a site is asked for whose pages name an API: what has the words that weigh most."""
    words = sorted(definition.keywords, key=lambda one: -one.weight)
    names = [*(one.term for one in words), *(one.name for one in definition.entities)][:_MOST_SEARCHES]
    since, until = _bounds(definition)
    return [
        ApiQuery(
            api=named.api, base=named.base, what="search", value=name, since=since, until=until, is_found=True
        )
        for name in names
    ]


def _bounds(definition: Definition) -> tuple[datetime | None, datetime | None]:
    span = definition.time
    since = _midnight(span.begin) if span and span.begin else None
    return since, _midnight(span.end + timedelta(days=1)) if span and span.end else None


def needing_tokens(queries: list[ApiQuery], hosts: Collection[str]) -> list[ApiQuery]:
    """Those that are not asked without a token: Bluesky's search, which its operators do not leave open."""
    return [
        query
        for query in queries
        if query.api == "bluesky" and query.what == "search" and urlsplit(query.base).netloc not in hosts
    ]


def flaw_of(api: ApiSource) -> str | None:
    """Why a service cannot be asked as the file has it; None where it can."""
    names = [name for name in _KEYS if getattr(api, name)]
    other = [name for name in names if name not in _WANTED[api.kind] or api.kind == "bluesky"]
    wanted = " or ".join(_WANTED[api.kind])
    if other:
        return f"{api.kind} does not have {other[0]}" + (f": write {wanted}" if wanted else "")
    if api.comments and api.kind != "wordpress":
        return f"{api.kind} does not have comments apart from its posts: take the line out"
    if api.kind == "activitypub" and not _ACCOUNT.fullmatch(api.place):
        return f"{api.place} is not an account: write it as @name@host"
    if api.kind in _NEEDS_ONE and not list(_wishes(api)):
        return f"{api.kind} needs {'actors or search' if api.kind == 'bluesky' else wanted}"
    return url_flaw(_base(api, BLUESKY))


def _wishes(api: ApiSource) -> Iterator[tuple[str, str]]:
    if api.bluesky is not None:
        yield from (("account", name.removeprefix("@")) for name in api.bluesky.actors)
        yield from (("search", words) for words in api.bluesky.search)
        return
    if api.kind == "activitypub":
        yield "account", api.place.removeprefix("@")
        return
    found = [(_KEYS[key], value) for key in _WANTED[api.kind] for value in getattr(api, key)]
    yield from ((what, value.lstrip("#@!")) for what, value in found)
    if not found and api.kind not in _NEEDS_ONE:
        yield "", ""
    if api.comments:
        yield "comments", ""


def _base(api: ApiSource, bluesky: str) -> str:
    """The address of the server, where the file may have a host alone."""
    place = api.place
    if api.bluesky is not None:
        place = bluesky
    elif found := _ACCOUNT.fullmatch(place):
        place = found[2]
    return (place if "://" in place else f"https://{place}").rstrip("/")


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
