"""Workers that share a PostgreSQL store: who has which domain, who is dead, and what is counted."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from datetime import timedelta
from typing import TYPE_CHECKING

import psycopg
import pytest
from sqlalchemy import select

from archiver.acquisition.channels.polling.price import PERIOD
from archiver.errors import ArchiveError
from archiver.store.counts import total_counts
from archiver.store.database import Database
from archiver.store.leases import begin_turn, forget_free, give_back, lease
from archiver.store.polling.prices import count_requests, price_of_poll, rechecks_now
from archiver.store.quotas import Use, asked_today, count
from archiver.store.schema import leases, poll_prices
from archiver.store.workers import WorkerPlace, beat, begin_worker, end_silent, end_worker, others_are_at_work
from archiver.store.works import need_works, take_works
from tests.store.conftest import empty
from tests.store.samples import NOW

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from archiver.store.workers import CrawlWorker

    Worker = tuple[Database, CrawlWorker]

pytestmark = pytest.mark.zoo


@pytest.fixture
def url(postgresql: str) -> str:
    with psycopg.connect(f"{postgresql} dbname=postgres", autocommit=True) as connection:
        empty(connection)
    return f"postgresql+psycopg://postgres@/postgres?host={postgresql.split(maxsplit=1)[0].removeprefix('host=')}"


@pytest.fixture
def begin(url: str) -> Iterator[Callable[..., Worker]]:
    opened: list[Database] = []

    def _begin(name: str, *, patience: float = 60.0, folder: str = "") -> Worker:
        opened.append(Database(url))
        place = WorkerPlace(name=name, host="here", process=1, folder=folder or f"/{name}", patience=patience)
        return opened[-1], opened[-1].run(begin_worker, place)

    yield _begin
    for database in opened:
        with suppress(Exception):  # the server may have ended it, as the test wants
            database.close()


def take(worker: Worker, *domains: str, turn: int | None = None) -> set[str]:
    database, me = worker
    number = turn if turn is not None else database.run(begin_turn, me).number
    return database.run(lease, me, list(domains), number)


def test_one_worker_has_a_domain_at_a_time(begin: Callable[..., Worker]) -> None:
    one, other = begin("one"), begin("other")
    assert take(one, "a.org", "b.org") == {"a.org", "b.org"}
    assert take(other, "b.org", "c.org") == {"c.org"}
    assert other[0].run(begin_turn, other[1]).elsewhere == {"a.org", "b.org"}
    one[0].run(give_back, one[1], {"b.org": 0.0})
    assert take(other, "a.org", "b.org") == {"b.org"}


def test_a_domain_that_was_given_back_after_a_look_began_is_not_leased_for_it(
    begin: Callable[..., Worker],
) -> None:
    one, other = begin("one"), begin("other")
    take(one, "a.org")
    turn = other[0].run(begin_turn, other[1]).number
    # What the look finds from here on may have been done meanwhile.
    one[0].run(give_back, one[1], {"a.org": 0.0})
    assert take(other, "a.org", turn=turn) == set()
    assert take(other, "a.org") == {"a.org"}


def test_the_delay_of_a_host_holds_across_workers(begin: Callable[..., Worker]) -> None:
    one, other = begin("one"), begin("other")
    take(one, "a.org")
    one[0].run(give_back, one[1], {"a.org": 0.3})
    assert other[0].run(begin_turn, other[1]).elsewhere == {"a.org"}
    assert take(other, "a.org") == set()
    assert other[0].run(others_are_at_work, other[1], ["a.org"])
    # The one that asked last keeps its own delay.
    assert take(one, "a.org") == {"a.org"}
    one[0].run(give_back, one[1], {"a.org": 0.3})
    time.sleep(0.35)
    assert take(other, "a.org") == {"a.org"}


def test_a_silent_worker_is_cut_off_and_its_domains_pass_on(begin: Callable[..., Worker]) -> None:
    dead, other = begin("dead", patience=0.2), begin("other")
    take(dead, "a.org")
    assert dead[0].run(beat, dead[1], watches=False)
    assert other[0].run(end_silent, other[1]) == []
    time.sleep(0.3)
    assert other[0].run(end_silent, other[1]) == ["dead"]
    assert other[0].run(end_silent, other[1]) == []
    assert take(other, "a.org") == {"a.org"}
    # Had it only slept, it could not store anything any more.
    with pytest.raises(ArchiveError):
        dead[0].run(beat, dead[1], watches=False)


def test_a_worker_that_is_started_again_begins_anew(begin: Callable[..., Worker]) -> None:
    first = begin("one")
    take(first, "a.org")
    with pytest.raises(ArchiveError, match="A worker one is alive on here, in /one: set WRITER"):
        begin("one", folder="/elsewhere")
    again = begin("one")
    assert again[1].id == first[1].id
    assert not again[0].run(beat, first[1], watches=False)
    held = again[0].run(lambda connection: connection.execute(select(leases.c.held)).scalars().all())
    assert held == [False]
    again[0].run(end_worker, again[1])


def test_rows_of_free_domains_are_forgotten(begin: Callable[..., Worker]) -> None:
    database, me = begin("one")
    take((database, me), "a.org", "b.org", "c.org")
    database.run(give_back, me, {"a.org": -121.0, "b.org": 0.0})
    database.run(forget_free)
    left = database.run(lambda connection: connection.execute(select(leases.c.domain)).scalars().all())
    assert sorted(left) == ["b.org", "c.org"]


def test_workers_that_lease_the_same_at_once_share_it(begin: Callable[..., Worker]) -> None:
    workers = [begin(f"w{number}") for number in range(4)]
    domains = [f"d{number}.org" for number in range(50)]
    taken: list[set[str]] = [set() for _ in workers]

    def work(number: int) -> None:
        database, me = workers[number]
        for _ in range(20):
            got = take(workers[number], *domains)
            assert not any(got & others for others in taken)
            taken[number] |= got
            taken[number] -= got
            database.run(give_back, me, dict.fromkeys(got, 0.0))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert take(workers[0], *domains) == set(domains)


def test_hot_counts_are_kept_by_worker_and_summed(begin: Callable[..., Worker]) -> None:
    workers = [begin("one"), begin("other")]
    for database, _ in workers:
        database.run(rechecks_now, 0.1, NOW)
    for database, _ in workers:
        for _ in range(3):
            database.run(price_of_poll, 100.0, 0.5, NOW)
            database.run(count_requests, others=2, rechecks=1)
            database.run(count, [Use(host="a.org", size=5)], NOW)
    database = workers[0][0]
    assert database.run(total_counts, "polls", "others", "rechecks") == {
        "polls": 6, "others": 12, "rechecks": 6
    }  # fmt: skip
    assert database.run(asked_today, NOW) == (0, 6)
    # A clock that is a little behind does not begin anew; after a period the sum is used.
    assert database.run(price_of_poll, 100.0, 0.5, NOW - timedelta(minutes=1)) > 0
    assert database.run(total_counts, "polls") == {"polls": 7}
    database.run(price_of_poll, 100.0, 0.5, NOW + PERIOD)
    assert database.run(total_counts, "polls") == {"polls": 1}
    row = database.run(lambda connection: connection.execute(select(poll_prices)).one())
    assert row.before > 0


def test_a_transaction_that_met_another_is_run_again(begin: Callable[..., Worker]) -> None:
    """Two workers add to the same row, each from what it has read: nothing is lost."""
    one, other = begin("one")[0], begin("other")[0]
    one.run(lambda connection: connection.exec_driver_sql("INSERT INTO day_uses VALUES (1, 'x', 'y', 0, 0)"))

    def add(connection: object) -> None:
        pages = connection.exec_driver_sql("SELECT pages FROM day_uses WHERE kind = 'x'").scalar_one()  # type: ignore[attr-defined] # as it is
        time.sleep(0.001)
        connection.exec_driver_sql(f"UPDATE day_uses SET pages = {pages + 1} WHERE kind = 'x'")  # type: ignore[attr-defined] # as it is

    threads = [
        threading.Thread(target=lambda database=database: [database.run(add) for _ in range(15)])
        for database in (one, other)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pages = one.run(lambda c: c.exec_driver_sql("SELECT pages FROM day_uses WHERE kind = 'x'").scalar_one())
    assert pages == 30


def test_a_work_is_done_by_one_worker_at_a_time(begin: Callable[..., Worker]) -> None:
    one, other = begin("one"), begin("other")
    works = ["site http://a.org/", "campaign flood"]
    assert one[0].run(take_works, works) == {}
    assert one[0].run(take_works, works) == {}
    assert other[0].run(take_works, [*works, "form books"]) == dict.fromkeys(works, "one on here (process 1)")
    told = r"^The campaign flood is under way already, in the worker one on here \(process 1\): .* run again$"
    with pytest.raises(ArchiveError, match=told):
        other[0].run(need_works, works)
    one[0].run(end_worker, one[1])
    other[0].run(need_works, works)


def test_the_works_of_a_dead_worker_are_free(begin: Callable[..., Worker]) -> None:
    dead, other, third = begin("dead", patience=0.0), begin("other"), begin("third")
    dead[0].run(need_works, ["campaign flood"])
    # Before it is noticed as after.
    assert other[0].run(take_works, ["campaign flood"]) == {}
    assert third[0].run(end_silent, third[1]) == ["dead"]
    assert third[0].run(take_works, ["campaign flood"]).keys() == {"campaign flood"}


def test_a_connection_that_is_lost_is_not_replaced_by_one_that_is_not_the_worker_s(
    begin: Callable[..., Worker],
) -> None:
    one, other = begin("one")[0], begin("other")[0]
    backend = one.run(lambda connection: connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one())
    other.run(lambda c: c.exec_driver_sql(f"SELECT pg_terminate_backend({backend}, 5000)").scalar_one())
    told = (
        "^The connection to the state store was lost: .* see that the database server is up, and run again$"
    )
    for _ in range(2):
        with pytest.raises(ArchiveError, match=told):
            one.run(lambda connection: connection.exec_driver_sql("SELECT 1").scalar_one())
    assert one.is_lost
