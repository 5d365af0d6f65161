"""Mastodon, and servers that answer like it: the posts with a tag, or of an account, the newest first.

https://docs.joinmastodon.org/methods/timelines/#tag, https://docs.joinmastodon.org/methods/accounts/#statuses
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlencode, urlsplit

import msgspec

from archiver.documents.apis.limits import refused, wait_of
from archiver.documents.apis.model import ApiPage, ApiRequest, Post, PostAuthor
from archiver.documents.apis.sites import header_link
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
from archiver.documents.pages.model import Link
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.apis.model import ApiQuery, ApiResponse, Cursor

_PER_PAGE = 40  # the most that it gives
# Unlisted posts are open to all; they are only left out of lists of everything.
_OPEN = frozenset({"public", "unlisted"})


def request(query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:  # noqa: ARG001 - as readers have it
    """The number of an account, once; then the list, from where it was."""
    if query.what == "account" and not cursor.root:
        return ApiRequest(url=f"{query.base}/api/v1/accounts/lookup?{urlencode({'acct': query.value})}")
    path = f"timelines/tag/{quote(query.value, safe='')}"
    if query.what == "account":
        path = f"accounts/{quote(cursor.root, safe='')}/statuses"
    wanted = {"limit": str(_PER_PAGE)} | ({"max_id": cursor.at} if cursor.at else {})
    return ApiRequest(url=f"{query.base}/api/v1/{path}?{urlencode(wanted)}")


def read(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    """A server that wants an account for this still has a feed of the same."""
    if page := refused(response, cursor, feeds=(_feed(query),)):
        return page
    answer = decoded(response.body)
    if query.what == "account" and not cursor.root:
        return _account(response, answer, cursor)
    if not isinstance(answer, list):
        raise ExtractionError("not a list of posts")
    posts = [_post(one, place, query) for place, one in enumerate(answer)]
    found = tuple(post for post in posts if post is not None)
    after = _next(response, cursor)
    return ApiPage(
        posts=found,
        withheld=len(answer) - len(found),
        next=after or cursor,
        is_over=after is None or not answer or _is_before(found, query),
        newest_first=True,
        wait=wait_of(response),
    )


def _feed(query: ApiQuery) -> str:
    kind = "tags/" if query.what == "tag" else "@"
    return f"{query.base}/{kind}{quote(query.value, safe='@')}.rss"


def _account(response: ApiResponse, answer: Json, cursor: Cursor) -> ApiPage:
    found = text(answer, "id")
    if not found:
        raise ExtractionError("an account without a number")
    return ApiPage(next=msgspec.structs.replace(cursor, root=found), wait=wait_of(response))


def _next(response: ApiResponse, cursor: Cursor) -> Cursor | None:
    """Where the next page begins: of the address that the server gives for it, only that is used."""
    link = header_link(response, "next")
    ends = parse_qs(urlsplit(link).query).get("max_id", []) if link else []
    return msgspec.structs.replace(cursor, at=ends[0]) if ends else None


def _is_before(posts: tuple[Post, ...], query: ApiQuery) -> bool:
    """Whether all of a page was published before what is wanted."""
    dated = [post.published for post in posts if post.published]
    return query.since is not None and bool(dated) and max(dated) < query.since


def _post(one: Json, place: int, query: ApiQuery) -> Post | None:
    """None for what is not for everybody, and for what an account repeats of others."""
    own, account = text(one, "uri") or text(one, "url"), at(one, "account")
    if not own or at(one, "reblog") or text(one, "visibility") not in _OPEN:
        return None
    url = address(one, "url")
    words, html, links = said(text(one, "content"), url or query.base)
    card = address(one, "card", "url")
    known = {link.url for link in links}
    more = (Link(url=card, text=name(one, "card", "title") or ""),) if card and card not in known else ()
    answered = text(one, "in_reply_to_id")
    return Post(
        id=own,
        pointer=pointer(place),
        url=url,
        author=PostAuthor(
            name=name(account, "display_name") or name(account, "username"),
            handle=name(account, "acct"),
            url=address(account, "url"),
        ),
        published=moment(one, "created_at"),
        edited=moment(one, "edited_at"),
        language=name(one, "language"),
        title=name(one, "spoiler_text"),
        text=words,
        html=html,
        links=(*(link for link in links if not _is_furniture(link, one)), *more),
        # What it answers is named by this server's own number.
        in_reply_to=f"{query.base}/api/v1/statuses/{answered}" if answered else None,
        tags=names(items(one, "tags"), "name"),
        boosts=number(one, "reblogs_count"),
        replies=number(one, "replies_count"),
        is_unwanted=_is_unwanted(account),
    )


def _is_furniture(link: Link, one: Json) -> bool:
    """Whether a link only leads to a tag or to an account that the post names."""
    named = [*items(one, "tags"), *items(one, "mentions")]
    return link.text.startswith(("#", "@")) or link.url in {address(each, "url") for each in named}


def _is_unwanted(account: Json) -> bool:
    """An account that does not want to be found, or says so in words."""
    fields = " ".join(text(one, "value") for one in items(account, "fields"))
    settings = at(account, "noindex") is True or at(account, "discoverable") is False
    return settings or is_unwanted(f"{text(account, 'note')} {fields}")
