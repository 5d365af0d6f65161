"""What becomes of a query of an API after each answer: how its round goes on, and when it is asked again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

import msgspec

from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import Ended, after_failure
from archiver.documents.apis.model import ApiQuery, Cursor

if TYPE_CHECKING:
    from datetime import datetime

    from archiver.acquisition.pages import PagePolicy
    from archiver.documents.apis.model import ApiPage

# A round that asks for more than this is ended. Guess: at 40 posts a page, 80,000 posts.
MOST_ASKS = 2000
# Pages in a row on which nothing is new to the query: then the server goes round in a circle.
_MOST_STALE = 2
# The outcome of a query whose round is not over.
ASKING = "asking"
# A refusal, or a site without this API: asked again after this, in case that it was mended.
REFUSED_WAIT = timedelta(days=3)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiRules:
    """What the operator set."""

    interval: timedelta = timedelta(minutes=30)  # between two rounds
    nobot: bool = True  # whether accounts that do not want to be archived are left out


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiState:
    """A query as the state store has it."""

    query: ApiQuery
    cursor: Cursor = Cursor()
    tries: int = 0  # that failed, in a row
    outcome: str = ""  # asking, read, refused, or a failure
    why: str = ""  # in words


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiVerdict:
    """What is to be noted after an answer."""

    state: ApiState
    next_ask: datetime
    # For how long nothing is asked of the whole host.
    rest: timedelta = timedelta()


def after_page(
    state: ApiState, page: ApiPage, *, fresh: int, now: datetime, rules: ApiRules, policy: PagePolicy
) -> ApiVerdict:
    """What an answer changes; `fresh` of its posts were new to this query, or edited."""
    rest = timedelta(seconds=page.wait)
    if page.problem and page.is_final:
        return _refused(state, page.problem, now)
    if page.problem:
        return _waited(state, page.problem, rest, now, policy)
    ending = _ending(state.cursor, page, fresh)
    if ending is not None:
        return _round_over(replace(state, cursor=page.next), ending, now, rules, rest)
    going = replace(state, cursor=_advanced(state.cursor, page, fresh), tries=0, outcome=ASKING, why="")
    return ApiVerdict(state=going, next_ask=now + rest, rest=rest)


def after_failed(state: ApiState, failed: Failed, now: datetime, policy: PagePolicy) -> ApiVerdict:
    """What it changes that there was no answer: the same is asked again, later and later."""
    tries = state.tries + 1
    verdict = after_failure(state.query.base, failed, tries, policy)
    if isinstance(verdict, Ended):
        told = f"{failed.failure} {failed.detail}".strip()
        return _refused(replace(state, tries=tries), told, now, outcome=failed.failure)
    tried = replace(state, tries=tries, outcome=failed.failure, why=failed.detail)
    return ApiVerdict(state=tried, next_ask=now + verdict.wait)


def _waited(state: ApiState, why: str, rest: timedelta, now: datetime, policy: PagePolicy) -> ApiVerdict:
    """The server asks to wait: each time in a row twice as long as it says."""
    tries = state.tries + 1
    if tries >= policy.tries:
        return _refused(replace(state, tries=0), why, now, outcome=Failure.RATE_LIMITED)
    wait = min(rest * 2 ** (tries - 1), policy.longest_wait)
    waiting = replace(state, tries=tries, outcome=Failure.RATE_LIMITED, why=why)
    return ApiVerdict(state=waiting, next_ask=now + wait, rest=wait)


def _ending(before: Cursor, page: ApiPage, fresh: int) -> str | None:
    """Why the round is over, empty where it came to its end; None: it goes on."""
    cursor, is_list = page.next, not before.waiting
    is_known = page.newest_first and before.is_whole and page.posts and not fresh and not cursor.waiting
    if page.is_over or (is_list and is_known):
        return ""
    if cursor.waiting == before.waiting and cursor.at == before.at and cursor.root == before.root:
        return "its pages do not go on"
    if is_list and cursor.at and cursor.at == before.mark:
        return "its pages go round in a circle"
    if _stale(before, page, fresh) >= _MOST_STALE:
        return "its pages repeat themselves"
    return f"more than {MOST_ASKS} requests would be needed" if before.asked >= MOST_ASKS else None


def _stale(before: Cursor, page: ApiPage, fresh: int) -> int:
    """How many pages in a row had posts and nothing new: a list that is followed again has such pages."""
    if before.waiting or not page.posts:
        return before.stale
    return 0 if fresh or before.is_whole else before.stale + 1


def _advanced(before: Cursor, page: ApiPage, fresh: int) -> Cursor:
    """How the round goes on. After 1, 2, 4, 8 … requests a page is remembered: circles come back to one."""
    asked = before.asked + 1
    mark = before.at if asked & (asked - 1) == 0 else before.mark
    return msgspec.structs.replace(page.next, stale=_stale(before, page, fresh), asked=asked, mark=mark)


def _round_over(state: ApiState, why: str, now: datetime, rules: ApiRules, rest: timedelta) -> ApiVerdict:
    """The next round begins anew, with what is known of where the API is."""
    kept = state.cursor
    begun = Cursor(root=kept.root, states=kept.states, is_whole=not why or kept.is_whole)
    over = replace(state, cursor=begun, tries=0, outcome="read", why=why)
    return ApiVerdict(state=over, next_ask=now + max(rules.interval, rest), rest=rest)


def _refused(state: ApiState, why: str, now: datetime, outcome: str = "refused") -> ApiVerdict:
    begun = replace(state, cursor=Cursor(), outcome=outcome, why=why)
    return ApiVerdict(state=begun, next_ask=now + REFUSED_WAIT)
