"""Readers of APIs as pure functions: what they ask for, and what they make of answers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from archiver.documents.apis.limits import wait_of
from archiver.documents.apis.model import ApiPage, ApiQuery, ApiResponse, Cursor
from archiver.documents.apis.registry import APIS, reader_of
from archiver.documents.apis.values import decoded, moment, pointer
from archiver.documents.apis.wishes import is_unwanted
from archiver.errors import ExtractionError

NOW = datetime(2026, 6, 12, 8, tzinfo=UTC)
PUBLIC = "https://www.w3.org/ns/activitystreams#Public"


def answer(
    body: Any, *headers: tuple[str, str], url: str = "https://x.example/", status: int = 200
) -> ApiResponse:
    return ApiResponse(url=url, status=status, headers=headers, body=json.dumps(body).encode(), date=NOW)


def followed(query: ApiQuery, web: dict[str, Any]) -> tuple[list[ApiPage], list[str]]:
    """All pages of a round on a web that is a mapping; the addresses that were asked for."""
    reader, cursor, pages, urls = reader_of(query.api), Cursor(), [], []
    while not pages or not pages[-1].is_over:
        url = reader.request(query, cursor, NOW).url
        urls.append(url)
        pages.append(reader.read(answer(web[url], url=url), query, cursor))
        assert not pages[-1].problem
        assert len(pages) < 20
        cursor = pages[-1].next
    return pages, urls


def note(number: int, **more: Any) -> dict[str, Any]:
    one = {"id": f"https://h.example/n/{number}", "type": "Note", "published": f"2026-06-1{number}T08:00:00Z"}
    one |= {"content": f"<p>Mark {number}</p>", "to": [PUBLIC]} | more
    return {"type": "Create", "object": one}


def test_an_activitypub_account_is_found_and_its_outbox_is_read_page_by_page() -> None:
    query = ApiQuery(api="activitypub", base="https://h.example", what="account", value="ada@h.example")
    finger = {
        "links": [{"rel": "self", "type": "application/activity+json", "href": "https://h.example/u/ada"}]
    }
    second = [
        note(3, to=["https://h.example/u/ada/followers"]),
        note(2, inReplyTo="https://o.example/1"),
        {"type": "Announce", "object": "https://o.example/9"},
        {"type": "Create", "object": {"id": "https://h.example/n/1", "type": "Tombstone"}},
    ]
    pages, urls = followed(
        query,
        {
            "https://h.example/.well-known/webfinger?resource=acct%3Aada%40h.example": finger,
            "https://h.example/u/ada": {"name": "Ada", "outbox": "https://h.example/u/ada/outbox"},
            "https://h.example/u/ada/outbox": {"first": "https://h.example/u/ada/outbox?page=true"},
            "https://h.example/u/ada/outbox?page=true": {
                "orderedItems": [note(5, cc=PUBLIC, to=[]), note(4)],
                "next": "https://h.example/u/ada/outbox?page=2",
            },
            "https://h.example/u/ada/outbox?page=2": {
                "orderedItems": second,
                "next": "https://evil.example/u/ada/outbox?page=3",
            },
        },
    )
    posts = [post for page in pages for post in page.posts]
    assert [post.text for post in posts] == ["Mark 5", "Mark 4", "Mark 2"]
    assert posts[2].pointer == "/orderedItems/1/object"
    assert posts[2].in_reply_to == "https://o.example/1"
    assert posts[0].author.name == "Ada"
    assert pages[-1].gone == ("https://h.example/n/1",)
    assert pages[-1].withheld == 1
    assert len(urls) == 5, "no page of another server is asked for"


@pytest.mark.parametrize("settings", [{"discoverable": False}, {"summary": "<p>#<b>NoBot</b></p>"}])
def test_an_account_that_does_not_want_to_be_archived_is_marked(settings: dict[str, Any]) -> None:
    query = ApiQuery(api="activitypub", base="https://h.example", what="account", value="ada@h.example")
    reader, cursor = reader_of("activitypub"), Cursor(waiting=({"actor": "https://h.example/u/ada"},))
    page = reader.read(answer({"outbox": "https://h.example/o"} | settings), query, cursor)
    page = reader.read(answer({"orderedItems": [note(1)]}), query, page.next)
    assert [post.is_unwanted for post in page.posts] == [True]


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ([("Retry-After", "7")], 7),
        ([("Retry-After", "Fri, 12 Jun 2026 08:01:00 GMT"), ("Date", "Fri, 12 Jun 2026 08:00:30 GMT")], 30),
        ([("X-RateLimit-Remaining", "100"), ("X-RateLimit-Reset", "2026-06-12T08:05:00.000Z")], 6),
        ([("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "2026-06-12T08:05:00.000Z")], 300),
        ([("RateLimit-Remaining", "10"), ("RateLimit-Reset", str(int(NOW.timestamp()) + 50))], 10),
        ([("X-RateLimit-Remaining", "10"), ("X-RateLimit-Reset", "20")], 4),
        ([("X-RateLimit-Remaining", "many"), ("X-RateLimit-Reset", "soon")], 0),
        ([("Retry-After", "9" * 50)], 3600),
        ([("X-RateLimit-Remaining", "5"), ("X-RateLimit-Reset", "2026-06-12T07:00:00Z")], 0),
    ],
)
def test_limits_are_waits_at_half_of_the_stated_rate(headers: list[tuple[str, str]], seconds: float) -> None:
    assert wait_of(answer([], *headers)) == pytest.approx(seconds)


@pytest.mark.parametrize("body", [b"", b"{", b"\xff\xfe", b"[" * 65 + b"]" * 65, b'{"a":' * 99_999, b"NaN"])
def test_json_that_is_broken_or_too_deep_is_refused(body: bytes) -> None:
    with pytest.raises(ExtractionError):
        decoded(body)


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("body", [[], {}, None, 7, "x", [None], {"feed": {}}, {"posts": [7]}, {"error": "x"}])
def test_no_shape_of_json_breaks_a_reader(api: str, body: object) -> None:
    query = ApiQuery(api=api, base="https://h.example", what="search", value="flood")
    for cursor in (Cursor(), Cursor(root="https://h.example/api"), Cursor(root="1", waiting=_WAITING)):
        try:
            page = reader_of(api).read(answer(body), query, cursor)
        except ExtractionError:
            continue
        assert not page.posts


_WAITING = (
    {"id": "1", "post": "1", "page": "1", "thread": "t", "actor": "https://h.example/a", "revision": "1",
     "url": "https://h.example/p", "title": "", "user": "", "language": "", "timestamp": ""},
)  # fmt: skip


def test_pointers_are_escaped_and_times_are_utc() -> None:
    assert pointer("a/b", "~", 0) == "/a~1b/~0/0"
    assert moment("2026-06-12T10:00:00+02:00") == NOW
    assert moment("2026-06-12T08:00:00") == NOW
    assert moment("0001-01-01T00:00:00+14:00") is None
    assert not is_unwanted("I like bots")
