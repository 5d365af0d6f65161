"""Articles that are nearly the same at different addresses are linked, and stay articles of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from sqlalchemy import event

from archiver.articles.model import Article
from archiver.articles.objects.model import article_id
from archiver.articles.versions.fingerprints import fingerprint, sketch
from archiver.store.content.twins import TwinFinder
from archiver.store.schema import articles, twins
from archiver.urls import same_page_key
from tests.crawl.documents import prose
from tests.store.samples import NOW, entry, poll, rows_of
from tests.store.settling import finding, lines, settle

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.findings import Finding
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database

LONG = "\n\n".join(prose(1, paragraphs=12))


def seen(database: Database, page_id: int, url: str, text: str, canonical: str | None = None) -> Finding:
    article = Article(
        method="sigfeed", confidence=0.9, text=text, html="", title="Title", canonical_url=canonical
    )
    return replace(finding(database, page_id, url=url), article=article, fingerprint=fingerprint(article))


def test_a_syndicated_copy_names_the_article_that_was_there_before(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"), entry("b"), entry("c"))
    copy = LONG + "\n\nThis story first appeared elsewhere."
    settle(database, objects, seen(database, 1, "http://example.org/a", LONG))
    settle(database, objects, seen(database, 2, "http://example.net/b", copy))
    settle(database, objects, seen(database, 3, "http://example.org/c", "\n\n".join(prose(2, paragraphs=12))))
    first, second, third = lines(tmp_path)
    assert (first["twins"], third["twins"]) == ([], [])
    (twin,) = second["twins"]
    assert (twin["id"], twin["url"], twin["how"]) == (first["id"], "http://example.org/a", "text")
    assert twin["similarity"] > 0.8
    (row,) = rows_of(database, twins)
    assert (row.article_id, row.other_id, row.how, row.found) == (2, 1, "text", NOW)
    assert len(rows_of(database, articles)) == 3


def test_a_page_that_names_another_as_its_own_is_its_twin_also_when_found_together(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("amp"), entry("a"))
    amp = seen(database, 1, "http://example.org/amp", "Few words", canonical="http://example.org/a")
    whole = seen(database, 2, "http://example.org/a", LONG, canonical="http://example.org/a")
    settle(database, objects, amp, whole)
    first, second = lines(tmp_path)
    assert first["twins"] == []
    assert [(one["id"], one["how"]) for one in second["twins"]] == [
        (article_id(same_page_key("http://example.org/amp")), "canonical")
    ]


def test_a_page_names_an_article_that_was_there_before(
    database: Database, channel: int, objects: ObjectWriter, tmp_path: Path
) -> None:
    poll(database, channel, entry("a"), entry("amp"))
    settle(database, objects, seen(database, 1, "http://example.org/a", LONG))
    amp = seen(database, 2, "http://example.org/amp", "Few words", canonical="http://example.org/a")
    settle(database, objects, amp)
    first, second = lines(tmp_path)
    assert [(one["id"], one["how"]) for one in second["twins"]] == [(first["id"], "canonical")]


@pytest.mark.parametrize("store_url", ["sqlite"], indirect=True)
def test_an_index_serves_every_way_of_finding_twins(database: Database) -> None:
    """With each article that is new, all of the archive cannot be looked at."""
    plans = database.run(_plans)
    assert len(plans) == 3  # those it names, that name it, and that read alike
    for plan in plans:
        assert any("SEARCH" in step for step in plan), plan
        assert not [step for step in plan if "SCAN" in step]


def _plans(connection: Connection) -> list[list[str]]:
    asked: list[tuple[str, Any]] = []

    def note(_: object, __: object, statement: str, parameters: Any, *_more: object) -> None:
        asked.append((statement, parameters))

    event.listen(connection, "before_cursor_execute", note)
    TwinFinder(connection).of("example.org/b", "http://example.org/b", "http://example.org/a", sketch(LONG))
    event.remove(connection, "before_cursor_execute", note)
    return [
        [row[3] for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)]
        for statement, parameters in asked
    ]
