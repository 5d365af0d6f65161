"""How a query of an API goes on after each answer: decided from values alone."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import msgspec
import pytest

from archiver.acquisition.apis import MOST_ASKS, ApiRules, ApiState, after_failed, after_page
from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import PagePolicy
from archiver.documents.apis.model import ApiPage, ApiQuery, Cursor, Post

NOW = datetime(2026, 6, 12, 8, tzinfo=UTC)
RULES, POLICY = ApiRules(interval=timedelta(minutes=30)), PagePolicy()
STATE = ApiState(query=ApiQuery(api="mastodon", base="https://h.example", what="tag", value="flood"))
POST = Post(id="https://h.example/1", pointer="/0")


def after(state: ApiState, page: ApiPage, fresh: int = 1) -> tuple[ApiState, float]:
    verdict = after_page(state, page, fresh=fresh, now=NOW, rules=RULES, policy=POLICY)
    return verdict.state, (verdict.next_ask - NOW).total_seconds()


def page(at: str, **more: object) -> ApiPage:
    return msgspec.structs.replace(ApiPage(posts=(POST,), next=Cursor(at=at)), **more)


def test_a_page_leads_to_the_next_one_at_once_or_after_the_wait_that_the_server_wants() -> None:
    state, seconds = after(STATE, page("9"))
    assert (state.cursor.at, state.outcome, seconds) == ("9", "asking", 0)
    assert after(STATE, page("9", wait=12.0))[1] == 12


def test_a_round_that_came_to_its_end_begins_again_after_the_interval() -> None:
    state, seconds = after(STATE, page("9", is_over=True))
    assert (state.cursor, state.outcome, seconds) == (Cursor(is_whole=True), "read", 1800)


def test_a_later_round_ends_where_nothing_is_new_and_a_first_one_does_not() -> None:
    again = replace(STATE, cursor=Cursor(is_whole=True))
    assert after(again, page("9", newest_first=True), fresh=0)[0].outcome == "read"
    assert after(STATE, page("9", newest_first=True), fresh=0)[0].outcome == "asking"
    waiting = page("9", newest_first=True, next=Cursor(at="9", is_whole=True, waiting=({"id": "1"},)))
    assert after(again, waiting, fresh=0)[0].outcome == "asking", "what is named is read first"


@pytest.mark.parametrize("length", [1, 2, 3, 5])
def test_every_circle_of_pages_is_ended(length: int) -> None:
    state = replace(STATE, cursor=Cursor(is_whole=True))
    for number in range(100):
        state, _ = after(state, page(str(number % length), posts=()))
        if state.outcome == "read":
            break
    assert state.why
    assert number <= 4 * length + 2


def test_pages_that_have_nothing_new_twice_end_the_first_round_which_is_then_not_whole() -> None:
    state, _ = after(STATE, page("1"), fresh=0)
    state, _ = after(state, page("2"), fresh=0)
    assert "repeat" in state.why
    assert not state.cursor.is_whole


def test_a_round_has_a_limit() -> None:
    state = replace(STATE, cursor=Cursor(at="1", asked=MOST_ASKS))
    assert str(MOST_ASKS) in after(state, page("2"))[0].why


def test_waits_double_and_end_in_a_refusal_that_is_tried_again_after_days() -> None:
    busy = ApiPage(problem="429", wait=10.0)
    state, seconds = after(STATE, busy)
    assert (seconds, state.tries) == (10, 1)
    assert after(state, busy)[1] == 20
    assert after(replace(state, tries=POLICY.tries), busy)[1] == 3 * 86400
    refused, seconds = after(state, ApiPage(problem="HTTP 401", is_final=True))
    assert (refused.outcome, refused.why, seconds) == ("refused", "HTTP 401", 3 * 86400)


def test_a_failure_keeps_the_cursor() -> None:
    state = replace(STATE, cursor=Cursor(at="7"))
    verdict = after_failed(state, Failed(failure=Failure.TIMEOUT), NOW, POLICY)
    assert verdict.state.cursor == state.cursor
    assert verdict.next_ask > NOW
