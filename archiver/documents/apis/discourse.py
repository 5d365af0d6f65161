"""Discourse: the posts of topics, those with the latest activity first, or of those that a search finds.

https://docs.discourse.org/
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from archiver.documents.apis.limits import refused, wait_of
from archiver.documents.apis.model import ApiPage, ApiRequest, Post, PostAuthor
from archiver.documents.apis.values import (
    Json,
    at,
    decoded,
    items,
    moment,
    name,
    names,
    noted,
    number,
    pointer,
    said,
    text,
)

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.documents.apis.model import ApiQuery, ApiResponse, Cursor

_AT_ONCE = 20  # posts, as many as a topic shows at first
# Posts, and posts of moderators; others are notes of what was done, or whispers.
_SAID = frozenset({1, 2})


def request(query: ApiQuery, cursor: Cursor, now: datetime) -> ApiRequest:  # noqa: ARG001 - as readers have it
    """The list, from where it was; before it goes on, each topic that has something new."""
    if cursor.waiting:
        topic = cursor.waiting[0]
        if not topic.get("posts"):
            return ApiRequest(url=f"{query.base}/t/{topic['id']}.json")
        some = topic["posts"].split(",")[:_AT_ONCE]
        wanted = urlencode([("post_ids[]", one) for one in some])
        return ApiRequest(url=f"{query.base}/t/{topic['id']}/posts.json?{wanted}")
    page = cursor.at or ("1" if query.what == "search" else "0")
    if query.what == "search":
        return ApiRequest(url=f"{query.base}/search.json?{urlencode({'q': query.value, 'page': page})}")
    return ApiRequest(url=f"{query.base}/latest.json?{urlencode({'page': page})}")


def read(response: ApiResponse, query: ApiQuery, cursor: Cursor) -> ApiPage:
    if cursor.waiting and response.status in {403, 404, 410}:
        # A topic that is private, or was deleted since it was listed.
        return _behind(response, cursor, cursor.waiting[1:], ())
    if page := refused(response, cursor, feeds=(f"{query.base}/latest.rss",)):
        return page
    answer = decoded(response.body)
    return (
        _topic(response, answer, query, cursor) if cursor.waiting else _list(response, answer, query, cursor)
    )


def _list(response: ApiResponse, answer: Json, query: ApiQuery, cursor: Cursor) -> ApiPage:
    """Topics wait that have other posts than when they were read."""
    is_search = query.what == "search"
    topics = items(answer, "topics") if is_search else items(answer, "topic_list", "topics")
    waiting, states = [], cursor.states
    for one in topics:
        topic, state = text(one, "id"), f"{text(one, 'posts_count')} {text(one, 'last_posted_at')}"
        if topic and states.get(topic) != state:
            states = noted(states, topic, state)
            waiting.append({"id": topic})
    told = (
        ("grouped_search_result", "more_full_page_results")
        if is_search
        else ("topic_list", "more_topics_url")
    )
    goes_on = bool(at(answer, *told)) and bool(topics)
    # Where the latest activity is first, nothing is new below a page on which nothing is.
    goes_on = goes_on and not (cursor.is_whole and not is_search and not waiting)
    here = str(int(cursor.at or ("1" if is_search else "0")) + 1) if goes_on else ""
    after = msgspec.structs.replace(cursor, at=here, waiting=tuple(waiting), states=states)
    return ApiPage(next=after, is_over=not here and not waiting, wait=wait_of(response))


def _topic(response: ApiResponse, answer: Json, query: ApiQuery, cursor: Cursor) -> ApiPage:
    """A topic shows its first posts, and the numbers of all of them."""
    topic, *others = cursor.waiting
    shown = items(answer, "post_stream", "posts")
    if topic.get("posts"):
        left = topic["posts"].split(",")[_AT_ONCE:]
    else:
        seen = {text(one, "id") for one in shown}
        stream = [text(one) for one in items(answer, "post_stream", "stream")]
        left = [one for one in stream if one and one not in seen]
        topic = topic | {"title": name(answer, "title") or "", "tags": "\n".join(_tags(answer))}
    waiting = ((topic | {"posts": ",".join(left)},) if left else ()) + tuple(others)
    read_posts = [(_post(one, place, query, topic), one) for place, one in enumerate(shown)]
    posts = tuple(post for post, _ in read_posts if post is not None)
    gone = tuple(_id(query, one) for post, one in read_posts if post is None and _is_gone(one))
    return _behind(response, cursor, waiting, posts, gone)


def _tags(answer: Json) -> tuple[str, ...]:
    """Names; newer servers have objects with names."""
    listed = items(answer, "tags")
    return tuple(dict.fromkeys((*names(listed), *names(listed, "name"))))


def _behind(
    response: ApiResponse,
    cursor: Cursor,
    waiting: tuple[dict[str, str], ...],
    posts: tuple[Post, ...],
    gone: tuple[str, ...] = (),
) -> ApiPage:
    after = msgspec.structs.replace(cursor, waiting=waiting)
    is_over = not waiting and not cursor.at
    return ApiPage(posts=posts, gone=gone, next=after, is_over=is_over, wait=wait_of(response))


def _is_gone(one: Json) -> bool:
    return bool(at(one, "user_deleted") or at(one, "deleted_at"))


def _id(query: ApiQuery, one: Json) -> str:
    return f"{query.base}/p/{text(one, 'id')}"


def _post(one: Json, place: int, query: ApiQuery, topic: dict[str, str]) -> Post | None:
    place_in_topic, answered = text(one, "post_number"), text(one, "reply_to_post_number")
    is_said = number(one, "post_type") in _SAID or at(one, "post_type") is None
    if not text(one, "id") or not is_said or at(one, "hidden") or _is_gone(one):
        return None
    thread = f"{query.base}/t/{topic['id']}"
    slug = text(one, "topic_slug") or "-"
    url = f"{query.base}/t/{slug}/{topic['id']}/{place_in_topic}"
    words, html, links = said(text(one, "cooked"), url)
    handle = name(one, "username")
    is_first = place_in_topic == "1"
    return Post(
        id=_id(query, one),
        pointer=pointer("post_stream", "posts", place),
        url=url,
        author=PostAuthor(
            name=name(one, "name") or handle,
            handle=handle,
            url=f"{query.base}/u/{handle}" if handle else None,
        ),
        published=moment(one, "created_at"),
        edited=moment(one, "updated_at") if (number(one, "version") or 1) > 1 else None,
        title=topic.get("title") or None if is_first else None,
        text=words,
        html=html,
        links=links,
        in_reply_to=f"{thread}/{answered}" if answered else None if is_first else thread,
        thread=thread,
        tags=tuple(filter(None, topic.get("tags", "").split("\n"))) if is_first else (),
        replies=number(one, "reply_count"),
    )
