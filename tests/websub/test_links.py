"""Which hub to go to: by the answer's head, or by the feed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.channels.websub.subscription import Announced, announced
from archiver.documents.feeds.model import FeedInfo
from archiver.urls import is_web

URL = "https://example.org/feed"
HUB, TOPIC = "https://hub.example/", "https://example.org/feed.atom"
INFO = FeedInfo(hubs=("https://other.example/hub",), self_url="https://example.org/by-feed")


@pytest.mark.parametrize(
    "head",
    [
        f'<{HUB}>; rel="hub", <{TOPIC}>; rel="self"',
        f"<{HUB}>;rel=hub,<{TOPIC}>;rel=self",
        f'<{TOPIC}>; title="a, b; c"; rel="alternate self", <{HUB}>; REL="preload Hub"',
        f'<{HUB}>; rel="hub", </feed.atom>; rel=self, <https://second.example/>; rel=hub',
    ],
)
def test_the_head_counts_before_the_feed(head: str) -> None:
    assert announced(head, INFO, URL) == Announced(hub=HUB, topic=TOPIC)


@pytest.mark.parametrize("head", ["", f'<{HUB}>; rel="hub"', "<>; rel=hub, <x>; rel=self, nonsense"])
def test_without_both_in_the_head_the_feed_counts(head: str) -> None:
    assert announced(head, INFO, URL) == Announced(hub=INFO.hubs[0], topic=INFO.self_url or "")


@pytest.mark.parametrize(
    "info",
    [
        FeedInfo(),
        FeedInfo(hubs=(HUB,)),
        FeedInfo(self_url=TOPIC),
        FeedInfo(hubs=("ftp://hub.example/",), self_url=TOPIC),
        FeedInfo(hubs=(HUB,), self_url="https://example.org/" + "x" * 3000),
    ],
)
def test_what_cannot_be_subscribed_to_is_left(info: FeedInfo) -> None:
    assert announced("", info, URL) is None


@given(st.text(max_size=200))
def test_whatever_a_head_says_is_read(head: str) -> None:
    found = announced(head, INFO, URL)
    assert found is None or is_web(found.hub)
