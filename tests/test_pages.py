"""What becomes of a page that could not be fetched."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archiver.acquisition.outcomes import Failed, Failure
from archiver.acquisition.pages import Ended, EntryOutcome, PagePolicy, TryAgain, after_failure, may_be_html

URL = "https://example.org/a"
POLICY = PagePolicy()
PASSING = [
    Failure.TIMEOUT,
    Failure.DNS,
    Failure.CONNECTION,
    Failure.TRUNCATED,
    Failure.SERVER_ERROR,
    Failure.UNAVAILABLE,
    Failure.RATE_LIMITED,
    Failure.CLIENT_ERROR,
    Failure.REDIRECTS,
    Failure.INTERNAL,
]


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [
        (Failure.GONE, EntryOutcome.GONE),
        (Failure.ADDRESS, EntryOutcome.REFUSED),
        (Failure.TOO_LARGE, EntryOutcome.GIVEN_UP),
    ],
)
def test_a_final_answer_is_believed_at_once(failure: Failure, outcome: EntryOutcome) -> None:
    assert after_failure(URL, Failed(failure=failure), 1, POLICY) == Ended(outcome=outcome)


@pytest.mark.parametrize("failure", PASSING)
def test_what_may_pass_is_tried_again_and_given_up_in_the_end(failure: Failure) -> None:
    verdicts = [after_failure(URL, Failed(failure=failure), tries, POLICY) for tries in range(1, 9)]
    assert all(isinstance(verdict, TryAgain) for verdict in verdicts[:-1])
    assert verdicts[-1] == Ended(outcome=EntryOutcome.GIVEN_UP)


def test_a_page_is_asked_for_over_days_before_it_is_given_up() -> None:
    verdicts = [after_failure(URL, Failed(failure=Failure.TIMEOUT), tries, POLICY) for tries in range(1, 8)]
    waits = [verdict.wait for verdict in verdicts if isinstance(verdict, TryAgain)]
    assert sum(waits, timedelta()) > timedelta(days=2)
    assert waits == sorted(waits)


def test_a_page_that_is_not_found_may_be_late_but_not_for_ever() -> None:
    missing = Failed(failure=Failure.NOT_FOUND)
    assert isinstance(after_failure(URL, missing, 1, POLICY), TryAgain)
    assert isinstance(after_failure(URL, missing, 2, POLICY), TryAgain)
    assert after_failure(URL, missing, 3, POLICY) == Ended(outcome=EntryOutcome.GONE)


@pytest.mark.parametrize(
    ("failure", "outcome"),
    [(Failure.EMPTY, EntryOutcome.EMPTY), (Failure.UNASKED, EntryOutcome.GIVEN_UP)],
)
def test_an_answer_without_content_gets_the_tries_of_a_page_that_is_not_found(
    failure: Failure, outcome: EntryOutcome
) -> None:
    missing, failed = Failed(failure=Failure.NOT_FOUND), Failed(failure=failure)
    for tries in (1, 2):
        assert after_failure(URL, failed, tries, POLICY) == after_failure(URL, missing, tries, POLICY)
    assert after_failure(URL, failed, 3, POLICY) == Ended(outcome=outcome)


@pytest.mark.parametrize("failure", [Failure.REFUSED, Failure.ROBOTS])
def test_a_refusal_is_looked_at_again_after_days(failure: Failure) -> None:
    verdicts = [after_failure(URL, Failed(failure=failure), tries, POLICY) for tries in (1, 2, 3)]
    waits = [verdict.wait for verdict in verdicts if isinstance(verdict, TryAgain)]
    assert len(waits) == 2
    assert all(timedelta(days=3) <= wait < timedelta(days=4) for wait in waits)
    assert verdicts[-1] == Ended(outcome=EntryOutcome.REFUSED)


def test_a_page_that_is_not_found_is_gone_even_with_a_single_try() -> None:
    verdict = after_failure(URL, Failed(failure=Failure.NOT_FOUND), 1, PagePolicy(tries=1))
    assert verdict == Ended(outcome=EntryOutcome.GONE)


@given(
    st.sampled_from(PASSING),
    st.integers(1, 5000),
    st.timedeltas(timedelta(seconds=1), timedelta(days=30)),
    st.none() | st.timedeltas(timedelta(), timedelta(days=30)),
)
def test_waits_stay_within_their_bounds(
    failure: Failure, tries: int, first_wait: timedelta, wish: timedelta | None
) -> None:
    policy = PagePolicy(tries=10_000, first_wait=first_wait, longest_wait=timedelta(days=30))
    verdict = after_failure(URL, Failed(failure=failure, retry_after=wish), tries, policy)
    assert isinstance(verdict, TryAgain)
    assert verdict.wait >= (wish or timedelta())
    assert first_wait <= verdict.wait <= max(timedelta(days=33), wish or timedelta())


@given(st.sampled_from(Failure), st.integers(1, 20), st.integers(1, 20))
def test_every_failure_ends_after_the_tries_of_the_policy(failure: Failure, tries: int, most: int) -> None:
    verdict = after_failure(URL, Failed(failure=failure), tries, PagePolicy(tries=most))
    assert isinstance(verdict, Ended) or tries < most


@pytest.mark.parametrize(
    "content_type",
    [None, "", "text/html", "TEXT/HTML; charset=x", "application/xhtml+xml", "text/plain", "application/xml"],
)
def test_what_may_be_a_page_is_read(content_type: str | None) -> None:
    assert may_be_html(content_type)


@pytest.mark.parametrize(
    "content_type", ["application/pdf", "image/png", "audio/mpeg; q=text/html", "video/mp4"]
)
def test_what_says_it_is_no_page_is_not_read(content_type: str) -> None:
    assert not may_be_html(content_type)
