"""Reading feeds: limits, safety, and what no file of the corpus can show."""

from __future__ import annotations

import ast
import time
from pathlib import Path

import msgspec
import pytest
from feedparser.mixin import _FeedParserMixin

import archiver
from archiver.documents.feeds import feedparser_adapter, parse
from archiver.documents.feeds.model import ParsedFeed
from archiver.documents.feeds.parse import parse_feed
from archiver.errors import FeedParseError

URL = "https://example.org/feed.xml"
PACKAGE = Path(archiver.__file__).parent


def rss(items: str) -> bytes:
    return f"<rss version='2.0'><channel><title>T</title>{items}</channel></rss>".encode()


@pytest.mark.zoo
def test_ten_thousand_entries_are_all_read() -> None:
    items = "".join(
        f"<item><link>https://example.org/{n}</link><title>{n}</title></item>" for n in range(10_000)
    )
    feed = parse_feed(rss(items), url=URL)
    assert [entry.title for entry in feed.entries] == [str(n) for n in range(10_000)]
    assert not feed.problems


@pytest.mark.zoo
def test_ten_thousand_entries_of_a_broken_feed_are_all_read() -> None:
    items = "".join(f"<item><title>{n}<link>https://example.org/{n}</link></item>" for n in range(10_000))
    feed = parse_feed(rss(items), url=URL)
    assert [entry.link for entry in feed.entries] == [f"https://example.org/{n}" for n in range(10_000)]


def test_document_over_the_limit_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    body = rss("")
    monkeypatch.setattr(parse, "MAX_FEED_BYTES", len(body))
    assert parse_feed(body, url=URL)
    with pytest.raises(FeedParseError, match=f"over {len(body)} bytes"):
        parse_feed(body + b" ", url=URL)


def test_entity_bomb_costs_no_time() -> None:
    levels = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(12))
    bomb = f'<!DOCTYPE rss [<!ENTITY e0 "boom">{levels}]>'.encode() + rss("<item><title>&e12;</title></item>")
    start = time.process_time()
    with pytest.raises(FeedParseError, match="entities"):
        parse_feed(bomb, url=URL)
    assert time.process_time() - start < 0.5


def test_long_declared_entity_is_not_expanded() -> None:
    bomb = f'<!DOCTYPE rss [<!ENTITY e "{"x" * 1000}">]>'.encode() + rss("&e;" * 1000)
    assert len(str(parse_feed(bomb, url=URL))) < 10_000


def test_file_named_by_a_document_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "feed.xml"
    file.write_bytes(rss("<item><title>secret</title></item>"))
    for body in (str(file), file.as_uri()):
        with pytest.raises(FeedParseError, match="plain text"):
            parse_feed(body.encode(), url=URL)


def test_external_entity_is_not_opened(tmp_path: Path) -> None:
    file = tmp_path / "secret.txt"
    file.write_text("secret")
    body = f'<!DOCTYPE rss [<!ENTITY x SYSTEM "{file.as_uri()}">]>'.encode() + rss(
        "<item><title>&x;</title></item>"
    )
    assert parse_feed(body, url=URL).entries[0].title == "&x;"


def test_id_does_not_change_when_a_feed_breaks_or_moves() -> None:
    item = "<item><guid>a?b=1&amp;c=2</guid><title>{}</item>"
    whole = parse_feed(rss(item.format("x</title>")), url=URL).entries[0]
    broken = parse_feed(rss(item.format("x")), url="https://moved.example.org/").entries[0]
    assert whole.id == broken.id == "a?b=1&c=2"


def test_whatever_is_returned_can_be_stored() -> None:
    # Half of a surrogate pair, as CESU-8 has it, and characters that XML forbids.
    body = rss("<item><title>a&#xD800;\x00&#0;?</title></item>").replace(b"?", b"\xed\xa0\xbdb")
    feed = parse_feed(body, url=URL)
    assert msgspec.json.decode(msgspec.json.encode(feed), type=ParsedFeed) == feed


HANDLERS = {name for name in vars(feedparser_adapter._Elements) if name.startswith(("_start_", "_end_"))}


@pytest.mark.parametrize("name", sorted(HANDLERS - {"_end_hour", "_end_day", "_end_media_content"}))
def test_replaced_handler_exists_in_feedparser(name: str) -> None:
    assert hasattr(_FeedParserMixin, name)


def test_only_the_adapter_imports_feedparser() -> None:
    assert [path.name for path in PACKAGE.rglob("*.py") if "feedparser" in _imports(path)] == [
        "feedparser_adapter.py"
    ]


def test_reading_feeds_needs_no_scrapy() -> None:
    assert not [path.name for path in (PACKAGE / "feeds").glob("*.py") if "scrapy" in _imports(path)]


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found.update(name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found
