"""What holds of the rule whatever is said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import TYPE_CHECKING

import msgspec
from hypothesis import assume, given
from hypothesis import strategies as st

from archiver.articles.times.resolve import resolve
from archiver.documents.times.agreement import EASTMOST, SLACK, WESTMOST
from archiver.documents.times.model import INFERRED, Bracket, Evidence, Source, Stamp, Times, Trust, What, Why
from tests.timestamps.said import CAPTURED, SEEN

if TYPE_CHECKING:
    from typing import Any

STATING = [source for source in Source if source not in INFERRED]
TRUST = [Trust.WEAK, Trust.LIKELY, Trust.SURE]
DAY = timedelta(days=1)

# Near each other and near the limits: far apart, dates have little to do with each other.
seconds = st.integers(min_value=-4 * 86_400, max_value=2 * 86_400)
steps = st.integers(min_value=-96, max_value=20).map(lambda hours: hours * 3600)
near = st.sampled_from([0, 60, 299, 301, 600, 899, 901])
moments = st.builds(lambda base, more: SEEN + timedelta(seconds=base + more), st.one_of(seconds, steps), near)
odd = st.sampled_from(
    [
        datetime(1, 1, 1, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
        datetime(1980, 1, 1, tzinfo=UTC),
        datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC),
    ]
)
any_moments = st.one_of(moments, moments, moments, odd)


@st.composite
def statements(draw: st.DrawFn) -> Evidence:
    moment = draw(any_moments)
    form = draw(st.sampled_from(["moment", "both", "day", "midnight"]))
    day = None if form == "moment" else moment.date()
    at = datetime.combine(moment.date(), time(), tzinfo=UTC) if form == "midnight" else moment
    return Evidence(
        what=draw(st.sampled_from(What)),
        source=draw(st.sampled_from(STATING)),
        at=None if form == "day" else at,
        day=day,
        only_day=form == "midnight",
        doubt=draw(st.sampled_from([None, None, None, Why.POLL])),
    )


brackets = st.builds(
    lambda one, other: Bracket(after=min(one, other), before=max(one, other)), moments, moments
)


@st.composite
def situations(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "first_seen": SEEN,
        "captured": draw(st.sampled_from([CAPTURED, SEEN + DAY])),
        "not_before": draw(st.sampled_from([None, SEEN - timedelta(hours=1)])),
        "neighbours": draw(st.one_of(st.none(), brackets)),
        "unchanged_until": draw(st.one_of(st.none(), st.just(SEEN - timedelta(hours=3)))),
    }


said = st.lists(statements(), max_size=7)


def earliest(stamp: Stamp) -> datetime:
    if stamp.at is not None and not stamp.only_day:
        return stamp.at
    assert stamp.day is not None
    return midnight(stamp.day) - EASTMOST


def latest(stamp: Stamp) -> datetime:
    if stamp.at is not None and not stamp.only_day:
        return stamp.at
    assert stamp.day is not None
    return midnight(stamp.day) + DAY + WESTMOST


def midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


@given(said, situations())
def test_no_bound_is_broken(evidence: list[Evidence], situation: dict[str, Any]) -> None:
    times = resolve(evidence, **situation)
    assert times.published is not None
    assert datetime(1981, 1, 1, tzinfo=UTC) < earliest(times.published) <= SEEN + SLACK
    if times.modified is not None:
        assert earliest(times.modified) <= situation["captured"] + SLACK
        assert latest(times.modified) >= earliest(times.published) - SLACK


@given(said, situations(), st.randoms(use_true_random=False))
def test_the_order_of_what_is_said_does_not_matter(
    evidence: list[Evidence], situation: dict[str, Any], random: Any
) -> None:
    mixed = [*evidence, *evidence[:2]]
    random.shuffle(mixed)
    assert resolve(mixed, **situation) == resolve(evidence, **situation)


@given(said, situations(), st.sampled_from(STATING), st.sampled_from(What))
def test_whoever_agrees_lowers_no_trust(
    evidence: list[Evidence], situation: dict[str, Any], source: Source, what: What
) -> None:
    before = getattr(resolve(evidence, **situation), what.value)
    assume(before is not None and before.is_stated)
    agreeing = Evidence(
        what=what, source=source, at=before.at, day=before.day, only_day=before.only_day and bool(before.at)
    )
    after = getattr(resolve([*evidence, agreeing], **situation), what.value)
    assert TRUST.index(after.trust) >= TRUST.index(before.trust)


@given(said, situations())
def test_nothing_that_is_said_is_lost(evidence: list[Evidence], situation: dict[str, Any]) -> None:
    """Each source is followed, agrees, is of another zone, or is told; or says nothing for or against."""
    times = resolve(evidence, **situation)
    stamps = [stamp for stamp in (times.published, times.modified) if stamp]
    told = {one.source for stamp in stamps for one in stamp.contradicted_by}
    told |= {one.source for one in times.refused}
    assert {one.source for one in evidence if one.doubt} <= told


@given(said, situations())
def test_times_travel(evidence: list[Evidence], situation: dict[str, Any]) -> None:
    times = resolve(evidence, **situation)
    assert msgspec.json.decode(msgspec.json.encode(times), type=Times) == times
    assert replace(times) == times
