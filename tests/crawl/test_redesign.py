"""A newspaper that is redesigned: the first page that shows it is noticed, and nothing wrong is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from archiver.digests import normalised
from sample.server import SampleWeb
from sample.sites.newspaper import REDESIGNED
from tests.crawl.running import DAY, Archived, crawl

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Any

    from sample.model import TrueEntry

# The same template, the same once more, and the first two days of the new one.
DAYS = (REDESIGNED - 2, REDESIGNED - 1, REDESIGNED, REDESIGNED + 1)
SURE = 0.9

# One process crawls for all tests of this file.
pytestmark = [pytest.mark.zoo, pytest.mark.xdist_group("redesign")]


class Days(NamedTuple):
    objects: list[list[dict[str, Any]]]  # those that each day added
    truth: list[dict[str | None, TrueEntry]]


@pytest.fixture(scope="module")
def days(tmp_path_factory: pytest.TempPathFactory) -> Days:
    folder: Path = tmp_path_factory.mktemp("redesign")
    objects: list[list[dict[str, Any]]] = []
    truth: list[dict[str | None, TrueEntry]] = []
    with SampleWeb(day=0, port=0) as web:
        seeds = folder / "seeds.txt"
        seeds.write_text(next(url for url in web.seeds if url.endswith("/rss.xml")) + "\n")
        for day in DAYS:
            web.day = day
            run = crawl(folder / "archive", seeds=seeds, clock_offset=day * DAY)
            assert run.exit_code == 0, run
            known = sum(map(len, objects))
            objects.append(Archived(folder / "archive").objects[known:])
            truth.append({entry.link: entry for entry in web.truth(day)})
    return Days(objects, truth)


def is_right(article: dict[str, Any], truth: dict[str | None, TrueEntry]) -> bool:
    wanted = " ".join(truth[article["url"]].body_paragraphs)
    return bool(normalised(article["text"]) == normalised(wanted))


def test_known_template_is_read_with_what_was_learned(days: Days) -> None:
    assert days.objects[1]
    assert all(article["wrapper"] for article in days.objects[1])


def test_redesign_is_noticed_on_the_first_page(days: Days) -> None:
    before = {article["wrapper"] for article in days.objects[1]}
    assert days.objects[2]
    assert not [article for article in days.objects[2] if article["wrapper"] in before]


def test_new_template_is_known_the_day_after(days: Days) -> None:
    before = {article["wrapper"] for article in days.objects[1]}
    assert days.objects[3]
    assert all(article["wrapper"] and article["wrapper"] not in before for article in days.objects[3])


def test_no_wrong_object_is_written_unmarked(days: Days) -> None:
    for objects, truth in zip(days.objects, days.truth, strict=True):
        sure = [article for article in objects if article["confidence"] >= SURE]
        assert sure
        assert [article["url"] for article in sure if not is_right(article, truth)] == []
