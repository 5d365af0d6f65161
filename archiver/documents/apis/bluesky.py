"""Bluesky (AT protocol): the posts of an account, the newest first; with a token, what a search finds.

https://docs.bsky.app/docs/api/app-bsky-feed-get-author-feed
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from archiver.documents.apis.limits import refused, wait_of
from archiver.documents.apis.model import ApiPage, ApiRequest, Post, PostAuthor
from archiver.documents.apis.values import (
    Json,
    address,
    at,
    decoded,
    items,
    moment,
    name,
    names,
    number,
    plain,
    pointer,
    text,
)
from archiver.documents.apis.wishes import is_unwanted
from archiver.documents.pages.model import Link
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.apis.model import ApiQuery, ApiResponse, Cursor

_PER_PAGE = 100  # the most that it gives
_APP = "https://bsky.app/profile"
# An account with this label is not to be shown to those who have not logged in.
_NOT_IN_PUBLIC = "!no-unauthenticated"


def request(query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:  # noqa: ARG001 - as readers have it
    wanted = {"limit": str(_PER_PAGE)} | ({"cursor": cursor.at} if cursor.at else {})
    if query.what == "search":
        wanted |= {"q": query.value, "sort": "latest"}
        for bound, when in (("since", query.since), ("until", query.until)):
            wanted |= {bound: when.strftime("%Y-%m-%dT%H:%M:%SZ")} if when else {}
        return ApiRequest(url=f"{query.base}/xrpc/app.bsky.feed.searchPosts?{urlencode(wanted)}")
    wanted["actor"] = query.value
    return ApiRequest(url=f"{query.base}/xrpc/app.bsky.feed.getAuthorFeed?{urlencode(wanted)}")


def read(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    if page := refused(response, cursor):
        return page
    answer = decoded(response.body)
    listed = at(answer, "posts" if query.what == "search" else "feed")
    if not isinstance(listed, list):
        raise ExtractionError("not a list of posts")
    if query.what == "search":
        views = [(pointer("posts", place), one) for place, one in enumerate(listed)]
    else:
        # What the account repeats of others has a reason.
        own = [(place, one) for place, one in enumerate(listed) if not at(one, "reason")]
        views = [(pointer("feed", place, "post"), at(one, "post")) for place, one in own]
    posts = tuple(post for where, one in views if (post := _post(one, where)) is not None)
    goes_on = text(answer, "cursor")
    dated = [post.published for post in posts if post.published]
    is_before = query.since is not None and bool(dated) and max(dated) < query.since
    return ApiPage(
        posts=posts,
        withheld=len(views) - len(posts),
        next=msgspec.structs.replace(cursor, at=goes_on),
        is_over=not goes_on or not listed or is_before,
        newest_first=True,
        wait=wait_of(response),
    )


def _post(one: Json, where: str) -> Post | None:
    uri, author, record = text(one, "uri"), at(one, "author"), at(one, "record")
    labels = {text(label, "val") for label in (*items(author, "labels"), *items(one, "labels"))}
    if not uri.startswith("at://") or _NOT_IN_PUBLIC in labels:
        return None
    words = text(record, "text")
    handle = name(author, "handle") or uri.split("/")[2]
    features = [feature for facet in items(record, "facets") for feature in items(facet, "features")]
    return Post(
        id=uri,
        pointer=where,
        url=f"{_APP}/{handle}/post/{uri.rpartition('/')[2]}",
        author=PostAuthor(name=name(author, "displayName") or handle, handle=handle, url=f"{_APP}/{handle}"),
        published=moment(record, "createdAt") or moment(one, "indexedAt"),
        language=name(record, "langs", 0),
        text=words,
        html=f"<div>{plain(words)}</div>",
        links=_links(record, features),
        in_reply_to=text(record, "reply", "parent", "uri") or None,
        thread=text(record, "reply", "root", "uri") or None,
        tags=tuple(dict.fromkeys((*names(features, "tag"), *names(items(record, "tags"))))),
        boosts=number(one, "repostCount"),
        replies=number(one, "replyCount"),
        is_unwanted=is_unwanted(text(author, "description")),
    )


def _links(record: Json, features: list[Json]) -> tuple[Link, ...]:
    """Those in the text, and what the post shows a card of."""
    card = at(record, "embed", "external") or at(record, "embed", "media", "external")
    found = {url: "" for feature in features if (url := address(feature, "uri"))}
    if url := address(card, "uri"):
        found[url] = name(card, "title") or ""
    return tuple(Link(url=url, text=words) for url, words in found.items())
