"""Addresses that repeat what was fetched are known by family, by session, or by what their pages say."""

from __future__ import annotations

import random

from archiver.acquisition.campaigns.definition import Definition, Keyword
from archiver.acquisition.campaigns.matching import MatchedText, Matcher
from archiver.acquisition.campaigns.relevance import RELEVANT, relevance
from archiver.acquisition.campaigns.repeats import RepeatedAddresses
from archiver.acquisition.campaigns.words import word_ids
from archiver.articles.versions.fingerprints import sketch
from tests.crawl.known_web.texts import paragraphs, stuffed

A, B = "http://a.example/3?visit=0a1b2c3d4e5f60718293", "http://a.example/3?visit=99887766554433221100ab"


def test_a_family_that_says_nothing_new_is_left() -> None:
    seen = RepeatedAddresses()
    for day in range(3):
        assert not seen.is_stale("http://a.example/calendar/2026/9")
        seen.note(f"http://a.example/calendar/2026/{day}", is_fresh=day == 0)
    assert seen.is_stale("http://a.example/calendar/2026/9")
    assert not seen.is_stale("http://a.example/story/9")
    assert not seen.is_stale("http://b.example/calendar/2026/9")
    assert seen.take_unswept() == {"a.example"}
    assert seen.take_unswept() == set()


def test_a_page_that_repeats_one_of_its_family_counts_twice() -> None:
    seen = RepeatedAddresses()
    seen.note("http://a.example/1", is_fresh=True)
    seen.note("http://a.example/2", is_fresh=False, same_as="http://a.example/1")
    assert seen.is_stale("http://a.example/3")


def test_the_id_of_a_session_is_learned_from_two_addresses_of_one_page() -> None:
    seen = RepeatedAddresses()
    assert seen.key(A) != seen.key(B)
    seen.note_same("http://a.example/3?page=2", "http://a.example/3?page=3")
    assert seen.key("http://a.example/3?page=2") != seen.key("http://a.example/3?page=3")
    seen.note_same(A, B)
    assert seen.key(A) == seen.key(B) == "http://a.example/3"


def test_pages_of_a_host_that_say_nearly_the_same_are_found() -> None:
    chance, seen = random.Random(3), RepeatedAddresses()
    told = " ".join(paragraphs(chance, 0, 6))
    other = " ".join(paragraphs(chance, 0, 6))
    seen.note_sketch(1, "http://a.example/1", sketch(told))
    assert seen.nearly_same(2, "http://a.example/2", sketch(f"{told} Visitor 7 was here.")) == 1
    assert seen.nearly_same(1, "http://a.example/1", sketch(told)) is None
    assert seen.nearly_same(2, "http://a.example/2", sketch(other)) is None
    assert seen.nearly_same(2, "http://b.example/2", sketch(told)) is None


def test_a_page_that_is_stuffed_with_keywords_is_not_relevant() -> None:
    said = Definition(campaign="a", keywords=tuple(Keyword(term=word) for word in ("flood", "dyke")))
    matcher, chance = Matcher(said, (), "en"), random.Random(5)
    for told, is_relevant in ((paragraphs(chance, 0, 5), True), (stuffed(chance, 3), False)):
        text = word_ids(" ".join(told), "en")
        signals = matcher.signals(MatchedText(title=(), headings=(), text=text, language="en"))
        assert signals.is_stuffed is not is_relevant
        assert (relevance(signals) >= RELEVANT) is is_relevant
