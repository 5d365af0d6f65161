"""The tables of the study, over feeds that were made up."""

from __future__ import annotations

import math

import pytest

from archiver.acquisition.channels.polling.words import TOO_FEW
from archiver.documents.feeds.model import FeedDate, FeedHints
from archiver.inspection.statistics.compute import Feed, Scope, dialect_of, figures_of, statistics_of, type_of
from archiver.inspection.statistics.figures import Spread, average_mean
from archiver.inspection.statistics.hints import HINTS, hints_in
from archiver.inspection.statistics.model import QUARTILES, EntryCounts, LeftOut
from archiver.inspection.statistics.times import Period, SeenEntry
from tests.statistics.examples import DAY, HOUR, NOW, entries_of, figures, none, some


@pytest.mark.parametrize(
    ("written", "kind", "dialect"),
    [
        ("rss20", "RSS 2.0", "RSS 2.0"),
        ("rss091", "RSS 0.91", "RSS 0.91"),
        ("rss090", "RDF", "RSS 0.90"),
        ("rss10", "RDF", "RSS 1.0"),
        ("atom03", "Atom", "Atom 0.3"),
        ("atom", "Atom", "Atom"),
        ("rss", "RSS, unknown version", "RSS"),
        ("json1", "JSON Feed", "JSON Feed 1.0"),
        ("json11", "JSON Feed", "JSON Feed 1.1"),
    ],
)
def test_formats_have_the_names_of_the_study(written: str, kind: str, dialect: str) -> None:
    assert (type_of(written), dialect_of(written)) == (kind, dialect)


def test_types_are_counted_with_their_dialects() -> None:
    formats = ["rss20", "rss20", "atom10", "atom03"]
    channels = [figures(number, [], format=one) for number, one in enumerate(formats, 1)]
    found = statistics_of(channels, LeftOut(), Scope(made=NOW)).types
    assert [(one.type, one.feeds, one.share) for one in found] == [("Atom", 2, 0.5), ("RSS 2.0", 2, 0.5)]
    assert found[0].dialects == {"Atom 0.3": 1, "Atom 1.0": 1}


def test_intervals_by_label() -> None:
    found = some()
    by_label = {one.label: one for one in found.labels}
    assert list(by_label)[1:] == ["news", "science", None]
    news = by_label["news"]
    assert (news.feeds, news.with_intervals, news.intervals) == (2, 2, 12)
    # Means of a day and of two hours; squares of 0, and of 1, 1 and 4 hours², over 8 + 2 degrees of freedom.
    assert news.average_mean == pytest.approx((DAY + 2 * HOUR) / 2)
    assert news.pooled_deviation == pytest.approx(math.sqrt(6 / 10) * HOUR)
    nothing = by_label[None]
    assert (nothing.feeds, nothing.with_intervals, nothing.average_mean) == (1, 0, None)


def test_the_total_counts_every_feed_once() -> None:
    total = some().total
    assert (total.feeds, total.with_intervals, total.intervals) == (4, 3, 14)
    assert total.average_mean == pytest.approx((DAY + 2 * HOUR + 8 * DAY) / 3)


def test_the_average_mean_of_all_is_that_of_the_study() -> None:
    """Its table of domains gives its own total if each feed counts once: 12 days, 15 hours, 17 min."""
    minutes = {
        87: (12, 14, 12), 80: (7, 0, 13), 29: (0, 15, 35), 7: (0, 19, 49),
        8: (3, 19, 16), 13: (4, 16, 48), 112: (22, 12, 45), 4: (0, 4, 44),
    }  # fmt: skip
    means = [(d * 24 + h) * 60 + m for feeds, (d, h, m) in minutes.items() for _ in range(feeds)]
    numbers = dict.fromkeys(QUARTILES, 0.0)
    spreads = [Spread(count=1, mean=mean, deviation=None, **numbers) for mean in means]
    assert len(spreads) == 340
    assert average_mean(spreads) == pytest.approx((12 * 24 + 15) * 60 + 17, abs=1)


def test_the_cumulative_plot_and_its_shares() -> None:
    found = some()
    curves = {one.quartile: one.points for one in found.curves}
    assert list(curves) == list(QUARTILES)
    assert curves["median"] == ((HOUR, 1 / 3), (DAY, 2 / 3), (8 * DAY, 1.0))
    shares = {one.seconds: dict(zip(QUARTILES, one.shares, strict=True)) for one in found.up_to}
    assert shares[HOUR] == {
        "minimum": 1 / 3, "first_quartile": 1 / 3, "median": 1 / 3, "third_quartile": 0, "maximum": 0
    }  # fmt: skip
    assert shares[DAY]["maximum"] == 2 / 3
    assert found.daily == 1 / 3


def test_hints_are_counted_among_the_feeds_of_which_they_are_known() -> None:
    found = {one.hint: one for one in some().hints}
    assert list(found) == list(HINTS)
    assert (found["ttl"].feeds, found["ttl"].of) == (1, 3)
    assert (found["etag"].feeds, found["etag"].of, found["etag"].share) == (1, 4, 0.25)
    assert found["published"].share == 1.0


def test_every_hint_of_a_document_is_noticed() -> None:
    said = FeedHints(
        ttl=0,
        skip_hours=(1,),
        skip_days=("Monday",),
        update_period="daily",
        update_frequency=1,
        update_base=FeedDate(text="x"),
        last_build=FeedDate(text="x"),
        hubs=("http://hub.example/",),
        paging={"next": "http://example.org/2"},
    )
    entry = SeenEntry(first_seen=NOW, has_published=True, has_updated=True)
    everything = hints_in([entry], said, frozenset({"etag", "last_modified", "max_age"}))
    assert everything == tuple(name for name in HINTS if name != "published_some")
    assert hints_in([entry, SeenEntry(first_seen=NOW)], None, frozenset()) == ("published_some", "updated")
    assert hints_in([], FeedHints(), frozenset()) == ()


def test_numbers_of_entries_in_documents_and_in_the_archive() -> None:
    found = some()
    assert (found.shown.feeds, found.kept.feeds) == (3, 4)
    assert [(one.entries, one.feeds) for one in found.shown.most_frequent] == [(10, 3)]
    assert found.entries == EntryCounts(entries=18, dated=18)


def test_a_feed_without_entries_in_the_period_is_left_out() -> None:
    feed = Feed(id=1, url="http://example.org/", format="rss20")
    assert figures_of(feed, []) is None
    assert figures_of(feed, entries_of([DAY]), Period(until=NOW.replace(year=2020))) is None
    kept = figures_of(feed, entries_of([DAY, DAY]), Period(since=NOW.replace(day=1)))
    assert kept
    assert (kept.entries, kept.intervals and kept.intervals.count) == (2, 1)


def test_a_feed_tells_its_rhythm_and_hides_its_password() -> None:
    found = figures(1, [DAY] * 30, url="http://me:hunter2@example.org/")
    assert found.rhythm == "about one a day, mostly 12–13 h UTC"
    assert "hunter2" not in found.url
    assert figures(1, [DAY]).rhythm == TOO_FEW


def test_an_empty_archive_has_empty_figures() -> None:
    found = none()
    assert (found.feeds, found.types, found.labels, found.daily) == (0, (), (), None)
    assert all(one.shares == (None,) * 5 for one in found.up_to)
    assert all(one.share is None for one in found.hints)
