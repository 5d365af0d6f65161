"""Feeds that break off: what is whole in them is read, and they are never taken for whole."""

from __future__ import annotations

import contextlib
import gzip

import brotli
import pytest
import zstandard

from archiver.documents.codings import decode_content
from archiver.documents.feeds.parse import parse_feed
from archiver.errors import FeedBrokenOff, FeedParseError

URL = "https://example.org/feed"
RSS = (
    "<?xml version='1.0'?><rss version='2.0'><channel><title>Broken Harbour</title>"
    "<item><title>One</title><link>https://example.org/1</link><guid>1</guid></item>"
    "<item><title>Two</title><link>https://example.org/2</link><guid>2</guid></item></channel></rss>"
)
ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><title>Harbour</title>"
    "<entry><id>1</id><link href='https://example.org/1'/><title>One</title></entry>"
    "<entry><id>2</id><link href='https://example.org/2'/><title>Two</title></entry></feed>"
)
RDF = (
    "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#' xmlns='http://purl.org/rss/1.0/'>"
    "<channel><title>Harbour</title></channel>"
    "<item><title>One</title><link>https://example.org/1</link></item></rdf:RDF>"
)
JSON = (
    '{"version": "https://jsonfeed.org/version/1.1", "title": "Harbour", "items": [{"id": "1"}, {"id": "2"}]}'
)


@pytest.mark.parametrize("whole", [RSS, ATOM, RDF])
def test_xml_that_breaks_off_anywhere_is_never_taken_for_whole(whole: str) -> None:
    assert not parse_feed(whole.encode(), url=URL).broken_off
    all_of_it = whole.find("</channel></rss>") + len("</channel>") if whole is RSS else len(whole) - 1
    for length in range(whole.index("<title>"), all_of_it):
        feed = parse_feed(whole[:length].encode(), url=URL)
        assert feed.broken_off, whole[:length]
        assert "the document is cut off" in feed.problems


@pytest.mark.parametrize(
    "body",
    ["<rss><channel><title>Bro", "<rss><channel>", "<rss>", "<rss><channel><item>", "<rss version='2.0'><ch"],
)
def test_a_feed_that_has_hardly_begun_breaks_off(body: str) -> None:
    feed = parse_feed(body.encode(), url=URL)
    assert feed.broken_off
    assert feed.entries == ()


@pytest.mark.parametrize(
    "body", ["<?xml version='1.0'?><rss versi", "<rs", "<feed xmlns='http://www.w3.o", "<?xm"]
)
def test_a_document_that_ends_in_its_first_tag_breaks_off(body: str) -> None:
    with pytest.raises(FeedBrokenOff, match="breaks off"):
        parse_feed(body.encode(), url=URL)


def test_an_entry_that_is_cut_is_left_out_and_those_before_it_are_read() -> None:
    cut = RSS[: RSS.index("<guid>2")]
    # Without its guid it would be another entry than the one that comes again, whole.
    assert [entry.id for entry in parse_feed(cut.encode(), url=URL).entries] == ["1"]


@pytest.mark.parametrize("length", range(JSON.index('"title"'), len(JSON)))
def test_json_that_breaks_off_anywhere_is_told_as_that(length: int) -> None:
    with pytest.raises(FeedBrokenOff, match="breaks off"):
        parse_feed(JSON[:length].encode(), url=URL)


def test_json_that_is_wrong_in_its_middle_does_not_break_off() -> None:
    with pytest.raises(FeedParseError, match="broken JSON") as told:
        parse_feed(JSON.replace("[", "[oops").encode(), url=URL)
    assert not isinstance(told.value, FeedBrokenOff)


@pytest.mark.parametrize("body", ["</RSS>", "</Rss  >", "</rss>\n<!-- 0.1 s -->", "</rss> Warning: gone"])
def test_an_end_by_another_spelling_is_an_end(body: str) -> None:
    assert not parse_feed(RSS.replace("</rss>", body).encode(), url=URL).broken_off


def test_a_channel_that_ends_is_whole_although_its_rss_element_does_not() -> None:
    feed = parse_feed(RSS.removesuffix("</rss>").encode(), url=URL)
    assert not feed.broken_off
    assert len(feed.entries) == 2


@pytest.mark.parametrize("quoted", ["<![CDATA[Write </channel></rss> and", "<!-- </channel></rss> and"])
def test_an_end_tag_that_is_quoted_is_no_end(quoted: str) -> None:
    cut = RSS[: RSS.index("<guid>2")] + f"<description>{quoted}"
    feed = parse_feed(cut.encode(), url=URL)
    assert feed.broken_off
    assert [entry.id for entry in feed.entries] == ["1"]


@pytest.mark.parametrize("coding", ["gzip", "br", "zstd"])
def test_a_compressed_feed_that_is_cut_breaks_off(coding: str) -> None:
    items = "".join(f"<item><guid>{n}</guid><title>{hash(n)}</title></item>" for n in range(2000))
    whole = RSS.replace("</channel>", f"{items}</channel>").encode()
    packed = {"gzip": gzip.compress, "br": brotli.compress, "zstd": zstandard.compress}[coding](whole)
    assert not parse_feed(decode_content(packed, [coding]), url=URL).broken_off
    with contextlib.suppress(FeedParseError):  # where nothing of it can be read, it is no feed at all
        assert parse_feed(decode_content(packed[: len(packed) // 2], [coding]), url=URL).broken_off
