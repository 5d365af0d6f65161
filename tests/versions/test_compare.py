"""Fingerprints: what they say of each other, and when they say nothing."""

from __future__ import annotations

from dataclasses import replace

import msgspec

from archiver.articles.model import Article
from archiver.articles.versions.fingerprints import compare, fingerprint, is_unknown
from archiver.articles.versions.model import Change, Fingerprint, Judgement
from archiver.documents.pages.model import Image, Link

ARTICLE = Article(
    method="article",
    confidence=1,
    title="The boat",
    text="It came in \u201cwith\u201d the tide.",
    html="",
    links=(Link(url="https://example.org/a", text="a"),),
    images=(Image(url="https://example.org/boat-300x200.jpg"),),
)
BEFORE = fingerprint(ARTICLE)


def test_the_first_version_is_new() -> None:
    assert compare(None, BEFORE) == Change(kinds=("new",))


def test_what_reads_the_same_is_no_change() -> None:
    same = replace(
        ARTICLE,
        text='It came in "with"\nthe tide.',
        links=(Link(url="https://www.example.org/a?utm_source=b", text="b"),),
        images=(Image(url="https://example.org/boat-600x400.jpg"),),
    )
    assert compare(BEFORE, fingerprint(same)) is None


def test_each_part_is_a_kind_of_its_own() -> None:
    other = Article(method="article", confidence=1, title="The ship", text="It left.", html="")
    assert compare(BEFORE, fingerprint(other)) == Change(kinds=("title", "text", "links", "images"))
    assert compare(BEFORE, fingerprint(replace(ARTICLE, links=()))) == Change(kinds=("links",))


def test_digests_of_another_version_cannot_say_that_nothing_changed() -> None:
    old = replace(BEFORE, title="t1:0", text="t1:1", whole="t1:2")
    assert compare(old, BEFORE) == Change(kinds=("title", "text"))
    assert is_unknown(old, BEFORE)
    assert not is_unknown(BEFORE, BEFORE)


def test_a_part_that_was_never_noted_is_not_compared() -> None:
    assert compare(replace(BEFORE, links="", images=""), fingerprint(replace(ARTICLE, links=()))) is None


def test_what_was_stored_before_there_were_counts_is_still_read() -> None:
    assert msgspec.json.decode(b'{"kinds":["text"]}', type=Change) == Change(kinds=("text",))
    stored = msgspec.json.encode(Judgement(change=Change(kinds=("text",), similarity=0.9), noise=("stamp",)))
    assert msgspec.json.decode(stored, type=Judgement).noise == ("stamp",)
    assert msgspec.json.decode(msgspec.json.encode(BEFORE), type=Fingerprint) == BEFORE
