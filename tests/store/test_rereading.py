"""What versions that are read anew leave behind: the store says what their new objects say."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from archiver.archive.objects.kinds import REEXTRACTED
from archiver.articles.model import Article
from archiver.articles.versions.fingerprints import bands, fingerprint, sketch
from archiver.articles.versions.model import Change, Making
from archiver.store.content.rereading import Reread, RereadSelection, old_versions, settle_rereads
from archiver.store.schema import articles, sketches, versions
from archiver.urls import same_page_key
from tests.crawl.documents import prose
from tests.objects.writers import object_writer
from tests.store.samples import NOW, entry, poll, row_of, rows_of
from tests.store.settling import finding, settle
from tests.store.test_twins import LONG, seen
from tests.timestamps.said import json_ld

if TYPE_CHECKING:
    from pathlib import Path

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.content.rereading import OldVersion
    from archiver.store.database import Database

LATER = NOW + timedelta(days=1)
ANEW = RereadSelection(extractor="better/2", since=datetime.min.replace(tzinfo=UTC))
PUBLISHED, MODIFIED = "2026-03-02T05:00:00Z", "2026-03-02T06:00:00Z"
BETTER = "\n\n".join(prose(7, paragraphs=12))


def reread(old: OldVersion, article: Article) -> Reread:
    return Reread(
        old=old,
        change=Change(kinds=("new",)),
        article=article,
        fingerprint=fingerprint(article),
        making=Making(extractor="better/2", wrapper=None),
    )


def read_anew(database: Database, folder: Path, channel: int, found: list[Article]) -> list[dict[str, Any]]:
    """Settle what the better extractor found, in the order of the old versions; the lines it makes."""
    old = database.run(old_versions, ANEW, channel, after=None, limit=10)
    writer = object_writer(folder, REEXTRACTED)
    rereads = [reread(one, article) for one, article in zip(old, found, strict=True)]
    database.run(settle_rereads, rereads, [], writer, LATER)
    writer.close()
    (path,) = folder.glob(f"*{REEXTRACTED}.jsonl")
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def better(words: str, **other: Any) -> Article:
    return Article(method="better", confidence=0.9, text=words, html="", title="Better title", **other)


def test_the_twins_of_an_article_stay_its_twins(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"), entry("b"))
    settle(database, objects, seen(database, 1, "http://example.org/a", LONG))
    settle(database, objects, seen(database, 2, "http://example.net/b", LONG))
    first, second = read_anew(database, tmp_path / "objects", channel, [better(LONG), better(BETTER)])
    assert first["twins"] == []
    assert [(one["id"], one["url"], one["how"]) for one in second["twins"]] == [
        (first["id"], "http://example.org/a", "text")
    ]


def test_the_store_follows_with_title_and_times_and_what_articles_are_found_by(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, seen(database, 1, "http://example.org/a", LONG))
    before = row_of(database, versions, article_id=1)
    assert (before.title, before.published) == ("Title", None)
    dated = better(BETTER, canonical_url="http://example.org/b", dated=tuple(json_ld(PUBLISHED, MODIFIED)))
    (line,) = read_anew(database, tmp_path / "objects", channel, [dated])
    after = row_of(database, versions, article_id=1)
    assert after.title == line["title"] == "Better title"
    assert (line["published"], line["updated"]) == (PUBLISHED, MODIFIED)
    assert (after.published, after.modified) == tuple(map(datetime.fromisoformat, (PUBLISHED, MODIFIED)))
    article = row_of(database, articles, id=1)
    assert (article.sketch, article.canonical) == (sketch(BETTER), same_page_key("http://example.org/b"))
    assert {row.value for row in rows_of(database, sketches)} == set(bands(sketch(BETTER)))


def test_an_article_is_known_by_its_last_version_alone(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"))
    settle(database, objects, seen(database, 1, "http://example.org/a", LONG))
    poll(database, channel, entry("a", title="Edited"), now=LATER)
    settle(database, objects, finding(database, 1, words=BETTER, date=LATER), now=LATER)
    found = [better(LONG, canonical_url="http://example.org/b"), better(BETTER)]
    lines = read_anew(database, tmp_path / "objects", channel, found)
    assert [one["version"] for one in lines] == [1, 2]
    article = row_of(database, articles, id=1)
    assert (article.sketch, article.canonical) == (sketch(BETTER), None)
