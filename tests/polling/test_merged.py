"""Looks at merged channels, and what documents tell of how long entries are listed: by values alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from archiver.acquisition.channels.merging import CHECK_EVERY, CONFIRM_AFTER, look_at_merged
from archiver.acquisition.channels.polls import KnownChannel
from archiver.acquisition.channels.sightings import ListedEntry, document_seen
from archiver.acquisition.items import ChannelPoll
from archiver.documents.feeds.entries import EntryChanges, identify
from archiver.documents.feeds.model import FeedEntry, FeedInfo, ParsedFeed

NOW = datetime(2026, 3, 2, tzinfo=UTC)
HOUR = timedelta(hours=1)
KEPT = KnownChannel(id=1, url="http://example.org/feed", seed_url="http://example.org/feed", last_success=NOW)
ANSWER = ChannelPoll(
    channel_id=2, url="http://www.example.org/feed", feed=ParsedFeed(format="rss20", info=FeedInfo())
)


def merged(**other: Any) -> KnownChannel:
    return KnownChannel(
        id=2, seed_url=ANSWER.url, status="merged", merged_into=1, **{"url": ANSWER.url} | other
    )


def test_a_merged_channel_parts_when_what_it_shows_is_still_lacking() -> None:
    first = look_at_merged(merged(), KEPT, ANSWER, ["a"], NOW)
    assert (first.is_parted, dict(first.fields)) == (
        False, {"next_poll": NOW + CONFIRM_AFTER, "shown": ("a",)},
    )  # fmt: skip
    waiting = merged(shown=("a",), last_poll=NOW)
    assert not look_at_merged(waiting, KEPT, ANSWER, ["a"], NOW).is_parted
    waiting = merged(shown=("a",), last_poll=NOW - HOUR)
    parted = look_at_merged(waiting, KEPT, ANSWER, ["a"], NOW)
    assert (parted.is_parted, parted.fields["status"], parted.fields["apart"]) == (True, "active", True)
    assert "shows entries that the other does not" in parted.notes[0]
    same = look_at_merged(waiting, KEPT, ANSWER, [], NOW)
    assert dict(same.fields) == {"next_poll": NOW + CHECK_EVERY, "shown": ()}


def test_a_merged_channel_of_another_domain_parts_unless_it_fails() -> None:
    other = merged(url="http://elsewhere.com/feed")
    answer = ChannelPoll(channel_id=2, url="http://elsewhere.com/feed", feed=ANSWER.feed)
    assert look_at_merged(other, KEPT, answer, [], NOW).is_parted
    assert not look_at_merged(other, KEPT, ChannelPoll(channel_id=2, url=answer.url), [], NOW).is_parted
    # It redirects there.
    assert not look_at_merged(other, KEPT, ANSWER, [], NOW).is_parted


def shown(*names: str, new: str = "") -> EntryChanges:
    found = identify([FeedEntry(id=name) for name in names])
    return EntryChanges(
        new=tuple(one for one in found if one.key in new),
        changed=(),
        renamed=(),
        shown=tuple(one.key for one in found),
    )


def listed(*names: str) -> dict[str, ListedEntry]:
    return {
        name: ListedEntry(sighting_id=place, page_id=10 + place, place=place, seen=NOW)
        for place, name in enumerate(names)
    }


def test_a_document_tells_what_came_and_what_went() -> None:
    rest: dict[str, Any] = {"last_look": NOW, "is_whole": True, "was_noted": True}
    seen = document_seen(listed("b", "c", "d"), shown("a", "b", "d", new="a"), **rest)
    assert (seen.gone, seen.vanished) == ((1,), (11,))
    assert [(key, one.place, one.not_before) for key, one in seen.came.items()] == [("a", 0, NOW)]
    part = document_seen(listed("b", "c", "d"), shown("a"), **rest | {"is_whole": False})
    assert (part.gone, part.vanished) == ((), ())
    # The oldest ages out of a feed: it did not vanish.
    assert document_seen(listed("b", "c"), shown("a", "b", new="a"), **rest).vanished == ()


def test_what_was_known_before_anything_was_noted_may_have_been_listed_for_long() -> None:
    rest: dict[str, Any] = {"last_look": NOW, "is_whole": True}
    first = document_seen({}, shown("a", "b", new="a"), was_noted=False, **rest)
    assert [one.not_before for one in first.came.values()] == [NOW, None]
    again = document_seen({}, shown("a", "b", new="a"), was_noted=True, **rest)
    assert [one.not_before for one in again.came.values()] == [NOW, NOW]
