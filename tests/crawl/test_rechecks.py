"""Known articles are looked at again: edits become versions, noise does not, and what is gone is noted."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import page, publish, rss, stories
from tests.crawl.running import DAY, Archived, crawl, scrapy
from tests.crawl.site import Answer, Site, html, redirect, status

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.crawl.documents import Entry
    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Request

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("rechecks")
DAILY = {"RECHECK_SHARE": 0.5, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}
SAME, EDITED, NOISY, LOST, SENT_HOME, SOFT, NEW_HOME, CARRIED = stories(8)
COUNTER = count(1)
NOT_FOUND = html("<title>Page not found</title><h1>Page not found</h1><p>Sorry, there is nothing here.</p>")


def soft(request: Request) -> Answer:
    """A page that says that there is nothing, and later that this has not changed."""
    if request.header("If-None-Match") == '"nothing"':
        return Answer(status=304, headers=(("ETag", '"nothing"'),))
    return NOT_FOUND.but(("ETag", '"nothing"'))


class Lived(NamedTuple):
    runs: list[CrawlRun]
    requests: list[Mapping[str, list[Request]]]  # of each day, by path

    @property
    def archive(self) -> Archived:
        return self.runs[-1]

    def versions(self, path: str) -> list[dict[str, Any]]:
        return [one for one in self.archive.objects if one["url"].endswith(path)]


def validated(request: Request) -> Answer:
    if request.header("If-None-Match") == '"one"':
        return Answer(status=304, headers=(("ETag", '"one"'),))
    return SAME.page.but(("ETag", '"one"'))


def noisy(_: Request) -> Answer:
    counter = f'<div class="counter">{next(COUNTER) * 37} views</div>'
    answer = NOISY.page
    return answer.but(body=answer.body.replace(b"</h1>", b"</h1>" + counter.encode()))


def edited(day: int) -> Answer:
    words = [*EDITED.paragraphs]
    if day >= 1:
        words[1] = words[1].replace(words[1].split()[4], "cathedral", 1)
    return page("Another headline altogether" if day >= 3 else EDITED.title, words)


def carried(day: int) -> Entry:
    """An article that only its feed has."""
    first, *others = CARRIED.paragraphs
    words = [f"Corrected: {first}" if day >= 2 else first, *others]
    return replace(CARRIED.entry, content="".join(f"<p>{one}</p>" for one in words))


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    archive = tmp_path_factory.mktemp("rechecks") / "archive"
    runs, requests = [], []
    with Site() as site:
        told = [SAME, EDITED, NOISY, LOST, SENT_HOME, SOFT, NEW_HOME]
        feed = publish(site, told)
        site.add("/", html("<title>The Harbour Gazette</title><h1>The Harbour Gazette</h1><p>News of today."))
        site.add(SAME.path, validated)
        site.add(NOISY.path, noisy)
        site.add("/moved/here.html", NEW_HOME.page)
        site.add(CARRIED.path, status(410))
        for day in range(6):
            site.add(EDITED.path, edited(day))
            site.add(LOST.path, status(404) if day in {1, 2} else LOST.page)
            site.add(SENT_HOME.path, redirect("/") if day >= 1 else SENT_HOME.page)
            site.add(SOFT.path, soft if day >= 1 else SOFT.page)
            site.add(NEW_HOME.path, redirect("/moved/here.html") if day >= 1 else NEW_HOME.page)
            site.add("/feed.xml", rss([*(one.entry for one in told), carried(day)]))
            site.forget()
            runs.append(crawl(archive, [feed], clock_offset=day * DAY, **DAILY))
            requests.append({one.path: site.to(one.path) for one in (*told, CARRIED)})
    assert [run.exit_code for run in runs] == [0] * 6, runs
    return Lived(runs, requests)


def test_every_article_is_looked_at_once_a_day(lived: Lived) -> None:
    for day in lived.requests:
        assert [len(day[one.path]) for one in (SAME, EDITED, NOISY, NEW_HOME)] == [1] * 4
    assert lived.archive.report["rechecks"]["unchanged"] >= 3


def test_a_server_that_can_say_that_nothing_changed_is_asked_so(lived: Lived) -> None:
    first, *later = [day[SAME.path][0] for day in lived.requests]
    assert first.header("If-None-Match") is None
    assert {request.header("If-None-Match") for request in later} == {'"one"'}
    assert all(request.header("A-IM") is None for request in later)
    revisits = [one for one in lived.archive.records if one.type == "revisit" and one.url.endswith(SAME.path)]
    (original,) = lived.archive.responses(revisits[0].url)
    assert [one.headers["WARC-Refers-To"] for one in revisits] == [original.id] * 5
    assert len(lived.versions(SAME.path)) == 1


def test_edits_become_versions_that_say_what_changed_and_when(lived: Lived) -> None:
    first, second, third = lived.versions(EDITED.path)
    assert second["change"]["kinds"] == ["text"]
    assert (second["change"]["added"], second["change"]["removed"]) == (1, 1)
    assert 0.9 < second["change"]["similarity"] < 1
    assert third["change"]["kinds"] == ["title"]
    assert third["title"] == "Another headline altogether"
    assert second["unchanged_until"] == first["captured"]
    assert second["captured"] < third["unchanged_until"] < third["captured"]


def test_noise_is_no_version(lived: Lived) -> None:
    assert len(lived.versions(NOISY.path)) == 1
    responses = lived.archive.responses(lived.versions(NOISY.path)[0]["url"])
    assert len({one.payload for one in responses}) == 6


def test_an_article_that_went_and_came_back_is_noted_with_the_times_between(lived: Lived) -> None:
    query = "SELECT b.* FROM absences b JOIN articles a ON a.id = b.article_id WHERE a.url LIKE ?"
    (away,) = lived.archive.rows(query, f"%{LOST.path}")
    assert away["how"] == "not_found"
    assert away["after"] < away["gone"] < away["back_after"] < away["back"]
    assert len(lived.versions(LOST.path)) == 1


@pytest.mark.parametrize(("path", "how"), [(SENT_HOME.path, "front_page"), (SOFT.path, "soft_404")])
def test_a_page_that_says_nothing_is_there_is_gone_and_no_version(lived: Lived, path: str, how: str) -> None:
    query = "SELECT b.* FROM absences b JOIN articles a ON a.id = b.article_id WHERE a.url LIKE ?"
    (away,) = lived.archive.rows(query, f"%{path}")
    assert (away["how"], away["back"]) == (how, None)
    assert len(lived.versions(path)) == 1


def test_an_article_that_only_its_feed_has_is_edited_there_and_never_gone(lived: Lived) -> None:
    first, second = lived.versions(CARRIED.path)
    assert (first["method"], second["method"]) == ("feed", "feed")
    assert second["text"].startswith("Corrected:")
    assert [len(day[CARRIED.path]) for day in lived.requests] == [1, 0, 1, 0, 0, 0]
    query = "SELECT count(*) FROM absences b JOIN articles a ON a.id = b.article_id WHERE a.url LIKE ?"
    assert lived.archive.rows(query, f"%{CARRIED.path}")[0][0] == 0


def test_an_article_that_moved_stays_one_article(lived: Lived) -> None:
    assert len(lived.versions(NEW_HOME.path)) == 1
    assert lived.versions("/moved/here.html") == []
    assert lived.archive.rows("SELECT count(*) FROM articles")[0][0] == 8


def test_the_archive_is_whole_and_its_history_can_be_read(lived: Lived) -> None:
    assert_whole(lived.archive)
    url = lived.versions(LOST.path)[0]["url"]
    told = scrapy(lived.archive.folder, "history", url)
    assert told.exit_code == 0, told
    assert "gone" in told.stdout
    assert "back" in told.stdout
    edits = scrapy(lived.archive.folder, "changes", "--jsonl", "-")
    assert Counter(tuple(json.loads(line)["kinds"]) for line in edits.stdout.splitlines()) == {
        ("text",): 2,
        ("title",): 1,
        ("gone",): 3,
        ("back",): 1,
    }


def test_an_archive_with_rechecks_comes_out_again_when_it_is_played(lived: Lived, tmp_path: Path) -> None:
    copy = shutil.copytree(lived.archive.folder, tmp_path / "archive")
    played = crawl(copy, profile="replay")
    assert played.exit_code == 0, played
    assert f"{len(lived.archive.objects)} objects came out as the archive has them" in played.stdout
    (again,) = copy.glob("replay-*")
    query = "SELECT a.url, b.how, b.back IS NOT NULL FROM absences b JOIN articles a ON a.id = b.article_id"
    told = {tuple(row) for row in lived.archive.rows(query)}
    # Looks that were made within seconds are too close to each other to believe a 404.
    assert {tuple(row) for row in Archived(again).rows(query)} <= told
