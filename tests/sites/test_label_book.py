"""What is kept in memory of the labels of a site is what the state store has, whatever fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from archiver.acquisition.sites.learning.labels import ENTRY, LinkLabel
from archiver.acquisition.sites.model import Strategy
from archiver.store.schema import sites
from archiver.store.whole_sites.choosing import SiteWish
from archiver.store.whole_sites.label_book import close_book, labels_of_site, open_book, record_of
from archiver.store.whole_sites.sites import change_site, site_by_id
from tests.sites.computed.site import ComputedSite
from tests.sites.walking import walk

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.sites.learning.model import LabelRecord
    from archiver.store.database import Database


@pytest.fixture
def number(database: Database, tmp_path: Path) -> int:
    """A site of which some pages were visited."""
    wish = SiteWish(strategy=Strategy.LEARNED)
    return walk(database, tmp_path, ComputedSite("blog", 1, 40), wish=wish, most=30).site_id


def _held(connection: Connection, number: int) -> list[LabelRecord]:
    site = site_by_id(connection, number)
    book = open_book(connection, site)
    close_book(connection, book, site.requests)
    return list(book.records)


def _stored(connection: Connection, number: int) -> list[LabelRecord]:
    return [record_of(row) for row in labels_of_site(connection, number)]


def _fetch_one_more(connection: Connection, number: int, error: BaseException | None = None) -> None:
    site = site_by_id(connection, number)
    book = open_book(connection, site)
    first = book.find(LinkLabel(ENTRY, ""))
    assert first is not None
    book.change(first.id, fetched=first.fetched + 1)
    change_site(connection, number, requests=sites.c.requests + 1)
    close_book(connection, book, site.requests + 1)
    if error is not None:
        raise error


def test_after_a_crawl_the_book_says_what_the_store_says(database: Database, number: int) -> None:
    assert len(database.run(_held, number)) > 5
    assert database.run(_held, number) == database.run(_stored, number)


def test_a_change_is_in_the_store_and_stays_in_the_book(database: Database, number: int) -> None:
    before = database.run(_stored, number)[0].fetched
    database.run(_fetch_one_more, number)
    assert database.run(_stored, number)[0].fetched == before + 1
    assert database.run(_held, number) == database.run(_stored, number)


def test_what_a_failed_transaction_changed_is_forgotten(database: Database, number: int) -> None:
    before = database.run(_held, number)
    with pytest.raises(KeyboardInterrupt):
        database.run(_fetch_one_more, number, KeyboardInterrupt())
    assert database.run(_held, number) == database.run(_stored, number) == before
    database.run(_fetch_one_more, number)
    assert database.run(_held, number) == database.run(_stored, number) != before
