"""`scrapy recover` of a lost state store: what it knew is made again from WARC files and objects."""

from __future__ import annotations

import shutil
import sqlite3
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawl.documents import page, prose, publish, rss, stories
from tests.crawl.running import DAY, Archived, crawl, scrapy
from tests.crawl.site import Answer, Site, conditional, redirect

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.xdist_group("restore")

STORIES = stories(6)
EDITED, MOVED, LATER = STORIES[0], STORIES[1], STORIES[-1]
TABLES = {
    "channels": "SELECT url, seed_url, kind, title, entries, outcome FROM channels ORDER BY url",
    "validators": "SELECT url, etag, last_modified, capture FROM validators ORDER BY url",
    "entries": """SELECT key, link_key, entry, digest, outcome, pending, feed_capture
        FROM entries ORDER BY key""",
    "pages": "SELECT key, url, state, capture, captured, validators FROM pages ORDER BY key",
    "articles": """SELECT key, url, first_seen, last_captured, version, sketch, canonical
        FROM articles ORDER BY key""",
    "versions": """SELECT a.key, v.version, v.captured, v.digest, v.title_digest, v.text_digest,
        v.links_digest, v.images_digest, v.method, v.capture, v.object_file, v.object_offset, v.object_digest,
        v.extractor, v.wrapper, v.siblings, v.title, v.kinds, v.added, v.removed, v.unchanged_until,
        v.published, v.modified
        FROM versions v JOIN articles a ON a.id = v.article_id ORDER BY a.key, v.version""",
    "requisites": "SELECT url, kind, via, state, outcome FROM requisites ORDER BY url",
    "object_files": "SELECT file, length FROM object_files ORDER BY file",
    "sketches": """SELECT s.band, s.value, a.key FROM sketches s JOIN articles a ON a.id = s.article_id
        ORDER BY a.key, s.band""",
}


def known(archive: Path) -> dict[str, list[tuple[Any, ...]]]:
    """What the state store knows, without the numbers of its rows."""
    with sqlite3.connect(archive / "state.sqlite") as connection:
        return {name: connection.execute(query).fetchall() for name, query in TABLES.items()}


def lose_state(archive: Path) -> None:
    for path in archive.glob("state.sqlite*"):
        path.unlink()


@pytest.fixture(scope="module")
def web() -> Any:
    with Site() as site:
        yield site


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory, web: Site) -> tuple[Path, str, dict[str, Any]]:
    """An archive of three runs without its state store, its feed, and what was known."""
    archive = tmp_path_factory.mktemp("restore") / "archive"
    feed = publish(web, STORIES[:-1])
    first = rss([one.entry for one in STORIES[:-1]]).but(("ETag", '"1"'))
    feed = web.add("/feed.xml", conditional(first))
    web.add(MOVED.path, redirect("/elsewhere.html"))
    web.add("/elsewhere.html", MOVED.page)
    assert crawl(archive, [feed]).exit_code == 0
    assert crawl(archive, [feed], clock_offset=DAY / 2).exit_code == 0
    publish(web, STORIES)
    feed = web.add("/feed.xml", conditional(rss([one.entry for one in STORIES]).but(("ETag", '"2"'))))
    web.add(MOVED.path, redirect("/elsewhere.html"))
    web.add("/old.css", redirect("/main.css"))
    web.add("/main.css", Answer(headers=(("Content-Type", "text/css"),), body=b"p{color:#123}"))
    head = '<link rel="stylesheet" href="/old.css">'
    web.add(LATER.path, page(LATER.title, LATER.paragraphs, head=head))
    web.add(EDITED.path, page(EDITED.title, (*EDITED.paragraphs, *prose(99))))
    run = crawl(archive, [feed], clock_offset=DAY, RECHECK_INTERVAL="1h", REQUISITES="look")
    assert run.report["requisites_fetched"] == 1, run
    before = known(archive)
    lose_state(archive)
    return archive, feed, before


def test_a_lost_state_store_is_made_again(lost: tuple[Path, str, dict[str, Any]], web: Site) -> None:
    archive, feed, before = lost
    refused = crawl(archive, [feed])
    assert refused.exit_code == 1
    assert "`scrapy recover`" in refused.stderr
    run = scrapy(archive, "recover")
    assert run.exit_code == 0, run
    after = known(archive)
    for name in TABLES:
        for one, other in zip(after[name], before[name], strict=True):
            assert [(a, b) for a, b in zip(one, other, strict=True) if a != b] == [], name
    assert scrapy(archive, "verify").exit_code == 0
    web.forget()
    objects = Archived(archive).objects
    again = crawl(archive, [feed], REQUISITES="look")
    assert again.exit_code == 0, again
    assert again.objects == objects
    assert set(web.paths) <= {"/robots.txt", feed.removeprefix(web.origin)}


def test_what_is_left_of_the_lost_store_and_damage_do_no_harm(
    lost: tuple[Path, str, dict[str, Any]], tmp_path: Path
) -> None:
    """A write-ahead log without its database, which SQLite would play into the new one; a cut WARC file."""
    archive = shutil.copytree(lost[0], tmp_path / "archive")
    lose_state(archive)
    with sqlite3.connect(tmp_path / "other.sqlite") as other:
        other.execute("PRAGMA journal_mode = WAL")
        other.execute("CREATE TABLE t (x)")
        other.executemany("INSERT INTO t VALUES (?)", [("x" * 500,)] * 500)
        other.commit()
        log = (tmp_path / "other.sqlite-wal").read_bytes()
    assert log
    (archive / "state.sqlite-wal").write_bytes(log)
    warc = max((archive / "warc").glob("*.warc.gz"))
    warc.write_bytes(warc.read_bytes()[:-100])
    objects = min((archive / "objects").glob("articles-*.jsonl"))
    objects.write_bytes(objects.read_bytes().replace(b'"html":', b'"htmx":', 1))
    run = scrapy(archive, "recover")
    assert run.exit_code == 1, run
    assert " that cannot be read, or whose WARC record is gone" in run.stdout
    assert f"Damaged    {warc}: " in run.stdout
    assert "State      made again: 1 channel, " in run.stdout
    assert (archive / "state.sqlite-wal.lost").read_bytes() == log
    with sqlite3.connect(archive / "state.sqlite") as restored:
        assert restored.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert restored.execute("SELECT count(*) FROM channels").fetchone() == (1,)
