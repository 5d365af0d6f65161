"""Words over time in the browser: the lists of the command, as a page and as JSON."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest

from tests.crawl.running import scrapy
from tests.terms.made import archive_of_terms, half_a_year
from tests.web.browsing import browsing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("words")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("words") / "archive"
    with archive_of_terms(folder) as made:
        made.channel("http://example.org/a")
        made.publish(half_a_year(random.Random(7)))
    (folder / "index").mkdir()
    return folder


@pytest.fixture(scope="module")
def words(archive: Path) -> Iterator[Shown]:
    with browsing(archive) as found:
        yield found


def test_the_lists_are_those_of_the_command(words: Shown, archive: Path) -> None:
    told = words.get("/words.json").json()["report"]
    assert told == json.loads(scrapy(archive, "terms", "--json").stdout)
    assert [one["term"] for one in told["new"]] == ["lava flow"]
    page = words.get("/words")
    assert page.status == 200
    assert "volcano" in page.text
    assert "harvest" in page.text
    assert told["rising"][0]["examples"][0]["title"] in page.text


def test_a_channel_and_a_day_choose(words: Shown) -> None:
    assert words.get("/words.json", channel=1).json()["report"]["articles"] == 20
    assert words.get("/words.json", since="2026-03-02").json()["report"]["articles"] == 40
    assert words.get("/words.json", since="then").status == 400
    assert words.get("/words", label="nonesuch").status == 404
    assert words.get("/words", channel=99).status == 404
