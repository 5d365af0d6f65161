"""The corpus: feed documents written for these tests, each with its expectation beside it.

`NAME.xml` (or `.jsonfeed`, `.html`, `.bin`) is what a server sends. `NAME.expected.json` is what we read
in it: all fields that are not empty, or the `error`; and `given`, the Content-Type where it matters.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from archiver.documents.feeds.parse import parse_feed

if TYPE_CHECKING:
    from archiver.documents.feeds.model import ParsedFeed

FOLDER = Path(__file__).parent / "corpus"
URL = "https://host.example.org/feeds/main.xml"
DOCUMENTS = sorted(path for path in FOLDER.iterdir() if not path.name.endswith(".expected.json"))


def expectation_of(document: Path) -> Path:
    return document.with_name(f"{document.stem}.expected.json")


def expected(document: Path) -> dict[str, Any]:
    return dict(json.loads(expectation_of(document).read_bytes()))


def read(document: Path) -> ParsedFeed:
    given = expected(document).get("given", {})
    return parse_feed(document.read_bytes(), url=URL, content_type=given.get("content_type"))


def as_json(feed: ParsedFeed) -> Any:
    return _without_empty(json.loads(msgspec.json.encode(feed)))


def _without_empty(value: Any) -> Any:
    if isinstance(value, dict):
        kept = {key: part for key, part in value.items() if part not in (None, [], {}) and part is not False}
        return {key: _without_empty(part) for key, part in kept.items()}
    return [_without_empty(part) for part in value] if isinstance(value, list) else value
