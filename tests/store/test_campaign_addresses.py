"""People name pages by the addresses that they are shown: those of redirects lead to the same page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from msgspec.msgpack import encode
from sqlalchemy import insert, select, update

from archiver.acquisition.campaigns.signals import Signals
from archiver.acquisition.campaigns.words import PageWords
from archiver.errors import ConfigurationError
from archiver.inspection.campaigns.reading import read_top, read_why
from archiver.store.campaigns.orders import CampaignAction, CampaignOrder, apply_campaign_order
from archiver.store.campaigns.queue import add_alias
from archiver.store.schema import candidates, relevances
from tests.store.samples import NOW, capture
from tests.store.test_campaign_redirects import A, B, C, row_of, waiting
from tests.store.test_campaigns import FLOOD, begun

if TYPE_CHECKING:
    from pathlib import Path

    from sqlalchemy import Connection

    from archiver.running.campaign_run import RunningCampaign
    from archiver.store.database import Database

WITH_SESSION = "http://a.example/c?visit=4f1e8a2b9c0d7e6f5a"


def fetched(
    connection: Connection, running: RunningCampaign, url: str, at: str, same_as: int | None = None
) -> int:
    """Note that a candidate was fetched, and which address answered in the end."""
    row = row_of(connection, running, url)
    assert row is not None
    values = {"state": "done", "outcome": "read"}
    connection.execute(update(candidates).where(candidates.c.id == row.id).values(**values))
    page = {"campaign_id": running.campaign.id, "url": at, "title": "", "score": 0.9, "signals": Signals()}
    page |= {"capture": capture(), "words": encode(PageWords(counts={})), "digest": "d", "revision": 1}
    page |= {"candidate_id": row.id, "same_as": same_as, "seen": NOW}
    connection.execute(insert(relevances).values(**page))
    return int(row.id)


def judge(connection: Connection, url: str) -> dict[str, int | None]:
    order = CampaignOrder(action=CampaignAction.IRRELEVANT, campaign="water", url=url)
    apply_campaign_order(connection, order, NOW)
    rows = connection.execute(select(relevances.c.url, relevances.c.judged, relevances.c.same_as))
    return {row.url: row.judged for row in rows if row.same_as is None}


def test_a_page_behind_a_redirect_is_judged_by_the_address_that_is_shown(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, C)
        number = fetched(connection, running, A, B)
        add_alias(connection, running.campaign, number, running.models.repeats.key(B), B, NOW)
        (page,) = read_top(connection, "water", 5)
        assert page.url == B
        assert read_why(connection, "water", B).relevance == read_why(connection, "water", A).relevance == 0.9
        assert judge(connection, B) == {B: 0}
        with pytest.raises(LookupError, match="has not fetched"):
            judge(connection, C)

    database.run(work)


def test_a_judgement_of_a_twin_is_one_of_the_page_that_is_ranked(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, A, C)
        fetched(connection, running, A, A, fetched(connection, running, C, C))
        assert judge(connection, A) == {C: 0}

    database.run(work)


def test_an_address_with_the_id_of_a_session_is_known_as_it_is_shown(
    database: Database, tmp_path: Path
) -> None:
    run = begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        running = waiting(run, connection, WITH_SESSION)
        assert row_of(connection, running, WITH_SESSION) is not None
        connection.execute(update(candidates).where(candidates.c.url == WITH_SESSION).values(key="c"))
        assert read_why(connection, "water", WITH_SESSION).state == "waiting"

    database.run(work)


def test_a_page_is_judged_by_an_address_whose_token_is_not_shown(database: Database, tmp_path: Path) -> None:
    run = begun(database, FLOOD, tmp_path)
    one, *others = (f"http://a.example/{name}?token={number}&page=2" for number, name in enumerate("abb"))

    def work(connection: Connection) -> None:
        running = waiting(run, connection, one, *others)
        fetched(connection, running, one, one)
        assert judge(connection, "http://a.example/a?token=***&page=2") == {one: 0}
        # Which of two is meant cannot be told.
        with pytest.raises(LookupError):
            judge(connection, "http://a.example/b?token=***&page=2")

    database.run(work)


@pytest.mark.parametrize("url", ["", "http://[", "flood", "http://a.example:99999/"])
def test_what_is_not_an_address_was_never_seen(database: Database, tmp_path: Path, url: str) -> None:
    begun(database, FLOOD, tmp_path)

    def work(connection: Connection) -> None:
        with pytest.raises(ConfigurationError, match="has never seen"):
            read_why(connection, "water", url)
        with pytest.raises(LookupError):
            judge(connection, url)

    database.run(work)
