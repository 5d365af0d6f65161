"""WordPress REST: the posts of a site, the one that was edited last first; or its comments.

https://developer.wordpress.org/rest-api/reference/posts/
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from archiver.documents.apis.limits import refused, wait_of
from archiver.documents.apis.model import ApiPage, ApiRequest, Post, PostAuthor
from archiver.documents.apis.sites import header_link, page_link
from archiver.documents.apis.values import (
    Json,
    address,
    at,
    decoded,
    items,
    moment,
    name,
    names,
    pointer,
    said,
    text,
)
from archiver.documents.contributions import ContributionKind
from archiver.errors import ExtractionError

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.apis.model import ApiQuery, ApiResponse, Cursor

NAME = "wordpress"
COMMENTS = "comments"
_PER_PAGE = 100  # the most that it gives
RELATION = "https://api.w.org/"
_HTML = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.5"
_POST_FIELDS = "id,date_gmt,modified_gmt,link,title,content,status,_links,_embedded"
_COMMENT_FIELDS = "id,post,parent,author_name,author_url,date_gmt,content,link,status"


def request(query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:  # noqa: ARG001 - as readers have it
    """The front page, which names the API; then the list, from where it was."""
    if not cursor.root:
        return ApiRequest(url=query.base + "/", accept=_HTML)
    wanted = {"per_page": str(_PER_PAGE), "offset": cursor.at or "0", "order": "desc"}
    if query.what == COMMENTS:
        wanted |= {"orderby": "date_gmt", "_fields": _COMMENT_FIELDS}
    else:
        # Not by date of publication: what was edited comes to the front.
        wanted |= {"orderby": "modified", "_embed": "author,wp:term", "_fields": _POST_FIELDS}
    if query.what == "search":
        wanted["search"] = query.value
    for bound, when in (("after", query.since), ("before", query.until)):
        if when is not None:
            wanted[bound] = when.strftime("%Y-%m-%dT%H:%M:%S")
    path = "wp/v2/comments" if query.what == COMMENTS else "wp/v2/posts"
    # Without rewritten addresses, the API is itself in a parameter.
    return ApiRequest(url=f"{cursor.root}{path}{'&' if '?' in cursor.root else '?'}{urlencode(wanted)}")


def read(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    """A refusal leaves the feed, which the same software has."""
    if page := refused(response, cursor, feeds=(query.base + "/feed/",)):
        return page
    if not cursor.root:
        found = header_link(response, RELATION) or page_link(response, RELATION)
        root = found or f"{query.base}/wp-json/"
        return ApiPage(next=msgspec.structs.replace(cursor, root=root), wait=wait_of(response))
    listed = decoded(response.body)
    if not isinstance(listed, list):
        raise ExtractionError("not a list of posts")
    make = _comment if query.what == COMMENTS else _post
    found_posts = [make(one, place, query) for place, one in enumerate(listed)]
    posts = tuple(one for one in found_posts if one is not None)
    goes_on = _next(response, cursor, len(listed))
    return ApiPage(
        posts=posts,
        withheld=len(listed) - len(posts),
        next=goes_on or cursor,
        is_over=goes_on is None,
        newest_first=True,
        wait=wait_of(response),
    )


def _next(response: ApiResponse, cursor: Cursor, count: int) -> Cursor | None:
    """The place behind this page; where posts were deleted meanwhile, those behind them have moved up."""
    told = response.header("X-WP-Total")
    total = int(told[:12]) if told.isascii() and told.isdigit() else 0
    deleted = max(0, cursor.total - total) if cursor.total else 0
    offset = int(cursor.at or "0")
    behind = max(offset + count - deleted, 0)
    if not count or (total and offset + count >= total and not deleted):
        return None
    return msgspec.structs.replace(cursor, at=str(behind), total=total)


def _post(one: Json, place: int, query: ApiQuery) -> Post | None:
    """None for what is not for everybody: a password guards it, or it is not published."""
    link = address(one, "link")
    if not text(one, "id") or text(one, "status") not in {"", "publish"} or at(one, "content", "protected"):
        return None
    words, html, links = said(text(one, "content", "rendered"), link or query.base)
    published, edited = moment(one, "date_gmt"), moment(one, "modified_gmt")
    terms = [term for group in items(one, "_embedded", "wp:term") for term in items(group)]
    author = at(one, "_embedded", "author", 0)
    return Post(
        id=_id(query, text(one, "id")),
        pointer=pointer(place),
        url=link,
        author=PostAuthor(
            name=name(author, "name"), handle=name(author, "slug"), url=address(author, "link")
        ),
        published=published,
        edited=edited if edited and published and edited > published else None,
        title=_title(text(one, "title", "rendered")),
        text=words,
        html=html,
        links=links,
        tags=names(terms, "name"),
    )


def _comment(one: Json, place: int, query: ApiQuery) -> Post | None:
    link, post = address(one, "link"), text(one, "post")
    if not text(one, "id") or text(one, "status") not in {"", "approved"}:
        return None
    words, html, links = said(text(one, "content", "rendered"), link or query.base)
    answered = text(one, "parent")
    thread = _id(query, post)
    return Post(
        id=f"{thread}#comment-{text(one, 'id')}",
        pointer=pointer(place),
        url=link,
        kind=ContributionKind.COMMENT,
        author=PostAuthor(name=name(one, "author_name"), url=address(one, "author_url")),
        published=moment(one, "date_gmt"),
        text=words,
        html=html,
        links=links,
        in_reply_to=f"{thread}#comment-{answered}" if answered not in {"", "0"} else thread,
        thread=thread,
    )


def _id(query: ApiQuery, number: str) -> str:
    """The address of a post that stays when its name changes."""
    return f"{query.base}/?p={number}"


def _title(markup: str) -> str | None:
    return said(markup, "")[0].strip() or None
