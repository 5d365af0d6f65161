"""Which entry is which: by id, by link where ids fail, and never two taken for one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.documents.feeds.entries import EntryChanges, KnownEntry, compare, identify
from archiver.documents.feeds.model import Enclosure, FeedDate, FeedEntry

if TYPE_CHECKING:
    from collections.abc import Iterable

    from archiver.documents.feeds.entries import IdentifiedEntry

LINK = "https://example.org/a"
ENTRIES = st.builds(
    FeedEntry,
    id=st.none() | st.sampled_from(["1", "2", "3", "https://example.org/a"]),
    link=st.none() | st.sampled_from([LINK, f"{LINK}?utm_source=x", "https://example.org/b", "not a link"]),
    title=st.none() | st.sampled_from(["One", "Two"]),
)


def known_from(entries: Iterable[FeedEntry]) -> list[KnownEntry]:
    return [
        KnownEntry(id=number, key=entry.key, link_key=entry.link_key, digest=entry.digest, url=entry.link)
        for number, entry in enumerate(identify(entries))
    ]


def changes(before: Iterable[FeedEntry], now: Iterable[FeedEntry]) -> EntryChanges:
    known = known_from(before)
    by_link = {entry.link_key: entry for entry in known if entry.link_key}
    return compare(identify(now), {entry.key: entry for entry in known}, by_link)


def only(entries: Iterable[FeedEntry]) -> IdentifiedEntry:
    (entry,) = identify(entries)
    return entry


def test_an_id_is_the_key() -> None:
    assert only([FeedEntry(id="tag:1", link=LINK)]).key == "tag:1"


def test_without_an_id_the_link_is_the_key() -> None:
    found = only([FeedEntry(link=f"{LINK}?utm_source=feed#top")])
    assert found.link_key == LINK
    assert found.key == f"link {LINK}"


def test_without_id_and_link_the_words_are_the_key() -> None:
    one, other = identify([FeedEntry(title="One"), FeedEntry(title="Two")])
    assert one.key != other.key
    assert one.link is None


def test_the_publishers_own_link_comes_before_the_redirectors() -> None:
    assert only([FeedEntry(link="https://feeds.example.net/~r/1", original_link=LINK)]).link == LINK


@pytest.mark.parametrize("link", ["mailto:a@example.org", "http://[", "http://example.org:99999/", "../a"])
def test_a_link_that_cannot_be_followed_is_none(link: str) -> None:
    assert only([FeedEntry(id="1", link=link)]).link is None


def test_an_id_that_different_links_share_is_no_id() -> None:
    found = identify([FeedEntry(id="0", link=LINK), FeedEntry(id="0", link="https://example.org/b")])
    assert [entry.key for entry in found] == [f"link {LINK}", "link https://example.org/b"]


def test_an_id_stays_one_where_only_tracking_differs() -> None:
    found = only([FeedEntry(id="1", link=LINK), FeedEntry(id="1", link=f"{LINK}?utm_source=x")])
    assert found.key == "1"


def test_an_entry_given_twice_is_one_and_the_first_counts() -> None:
    assert only([FeedEntry(id="1", title="Newer"), FeedEntry(id="1", title="Older")]).entry.title == "Newer"


def test_an_id_that_is_the_link_of_another_entry_does_not_hide_it() -> None:
    found = identify([FeedEntry(id=LINK, link="https://example.org/b"), FeedEntry(link=LINK)])
    assert [entry.link_key for entry in found] == ["https://example.org/b", LINK]


@given(st.lists(ENTRIES, max_size=8))
def test_keys_are_unique_and_every_link_is_kept(entries: list[FeedEntry]) -> None:
    found = identify(entries)
    keys = [entry.key for entry in found]
    assert len(set(keys)) == len(keys)
    links = {entry.link_key for one in entries for entry in identify([one])}
    assert {entry.link_key for entry in found} >= links - {None}


@given(st.lists(ENTRIES, max_size=8))
def test_the_same_document_changes_nothing(entries: list[FeedEntry]) -> None:
    assert changes(entries, entries) == EntryChanges(new=(), changed=(), renamed=())


@given(st.lists(ENTRIES, max_size=6), st.lists(ENTRIES, max_size=6))
def test_no_entry_is_overlooked_and_none_is_taken_twice(
    before: list[FeedEntry], now: list[FeedEntry]
) -> None:
    found = changes(before, now)
    told = [*found.new, *(entry for _, entry in (*found.changed, *found.renamed))]
    assert len(told) == len({entry.key for entry in told})
    matched = [known.id for known, _ in (*found.changed, *found.renamed)]
    assert len(matched) == len(set(matched))
    known = {(entry.key, entry.digest) for entry in known_from(before)}
    told_keys = {entry.key for entry in told}
    assert all((entry.key, entry.digest) in known or entry.key in told_keys for entry in identify(now))


def test_what_was_not_there_is_new() -> None:
    found = changes([FeedEntry(id="1", link=LINK)], [FeedEntry(id="2", link="https://example.org/b")])
    assert [entry.key for entry in found.new] == ["2"]


@pytest.mark.parametrize(
    "after",
    [
        FeedEntry(id="1", link=LINK, title="Two", summary="<p>Words"),
        FeedEntry(id="1", link=LINK, title="One", summary="<p>Other words"),
        FeedEntry(id="1", link=LINK, title="One", summary="<p>Words", content="More"),
        FeedEntry(id="1", link="https://example.org/b", title="One", summary="<p>Words"),
        FeedEntry(id="1", link=LINK, title="One", summary="<p>Words", updated=FeedDate(text="today")),
    ],
)
def test_what_a_reader_would_notice_is_a_change(after: FeedEntry) -> None:
    before = FeedEntry(id="1", link=LINK, title="One", summary="<p>Words")
    found = changes([before], [after])
    assert [(known.key, entry.entry) for known, entry in found.changed] == [("1", after)]


@pytest.mark.parametrize(
    "after",
    [
        FeedEntry(id="1", link=LINK, title="One ", summary="<div class='x'>A &amp; B</div>"),
        FeedEntry(id="1", link=f"{LINK}?utm_campaign=2026-03-02", title="One", summary="<p>A &#38; B"),
        FeedEntry(id="1", link=LINK, title="One", summary="A & B", authors=("Jane",), comments=LINK),
    ],
)
def test_what_a_reader_would_not_notice_is_no_change(after: FeedEntry) -> None:
    before = FeedEntry(id="1", link=LINK, title="One", summary="<p>A &amp; B")
    assert changes([before], [after]) == EntryChanges(new=(), changed=(), renamed=())


@pytest.mark.parametrize("other", ["?visit=8f3a00c0ffee00002", "?PHPSESSID=2", ";jsessionid=2"])
def test_an_id_that_stays_while_its_link_gets_another_session_id_is_no_change(other: str) -> None:
    before = FeedEntry(id="1", link=f"{LINK}{other[:-1]}1", title="One")
    after = FeedEntry(id="1", link=f"{LINK}{other}", title="One")
    assert changes([before], [after]) == EntryChanges(new=(), changed=(), renamed=())
    # Its words may change all the same, and it stays at the page that is known.
    edited = FeedEntry(id="1", link=f"{LINK}{other}", title="Two")
    ((known, entry),) = changes([before], [edited]).changed
    assert entry.link_key == known.link_key


def test_another_id_with_the_same_link_is_a_new_name() -> None:
    found = changes([FeedEntry(id="1", link=LINK)], [FeedEntry(id="2", link=LINK)])
    assert not found.new
    assert [(known.key, entry.key) for known, entry in found.renamed] == [("1", "2")]


def test_another_id_with_the_same_link_and_other_words_is_a_change() -> None:
    found = changes([FeedEntry(id="1", link=LINK)], [FeedEntry(id="2", link=LINK, title="New")])
    assert [(known.key, entry.key) for known, entry in found.changed] == [("1", "2")]


def test_two_ids_with_one_link_in_one_document_are_two_entries() -> None:
    found = changes(
        [FeedEntry(id="1", link=LINK)], [FeedEntry(id="2", link=LINK), FeedEntry(id="1", link=LINK)]
    )
    assert [entry.key for entry in found.new] == ["2"]
    assert not found.renamed


def test_a_link_that_several_entries_share_names_none_of_them() -> None:
    """A podcast whose episodes all link to its home: an older one has left the document."""
    before = [FeedEntry(id="1", link=LINK, title="First")]
    now = [FeedEntry(id="3", link=LINK, title="Third"), FeedEntry(id="2", link=LINK, title="Second")]
    found = changes(before, now)
    assert [entry.key for entry in found.new] == ["3", "2"]
    assert not found.changed


def test_comments_and_attached_files_are_no_change_of_an_entry() -> None:
    entry = FeedEntry(id="1", link="http://example.org/1", title="One")
    file = Enclosure(url="http://example.org/1.mp3?token=2")
    counted = replace(entry, comments_count=7, enclosures=(file,), comments_feed="http://example.org/1/feed")
    assert identify([counted])[0].digest == identify([entry])[0].digest
