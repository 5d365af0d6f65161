"""Servers whose validators lie are found out, and are asked without them for a month."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.crawl.documents import page, publish, stories
from tests.crawl.running import DAY, crawl, scrapy
from tests.crawl.site import Answer, Site

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.crawl.documents import Story
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Request

pytestmark = pytest.mark.xdist_group("validators")
DAILY = {"RECHECK_SHARE": 0.9, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999, "ROBOTSTXT_OBEY": False}
STANDS = ("ETag", '"never-moves"')
SERVER = ("Server", "Liar/2.0")


def edited(story: Story, day: int) -> Answer:
    words = [*story.paragraphs]
    words[1] = f"On day {day} the harbour master changed {day + 3} of the {day + 7} berths. {words[1]}"
    return page(story.title, words)


class Lived(NamedTuple):
    runs: list[CrawlRun]
    sent: list[set[str | None]]  # If-None-Match of the first request for each page, on each day
    archive: Path


def lived(archive: Path, days: list[int], told: list[Story], *, answers_304: bool) -> Lived:
    """Crawls on these days, of a server whose pages change every day and whose ETag does not."""
    runs, sent = [], []
    with Site() as site:
        feed = publish(site, told)
        for day in days:
            for story in told:
                site.add(story.path, lying(edited(story, day), answers_304=answers_304))
            site.forget()
            runs.append(crawl(archive, [feed], clock_offset=day * DAY, **DAILY))
            # What changes at each look is looked at once more.
            sent.append({site.to(story.path)[0].header("If-None-Match") for story in told})
    assert [run.exit_code for run in runs] == [0] * len(days), runs
    return Lived(runs, sent, archive)


def lying(answer: Answer, *, answers_304: bool) -> Callable[[Request], Answer]:
    def answered(request: Request) -> Answer:
        if answers_304 and request.header("If-None-Match") == STANDS[1]:
            return Answer(status=304, headers=(STANDS, SERVER))
        return answer.but(STANDS, SERVER)

    return answered


@pytest.fixture(scope="module")
def unmoved(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    archive = tmp_path_factory.mktemp("unmoved") / "archive"
    return lived(archive, [0, 1, 2, 40], list(stories(2)), answers_304=False)


def test_an_etag_that_stood_over_two_edits_is_not_sent_for_a_month(unmoved: Lived) -> None:
    assert unmoved.sent == [{None}, {STANDS[1]}, {None}, {STANDS[1]}]


def test_statistics_tell_of_the_liar(unmoved: Lived, tmp_path: Path) -> None:
    out = tmp_path / "times.json"
    told = scrapy(unmoved.archive, "statistics", "--times", "--json", str(out))
    assert "Liar" in told.stdout
    assert "Validators that lied twice" in told.stdout
    (etag,) = [one for one in json.loads(out.read_text())["validators"] if one["validator"] == "etag"]
    assert etag["stood"] >= 6
    assert etag["server"] == "Liar"


@pytest.mark.zoo  # six crawls
def test_a_304_that_hides_edits_is_found_out_by_whole_answers_in_between(tmp_path: Path) -> None:
    told = list(stories(9))
    found = lived(tmp_path / "archive", [0, 1, 2, 3, 4, 5], told, answers_304=True)
    # After sixteen 304s one page is asked for whole, and soon another.
    assert found.sent[:3] == [{None}, {STANDS[1]}, {STANDS[1]}]
    assert None in found.sent[3]
    assert found.sent[-1] == {None}
    assert found.runs[-1].report["rechecks"]["changed"] == len(told)
