"""Fields of a newspaper that is redesigned: no person is needed, and nothing wrong is written."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from archiver.archive.warc.reader import read_response
from sample.server import SampleWeb
from sample.sites.newspaper import REDESIGNED, by_path
from tests.crawl.running import DAY, Archived, crawl, scrapy

if TYPE_CHECKING:
    from pathlib import Path

    from sample.model import Article

# Two days before the redesign, from which the fields are made, and the first three after it.
BEFORE = (REDESIGNED - 4, REDESIGNED - 1)
AFTER = (REDESIGNED, REDESIGNED + 1, REDESIGNED + 2)
DAILY = {"RECHECK_SHARE": 0.9, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999, "FIELD_REPAIR": "auto"}
# What is wanted of all values: so many right, at most so many wrong.
LEAST_RIGHT, MOST_WRONG = 0.9, 0.01

# One process crawls for all tests of this file.
pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("fields-redesign")]


class Lived(NamedTuple):
    archive: Path

    def rows(self) -> list[dict[str, Any]]:
        done = scrapy(self.archive, "fields", "courier", "--jsonl", "-", "--latest")
        assert done.exit_code == 0, done
        return [json.loads(line) for line in done.stdout.splitlines()]

    def notes(self) -> list[list[str]]:
        reports = Archived(self.archive).reports
        return [[note for note in one["notes"] if note.startswith("Field wrapper")] for one in reports]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    folder = tmp_path_factory.mktemp("fields-redesign")
    archive = folder / "archive"
    with SampleWeb(day=0, port=0) as web:
        seeds = folder / "seeds.txt"
        seeds.write_text(next(url for url in web.seeds if url.endswith("/rss.xml")) + "\n")

        def live(day: int) -> None:
            web.day = day
            run = crawl(archive, seeds=seeds, clock_offset=day * DAY, **DAILY)
            assert run.exit_code == 0, run

        for day in BEFORE:
            live(day)
        _define(archive)
        for day in AFTER:
            live(day)
    return Lived(archive)


def _define(archive: Path) -> None:
    """Three fields from two examples, and what is archived filled."""
    words: list[str] = []
    for one in Archived(archive).objects[:2]:
        words += ["--url", one["url"], *(f"{name}={value}" for name, value in shown(one["url"]).items())]
    done = scrapy(archive, "induce", "courier", *words)
    assert done.exit_code == 0, done
    done = scrapy(archive, "reextract", "--fields", "courier")
    assert done.exit_code == 0, done


def article_at(url: str) -> Article:
    return by_path(AFTER[-1])[urlsplit(url).path]


def shown(url: str) -> dict[str, str]:
    """What a reader sees."""
    one = article_at(url)
    return {"reporter": one.author, "section": one.section, "day": f"{one.published:%A, %d %B %Y, %H:%M GMT}"}


def truth(url: str) -> dict[str, str]:
    return shown(url) | {"day": f"{article_at(url).published:%Y-%m-%d}"}


def compared(lived: Lived) -> tuple[int, int, int]:
    """How many values there should be, how many are right, and how many are wrong."""
    pairs = [
        (row["fields"].get(name), value) for row in lived.rows() for name, value in truth(row["url"]).items()
    ]
    right = sum(found is not None and found["value"] == value for found, value in pairs)
    missing = sum(found is None for found, _ in pairs)
    return len(pairs), right, len(pairs) - right - missing


def test_the_run_that_meets_the_redesign_repairs_the_one_field_that_it_breaks(lived: Lived) -> None:
    *before, on_the_day, later, last = lived.notes()
    assert before == [[], []]
    told, filled = on_the_day
    assert "section failed since" in told
    assert "and has new rules" in told
    assert "versions that were read meanwhile are filled" in filled
    assert later == last == []


def test_values_are_right_with_no_person_involved(lived: Lived) -> None:
    values, right, wrong = compared(lived)
    assert values == 3 * len(Archived(lived.archive).rows("SELECT id FROM articles"))
    assert right >= LEAST_RIGHT * values, (right, values)
    assert wrong <= MOST_WRONG * values, (wrong, values)


def test_every_value_stands_in_its_record(lived: Lived) -> None:
    for row in lived.rows():
        stored = read_response(lived.archive / "warc", row["warc"]["file"], row["warc"]["offset"])
        page = stored.content.decode()
        assert all(one["text"] in page for one in row["fields"].values() if one), row
