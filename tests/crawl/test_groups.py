"""Pages of a channel are read together: what they teach is kept, and read by when one comes alone."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawl.documents import page, prose, publish, rss, stories, story
from tests.crawl.running import DAY, ROOT, crawl, crawl_command
from tests.crawl.site import Answer, html

if TYPE_CHECKING:
    from tests.crawl.documents import Story
    from tests.crawl.running import Archived
    from tests.crawl.site import Site

LEARNING = {"EXTRACT_METHOD": "learning"}


@pytest.fixture(autouse=True)
def learning(monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of these tests know a method that learns."""
    folders = [str(Path(__file__).parents[1] / "learning"), str(ROOT)]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(folders))


def wrappers(archived: Archived) -> list[dict[str, Any]]:
    rows = archived.rows("SELECT * FROM wrappers ORDER BY learned, id")
    return [dict(row) | {"wrapper": json.loads(row["wrapper"])} for row in rows]


def captures(archived: Archived, told: list[Story], site: Site) -> dict[str, str]:
    return {one.path: archived.responses(site.url(one.path))[0].id for one in told}


def redesigned(one: Story) -> Answer:
    """The same story in another template."""
    body = page(one.title, one.paragraphs).body.decode()
    return html(body.replace('<div class="body">', '<section class="text">').replace("</div>", "</section>"))


def test_the_pages_of_a_poll_are_read_together_and_what_they_taught_is_kept(
    archive: Path, site: Site
) -> None:
    told = stories(6)
    run = crawl(archive, [publish(site, told)], **LEARNING)
    assert run.exit_code == 0, run
    (learned,) = wrappers(run)
    ids = captures(run, told, site)
    assert learned["wrapper"]["xpath"] == "//div[@class='body']"
    assert learned["wrapper"]["samples"] == sorted(ids.values())
    assert (learned["extractor"], learned["pages"], learned["outdated"]) == ("learning/1", 6, None)
    for one in run.objects:
        own = one["warc"]["capture_id"]
        assert one["text"].split("\n\n") == list(next(s for s in told if s.title == one["title"]).paragraphs)
        assert (one["extractor"], one["wrapper"]) == ("learning/1", learned["id"])
        assert one["siblings"] == sorted(set(ids.values()) - {own})
    notes = [record.block for record in run.records if b"extractionMethod" in record.block]
    assert len(notes) == 6
    assert all(f"extractionWrapper: {learned['id']}".encode() in note for note in notes)


@pytest.mark.zoo
def test_the_order_in_which_pages_arrive_changes_nothing(archive: Path, site: Site) -> None:
    told = stories(8)
    feed = publish(site, told)
    results = []
    for trial in range(3):
        delays = random.Random(trial).sample(range(len(told)), len(told))
        for one, delay in zip(told, delays, strict=True):
            site.add(one.path, one.page.but(delay=delay / 20))
        run = crawl(
            archive.with_name(f"archive-{trial}"), [feed], CONCURRENT_REQUESTS_PER_DOMAIN=8, **LEARNING
        )
        names = {identity: path for path, identity in captures(run, told, site).items()}
        results.append(
            sorted(
                (one["url"], one["text"], one["wrapper"], tuple(sorted(names[s] for s in one["siblings"])))
                for one in run.objects
            )
        )
    assert len(results[0]) == len(told)
    assert results[0] == results[1] == results[2]


def test_a_page_that_comes_alone_is_read_by_what_was_learned(archive: Path, site: Site) -> None:
    told = stories(3)
    feed = publish(site, told)
    crawl(archive, [feed], **LEARNING)
    fresh = story(9)
    publish(site, [fresh, *told])
    run = crawl(archive, [feed], clock_offset=DAY, **LEARNING)
    assert run.report["outcomes"] == {"stored": 1}
    (learned,) = wrappers(run)
    assert learned["pages"] == 4
    made = next(one for one in run.objects if one["title"] == fresh.title)
    assert (made["wrapper"], made["siblings"]) == (learned["id"], [])
    assert made["text"].split("\n\n") == list(fresh.paragraphs)


