"""Which findings make a version, how their entries end and what is noted of the look: by values alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from archiver.acquisition.findings import Finding, Judged, KnownArticle, KnownArticles
from archiver.acquisition.pages import EntryOutcome
from archiver.acquisition.settling import (
    Stored,
    change_of,
    distinct,
    known_for,
    look_of,
    next_version,
    settlement_of,
)
from archiver.articles.leads import Announcer, Lead
from archiver.articles.methods.registry import FEED as BY_FEED
from archiver.articles.versions.model import Change, Judgement, Making
from tests.store.samples import FEED, NOW, article, capture, entry

DAY = timedelta(days=1)
URL = "http://example.org/a"
ANNOUNCER = Announcer(id=3, entry=entry(), channel_id=1, not_before=NOW - DAY)
LEAD = Lead(source="channels", via=FEED, scope=1, first_seen=NOW - DAY, announcer=ANNOUNCER)


def finding(words: str = "Many words", **other: Any) -> Finding:
    found, digests = article(words)
    values = {
        "page_id": 1, "url": URL, "leads": (LEAD,), "known_at": NOW, "capture": capture(2),
        "article": found, "fingerprint": digests, "extractor": "article/2",
    }  # fmt: skip
    return Finding(**values | other)


def known(**other: Any) -> KnownArticle:
    values = {
        "id": 7, "key": finding().key, "url": URL, "first_seen": NOW - 9 * DAY, "last_captured": NOW - DAY,
        "version": 4, "fingerprint": article()[1], "capture": capture(1), "making": Making(extractor="x"),
    }  # fmt: skip
    return KnownArticle(**values | other)


def judged(similarity: float | None = 0.9, version: int = 4) -> Judged:
    change = Change(kinds=("text",), similarity=similarity) if similarity is not None else None
    return Judged(version=version, judgement=Judgement(change=change))


def test_findings_of_one_article_are_settled_one_after_the_other() -> None:
    one, same = finding(), finding(page_id=2)
    other = finding(page_id=3, url="http://example.org/b")
    moved = finding(page_id=4, url="http://example.org/c", article_id=5)
    also = finding(page_id=5, url="http://example.org/d", article_id=5)
    parts = [[each.page_id for each in some] for some in distinct([one, other, same, moved, also])]
    assert parts == [[1, 3], [2, 4], [5]]


@pytest.mark.parametrize(
    ("judgement", "is_its"), [(None, False), (judged(0.1), False), (judged(0.3), True), (judged(None), True)]
)
def test_a_text_at_another_address_is_the_article_if_it_is_alike(
    judgement: Judged | None, *, is_its: bool
) -> None:
    mine = known(key="http://example.org/old")
    moved = finding(article_id=7, judged=judgement)
    assert known_for(moved, KnownArticles(by_key={}, by_id={7: mine})) == (mine if is_its else None)


def test_an_article_is_known_by_its_address() -> None:
    mine = known()
    everything = KnownArticles(by_key={mine.key: mine}, by_id={})
    assert known_for(finding(), everything) is mine
    assert known_for(finding(url="http://example.org/b"), everything) is None


def test_what_was_never_seen_is_new() -> None:
    assert change_of(finding(), None) == Change(kinds=("new",))


def test_the_same_bytes_are_no_change_whatever_is_made_of_them() -> None:
    same = finding("Other words", capture=capture(1), judged=judged())
    assert change_of(same, known()) is None


def test_a_comparison_counts_only_with_the_version_that_it_was_made_with() -> None:
    assert change_of(finding(judged=judged()), known()) == judged().judgement.change
    # By digests these are the same words.
    assert change_of(finding(judged=judged(version=3)), known()) is None
    assert change_of(finding("Other words"), known()) == Change(kinds=("text",))


def test_digests_of_an_older_form_are_held_against_the_words() -> None:
    older = replace(known().fingerprint, text="t1:0000", title="t1:0000")
    assert change_of(finding(), known(fingerprint=older)) == Change(kinds=("title", "text"))


def test_a_version_goes_on_from_the_last() -> None:
    change = Change(kinds=("text",))
    second = next_version(finding(), known(), change, ())
    assert (second.number, second.first_seen, second.unchanged_until) == (5, NOW - 9 * DAY, NOW - DAY)
    first = next_version(finding(), None, change, ())
    assert (first.number, first.first_seen, first.unchanged_until) == (1, LEAD.first_seen, None)


def test_entries_end_by_what_was_stored() -> None:
    ended = settlement_of(finding(), Stored(article_id=7, is_new=True))
    assert (ended.outcome, ended.article_id, ended.carried, ended.forgets) == (
        EntryOutcome.STORED,
        7,
        3,
        False,
    )
    assert settlement_of(finding(), Stored(article_id=7)).outcome is EntryOutcome.UNCHANGED
    nothing = finding(article=None, fingerprint=None, outcome=EntryOutcome.NOT_ARTICLE, detail="a list")
    ended = settlement_of(nothing, None)
    assert (ended.outcome, ended.detail, ended.forgets) == (EntryOutcome.NOT_ARTICLE, "a list", True)


def test_a_look_is_at_the_article_of_the_page() -> None:
    seen = look_of(finding(), Stored(article_id=7, is_new=True, published=NOW - 3 * DAY), NOW)
    assert seen is not None
    # The feed did not list it a day before: it is not older, whatever its date says.
    assert (seen.article_id, seen.changed, seen.is_seen, seen.age) == (7, True, True, DAY)
    first = look_of(finding(), Stored(article_id=7, is_new=True, is_first=True), NOW)
    assert first is not None
    assert not first.changed
    unclear = look_of(finding(article=None, article_id=7), None, NOW)
    assert unclear is not None
    assert not unclear.is_seen


def test_what_has_no_page_of_its_own_is_not_watched() -> None:
    carried = replace(article()[0], method=BY_FEED)
    assert look_of(finding(article=carried), Stored(article_id=7), NOW) is None
    assert look_of(finding(article=None), None, NOW) is None
    assert look_of(finding(is_elsewhere=True), Stored(article_id=7), NOW) is None
    assert look_of(finding(is_elsewhere=True), Stored(article_id=7, is_first=True), NOW) is not None
