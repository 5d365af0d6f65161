"""The share of requisites: styles first, no more than a part of a day's requests, and nothing forgotten."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.requisites import FREE_A_DAY, KINDS, RequisiteRules
from archiver.acquisition.targets import WantedRequisite
from archiver.documents.requisites.model import WANTED
from archiver.store.content.requisites import count_due_requisites, pending_requisites, settle_requisite, want
from archiver.store.quotas import Use, asked_today, count
from tests.store.samples import HOUR, NOW

if TYPE_CHECKING:
    from archiver.store.database import Database

ALL: dict[str, Any] = {"limit": 100, "per_host": 100, "busy": frozenset[int]()}
LOOK = RequisiteRules(scope="look", share=0.25)


def wanted(kind: str, *names: str, host: str = "news.example") -> list[WantedRequisite]:
    return [
        WantedRequisite(url=f"http://{host}/{name}", kind=kind, via="http://news.example/") for name in names
    ]


def test_styles_come_before_images_that_wait_longer(database: Database) -> None:
    database.run(want, wanted("image", "a.png", "b.png"), now=NOW - HOUR, max_age=HOUR)
    database.run(want, wanted("style", "a.css"), now=NOW, max_age=HOUR)
    names = [one.url[-5:] for one in database.run(pending_requisites, NOW, LOOK.kinds, **ALL)]
    assert names == ["a.css", "a.png", "b.png"]


def test_many_styles_do_not_keep_out_images(database: Database) -> None:
    database.run(want, wanted("style", *(f"{one}.css" for one in range(9))), now=NOW - HOUR, max_age=HOUR)
    database.run(want, wanted("image", "a.png", "b.png", "c.png"), now=NOW, max_age=HOUR)
    bounds: dict[str, Any] = {"per_host": 100, "busy": frozenset[int]()}
    found = [one.kind for one in database.run(pending_requisites, NOW, LOOK.kinds, limit=6, **bounds)]
    assert (found.count("style"), found.count("image")) == (4, 2)
    at_host = database.run(pending_requisites, NOW, LOOK.kinds, limit=100, per_host=4, busy=frozenset())
    assert sorted(one.kind for one in at_host) == ["image", "style", "style", "style"]
    whole = [one.url for one in database.run(pending_requisites, NOW, LOOK.kinds, limit=12, **bounds)]
    assert len(whole) == len(set(whole)) == 12


def test_a_style_with_another_query_on_every_page_is_fetched_a_few_times(database: Database) -> None:
    styles = wanted("style", *(f"a.css?{one}" for one in range(7)), "a.css", "b.css?1")
    bounds: dict[str, Any] = {"max_age": HOUR, "most_alike": 5}
    assert database.run(want, styles, now=NOW, **bounds) == 7
    assert database.run(want, wanted("style", "a.css?8", "b.css?2"), now=NOW, **bounds) == 1
    assert database.run(want, wanted("image", "a.css?9"), now=NOW, **bounds) == 1
    # Again when those are old: designs change.
    for number in range(1, 6):
        database.run(settle_requisite, number, "stored", now=NOW, **bounds)
    assert database.run(want, wanted("style", "a.css?8"), now=NOW + HOUR / 2, **bounds) == 0
    assert database.run(want, wanted("style", "a.css?8"), now=NOW + 2 * HOUR, **bounds) == 1


def test_a_narrower_scope_leaves_the_rest_waiting(database: Database) -> None:
    database.run(want, wanted("style", "a.css") + wanted("font", "x.woff2"), now=NOW, max_age=HOUR)
    assert database.run(pending_requisites, NOW, RequisiteRules(scope="none").kinds, **ALL) == []
    assert len(database.run(pending_requisites, NOW, LOOK.kinds, **ALL)) == 1
    assert len(database.run(pending_requisites, NOW, KINDS["page"], **ALL)) == 2
    assert database.run(count_due_requisites, NOW, LOOK.kinds) == 1


def test_no_host_takes_the_places_of_all_kinds(database: Database) -> None:
    database.run(want, wanted("style", "a.css", "b.css"), now=NOW, max_age=HOUR)
    database.run(
        want, wanted("image", "a.png") + wanted("image", "c.png", host="cdn.example"), now=NOW, max_age=HOUR
    )
    found = database.run(pending_requisites, NOW, LOOK.kinds, limit=9, per_host=2, busy=frozenset())
    assert [one.url for one in found] == [
        "http://news.example/a.css", "http://news.example/a.png", "http://cdn.example/c.png",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("share", "requisites", "others", "room"),
    [
        (0.25, 0, 0, FREE_A_DAY),
        (0.25, 0, 300, FREE_A_DAY + 100),
        (0.25, 120, 300, FREE_A_DAY - 20),
        (0.25, 900, 300, 0),
        (0.5, 10, 300, FREE_A_DAY + 290),
        (0, 0, 300, 0),
        (1, 10**6, 0, float("inf")),
    ],
)
def test_the_room_is_a_share_of_all_requests(share: float, requisites: int, others: int, room: float) -> None:
    assert RequisiteRules(scope="look", share=share).room(requisites, others) == room


def test_requests_are_counted_by_the_day(database: Database) -> None:
    database.run(count, [Use(host="a.example", pages=3), Use(host="b.example", pages=0)], NOW)
    database.run(want, wanted("style", "a.css"), now=NOW, max_age=HOUR)
    database.run(settle_requisite, 1, "stored", now=NOW, max_age=HOUR)
    assert database.run(asked_today, NOW) == (1, 4)
    assert database.run(asked_today, NOW + timedelta(days=1)) == (0, 0)


def test_every_kind_that_pages_ask_for_is_fetched_in_full_scope() -> None:
    assert set(KINDS["page"]) == WANTED
