"""`scrapy captures`: what was kept of a URL."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.crawl.running import Archived

if TYPE_CHECKING:
    from pathlib import Path

    from tests.commands.conftest import Crawled
    from tests.commands.here import RunHere

pytestmark = pytest.mark.xdist_group("commands")


def test_captures_are_those_of_the_warc_files(crawled: Crawled, run_here: RunHere) -> None:
    url = crawled.url("newspaper", "/rss.xml")
    found = json.loads(run_here("captures", crawled.archived.folder, url, "--json").out)
    kept = [one for one in crawled.archived.records if one.url == url and one.type in {"response", "revisit"}]
    assert [one["record"] for one in found["captures"]] == [one.id for one in reversed(kept)]
    assert [one["kind"] for one in found["captures"]] == [one.type for one in reversed(kept)]
    assert [one["place"]["offset"] for one in found["captures"]] == [one.offset for one in reversed(kept)]
    text = run_here("captures", crawled.archived.folder, url).text
    assert all(f"{one.file}:{one.offset}" in text for one in kept)


def _kept(archived: Archived, said: dict[str, Any]) -> bool:
    return said["warc"]["capture_id"] in {one.id for one in archived.responses(said["url"])}


def test_one_is_shown_with_its_heads_and_its_articles(archive: Path, run_here: RunHere) -> None:
    archived = Archived(archive)
    # Not one of those that a feed had the text of.
    said = next(one for one in archived.objects if _kept(archived, one))
    done = run_here("captures", archive, said["url"], "--at", said["captured"], "--json")
    found = json.loads(done.out)
    (record,) = [
        one for one in Archived(archive).responses(said["url"]) if one.id == found["capture"]["record"]
    ]
    assert found["response"]["line"].encode() == record.head.splitlines()[0]
    assert [f"{one['name']}: {one['value']}".encode() for one in found["response"]["headers"]] == (
        record.head.splitlines()[1:-1]
    )
    assert found["body_size"] == len(record.payload)
    assert found["request"]["line"].startswith("GET /")
    assert "User-Agent" in {one["name"] for one in found["request"]["headers"]}
    assert "software" in {one["name"] for one in found["warcinfo"]}
    assert (found["versions"][0]["article"], found["versions"][0]["version"]) == (said["id"], said["version"])
    text = run_here("captures", archive, said["url"], "--at", said["captured"]).text
    assert found["response"]["line"] in text
    assert f"version 1 of {said['url']}" in text


def test_more_are_asked_for_by_the_last(crawled: Crawled, run_here: RunHere) -> None:
    url, folder = crawled.url("newspaper", "/rss.xml"), crawled.archived.folder
    first = json.loads(run_here("captures", folder, url, "--limit", "1", "--json").out)
    rest = json.loads(run_here("captures", folder, url, "--before", first["next"], "--json").out)
    every = json.loads(run_here("captures", folder, url, "--json").out)
    assert first["captures"] + rest["captures"] == every["captures"]
    assert f"--before {first['next']} lists them" in run_here("captures", folder, url, "--limit", "1").told


def test_an_address_that_is_not_there_is_told_with_others(crawled: Crawled, run_here: RunHere) -> None:
    done = run_here("captures", crawled.archived.folder, crawled.url("newspaper", "/rss.xm"))
    assert (done.exit_code, done.out) == (1, b"")
    assert f"like it: {crawled.url('newspaper', '/rss.xml')}\n" in done.told


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "Name one URL; got none"),
        (("rss.xml",), "rss.xml is not a web address"),
        (("http://a.example/", "--limit", "0"), "--limit: write a number from 1 on"),
        (("http://a.example/", "--at", "then"), "--at: 'then' is not a time"),
    ],
)
def test_wrong_usage(words: tuple[str, ...], told: str, crawled: Crawled, run_here: RunHere) -> None:
    done = run_here("captures", crawled.archived.folder, *words)
    assert done.exit_code == 2
    assert told in done.text + done.told
