"""Two looks at one feed are told from two feeds that look alike."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.feeds.model import FeedEntry, FeedInfo, ParsedFeed
from archiver.documents.feeds.sameness import identity_of, show_the_same, shown_by

# The newest first, as feeds show them.
STREAM = shown_by([FeedEntry(id=str(number)) for number in range(20)])
HTTP, HTTPS = "http://www.example.org/feed/", "https://example.org/feed"


def feed(**info: str) -> ParsedFeed:
    return ParsedFeed(format="rss20", info=FeedInfo(**info))  # type: ignore[arg-type] # given by name


@given(st.integers(0, 15), st.integers(5, 20), st.integers(5, 20))
def test_a_later_look_goes_on_as_the_earlier_one_begins(new: int, one: int, other: int) -> None:
    earlier, later = STREAM[new:][:one], STREAM[:other]
    expected = min(len(earlier), len(later) - new) >= 5
    assert show_the_same(earlier, later) == show_the_same(later, earlier) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (STREAM[:4], STREAM[:4]),
        (STREAM[::2], STREAM),
        (STREAM[:10], STREAM[9::-1]),
        (STREAM[:10], STREAM[10:]),
        ((), ()),
    ],
    ids=["too few", "one category of all", "another order", "nothing in common", "empty"],
)
def test_feeds_that_only_look_alike_are_not_one(one: tuple[str, ...], other: tuple[str, ...]) -> None:
    assert not show_the_same(one, other)
    assert not show_the_same(other, one)


def test_entries_without_names_or_with_shared_ones_say_nothing() -> None:
    assert shown_by([FeedEntry(id="a"), FeedEntry(title="no name")]) == ()
    assert shown_by([FeedEntry(link="http://example.org/"), FeedEntry(link="http://example.org/")]) == ()


def test_a_feed_is_what_it_says_it_is_wherever_it_is_found() -> None:
    mine = "https://example.org/feed"
    assert identity_of(feed(self_url=mine), HTTP) == identity_of(
        feed(self_url=mine), "https://x.example/?a=b"
    )
    assert identity_of(feed(self_url=mine), HTTP) != identity_of(feed(self_url=mine + "/news"), HTTP)


def test_whole_articles_and_their_announcements_are_two_feeds() -> None:
    brief = ParsedFeed(format="rss20", info=FeedInfo(self_url=HTTPS), entries=(FeedEntry(id="a"),))
    full = replace(brief, entries=(FeedEntry(id="a", content="<p>All of it"),))
    assert identity_of(brief, HTTP) != identity_of(full, HTTP)


def test_a_feed_that_does_not_say_is_compared_with_spellings_of_its_address_only() -> None:
    told = feed(title="News", link="https://example.org/")
    assert identity_of(told, HTTP) == identity_of(told, HTTPS)
    assert identity_of(told, HTTP) != identity_of(told, "https://example.org/feed?cat=1")
    assert identity_of(told, HTTP) != identity_of(feed(title="Sport", link="https://example.org/"), HTTP)
    assert identity_of(feed(title="News"), HTTP) is None
