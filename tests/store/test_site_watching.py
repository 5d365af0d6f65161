"""What is kept to see how a site's crawl goes, and the orders that a person gives to it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, cast

import pytest
from sqlalchemy import select, update

from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PagePolicy
from archiver.acquisition.sites.coverage import seen_in
from archiver.acquisition.sites.model import (
    Followed,
    SiteState,
    Strategy,
    VisitFetch,
    VisitRead,
)
from archiver.archive.withheld import pattern_of, withheld_by
from archiver.articles.versions.fingerprints import sketch
from archiver.inspection.sites.details import SitePlaces, read_site, site_number
from archiver.inspection.sites.listing import read_sites
from archiver.store.schema import failed_actions, referrers, sites, visits
from archiver.store.whole_sites.choosing import SiteWish, choose_sites
from archiver.store.whole_sites.orders import SiteAction, SiteOrder, apply_site_order
from archiver.store.whole_sites.referrers import MOST, referrers_of
from archiver.store.whole_sites.sites import find_site
from archiver.store.whole_sites.tallies import tally_sites
from archiver.store.whole_sites.visited import USED_UP, store_visit
from archiver.store.whole_sites.visits import pending_visits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.archive.objects.writer import ObjectWriter
    from archiver.inspection.sites.model import SiteDetails
    from archiver.store.database import Database
    from archiver.store.whole_sites.visited import VisitResult

NOW = datetime(2026, 3, 2, 7, 5, 9, tzinfo=UTC)
LATER = NOW + timedelta(days=1)
URL = "http://blog.example/"
# Nothing is contributed to these pages.
NO_OBJECTS = cast("ObjectWriter", None)


def begin(connection: Connection, strategy: Strategy = Strategy.BLIND) -> None:
    choose_sites(connection, [URL], SiteWish(strategy=strategy), NOW, NOW)


def visit(
    connection: Connection,
    path: str,
    links: Sequence[str] = (),
    *,
    failed: Failure | None = None,
    lacks: Sequence[str] = (),
    now: datetime = NOW,
) -> VisitResult:
    """Ask for a document of the site, which leads to others, or is not there."""
    site = find_site(connection, URL)
    assert site is not None
    # How many of one kind are asked for at a time is tested elsewhere.
    connection.execute(update(visits).where(visits.c.state == "deferred").values(state="pending"))
    (asked,) = [
        one
        for one in pending_visits(connection, now, [site], limit=500, busy=())
        if one.url == f"{URL}{path}"
    ]
    follow = tuple(Followed(url=f"{URL}{link}") for link in links)
    # Each page has a text of its own: those that are the same as others lead nowhere.
    words = " ".join(f"{path}{number}" for number in range(40))
    told = {"text": seen_in([words]), "sketch": sketch(words)}
    read = VisitRead(level="post", follow=follow, failed=tuple(lacks), **told)
    fetch = VisitFetch(
        visit=asked,
        url=asked.url,
        read=None if failed else read,
        failed=Failed(failure=failed) if failed else None,
    )
    return store_visit(connection, NO_OBJECTS, fetch, policy=PagePolicy(), recorded=now, now=now)


def leading_to(connection: Connection, path: str) -> list[str]:
    number = connection.execute(select(visits.c.id).where(visits.c.url == f"{URL}{path}")).scalar_one()
    return [url.removeprefix(URL) for url in referrers_of(connection, [number])[number]]


def test_every_page_that_leads_to_what_is_not_there_is_known(database: Database) -> None:
    """The first is the visit's own `via`; one before and one after it failed are further ones."""

    def crawled(connection: Connection) -> list[str]:
        begin(connection)
        visit(connection, "", ["one", "two", "three", "lost"])
        visit(connection, "one", ["lost", "two"])
        visit(connection, "lost", failed=Failure.NOT_FOUND)
        visit(connection, "two", ["lost"])
        visit(connection, "three", ["one"])
        return leading_to(connection, "lost")

    assert database.run(crawled) == ["one", "two"]


def test_nothing_is_kept_of_what_is_there(database: Database) -> None:
    def crawled(connection: Connection) -> int:
        begin(connection)
        visit(connection, "", ["one", "two"])
        visit(connection, "one", ["two", "one"])
        assert leading_to(connection, "two") == ["one"]
        visit(connection, "two", ["one"])
        return len(connection.execute(select(referrers)).all())

    assert database.run(crawled) == 0


