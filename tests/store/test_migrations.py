"""A store of an older archiver becomes one of this, with everything that was in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import create_engine, inspect, text, update

from archiver.errors import ArchiveError
from archiver.store.content import pages as page_store
from archiver.store.migrations import CURRENT_VERSION
from archiver.store.schema import channels, metadata, pages, schema_version, versions, wrappers
from tests.store.samples import NOW, all_entries, all_pages, capture, row_of, rows_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from archiver.store.database import Database

HERE = Path(__file__).parent
MICROSECONDS = int(NOW.timestamp() * 1_000_000)
CAPTURE = (
    '{"url":"http://example.org/a","file":"a.warc.gz","offset":100,"record_id":"<urn:uuid:1>",'
    '"date":"2026-03-02T07:00:00Z","digest":"sha1:1-20260302070000","revisit":null}'
)
WRAPPER = (
    '{"id":"w","xpath":"//main","signature":["html/body"],"kept":["p"],"dropped":[],"furniture":["t1:0"],'
    '"samples":["<urn:uuid:1>"],"confidence":0.5}'
)
# One article that was read, one page that waits to be, announced by two channels.
CONTENT = f"""
INSERT INTO schema_version VALUES (1, 4);
INSERT INTO channels (id, seed_url, url, kind, status, labels, added, next_poll, why) VALUES
    (1, 'http://example.org/one', 'http://example.org/one', 'feed', 'active', '[]', 1, {MICROSECONDS},
        'the server asked for it'),
    (2, 'http://example.org/two', 'http://example.net/two', 'feed', 'active', '[]', 1, 1, NULL);
INSERT INTO articles (id, key, url, first_seen, last_captured, version) VALUES
    (1, 'org,example)/a', 'http://example.org/a', 1, {MICROSECONDS}, 1);
INSERT INTO versions (article_id, version, captured, digest, title_digest, text_digest, method, capture,
    object_file, object_offset, extractor, channel_id) VALUES
    (1, 1, {MICROSECONDS}, 't1:w', 't1:t', 't1:x', 'sigfeed-guarded', '{CAPTURE}', 'a.jsonl', 0,
        'sigfeed-guarded/1', 1);
INSERT INTO pages (id, key, url, host, state, next_try, capture, article_id, channel_id) VALUES
    (1, 'org,example)/a', 'http://example.org/a', 'example.org', 'settled', 1, '{CAPTURE}', 1, 0),
    (2, 'org,example)/b', 'http://example.org/b', 'example.org', 'captured', 1, '{CAPTURE}', NULL, 2);
INSERT INTO wrappers (channel_id, id, extractor, wrapper, learned, pages) VALUES
    (2, 'w', 'learning/1', '{WRAPPER}', {MICROSECONDS}, 3);
INSERT INTO entries (id, channel_id, key, page_id, entry, digest, first_seen, pending, outcome) VALUES
    (1, 1, 'a', 1, '{{"id":"a"}}', 'd', 1, FALSE, 'stored'),
    (2, 2, 'b', 2, '{{"id":"b"}}', 'd', 1, TRUE, NULL),
    (3, 1, 'c', 2, '{{"id":"c"}}', 'd', 1, FALSE, 'unchanged')
"""


@pytest.fixture
def version_4(store_url: str) -> Iterator[str]:
    """A store of the first schema that was published."""
    engine = create_engine(store_url)
    kind = engine.dialect.name
    script = (HERE / f"version_4.{kind}.sql").read_text()
    with engine.begin() as connection:
        if kind == "postgresql":
            _drop_all(connection)
        for statement in (script + CONTENT).split(";\n"):
            if statement.strip():
                connection.exec_driver_sql(statement)
    yield store_url
    if kind == "postgresql":
        # The server is shared: the next test must not find tables of an older schema.
        with engine.begin() as connection:
            _drop_all(connection)
    engine.dispose()


def _drop_all(connection: Connection) -> None:
    connection.execute(text("DROP SCHEMA public CASCADE"))
    connection.execute(text("CREATE SCHEMA public"))


def shape(connection: Connection) -> dict[str, Any]:
    """The columns and indexes of every table, in words that two stores have in common."""
    found = inspect(connection)
    return {
        table: (
            {one["name"]: (str(one["type"]), one["nullable"]) for one in found.get_columns(table)},
            {one["name"]: one["column_names"] for one in found.get_indexes(table)},
            found.get_pk_constraint(table)["constrained_columns"],
        )
        for table in metadata.tables
    }


def test_everything_is_there_after_the_migration(version_4: str, open_store: Callable[[], Database]) -> None:
    assert version_4
    database = open_store()
    assert rows_of(database, schema_version) == [(1, CURRENT_VERSION)]
    version = row_of(database, versions)
    assert (version.digest, version.capture) == ("t1:w", capture(1))
    assert (version.extractor, version.wrapper) == ("sigfeed-guarded/1", None)
    assert {key: row.outcome for key, row in all_entries(database).items()} == {
        "a": "stored", "b": None, "c": "unchanged"
    }  # fmt: skip
    (wrapper,) = rows_of(database, wrappers)
    assert (wrapper.scope_id, wrapper.id, wrapper.pages, wrapper.wrapper.xpath) == (2, "w", 3, "//main")
    kept = database.run(lambda connection: connection.scalar(text("SELECT wrapper FROM wrappers")))
    assert json.loads(kept)["kind"] == "learned"


def test_pages_that_were_captured_before_are_read_with_their_channel(
    version_4: str, open_store: Callable[[], Database]
) -> None:
    assert version_4
    database = open_store()
    found = all_pages(database)
    assert (found["http://example.org/b"].scope_id, found["http://example.org/a"].scope_id) == (2, 0)
    assert database.run(page_store.count_captured) == 1
    assert row_of(database, pages, id=2).captured is None


def test_channels_know_until_when_their_servers_asked_for_rest(
    version_4: str, open_store: Callable[[], Database]
) -> None:
    assert version_4
    one, two = rows_of(open_store(), channels)
    assert (one.not_before, two.not_before) == (NOW, None)


def test_a_store_that_is_older_says_what_to_do(version_4: str, open_store: Callable[[], Database]) -> None:
    engine = create_engine(version_4)
    with engine.begin() as connection:
        connection.execute(text("UPDATE schema_version SET version = 3"))
    engine.dispose()
    with pytest.raises(ArchiveError, match="schema version 3, which is older"):
        open_store()


def test_a_migrated_store_has_the_shape_of_a_new_one(
    version_4: str, open_store: Callable[[], Database]
) -> None:
    engine = create_engine(version_4)
    migrated = open_store().run(shape)
    with engine.begin() as connection:
        metadata.drop_all(connection)
    engine.dispose()
    assert open_store().run(shape) == migrated


def test_an_early_store_of_version_5_is_completed(version_4: str, open_store: Callable[[], Database]) -> None:
    """The version was counted when it began to grow."""
    engine = create_engine(version_4)
    with engine.begin() as connection:
        connection.execute(update(schema_version).values(version=5))
    engine.dispose()
    database = open_store()
    assert rows_of(database, schema_version) == [(1, CURRENT_VERSION)]
    assert {table.name for table in metadata.sorted_tables if rows_of(database, table) is not None} == set(
        metadata.tables
    )


def test_a_migration_is_done_once(version_4: str, open_store: Callable[[], Database]) -> None:
    assert version_4
    for _ in range(2):
        assert rows_of(open_store(), schema_version) == [(1, CURRENT_VERSION)]
