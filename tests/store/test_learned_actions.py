"""What was learned on a site is used there, until it fails or another path is learned."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from archiver.acquisition.sites.adaptation.model import LearnedAction, LearnedFrom
from archiver.acquisition.sites.model import SiteState, Strategy
from archiver.archive.withheld import pattern_of, withheld_by
from archiver.inspection.sites.details import SitePlaces, read_site
from archiver.store.database import Database
from archiver.store.schema import learned_actions
from archiver.store.whole_sites.learned_actions import (
    learned_of,
    note_applied,
    note_learned,
    taught_sites,
    unapplied,
)
from archiver.store.whole_sites.sites import add_site, change_site, site_by_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.acquisition.sites.model import Site

NOW = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
URL = "http://blog.example/"


@pytest.fixture
def state(tmp_path: Path) -> Iterator[Database]:
    opened = Database(f"sqlite:///{tmp_path / 'state.sqlite'}")
    yield opened
    opened.close()


def action(name: str, path: str) -> LearnedAction:
    return LearnedAction(
        level="post",
        action=name,
        path=path,
        learned_from=LearnedFrom.EARLIER,
        cost=0.5,
        pages=(f"{URL}a/", f"{URL}b/", f"{URL}c/"),
        tried=3,
        passed=3,
    )


def blog(connection: Connection) -> Site:
    site = add_site(connection, URL, "blog.example/", Strategy.AUTO, NOW)
    change_site(connection, site.id, type="wordpress")
    return site_by_id(connection, site.id)


def test_what_fails_later_is_outdated_and_stays_known(state: Database) -> None:
    def work(connection: Connection) -> list[tuple[str, bool]]:
        site = blog(connection)
        both = (action("title", "h2.headline"), action("author", "b.who"))
        note_learned(connection, site, "post", both, ["title", "author"], NOW)
        assert set(learned_of(connection, site.id)) == set(both)
        newer = action("title", "h3.head")
        note_learned(connection, site, "post", (newer,), ["title", "author"], LATER)
        assert learned_of(connection, site.id) == (newer,), "the other one fails, and nothing was learned"
        table = learned_actions
        rows = connection.execute(select(table).order_by(table.c.id))
        return [(row.path, row.outdated is None) for row in rows]

    assert state.run(work) == [("h2.headline", False), ("b.who", False), ("h3.head", True)]


def test_a_site_is_not_finished_before_its_pages_are_read_by_what_was_learned(state: Database) -> None:
    def work(connection: Connection) -> list[SiteState]:
        site = blog(connection)
        change_site(connection, site.id, state=SiteState.DONE, ended=NOW)
        note_learned(connection, site, "post", (action("title", "h2.headline"),), ["title"], NOW)
        assert unapplied(connection, site.id) == {("post", "title")}
        seen = [site_by_id(connection, site.id).state]
        note_applied(connection, site.id, "post", LATER, LATER)
        assert unapplied(connection, site.id) == set()
        return [*seen, site_by_id(connection, site.id).state]

    assert state.run(work) == [SiteState.OPEN, SiteState.DONE]


def test_what_was_learned_is_told_without_pages_that_are_withheld(state: Database, tmp_path: Path) -> None:
    def work(connection: Connection) -> None:
        site = blog(connection)
        note_learned(connection, site, "post", (action("title", "h2.headline"),), ["title"], NOW)
        assert taught_sites(connection) == [site.id]
        withheld = withheld_by([(pattern_of(f"{URL}b/"), "ordered")])
        places = SitePlaces(state=connection, folder=tmp_path, withheld=withheld)
        (told,) = read_site(places, site.id, LATER).adapted
        assert (told.action, told.path, told.tried, told.outdated) == ("title", "h2.headline", 3, None)
        assert told.pages == (f"{URL}a/", f"{URL}c/")

    state.run(work)