def test_a_page_is_noted_once_and_only_so_many_are(database: Database) -> None:
    def crawled(connection: Connection) -> list[str]:
        begin(connection)
        names = [f"page-{number}" for number in range(MOST + 5)]
        visit(connection, "", [*names, "lost"])
        for name in names:
            visit(connection, name, ["lost", "lost#again"])
        connection.execute(update(visits).where(visits.c.url == f"{URL}page-0").values(state="pending"))
        visit(connection, "page-0", ["lost"])
        return leading_to(connection, "lost")

    assert database.run(crawled) == [f"page-{number}" for number in range(MOST)]


def test_all_of_it_is_told(database: Database, tmp_path: Path) -> None:
    def crawled(connection: Connection) -> SiteDetails:
        begin(connection)
        visit(connection, "", ["one", "lost"], lacks=["title"])
        visit(connection, "one", ["lost", "one/one/one/one/one/one"])
        visit(connection, "lost", failed=Failure.GONE)
        places = SitePlaces(state=connection, folder=tmp_path, withheld=withheld_by(()))
        return read_site(places, site_number(connection, "blog.example"), NOW)

    found = database.run(crawled)
    (broken,) = found.broken
    assert (broken.url, broken.failure, broken.pages) == (f"{URL}lost", "gone", (URL, f"{URL}one"))
    assert found.broken_total == 1
    assert [(one.level, one.visited) for one in found.levels] == [("post", 2), ("", 1)]
    assert [(one.reason, one.count) for one in found.skipped] == [("repeats", 1)]
    assert [one.url for one in found.newest] == [f"{URL}one", URL]
    assert [one.action for one in found.actions] == ["title"]
    assert found.curve[-1].text == found.site.text > 0


def test_what_is_withheld_is_not_told(database: Database, tmp_path: Path) -> None:
    def crawled(connection: Connection, *names: str) -> SiteDetails:
        if find_site(connection, URL) is None:
            begin(connection)
            visit(connection, "", ["one", "lost"])
            visit(connection, "one", ["lost"])
            visit(connection, "lost", failed=Failure.GONE)
        withheld = withheld_by((pattern_of(name), "order 7") for name in names)
        assert not names or read_sites(connection, tmp_path, NOW, withheld).sites
        return read_site(SitePlaces(state=connection, folder=tmp_path, withheld=withheld), 1, NOW)

    assert f"{URL}one" in str(database.run(crawled))
    assert f"{URL}one" not in str(database.run(crawled, f"{URL}one"))
    assert f"{URL}lost" not in str(database.run(crawled, f"{URL}lost"))
    with pytest.raises(AssertionError):
        database.run(crawled, "blog.example")


def test_actions_that_find_nothing_are_counted(database: Database) -> None:
    def crawled(connection: Connection) -> list[tuple[object, ...]]:
        begin(connection)
        visit(connection, "", ["one", "two"], lacks=["title"])
        visit(connection, "one", lacks=["title", "author"])
        rows = connection.execute(select(failed_actions).order_by(failed_actions.c.action))
        return [(row.level, row.action, row.pages, row.example) for row in rows]

    assert database.run(crawled) == [("post", "author", 1, f"{URL}one"), ("post", "title", 2, f"{URL}one")]


def ordered(connection: Connection, action: SiteAction, limit: int | None = None) -> SiteState:
    order = SiteOrder(action=action, url=URL, limit=limit, strategy=Strategy.BLIND)
    apply_site_order(connection, order, NOW)
    site = find_site(connection, URL)
    assert site is not None
    return site.state


def test_a_crawl_rests_goes_on_and_ends_as_it_is_ordered(database: Database) -> None:
    def states(connection: Connection) -> list[SiteState]:
        begin(connection)
        return [
            ordered(connection, SiteAction(action))
            for action in ("pause", "pause", "resume", "resume", "stop", "pause", "resume", "stop")
        ]

    assert database.run(states) == [
        "paused", "paused", "open", "open", "stopped", "stopped", "open", "stopped",
    ]  # fmt: skip


def test_an_order_for_an_unknown_site_is_refused(database: Database) -> None:
    with pytest.raises(LookupError, match="no site is called"):
        database.run(ordered, SiteAction.PAUSE)


