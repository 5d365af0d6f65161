"""What is followed through APIs, as the state store has it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from archiver.acquisition.apis import ApiRules
from archiver.acquisition.items import ApiFetch
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PagePolicy
from archiver.documents.apis.model import ApiPage, ApiQuery, Cursor, Post
from archiver.documents.pages.model import Link
from archiver.store.object_files import lines_settled
from archiver.store.polling.apis import due_apis, next_api, register_apis, store_api_fetch
from tests.store.samples import HOUR, NOW, capture

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from archiver.acquisition.targets import ApiAsk
    from archiver.archive.objects.writer import ObjectWriter
    from archiver.store.database import Database
    from archiver.store.polling.apis import ApiResult

TAG = ApiQuery(api="mastodon", base="https://h.example", what="tag", value="flood")
OTHER = ApiQuery(api="mastodon", base="https://h.example", what="tag", value="ebb")
POST = Post(
    id="https://h.example/1",
    pointer="/0",
    text="High water",
    links=(Link(url="https://p.example/", text=""),),
)


def due(database: Database, at: datetime = NOW) -> list[ApiAsk]:
    return database.run(due_apis, at, ["flood"], limit=9, per_host=9, busy=(), without=())


def store(database: Database, objects: ObjectWriter, ask: ApiAsk, **came: Any) -> ApiResult:
    taken = came.pop("taken", None)

    def work(connection: Connection) -> ApiResult:
        with lines_settled(connection, objects):
            return store_api_fetch(
                connection, objects, ApiFetch(ask=ask, **came), rules=ApiRules(), policy=PagePolicy(),
                recorded=NOW, now=NOW, take=taken,
            )  # fmt: skip

    return database.run(work)


def test_what_a_file_names_no_more_is_not_asked_for_any_more(database: Database) -> None:
    database.run(register_apis, "flood", [TAG, OTHER], NOW)
    assert [ask.url.split("/")[-1] for ask in due(database)] == ["flood?limit=40", "ebb?limit=40"]
    database.run(register_apis, "flood", [OTHER], NOW)
    assert [ask.state.query for ask in due(database)] == [OTHER]
    database.run(register_apis, "flood", [TAG, OTHER], NOW)
    assert len(due(database)) == 2


def test_posts_and_cursor_are_stored_together_and_links_go_to_the_campaign(
    database: Database, objects: ObjectWriter
) -> None:
    database.run(register_apis, "flood", [TAG], NOW)
    (ask,) = due(database)
    page = ApiPage(posts=(POST,), next=Cursor(at="9"), newest_first=True)
    told: list[str] = []

    def take(_: Connection, campaign: str, came: ApiPage, *_others: object) -> None:
        told.extend(f"{campaign} {link.url}" for post in came.posts for link in post.links)

    result = store(database, objects, ask, page=page, capture=capture(1, url=ask.url), taken=take)
    assert (result.posts.new, result.posts.fresh) == (1, 1)
    assert told == ["flood https://p.example/"]
    (ask,) = due(database)
    assert "max_id=9" in ask.url
    again = store(database, objects, ask, page=page, capture=capture(2, url=ask.url))
    assert (again.posts.new, again.posts.unchanged, again.posts.fresh) == (0, 1, 0)


def test_a_wait_holds_for_all_that_is_followed_on_the_host(database: Database, objects: ObjectWriter) -> None:
    database.run(register_apis, "flood", [TAG, OTHER], NOW)
    ask = due(database)[0]
    busy = ApiPage(problem="429", wait=60.0)
    store(database, objects, ask, page=busy, capture=capture(1, url=ask.url))
    assert due(database) == []
    assert (database.run(next_api, ["flood"]) - NOW).total_seconds() == 60
    assert len(due(database, NOW + HOUR)) == 2


def test_a_failure_asks_for_the_same_again(database: Database, objects: ObjectWriter) -> None:
    database.run(register_apis, "flood", [TAG], NOW)
    (ask,) = due(database)
    store(database, objects, ask, failed=Failed(failure=Failure.TIMEOUT))
    (again,) = due(database, NOW + HOUR)
    assert again.url == ask.url
    assert again.state.outcome == "timeout"