@pytest.mark.zoo
def test_single_pages_are_read_with_stored_ones_until_something_is_learned(archive: Path, site: Site) -> None:
    feed = publish(site, [story(1)])
    first = crawl(archive, [feed], **LEARNING)
    assert wrappers(first) == []
    assert [one["confidence"] for one in first.objects] == [0.1]
    publish(site, [story(2), story(1)])
    second = crawl(archive, [feed], clock_offset=DAY, **LEARNING)
    # Only the new one is settled: what was stored took part, and nothing more.
    assert second.report["outcomes"] == {"stored": 1}
    assert len(second.objects) == 2
    made = next(one for one in second.objects if one["title"] == story(2).title)
    assert made["siblings"] == [second.responses(site.url(story(1).path))[0].id]
    assert made["text"].split("\n\n") == list(story(2).paragraphs)
    (learned,) = wrappers(second)
    assert (learned["id"], learned["pages"]) == (made["wrapper"], 1)


def test_a_new_template_ends_a_wrapper_and_is_learned(archive: Path, site: Site) -> None:
    told = stories(3)
    feed = publish(site, told)
    crawl(archive, [feed], **LEARNING)
    later = stories(3, first=20)
    publish(site, [*later, *told])
    for one in later:
        site.add(one.path, redesigned(one))
    run = crawl(archive, [feed], clock_offset=DAY, **LEARNING)
    old, new = wrappers(run)
    assert old["outdated"] == new["learned"]
    assert new["wrapper"]["xpath"] == "//section[@class='text']"
    made = {one["title"]: one for one in run.objects}
    for one in later:
        assert made[one.title]["wrapper"] == new["id"]
        assert made[one.title]["text"].split("\n\n") == list(one.paragraphs)


@pytest.mark.zoo
def test_a_page_that_kills_its_worker_is_the_only_one_to_suffer(archive: Path, site: Site) -> None:
    told = stories(5)
    feed = publish(site, told)
    poison = told[2]
    body = page(poison.title, poison.paragraphs, head='<meta name="poison">')
    site.add(poison.path, body)
    run = crawl(archive, [feed], **LEARNING)
    assert run.exit_code == 0, run
    assert run.report["outcomes"] == {"stored": 4, "not_article": 1}
    assert run.outcomes()[site.url(poison.path)] == "not_article"
    assert any("Could not read" in note for note in run.report["notes"])
    assert run.pending() == 0


@pytest.mark.zoo
def test_a_record_that_is_lost_is_fetched_again_and_the_others_are_read(archive: Path, site: Site) -> None:
    told = stories(3)
    feed = publish(site, told)
    first = crawl(archive, [feed], EXTRACTION=False)
    lost = first.responses(site.url(told[1].path))[0]
    path = archive / "warc" / lost.file
    data = bytearray(path.read_bytes())
    data[lost.offset + 20 : lost.offset + 40] = bytes(20)
    path.write_bytes(data)
    run = crawl(archive, [feed], clock_offset=60, **LEARNING)
    assert run.exit_code == 1
    assert any("is fetched again" in error for error in run.report["errors"])
    assert sorted(one["title"] for one in run.objects) == sorted([told[0].title, told[2].title])
    # Another payload: the same one would be kept as a reference to the record that is damaged.
    site.add(told[1].path, page(told[1].title, told[1].paragraphs, comments=["Late"]))
    again = crawl(archive, [feed], clock_offset=DAY, **LEARNING)
    assert len(again.objects) == 3
    assert again.pending() == 0


def test_a_small_backlog_does_not_stop_pages_that_wait_for_each_other(archive: Path, site: Site) -> None:
    told = stories(9)
    run = crawl(archive, [publish(site, told)], EXTRACT_BACKLOG=2, EXTRACTION_GROUP_SECONDS=600, **LEARNING)
    assert run.report["outcomes"] == {"stored": 9}


