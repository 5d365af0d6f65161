"""Articles on several pages: one object with the text of all of them, whatever comes between."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawl.checks import assert_whole
from tests.crawl.documents import page, prose, rss, story
from tests.crawl.running import DAY, Archived, crawl, scrapy, start_crawl
from tests.crawl.site import Site, conditional, html, status, text
from tests.waiting import wait_until

if TYPE_CHECKING:
    from pathlib import Path

    from tests.crawl.running import CrawlRun
    from tests.crawl.site import Answer, Request

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("several-pages")
DAILY = {"RECHECK_SHARE": 0.5, "RECHECK_INTERVAL": "1d", "RECHECK_DAYS": 9999}


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """An article on several pages, which are called report.html, report-2.html and so on."""

    name: str
    number: int
    count: int = 3
    beside: str = ""  # what stands with the pager

    @property
    def title(self) -> str:
        return story(self.number).title

    def path(self, nth: int) -> str:
        return f"/{self.name}.html" if nth == 1 else f"/{self.name}-{nth}.html"

    def words(self, nth: int) -> tuple[str, ...]:
        return prose(self.number * 10 + nth)

    def answer(self, nth: int, edit: str = "") -> Answer:
        links = "".join(
            f"<b>{one}</b> " if one == nth else f'<a href="{self.path(one)}">{one}</a> '
            for one in range(1, self.count + 1)
        )
        pager = f'<div class="pagination">{links}{self.beside}</div>'
        words = [*self.words(nth)]
        words[1] += edit
        made = page(self.title, words)
        return html(made.body.decode().replace("</article>", f"{pager}</article>"))

    def publish(self, site: Site) -> None:
        for nth in range(1, self.count + 1):
            site.add(self.path(nth), conditional(self.answer(nth).but(("ETag", f'"{self.name}{nth}"'))))


LONG = Report(name="long", number=31)
WHOLE = Report(name="whole", number=32, beside='<a href="/whole-all.html">View as single page</a>')
BROKEN = Report(name="broken", number=33)
CLOSED = Report(name="closed", number=34)
REPORTS = (LONG, WHOLE, BROKEN, CLOSED)
NEIGHBOUR, COMMENTED = story(41), story(42)
EDIT = " Corrected: the pump had failed in the night."


@dataclass(frozen=True, slots=True, kw_only=True)
class Lived:
    runs: list[CrawlRun]
    requests: list[list[Request]]

    @property
    def archive(self) -> Archived:
        return self.runs[-1]

    def versions(self, report: Report) -> list[dict[str, Any]]:
        return [one for one in self.archive.objects if one["url"].endswith(report.path(1))]

    def paths(self, run: int) -> list[str]:
        return [one.path for one in self.requests[run] if one.path != "/robots.txt"]


def _publish(site: Site) -> str:
    site.add("/robots.txt", text("User-agent: *\nDisallow: /closed-2.html\n"))
    for report in REPORTS:
        report.publish(site)
    everything = [word for nth in (1, 2, 3) for word in WHOLE.words(nth)]
    site.add("/whole-all.html", page(WHOLE.title, everything))
    site.add(BROKEN.path(3), status(500))
    onward = f'<nav><a rel="next" href="{COMMENTED.path}">Next article &rsaquo;</a></nav></article>'
    site.add(NEIGHBOUR.path, html(NEIGHBOUR.page.body.decode().replace("</article>", onward)))
    comments = '</ol><a href="/stories/42.html?page=2">2</a> <a href="/stories/42.html?page=2">Next</a>'
    site.add(COMMENTED.path, html(COMMENTED.page.body.decode().replace("</ol>", comments)))
    told = [story(one.number, one.path(1)).entry for one in REPORTS]
    return site.add("/feed.xml", rss([*told, NEIGHBOUR.entry, COMMENTED.entry]))


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Lived:
    """Two days: on the second a page in the middle was edited, and one that was broken is mended."""
    folder: Path = tmp_path_factory.mktemp("several-pages") / "archive"
    runs, requests = [], []
    with Site() as site:
        feed = _publish(site)
        for day in range(2):
            site.forget()
            if day == 1:
                site.add(LONG.path(2), LONG.answer(2, EDIT))
                site.add(BROKEN.path(3), BROKEN.answer(3))
            runs.append(crawl(folder, [feed], clock_offset=day * DAY, **DAILY))
            assert runs[-1].exit_code == 0, runs[-1]
            requests.append([*site.requests])
    return Lived(runs=runs, requests=requests)


def _has(made: dict[str, Any], report: Report, *numbers: int) -> bool:
    """Whether the text has the paragraphs of these pages, in order, and of no others."""
    wanted = [word for nth in numbers for word in report.words(nth)]
    found = [made["text"].find(word.split(". ")[0]) for word in wanted]
    others = [word for nth in {1, 2, 3} - set(numbers) for word in report.words(nth)]
    return -1 not in found and found == sorted(found) and not any(one in made["text"] for one in others)


def test_the_object_has_the_text_of_all_pages(lived: Lived) -> None:
    first = lived.versions(LONG)[0]
    assert _has(first, LONG, 1, 2, 3)
    assert first["text"].count(LONG.title) == 0
    assert [one["url"].rpartition("/")[2] for one in first["pages"]] == [
        "long.html",
        "long-2.html",
        "long-3.html",
    ]
    records = {record.id: record for record in lived.archive.records}
    assert all(records[one["warc"]["record_id"]].url == one["url"] for one in first["pages"])
    assert first["incomplete"] is None


def test_a_view_on_one_page_is_taken_instead(lived: Lived) -> None:
    (only,) = lived.versions(WHOLE)
    assert _has(only, WHOLE, 1, 2, 3)
    assert [one["url"].rpartition("/")[2] for one in only["pages"]] == ["whole.html", "whole-all.html"]
    assert "/whole-2.html" not in lived.paths(0)


def test_what_cannot_be_fetched_is_said_and_completed_later(lived: Lived) -> None:
    first, second = lived.versions(BROKEN)
    assert _has(first, BROKEN, 1, 2)
    assert first["incomplete"].startswith("page 3 could not be fetched: ")
    assert _has(second, BROKEN, 1, 2, 3)
    assert second["incomplete"] is None
    (closed,) = lived.versions(CLOSED)
    assert _has(closed, CLOSED, 1)
    assert closed["incomplete"] == "page 2 could not be fetched: disallowed by robots.txt"
    assert "/closed-2.html" not in lived.paths(0) + lived.paths(1)


def test_an_edit_of_a_later_page_is_a_version(lived: Lived) -> None:
    first, second = lived.versions(LONG)
    assert EDIT.strip() in second["text"]
    assert EDIT.strip() not in first["text"]
    assert _has(second, LONG, 1, 2, 3)
    # What had not changed was asked for with its validators.
    asked = {one.path: one.header("If-None-Match") for one in lived.requests[1]}
    assert asked["/long.html"] == '"long1"'
    assert asked["/long-3.html"] == '"long3"'


def test_other_articles_and_comments_are_not_followed(lived: Lived) -> None:
    assert sorted(lived.paths(0)) == sorted(
        [
            "/feed.xml",
            *(LONG.path(nth) for nth in (1, 2, 3)),
            "/whole.html",
            "/whole-all.html",
            *(BROKEN.path(nth) for nth in (1, 2, 3)),
            "/closed.html",
            NEIGHBOUR.path,
            COMMENTED.path,
        ]
    )


@pytest.mark.zoo
def test_the_archive_is_whole_and_gives_the_same_again(lived: Lived, tmp_path: Path) -> None:
    assert_whole(lived.archive)
    archive = shutil.copytree(lived.archive.folder, tmp_path / "archive")
    before = (lived.archive.folder / "objects").glob("*.jsonl")
    lines = b"".join(path.read_bytes() for path in sorted(before))
    for path in (archive / "objects").glob("*.jsonl"):
        path.unlink()
    run = scrapy(archive, "recover", "-s", "EXTRACT_WORKERS=1")
    assert run.exit_code == 0, run
    again = b"".join(path.read_bytes() for path in sorted((archive / "objects").glob("*.jsonl")))
    assert sorted(again.splitlines()) == sorted(lines.splitlines())


@pytest.mark.zoo
def test_another_extractor_reads_all_pages(lived: Lived, tmp_path: Path) -> None:
    archive = shutil.copytree(lived.archive.folder, tmp_path / "archive")
    run = scrapy(archive, "reextract", "-s", "EXTRACT_WORKERS=1", "-s", "EXTRACT_METHOD=sigfeed-guarded")
    assert run.exit_code == 0, run
    again = [one for one in run.objects if one["reextracted"] and one["url"].endswith(LONG.path(1))]
    assert [one["version"] for one in again] == [1, 2]
    for one, before in zip(again, lived.versions(LONG), strict=True):
        assert _has(one, LONG, 1, 2, 3)
        assert one["pages"] == before["pages"]


@pytest.mark.zoo
def test_a_replay_gives_the_same_objects(lived: Lived, tmp_path: Path) -> None:
    archive = shutil.copytree(lived.archive.folder, tmp_path / "archive")
    run = crawl(archive, profile="replay", **DAILY)
    assert run.exit_code == 0, run
    assert f"{len(lived.archive.objects)} objects came out as the archive has them" in run.stdout


@pytest.mark.zoo
def test_a_run_that_dies_between_two_pages_is_continued_by_the_next(archive: Path, site: Site) -> None:
    LONG.publish(site)
    answer = LONG.answer(2)
    site.add(LONG.path(2), answer.but(delay=20), answer)
    feed = site.add("/feed.xml", rss([story(LONG.number, LONG.path(1)).entry]))
    process = start_crawl(archive, [feed])
    wait_until(lambda: site.to(LONG.path(2)))
    process.kill()
    process.communicate()
    assert Archived(archive).objects == []
    run = crawl(archive, [feed])
    assert run.exit_code == 0, run
    (made,) = run.objects
    assert _has(made, LONG, 1, 2, 3)
    assert made["incomplete"] is None
    assert [len(site.to(LONG.path(nth))) for nth in (1, 2, 3)] == [1, 2, 1]
    assert_whole(run)
