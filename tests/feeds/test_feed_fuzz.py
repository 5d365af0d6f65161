"""Whatever a server sends, reading it ends in a feed or in a FeedParseError."""

from __future__ import annotations

import json
from contextlib import suppress

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archiver.documents.feeds.discover import discover_feeds, looks_like_html
from archiver.documents.feeds.model import ParsedFeed
from archiver.documents.feeds.parse import parse_feed
from archiver.errors import FeedParseError
from tests.feeds import feed_corpus

BODIES = [document.read_bytes() for document in feed_corpus.DOCUMENTS]
SCRAPS = [
    *(
        b"<item>",
        b"</item>",
        b"<entry>",
        b"</title>",
        b"<title>",
        b"<link>",
        b"<content type='xhtml'>",
        b"</div>",
    ),
    *(
        b"<![CDATA[",
        b"]]>",
        b"<!--",
        b"-->",
        b"&",
        b"&#xD800;",
        b"&#99999999;",
        b"<",
        b">",
        b'"',
        b"\x00",
        b"\xff",
    ),
    *(
        b"<image>",
        b"<source>",
        b"<author>",
        b"<svg>",
        b"<category/>",
        b"<guid",
        b" xml:base='//['",
        b"{",
        b"null",
    ),
]
CONTENT_TYPES = st.sampled_from(
    [None, "text/xml; charset=utf-16", "text/html; charset=idna", "application/json", "\x00"]
)
QUICK = settings(max_examples=150, database=None, suppress_health_check=[HealthCheck.too_slow])


def survives(body: bytes, content_type: str | None = None) -> None:
    with suppress(FeedParseError):
        feed = parse_feed(body, url=feed_corpus.URL, content_type=content_type)
        assert msgspec.json.decode(msgspec.json.encode(feed), type=ParsedFeed) == feed
    discover_feeds(body, url=feed_corpus.URL, content_type=content_type)
    looks_like_html(body)


@QUICK
@given(st.binary(max_size=500), CONTENT_TYPES)
def test_any_bytes(body: bytes, content_type: str | None) -> None:
    survives(body, content_type)


@QUICK
@given(
    st.binary(max_size=200),
    st.sampled_from([b"<rss>", b"<?xml?><feed><entry>", b"<rdf:RDF><channel>", b"{", b"["]),
)
def test_any_bytes_in_a_feed(body: bytes, start: bytes) -> None:
    survives(start + body)


@QUICK
@given(st.lists(st.sampled_from(SCRAPS), max_size=20).map(b"".join))
def test_any_scraps_of_a_feed(body: bytes) -> None:
    survives(b"<rss version='2.0'><channel>" + body)


@QUICK
@given(
    st.sampled_from(BODIES),
    st.lists(st.tuples(st.floats(0, 1), st.floats(0, 0.2), st.sampled_from(SCRAPS)), max_size=4),
)
def test_any_damage_to_the_corpus(body: bytes, damages: list[tuple[float, float, bytes]]) -> None:
    for where, length, scrap in damages:
        start = int(where * len(body))
        body = body[:start] + scrap + body[start + int(length * len(body)) :]
    survives(body)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "url", "type"]), inner)
    ),
    max_leaves=5,
)
NAMES = (
    "id",
    "url",
    "title",
    "authors",
    "author",
    "tags",
    "attachments",
    "date_published",
    "content_html",
    "language",
)


@QUICK
@given(
    st.dictionaries(st.sampled_from(NAMES), VALUES),
    st.dictionaries(st.sampled_from(("hubs", *NAMES)), VALUES),
)
def test_any_values_in_a_json_feed(item: dict[str, object], feed: dict[str, object]) -> None:
    feed |= {"version": "https://jsonfeed.org/version/1.1", "items": [item]}
    assert len(parse_feed(json.dumps(feed).encode(), url=feed_corpus.URL).entries) == 1


def test_every_beginning_of_a_feed_is_survived() -> None:
    whole = (feed_corpus.FOLDER / "atom-1.0.xml").read_bytes()
    for length in range(0, len(whole), 7):
        survives(whole[:length])
