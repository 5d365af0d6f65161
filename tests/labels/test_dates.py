"""Dates are held against each other and against edits that were seen."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from archiver.acquisition.reliability.dates import (
    DateVerdict,
    change_dates,
    verdicts_of_look,
    verdicts_of_times,
)
from archiver.acquisition.reliability.software import Software, software_of
from archiver.articles.times.resolve import resolve
from archiver.documents.times.model import Evidence, Source, What

NOON = datetime(2026, 11, 17, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def dated(what: What, source: Source, at: datetime) -> Evidence:
    return Evidence(what=what, source=source, at=at, day=at.date())


def test_sources_that_agree_and_one_that_does_not() -> None:
    said = [
        dated(What.PUBLISHED, Source.FEED, NOON),
        dated(What.PUBLISHED, Source.JSON_LD, NOON),
        dated(What.PUBLISHED, Source.SITEMAP, NOON - 9 * DAY),
    ]
    found = verdicts_of_times(resolve(said, first_seen=NOON + DAY, captured=NOON + DAY))
    assert found[What.PUBLISHED, Source.FEED, DateVerdict.AGREED] == 1
    assert found[What.PUBLISHED, Source.JSON_LD, DateVerdict.AGREED] == 1
    assert found[What.PUBLISHED, Source.SITEMAP, DateVerdict.CONTRADICTED] == 1


def test_a_date_of_the_future_is_contradicted() -> None:
    said = [dated(What.PUBLISHED, Source.META, NOON + 9 * DAY)]
    found = verdicts_of_times(resolve(said, first_seen=NOON, captured=NOON))
    assert found[What.PUBLISHED, Source.META, DateVerdict.CONTRADICTED] == 1


def test_a_date_of_change_moves_with_edits_or_not() -> None:
    before = {"meta": "2026-11-16", "http": "2026-11-16", "json_ld": "2026-11-10"}
    now = {Source.META: "2026-11-17", Source.HTTP: "2026-11-16", Source.TEXT: "2026-11-17"}
    edited = verdicts_of_look(before, now, is_edited=True)
    assert edited == {
        (What.MODIFIED, Source.META, DateVerdict.AGREED): 1,
        (What.MODIFIED, Source.HTTP, DateVerdict.STOOD): 1,
    }
    same = verdicts_of_look(before, now, is_edited=False)
    assert same == {(What.MODIFIED, Source.META, DateVerdict.MOVED): 1}


def test_the_latest_date_of_change_of_each_source_counts() -> None:
    said = [
        dated(What.MODIFIED, Source.TIME, NOON),
        dated(What.MODIFIED, Source.TIME, NOON + DAY),
        dated(What.PUBLISHED, Source.META, NOON),
    ]
    assert change_dates(said) == {Source.TIME: (NOON + DAY).isoformat()}


def test_software_is_named_without_versions() -> None:
    page = b'<head><META content="WordPress 6.4.2" name="generator"><title>x</title></head>'
    assert software_of("nginx/1.24.0 (Ubuntu)", page) == Software(server="nginx", generator="WordPress")
    assert software_of("Apache", b"<meta name=generator content='Hugo 0.120'>").generator == "Hugo"
    assert software_of(None, b"<p>generator</p>") == Software()
