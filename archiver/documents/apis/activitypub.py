"""ActivityPub: the public posts in the outbox of an account, the newest first, on whatever server it is.

https://www.w3.org/TR/activitypub/#outbox, found by WebFinger (RFC 7033)
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
    pointer,
    said,
    text,
)
from archiver.documents.apis.wishes import is_unwanted
from archiver.urls import host_of

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.apis.model import ApiQuery, ApiResponse, Cursor

ACTIVITY = "application/activity+json"
_ACCEPT = f'{ACTIVITY}, application/ld+json; profile="https://www.w3.org/ns/activitystreams"'
_TO_ALL = frozenset({"https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"})
_POSTS = frozenset({"Note", "Article", "Page", "Question"})


def request(query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:  # noqa: ARG001 - as readers have it
    """Who the account is; what it says of itself; then its outbox, from where it was."""
    if cursor.waiting:
        return ApiRequest(url=cursor.waiting[0]["actor"], accept=_ACCEPT)
    if not cursor.root:
        wanted = urlencode({"resource": f"acct:{query.value}"})
        finger = "application/jrd+json, application/json;q=0.9"
        return ApiRequest(url=f"{query.base}/.well-known/webfinger?{wanted}", accept=finger)
    return ApiRequest(url=cursor.at or cursor.root, accept=_ACCEPT)


def read(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    """A server that only answers to servers that sign their requests refuses (401)."""
    if page := refused(response, cursor):
        return page
    answer = decoded(response.body)
    if cursor.waiting:
        return _actor(response, answer, query, cursor)
    if not cursor.root:
        mine = (
            one
            for one in items(answer, "links")
            if text(one, "rel") == "self" and ACTIVITY in text(one, "type")
        )
        actor = address(next(mine, None), "href")
        if actor is None:
            return ApiPage(problem="the server does not say where the account is", is_final=True)
        return ApiPage(
            next=msgspec.structs.replace(cursor, waiting=({"actor": actor},)), wait=wait_of(response)
        )
    return _outbox(response, answer, query, cursor)


def _actor(response: ApiResponse, answer: Json, query: ApiQuery, cursor: Cursor) -> ApiPage:
    outbox = address(answer, "outbox")
    if outbox is None:
        return ApiPage(problem="the account does not show what it published", is_final=True)
    settings = at(answer, "discoverable") is False or at(answer, "noindex") is True
    states = {
        "name": name(answer, "name") or name(answer, "preferredUsername") or query.value,
        "url": address(answer, "url") or address(answer, "id") or "",
        "unwanted": "yes" if settings or is_unwanted(text(answer, "summary")) else "",
    }
    after = msgspec.structs.replace(cursor, root=outbox, waiting=(), states=states)
    return ApiPage(next=after, wait=wait_of(response))


def _outbox(response: ApiResponse, answer: Json, query: ApiQuery, cursor: Cursor) -> ApiPage:
    """The collection names its first page, or has it in itself; pages name the next one."""
    first = at(answer, "first")
    is_inside = isinstance(first, dict)
    listed = items(first if is_inside else answer, "orderedItems")
    steps = ("first", "orderedItems") if is_inside else ("orderedItems",)
    goes_on = address(first if is_inside else answer, "next")
    if goes_on is None and not cursor.at and not is_inside:
        goes_on = address(first)
    # Pages of one outbox are on one server.
    is_over = goes_on is None or host_of(goes_on) != host_of(cursor.root)
    made = [(_post(at(one, "object"), pointer(*steps, place, "object"), query, cursor), one)
            for place, one in enumerate(listed) if text(one, "type") in {"Create", "Update"}]  # fmt: skip
    posts = tuple(post for post, _ in made if post is not None)
    gone = tuple(text(one, "object", "id") for _, one in made if text(one, "object", "type") == "Tombstone")
    dated = [post.published for post in posts if post.published]
    is_before = query.since is not None and bool(dated) and max(dated) < query.since
    return ApiPage(
        posts=posts,
        gone=gone,
        withheld=len(made) - len(posts) - len(gone),
        next=cursor if is_over else msgspec.structs.replace(cursor, at=goes_on),
        is_over=is_over or is_before,
        newest_first=True,
        wait=wait_of(response),
    )


def _post(one: Json, where: str, query: ApiQuery, cursor: Cursor) -> Post | None:
    """None for what is not addressed to all."""
    to = [*items(one, "to"), *items(one, "cc"), at(one, "to"), at(one, "cc")]
    is_open = any(isinstance(each, str) and each in _TO_ALL for each in to)
    if not text(one, "id") or text(one, "type") not in _POSTS or not is_open:
        return None
    url = address(one, "url") or address(one, "id")
    words, html, links = said(text(one, "content"), url or query.base)
    tags = [tag for tag in items(one, "tag") if text(tag, "type") == "Hashtag"]
    named = {address(tag, "href") for tag in items(one, "tag")}
    languages = at(one, "contentMap")
    return Post(
        id=text(one, "id"),
        pointer=where,
        url=url,
        author=PostAuthor(
            name=cursor.states.get("name") or None, handle=query.value, url=cursor.states.get("url") or None
        ),
        published=moment(one, "published"),
        edited=moment(one, "updated"),
        language=next(iter(languages), None) if isinstance(languages, dict) else None,
        title=name(one, "name") or name(one, "summary"),
        text=words,
        html=html,
        links=tuple(link for link in links if link.url not in named),
        in_reply_to=text(one, "inReplyTo") or None,
        thread=text(one, "context") or None,
        tags=tuple(tag.lstrip("#") for tag in names(tags, "name")),
        replies=number(one, "replies", "totalItems"),
        is_unwanted=bool(cursor.states.get("unwanted")),
    )
