"""The sample web over four days, held against its own truth."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

import jsonschema
import pytest
from warcio.checker import Checker

from archiver.archive.warc.reader import read_response
from archiver.articles.objects import schema
from archiver.digests import normalised
from archiver.urls import same_page_key
from sample.server import SampleWeb
from tests.crawl.running import DAY, Archived, CrawlRun, crawl

if TYPE_CHECKING:
    from pathlib import Path

    from sample.model import TrueEntry
    from sample.server import Hit

DAYS = 4

# One process crawls for all tests of this file.
pytestmark = pytest.mark.xdist_group("sample")


class Rehearsal(NamedTuple):
    """Four days, and the last one again."""

    runs: list[CrawlRun]
    lines: list[int]  # objects after each run
    hits: list[list[Hit]]
    truth: list[TrueEntry]
    archived: Archived


@pytest.fixture(scope="module")
def rehearsal(tmp_path_factory: pytest.TempPathFactory) -> Rehearsal:
    folder: Path = tmp_path_factory.mktemp("sample")
    runs: list[CrawlRun] = []
    lines: list[int] = []
    hits: list[list[Hit]] = []
    with SampleWeb(day=0, port=0) as web:
        seeds = folder / "seeds.txt"
        seeds.write_text("".join(f"{url}\n" for url in web.seeds))
        for day in [*range(DAYS), DAYS - 1]:
            web.day = day
            before = len(web.log)
            runs.append(crawl(folder / "archive", seeds=seeds, clock_offset=day * DAY))
            hits.append(web.log[before:])
            lines.append(len(runs[-1].objects))
        return Rehearsal(runs, lines, hits, web.truth(DAYS - 1), Archived(folder / "archive"))


def readable(truth: list[TrueEntry]) -> list[TrueEntry]:
    return [
        entry
        for entry in truth
        if entry.kind in {"article", "redirect", "forbidden_with_content"} and entry.link
    ]


def test_every_run_ends_well(rehearsal: Rehearsal) -> None:
    assert [run.exit_code for run in rehearsal.runs] == [0] * len(rehearsal.runs), rehearsal.runs


def test_each_later_day_brings_new_entries_and_asks_conditionally(rehearsal: Rehearsal) -> None:
    for report, hits in zip(rehearsal.archived.reports[1:DAYS], rehearsal.hits[1:DAYS], strict=True):
        assert report["entries_new"] > 0
        assert report["polls"]["not_modified"] == sum(hit.status == 304 for hit in hits) > 0


def test_a_run_with_the_clock_held_still_fetches_nothing(rehearsal: Rehearsal) -> None:
    assert rehearsal.hits[-1] == []
    assert rehearsal.lines[-1] == rehearsal.lines[-2]


def test_every_entry_has_exactly_one_object_for_each_version(rehearsal: Rehearsal) -> None:
    objects = rehearsal.archived.objects
    keys = [(same_page_key(line["url"]), line["version"]) for line in objects]
    assert len(keys) == len(set(keys))
    kept = {key for key, _ in keys} | {line["entry_id"] for line in objects}
    missing = [
        entry
        for entry in readable(rehearsal.truth)
        if same_page_key(entry.link or "") not in kept and entry.entry_id not in kept
    ]
    assert missing == []


def test_the_burst_that_a_feed_was_too_short_for_is_found_on_the_sites_own_list(rehearsal: Rehearsal) -> None:
    wire = [entry for entry in rehearsal.truth if entry.site == "wire"]
    (gap,) = rehearsal.archived.rows("SELECT * FROM gaps")
    assert (gap["state"], gap["how"], gap["filled"]) == ("filled", "listing", 9)
    assert [report["gaps_seen"] for report in rehearsal.archived.reports] == [0, 0, 1, 0, 0]
    links = {entry.link for entry in wire}
    assert {line["url"] for line in rehearsal.archived.objects} >= links
    assert len(links) == 5 + 2 + 14 + 2


def test_versions_follow_each_other_without_a_gap(rehearsal: Rehearsal) -> None:
    versions: dict[str, list[int]] = {}
    for line in rehearsal.archived.objects:
        versions.setdefault(line["id"], []).append(line["version"])
    assert all(numbers == list(range(1, len(numbers) + 1)) for numbers in versions.values())


def test_an_announced_edit_gives_a_second_version_with_the_new_words(rehearsal: Rehearsal) -> None:
    second = [line for line in rehearsal.archived.objects if line["version"] == 2]
    assert second
    assert all("text" in line["change"]["kinds"] for line in second)


def test_the_articles_words_are_in_its_object(rehearsal: Rehearsal) -> None:
    """Not a measure of extraction, only that objects hold their own articles."""
    texts = {
        same_page_key(line["url"]): normalised(line["text"])
        for line in rehearsal.archived.objects
        if line["version"] == 1
    }
    shares = []
    for entry in readable(rehearsal.truth):
        text = texts.get(same_page_key(entry.link or ""))
        if text and entry.revision == 0 and entry.body_paragraphs:
            found = sum(normalised(paragraph) in text for paragraph in entry.body_paragraphs)
            shares.append(found / len(entry.body_paragraphs))
    assert len(shares) > 40
    assert sum(shares) / len(shares) > 0.9


def test_outcomes_tell_what_happened_to_troublesome_entries(rehearsal: Rehearsal) -> None:
    expected = {
        "pdf": {"not_html"},
        "empty": {None, "empty"},
        "login": {"not_article"},
        "disallowed": {None, "refused"},
        "forbidden_with_content": {"stored"},
        # Tried again over days before they are given up.
        "not_found": {None, "gone"},
    }
    outcomes = {same_page_key(url): outcome for url, outcome in rehearsal.archived.outcomes().items()}
    for entry in rehearsal.truth:
        if entry.kind in expected and entry.link:
            assert outcomes[same_page_key(entry.link)] in expected[entry.kind], entry


def test_a_page_that_two_channels_announce_is_fetched_once(rehearsal: Rehearsal) -> None:
    entries = [
        entry for entry in rehearsal.truth if entry.link and entry.kind == "article" and not entry.revision
    ]
    announced = Counter(entry.link for entry in entries)
    shared = {
        entry.link: entry.site for entry in entries if announced[entry.link] > 1 and entry.site != "planet"
    }
    assert shared
    for link, site in shared.items():
        path = urlsplit(link or "").path
        fetches = [hit for hits in rehearsal.hits for hit in hits if (hit.site, hit.path) == (site, path)]
        assert len(fetches) == 1, link


def test_every_object_validates_and_points_to_the_record_it_was_made_from(rehearsal: Rehearsal) -> None:
    validator = jsonschema.Draft202012Validator(json.loads(schema.FILE.read_bytes()))
    records = {one.id: one for one in rehearsal.archived.records}
    assert len(records) == len(rehearsal.archived.records)
    for line in rehearsal.archived.objects:
        validator.validate(line)
        assert "127.0.0." in line["channel"]
        stored = read_response(
            rehearsal.archived.folder / "warc", line["warc"]["file"], line["warc"]["offset"]
        )
        if line["method"] == "feed":
            assert stored.url == line["channel"]
        else:
            assert same_page_key(stored.url) == same_page_key(line["url"])
        record = records[line["warc"]["record_id"]]
        assert (record.file, record.offset) == (line["warc"]["file"], line["warc"]["offset"])


def test_the_schema_that_ships_is_the_one_of_the_code() -> None:
    assert json.loads(schema.FILE.read_bytes()) == schema.json_schema()


def test_every_warc_is_whole_and_its_digests_are_right(rehearsal: Rehearsal) -> None:
    files = [str(path) for path in rehearsal.archived.warcs]
    checker = Checker(type("Options", (), {"inputs": files, "verbose": False, "quiet": True}))
    assert checker.process_all() == 0
    for path in rehearsal.archived.warcs:
        assert gzip.decompress(path.read_bytes()).startswith(b"WARC/1.1")


def test_every_request_that_the_web_saw_is_in_the_archive(rehearsal: Rehearsal) -> None:
    seen = sum(len(hits) for hits in rehearsal.hits)
    assert sum(record.type == "request" for record in rehearsal.archived.records) == seen
