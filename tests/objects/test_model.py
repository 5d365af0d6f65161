"""Objects that an earlier version wrote."""

from __future__ import annotations

import json

import jsonschema
import msgspec

from archiver.articles.objects.model import ArchivedObject
from archiver.articles.objects.schema import json_schema

# As lines were before objects had a day, a main image, a notice, and told what made them.
OLD = {
    "schema": "article/1",
    "id": "rqxhzyanbnxi2iwxmgq6fa6s",
    "url": "http://news.test/1",
    "canonical_url": None,
    "channel": "http://news.test/feed",
    "channel_title": "News",
    "entry_id": "1",
    "title": "Night ferry returns",
    "authors": ["Ann Lee"],
    "categories": [],
    "language": "en",
    "published": "2026-03-01T14:19:00Z",
    "updated": None,
    "first_seen": "2026-03-01T14:30:00Z",
    "captured": "2026-03-01T14:31:00Z",
    "version": 1,
    "change": {"kinds": ["new"]},
    "text": "The ferry returns.",
    "html": "<p>The ferry returns.</p>",
    "links": [],
    "images": [],
    "summary": None,
    "comments": None,
    "digest": "t1:00",
    "method": "sigfeed-guarded",
    "confidence": 1.0,
    "warc": {"file": "a.warc.gz", "offset": 0, "record_id": "<urn:uuid:1>", "capture_id": "<urn:uuid:1>"},
}


def test_lines_of_an_earlier_version_are_read() -> None:
    archived = msgspec.json.decode(json.dumps(OLD), type=ArchivedObject)
    assert archived.title == "Night ferry returns"
    assert (archived.extractor, archived.wrapper, archived.siblings) == ("", None, ())


def test_lines_of_an_earlier_version_are_valid() -> None:
    validator = jsonschema.Draft202012Validator(json_schema())
    assert validator.is_valid(OLD)
    assert not validator.is_valid(OLD | {"version": "one"})


def test_every_field_is_written_also_where_it_has_its_default() -> None:
    archived = msgspec.json.decode(json.dumps(OLD), type=ArchivedObject)
    written = json.loads(msgspec.json.encode(archived))
    assert written.keys() == json_schema()["$defs"]["ArchivedObject"]["properties"].keys()