def test_a_site_that_is_begun_with_a_limit_stops_there(database: Database) -> None:
    def crawled(connection: Connection) -> None:
        assert ordered(connection, SiteAction.START, limit=2) is SiteState.OPEN
        visit(connection, "", ["one", "two", "three"])
        site = find_site(connection, URL)
        assert site is not None
        waiting = pending_visits(connection, NOW, [site], limit=9, busy=())
        assert len(waiting) == 1, "the other places are beyond the limit"
        assert pending_visits(connection, NOW, [site], limit=9, busy=[waiting[0].id]) == []
        visit(connection, waiting[0].url.removeprefix(URL))
        (tally,) = tally_sites(connection)
        assert (tally.site.state, tally.why, tally.visited, tally.waiting) == ("stopped", USED_UP, 2, 2)
        # Begun anew, it has as many again.
        ordered(connection, SiteAction.START, limit=1)
        visit(connection, "two")
        (tally,) = tally_sites(connection)
        assert (tally.site.state, tally.waiting) == ("stopped", 1)

    database.run(crawled)


def test_a_first_page_that_failed_is_asked_for_again(database: Database) -> None:
    """The same command is typed once more, as its message advises: it must not say that all was done."""

    def crawled(connection: Connection) -> list[str]:
        begin(connection)
        visit(connection, "", failed=Failure.NOT_FOUND)
        assert connection.execute(select(sites.c.state)).scalar_one() == "done"
        chosen = choose_sites(connection, [URL], SiteWish(), NOW, NOW)
        assert not chosen.notes
        return [one.url for one in pending_visits(connection, NOW, chosen.sites, limit=9, busy=())]

    assert database.run(crawled) == [URL]


def test_nothing_is_announced_of_a_site_whose_first_page_failed(database: Database) -> None:
    def crawled(connection: Connection) -> str | None:
        begin(connection)
        visit(connection, "", failed=Failure.NOT_FOUND)
        return connection.execute(select(sites.c.plan)).scalar_one()

    assert database.run(crawled) is None


def test_a_list_that_was_only_looked_for_is_no_broken_link(database: Database, tmp_path: Path) -> None:
    def crawled(connection: Connection) -> tuple[list[str], int]:
        begin(connection, Strategy.AUTO)
        visit(connection, "", ["one", "lost"])
        visit(connection, "sitemap.xml", failed=Failure.NOT_FOUND)
        visit(connection, "lost", failed=Failure.NOT_FOUND)
        places = SitePlaces(state=connection, folder=tmp_path, withheld=withheld_by(()))
        found = read_site(places, 1, NOW)
        return [one.url for one in found.broken], found.broken_total

    assert database.run(crawled) == ([f"{URL}lost"], 1)


def test_another_strategy_begins_with_the_first_page_and_keeps_what_was_read(database: Database) -> None:
    def crawled(connection: Connection) -> tuple[list[str], list[str]]:
        begin(connection, Strategy.SITEMAP)
        visit(connection, "", ["one", "two"])
        for path in ("sitemap.xml", "sitemap_index.xml", "sitemap.xml.gz", "wp-sitemap.xml"):
            visit(connection, path, failed=Failure.NOT_FOUND)
        (tally,) = tally_sites(connection)
        assert (tally.site.state, tally.leads_on) == ("done", False)
        chosen = choose_sites(connection, [URL], SiteWish(strategy=Strategy.BLIND), NOW, NOW)
        assert not chosen.notes
        first = [one.url for one in pending_visits(connection, NOW, chosen.sites, limit=9, busy=())]
        visit(connection, "", ["one", "two"])
        visit(connection, "one", ["two"])
        # The same once more is no other one: what was read stays read.
        choose_sites(connection, [URL], SiteWish(strategy=Strategy.BLIND), NOW, NOW)
        return first, [one.url for one in pending_visits(connection, NOW, chosen.sites, limit=9, busy=())]

    assert database.run(crawled) == ([URL], [f"{URL}two"])


def test_without_a_strategy_a_site_keeps_its_own(database: Database) -> None:
    def crawled(connection: Connection) -> str:
        begin(connection, Strategy.BLIND)
        choose_sites(connection, [URL], SiteWish(), NOW, NOW)
        ordered(connection, SiteAction.START, limit=5)
        return connection.execute(select(sites.c.strategy)).scalar_one()

    assert database.run(crawled) == "blind"


def test_a_crawl_again_is_announced_once_with_its_own_requests(database: Database) -> None:
    def crawled(connection: Connection) -> list[int]:
        begin(connection)
        told = [visit(connection, "", ["one", "two"]), visit(connection, "one"), visit(connection, "two")]
        assert [one.expected.requests for one in told if one.expected] == [2], "the other one waits for it"
        choose_sites(connection, [URL], SiteWish(again="all"), LATER, LATER)
        again = [visit(connection, path, now=LATER) for path in ("", "one", "two")]
        return [one.expected.requests for one in again if one.expected]

    assert database.run(crawled) == [3]
