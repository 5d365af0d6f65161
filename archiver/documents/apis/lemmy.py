"""Lemmy: the posts of a community with their comments, those with the latest comments first; or a search.

https://join-lemmy.org/api/ (version 3)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlencode

import msgspec

from archiver.documents.apis.limits import refused, wait_of
from archiver.documents.apis.model import ApiPage, ApiRequest, Post, PostAuthor
from archiver.documents.apis.values import (
    MOST_LINKS,
    Json,
    address,
    at,
    decoded,
    items,
    moment,
    name,
    noted,
    number,
    plain,
    pointer,
    text,
)
from archiver.documents.apis.wishes import is_unwanted
from archiver.documents.contributions import ContributionKind
from archiver.documents.pages.model import Link
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.apis.model import ApiQuery, ApiResponse, Cursor

_PER_PAGE = 50  # the most that it gives
# Bodies are Markdown: addresses stand in brackets, or bare.
_ADDRESS = re.compile(r"https?://[^\s<>()\[\]\"'`]+")


def request(query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:  # noqa: ARG001 - as readers have it
    """The list, from where it was; before it goes on, the comments of each post that has new ones."""
    wanted = {"limit": str(_PER_PAGE), "type_": "All"}
    if cursor.waiting:
        asked = cursor.waiting[0]
        wanted |= {"post_id": asked["post"], "page": asked["page"], "sort": "Old"}
        return ApiRequest(url=f"{query.base}/api/v3/comment/list?{urlencode(wanted)}")
    if query.what == "search":
        wanted |= {"q": query.value, "type_": "Posts", "sort": "New", "page": cursor.at or "1"}
        return ApiRequest(url=f"{query.base}/api/v3/search?{urlencode(wanted)}")
    wanted |= {"community_name": query.value, "sort": "NewComments"}
    # Servers before 0.19 count pages; later ones name them.
    if cursor.at:
        wanted |= {"page": cursor.at} if cursor.at.isdigit() else {"page_cursor": cursor.at}
    return ApiRequest(url=f"{query.base}/api/v3/post/list?{urlencode(wanted)}")


def read(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    if cursor.waiting and response.status in {400, 404}:
        return _behind(response, cursor, cursor.waiting[1:])  # the post was deleted since it was listed
    feed = f"{query.base}/feeds/c/{quote(query.value, safe='@')}.xml?sort=New"
    if page := refused(response, cursor, feeds=(feed,) if query.what == "community" else ()):
        return page
    answer = decoded(response.body)
    listed = at(answer, "comments" if cursor.waiting else "posts")
    if not isinstance(listed, list):
        raise ExtractionError("not a list of posts")
    return (_comments if cursor.waiting else _posts)(response, answer, query, cursor)


def _posts(response: ApiResponse, answer: Json, query: ApiQuery, cursor: Cursor) -> ApiPage:
    listed = items(answer, "posts")
    waiting, states = [], cursor.states
    for one in listed:
        post, count = text(one, "post", "id"), text(one, "counts", "comments")
        if post and count not in {"", "0"} and states.get(post) != count:
            states = noted(states, post, count)
            waiting.append({"post": post, "page": "1", "thread": text(one, "post", "ap_id")})
    here = text(answer, "next_page")
    if not here and len(listed) == _PER_PAGE:
        here = str(int(cursor.at) + 1) if cursor.at.isdigit() else "2"
    after = msgspec.structs.replace(cursor, at=here if listed else "", waiting=tuple(waiting), states=states)
    return _page(
        response,
        [(_post(one, pointer("posts", place), query), at(one, "post")) for place, one in enumerate(listed)],
        after,
        newest_first=query.what == "community",
    )


def _comments(response: ApiResponse, answer: Json, query: ApiQuery, cursor: Cursor) -> ApiPage:
    asked, *others = cursor.waiting
    listed = items(answer, "comments")
    goes_on = len(listed) >= _PER_PAGE
    more = (asked | {"page": str(int(asked["page"]) + 1)},) if goes_on else ()
    after = msgspec.structs.replace(cursor, waiting=(*more, *others))
    made = [
        (_comment(one, pointer("comments", place), query, asked["thread"]), at(one, "comment"))
        for place, one in enumerate(listed)
    ]
    return _page(response, made, after)


def _behind(response: ApiResponse, cursor: Cursor, waiting: tuple[dict[str, str], ...]) -> ApiPage:
    return _page(response, [], msgspec.structs.replace(cursor, waiting=waiting))


def _page(
    response: ApiResponse, made: list[tuple[Post | None, Json]], after: Cursor, *, newest_first: bool = False
) -> ApiPage:
    return ApiPage(
        posts=tuple(post for post, _ in made if post is not None),
        gone=tuple(text(one, "ap_id") for post, one in made if post is None and text(one, "ap_id")),
        next=after,
        is_over=not after.waiting and not after.at,
        newest_first=newest_first,
        wait=wait_of(response),
    )


def _is_gone(one: Json) -> bool:
    return bool(at(one, "deleted") or at(one, "removed"))


def _post(view: Json, where: str, query: ApiQuery) -> Post | None:
    one = at(view, "post")
    if not text(one, "ap_id") or _is_gone(one):
        return None
    outside = address(one, "url")
    body = text(one, "body")
    return msgspec.structs.replace(
        _said(one, view, where, body, query),
        url=address(one, "ap_id"),
        title=name(one, "name"),
        links=tuple({link.url: link for link in (*_linked(outside or ""), *_linked(body))}.values()),
        replies=number(view, "counts", "comments"),
    )


def _comment(view: Json, where: str, query: ApiQuery, thread: str) -> Post | None:
    one = at(view, "comment")
    if not text(one, "ap_id") or _is_gone(one):
        return None
    # The numbers of all that it stands below, from 0 on, and its own.
    above = text(one, "path").split(".")[1:-1]
    return msgspec.structs.replace(
        _said(one, view, where, text(one, "content"), query),
        kind=ContributionKind.COMMENT,
        in_reply_to=f"{query.base}/comment/{above[-1]}" if above else thread,
        thread=thread,
        replies=number(view, "counts", "child_count"),
    )


def _said(one: Json, view: Json, where: str, body: str, query: ApiQuery) -> Post:
    creator = at(view, "creator")
    return Post(
        id=text(one, "ap_id"),
        pointer=where,
        url=address(one, "ap_id") or query.base,
        author=PostAuthor(
            name=name(creator, "display_name") or name(creator, "name"),
            handle=name(creator, "name"),
            url=address(creator, "actor_id"),
        ),
        published=moment(one, "published"),
        edited=moment(one, "updated"),
        text=body,
        html=f"<div>{plain(body)}</div>",
        links=_linked(body),
        is_unwanted=is_unwanted(text(creator, "bio")),
    )


def _linked(words: str) -> tuple[Link, ...]:
    found = (address(one.rstrip(".,;:!?*_")) for one in _ADDRESS.findall(words))
    return tuple(Link(url=url, text="") for url in dict.fromkeys(filter(None, found)))[:MOST_LINKS]
