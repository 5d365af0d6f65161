"""Statements as they are written in the world, for tests."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from archiver.articles.times.resolve import resolve
from archiver.documents.feeds.dates import parse_date
from archiver.documents.feeds.model import FeedEntry
from archiver.documents.times.http import from_head
from archiver.documents.times.model import Evidence, Source, What, Why
from archiver.documents.times.statements import from_address, from_entry, stated

# The entry was in the feed at ten, and not yet at nine; the page was captured two minutes later.
SEEN = datetime(2026, 3, 2, 10, tzinfo=UTC)
NOT_YET = SEEN - timedelta(hours=1)
CAPTURED = SEEN + timedelta(minutes=2)

__all__ = ["CAPTURED", "NOT_YET", "SEEN", "Evidence", "at", "resolve"]


def at(hour: int, minute: int = 0, second: int = 0, *, day: int = 2, month: int = 3) -> datetime:
    return datetime(2026, month, day, hour, minute, second, tzinfo=UTC)


def feed(published: str = "", updated: str = "", **other: str | Why | None) -> list[Evidence]:
    entry = FeedEntry(
        published=parse_date(published) if published else None,
        updated=parse_date(updated) if updated else None,
    )
    return from_entry(entry, **other)  # type: ignore[arg-type]  # each test gives what it means


def page(source: Source, published: str = "", modified: str = "") -> list[Evidence]:
    both = ((What.PUBLISHED, published), (What.MODIFIED, modified))
    found = [stated(what, source, text) for what, text in both if text]
    return [one for one in found if one is not None]


def json_ld(published: str = "", modified: str = "") -> list[Evidence]:
    return page(Source.JSON_LD, published, modified)


def meta(published: str = "", modified: str = "") -> list[Evidence]:
    return page(Source.META, published, modified)


def shown(day: str) -> list[Evidence]:
    return page(Source.TEXT, day)


def address(path: str) -> list[Evidence]:
    return from_address(f"https://post.example{path}")


def http(last_modified: str = "", etag: str = "", date: str = "10:02:00") -> list[Evidence]:
    """The head of an answer of the day on which all this happens."""
    fields = {"Date": f"Mon, 02 Mar 2026 {date} GMT", "Last-Modified": last_modified, "ETag": etag}
    return from_head([(name, value) for name, value in fields.items() if value])