def test_pages_do_not_wait_for_one_that_fails(archive: Path, site: Site) -> None:
    told = stories(4)
    feed = publish(site, told)
    site.add(told[0].path, Answer(status=500))
    run = crawl(archive, [feed], EXTRACTION_GROUP_SECONDS=600, **LEARNING)
    assert run.report["outcomes"] == {"stored": 3}
    assert run.pending() == 1


def test_channels_with_one_page_each_wait_for_nobody(archive: Path, site: Site) -> None:
    told = stories(10)
    for one in told:
        site.add(one.path, one.page)
    feeds = [site.add(f"/{number}.xml", rss([one.entry])) for number, one in enumerate(told)]
    run = crawl(archive, feeds, EXTRACTION_GROUP_SECONDS=600, **LEARNING)
    assert run.report["outcomes"] == {"stored": 10}


def test_two_entries_that_lead_to_one_page_are_not_each_others_template(archive: Path, site: Site) -> None:
    told = stories(2)
    for one in told:
        site.add(one.path, one.page)
    again = replace(told[0].entry, id="again", link="/copy")
    site.add("/copy", told[0].page)
    run = crawl(archive, [site.add("/feed.xml", rss([told[0].entry, told[1].entry, again]))], **LEARNING)
    assert run.pending() == 0
    for one in run.objects:
        assert one["warc"]["capture_id"] not in one["siblings"]
        assert len(one["siblings"]) <= 1


@pytest.mark.parametrize(
    "boundary",
    [
        "object-half",
        pytest.param("object-before-commit", marks=pytest.mark.zoo),
        pytest.param("object-settled", marks=pytest.mark.zoo),
    ],
)
def test_a_group_that_is_torn_apart_is_settled_once_with_what_it_taught(
    archive: Path, site: Site, boundary: str
) -> None:
    told = stories(10)
    feed = publish(site, told)
    settings = LEARNING | {"EXTRACTION_GROUP_PAGES": 4}
    words = crawl_command(archive, seeds=[feed], clock_offset=0, arguments={}, settings=settings)
    command = [sys.executable, "-m", "tests.crawl.killing", boundary, "2", *words]
    done = subprocess.run(command, capture_output=True, text=True, timeout=90, check=False, cwd=ROOT)
    assert done.returncode == -signal.SIGKILL, done.stdout + done.stderr
    run = crawl(archive, [feed], **settings)
    assert run.exit_code == 0, run
    assert sorted(one["title"] for one in run.objects) == sorted(one.title for one in told)
    assert run.pending() == 0
    # Each page was counted with the settlement that it belongs to.
    assert sum(one["pages"] for one in wrappers(run)) == len(told)


def test_another_extractor_alone_makes_no_version(archive: Path, site: Site) -> None:
    """What it finds differs from what was found before; the pages are the same, or differ elsewhere."""
    told = stories(4)
    feed = publish(site, told)
    first = crawl(archive, [feed], EXTRACT_METHOD="sigfeed-guarded")
    assert {one["extractor"] for one in first.objects} == {"sigfeed-guarded/1"}
    touched, edited, same, _ = told
    # Other words outside the article: another payload.
    site.add(touched.path, page(touched.title, touched.paragraphs, comments=["Something new"]))
    site.add(edited.path, page(edited.title, prose(77)))
    entries = [
        replace(one.entry, summary=f"Once more: {one.entry.summary}") for one in (touched, edited, same)
    ]
    site.add("/feed.xml", rss([*entries, told[3].entry]))
    second = crawl(archive, [feed], clock_offset=DAY, **LEARNING)
    assert second.exit_code == 0, second
    assert second.report["outcomes"] == {"stored": 1, "unchanged": 2}
    (new,) = [one for one in second.objects if one["version"] == 2]
    assert (new["url"], new["extractor"]) == (site.url(edited.path), "learning/1")
