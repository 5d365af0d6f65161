"""Pages of an article that cannot be read together: the first one is not lost with them."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, select

from archiver.acquisition.pages import PagePolicy
from archiver.acquisition.walks import FurtherPage, Walk
from archiver.errors import ArchiverError, ExtractionError, ReadingFault
from archiver.running.reading.groups import Groups
from archiver.running.reading.walking import Walking
from archiver.store.content.pages import CapturedPage
from archiver.store.database import Database
from archiver.store.schema import pages
from tests.store.samples import NOW, capture

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.findings import Finding

URL = "http://example.org/a"
SECOND = FurtherPage(url=f"{URL}-2", capture=capture(2, url=f"{URL}-2"))


def add_page(connection: Connection, walk: Walk) -> None:
    values = {"id": 1, "key": URL, "url": URL, "host": "example.org", "state": "captured", "next_try": NOW}
    connection.execute(insert(pages).values(**values, walk=walk))


def stored_walk(connection: Connection) -> Walk:
    walk: Walk = connection.execute(select(pages.c.walk)).scalar_one()
    return walk


def unread(database: Database, walk: Walk, why: ArchiverError) -> list[Finding]:
    """What is settled where these pages cannot be read."""
    groups = Groups.__new__(Groups)  # what it would be made with is not asked here
    config = SimpleNamespace(article_pages=20, pages=PagePolicy(tries=1))
    groups._aside = {}
    groups._archive = SimpleNamespace(  # type: ignore[assignment] # as above
        config=config, database=database, report=SimpleNamespace(note=str, error=str)
    )
    groups._walking = Walking(groups._archive)
    page = CapturedPage(id=1, url=URL, capture=capture(), leads=(), walk=walk)

    async def found() -> list[Finding]:
        return [one async for one in groups._found([page], [why])]

    return asyncio.run(found())


@pytest.mark.parametrize("why", [ExtractionError("too late"), ReadingFault("it was killed")])
def test_where_pages_cannot_be_read_together_the_first_one_is_read_alone(
    tmp_path: Path, why: ArchiverError
) -> None:
    database = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    database.run(add_page, Walk(pages=(SECOND,)))
    assert unread(database, Walk(pages=(SECOND,)), why) == []
    alone = database.run(stored_walk)
    assert (alone.pages, list(alone.passed)) == ((), [SECOND.url])
    # Alone, it is what cannot be read.
    (finding,) = unread(database, alone, why)
    assert finding.article is None
    database.close()
