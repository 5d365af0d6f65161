"""Words over time: what is new, rises and falls, with its articles; what is withheld does not count."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import delete, update

from archiver.archive.withheld import pattern_of, withheld_by
from archiver.errors import ArchiveError
from archiver.inspection.terms.feeding import TermCounter
from archiver.inspection.terms.index import FILE, open_to_count
from archiver.store.reading import reading
from archiver.store.schema import object_files, versions
from tests.terms.made import LAST, WEEK, Story, TermsArchive, archive_of_terms, half_a_year

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from archiver.inspection.terms.model import TermNote, TermReport


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TermsArchive]:
    with archive_of_terms(tmp_path_factory.mktemp("terms") / "archive") as made:
        made.publish(half_a_year(random.Random(7)))
        yield made


@pytest.fixture(scope="module")
def report(archive: TermsArchive) -> TermReport:
    return archive.terms()


def names(notes: tuple[TermNote, ...]) -> list[str]:
    return [note.term for note in notes]


def test_what_rises_and_falls_is_what_was_planted(report: TermReport) -> None:
    assert set(names(report.rising)) == {"volcano", "lava flow"}
    assert names(report.falling) == ["harvest"]
    assert names(report.new) == ["lava flow"]


def test_each_has_its_counts_and_an_interval(report: TermReport) -> None:
    volcano = next(note for note in report.rising if note.term == "volcano")
    assert report.articles == 80
    assert report.articles_before == 400
    assert volcano.articles > 10
    assert volcano.share == volcano.articles / 80
    assert volcano.share_before < 0.05
    assert 1 < volcano.low < volcano.log_odds < volcano.high
    assert not volcano.is_new
    (fallen,) = report.falling
    assert (fallen.articles, fallen.high < 0) == (0, True)
    (new,) = report.new
    assert (new.before, new.is_new) == (0, True)


def test_each_comes_with_articles_that_are_about_it(report: TermReport, archive: TermsArchive) -> None:
    lines = map(json.loads, next((archive.folder / "objects").iterdir()).read_bytes().splitlines())
    texts = {one["id"]: one["text"] for one in lines}
    for note in (*report.rising, *report.falling, *report.new):
        assert 1 <= len(note.examples) <= 3
        assert all(note.term in texts[one.id] for one in note.examples)
    assert {one.published and one.published >= LAST - WEEK for one in report.rising[0].examples} == {True}


def test_what_stands_below_every_article_of_a_channel_does_not_rise(
    report: TermReport, archive: TermsArchive
) -> None:
    assert not {"app", "download", "download our app"} & {*names(report.rising), *names(report.new)}
    # It does not rise where nothing else is asked for, either.
    alone = archive.terms(channels=(2,))
    assert "app" not in names(alone.rising) + names(alone.new)
    assert alone.articles == 20


def test_weeks_are_whole_and_begin_on_mondays(report: TermReport) -> None:
    assert (report.since, report.until) == (date(2026, 2, 23), date(2026, 3, 8))
    assert report.compared_since == report.since - timedelta(weeks=26)


def test_a_day_chooses_the_weeks_from_there_on(archive: TermsArchive) -> None:
    found = archive.terms(since=date(2026, 3, 4))
    assert (found.since, found.articles, found.articles_before) == (date(2026, 3, 2), 40, 440)
    # It came a week before.
    assert "lava flow" not in names(found.new)


def test_what_is_withheld_neither_counts_nor_is_shown(archive: TermsArchive, report: TermReport) -> None:
    shown = next(note for note in report.rising if note.term == "lava flow")
    urls = {one.url for one in shown.examples}
    some = archive.terms(withheld_by((pattern_of(url), "order 7") for url in urls))
    again = next(note for note in some.rising if note.term == "lava flow")
    assert again.articles == shown.articles - len(urls)
    assert not urls & {one.url for note in (*some.rising, *some.new) for one in note.examples}
    # The counts of all articles are as they were.
    assert archive.terms() == report
    none = archive.terms(withheld_by([(pattern_of("example.org"), "order 7")]))
    assert (none.articles, none.articles_before, none.rising, none.new) == (0, 0, (), ())


def test_an_article_that_says_the_same_again_counts_once(tmp_path: Path) -> None:
    with archive_of_terms(tmp_path / "archive") as made:
        made.publish(half_a_year(random.Random(7)))
        copies = (
            Story(f"copy/{number}", LAST, "Of meteors", "The meteor and meteor", channel=1 + number % 4)
            for number in range(20)
        )
        made.publish(copies)
        assert "meteor" not in names(made.terms().new)


def test_without_months_before_nothing_is_told(tmp_path: Path) -> None:
    with archive_of_terms(tmp_path / "archive") as made:
        with pytest.raises(ArchiveError, match="No article was counted"):
            made.terms()
        made.publish([Story("one", LAST, "Ferries", "The ferry and the ferry")])
        found = made.terms()
        assert (found.articles, found.new, found.rising) == (1, (), ())


def test_counting_goes_on_where_it_was_interrupted(
    tmp_path: Path, report: TermReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archiver.inspection.terms.feeding.AT_ONCE", 50)
    with archive_of_terms(tmp_path / "archive") as made:
        made.publish(half_a_year(random.Random(7)))
        steps = []
        with open_to_count(made.folder) as index, reading(made.url) as state:
            for _ in range(3):
                TermCounter(index, state, made.folder / "objects").catch_up(
                    lambda done, total: steps.append((done, total)), seconds=0
                )
        assert [done for done, _ in steps] == sorted({done for done, _ in steps})
        assert len(steps) == 3
        assert made.terms() == report


def test_what_the_state_store_no_longer_knows_is_forgotten(tmp_path: Path) -> None:
    with archive_of_terms(tmp_path / "archive") as made:
        made.publish(half_a_year(random.Random(7)))
        assert made.terms().articles == 80
        # As after a crash: the last lines were cut off.
        rows = sorted(row.object_offset for row in made.run(versions.select()))
        made.change(delete(versions).where(versions.c.object_offset >= rows[-10]))
        made.change(update(object_files).values(length=rows[-10]))
        assert made.terms().articles == 70
        # As after the loss of the state store: the same articles have other numbers.
        made.renumber(1000)
        assert made.terms().articles == 70
        with closing(sqlite3.connect(made.folder / FILE)) as index:
            assert index.execute("SELECT min(article) > 1000, count(*) FROM articles").fetchone() == (1, 470)


def test_a_damaged_index_is_told_and_one_of_another_version_made_anew(
    tmp_path: Path,
) -> None:
    with archive_of_terms(tmp_path / "archive") as made:
        made.publish(half_a_year(random.Random(7)))
        (made.folder / FILE).write_bytes(b"no database " * 1000)
        with pytest.raises(ArchiveError, match="is damaged"):
            made.terms()
        (made.folder / FILE).unlink()
        assert made.terms().articles == 80
        with closing(sqlite3.connect(made.folder / FILE)) as index, index:
            index.execute("UPDATE meta SET version = 99")
            index.execute("DELETE FROM articles")
        assert made.terms().articles == 80
