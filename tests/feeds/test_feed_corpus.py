"""Every document of the corpus is read as the file beside it says."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest

from archiver.documents.feeds import feedparser_adapter
from archiver.documents.feeds.model import ParsedFeed
from archiver.errors import FeedParseError
from tests.feeds import feed_corpus

if TYPE_CHECKING:
    from pathlib import Path

FEEDS = [document for document in feed_corpus.DOCUMENTS if "error" not in feed_corpus.expected(document)]
OTHERS = [document for document in feed_corpus.DOCUMENTS if "error" in feed_corpus.expected(document)]


def name(document: Path) -> str:
    return document.stem


@pytest.mark.parametrize("document", FEEDS, ids=name)
def test_feed_is_read_as_expected(document: Path) -> None:
    expected = feed_corpus.expected(document)
    expected.pop("given", None)
    assert feed_corpus.as_json(feed_corpus.read(document)) == expected


@pytest.mark.parametrize("document", OTHERS, ids=name)
def test_other_document_is_refused_with_its_reason(document: Path) -> None:
    with pytest.raises(FeedParseError) as refusal:
        feed_corpus.read(document)
    assert str(refusal.value) == feed_corpus.expected(document)["error"]


@pytest.mark.parametrize("document", FEEDS, ids=name)
def test_what_was_read_survives_json(document: Path) -> None:
    feed = feed_corpus.read(document)
    assert msgspec.json.decode(msgspec.json.encode(feed), type=ParsedFeed) == feed


@pytest.mark.parametrize("document", FEEDS, ids=name)
def test_feed_reads_the_same_once_it_breaks(document: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A feed that is well-formed at one poll and not at the next must not look like a new one."""
    before = feed_corpus.read(document)
    monkeypatch.setattr(feedparser_adapter, "_parse_strictly", lambda *_: "not well-formed")
    after = feed_corpus.read(document)
    assert (after.info, after.entries) == (before.info, before.entries)


def test_every_expectation_belongs_to_a_document() -> None:
    expectations = {feed_corpus.expectation_of(document) for document in feed_corpus.DOCUMENTS}
    assert expectations == set(feed_corpus.FOLDER.glob("*.expected.json"))
