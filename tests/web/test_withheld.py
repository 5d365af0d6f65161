"""What is withheld is shown by no view, from the moment of the order to that of its end."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from archiver.archive.inbox import leave
from archiver.archive.withheld import pattern_of
from archiver.clock import machine_now
from archiver.store.withheld import KIND, WithholdRequest
from tests.crawl.running import Archived

if TYPE_CHECKING:
    from pathlib import Path

    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")


def order(archive: Path, url: str, *, lift: bool = False) -> None:
    what = WithholdRequest(pattern=pattern_of(url), reason="order 7", lift=lift)
    leave(archive, KIND, what, machine_now())


def test_an_order_holds_at_once_and_so_does_its_end(shown: Shown, sample_archive: Path) -> None:
    url = next(one for one in Archived(sample_archive).objects if one["version"] == 2)["url"]
    views = ("/article", "/history", "/diff")
    before = shown.get("/changes.json", limit=200).json()["events"]
    assert url in {event["url"] for event in before}
    order(sample_archive, url)
    try:
        for view in views:
            told = shown.get(f"{view}.json", url=url)
            assert (told.status, "order 7" in told.json()["problem"]) == (451, True)
            assert shown.get(view, url=url).status == 451
        for view in ("/changes", "/changes.json"):
            assert url not in shown.get(view, limit=200).text
        after = shown.get("/changes.json", limit=200).json()["events"]
        assert after == [event for event in before if event["url"] != url]
    finally:
        order(sample_archive, url, lift=True)
    assert [shown.get(view, url=url).status for view in views] == [200, 200, 200]
    assert shown.get("/changes.json", limit=200).json()["events"] == before


def test_an_article_that_is_withheld_is_named_neither_by_the_overview_nor_by_its_channel_nor_by_runs(
    shown: Shown, sample_archive: Path
) -> None:
    run = max((sample_archive / "runs").glob("run-*.json"))
    told = next(note for note in json.loads(run.read_text())["notes"] if note.endswith("is gone"))
    url = told.split()[0]
    history = shown.get("/history.json", url=url).json()
    paths = [
        path
        for name in ("/", f"/channels/{history['channels'][0]['number']}", f"/runs/{run.stem[4:]}")
        for path in (name, "/index.json" if name == "/" else f"{name}.json")
    ]
    before = [url in shown.get(path).text for path in paths]
    order(sample_archive, url)
    try:
        after = [url in shown.get(path).text for path in paths]
    finally:
        order(sample_archive, url, lift=True)
    assert any(before)
    assert not any(after), dict(zip(paths, after, strict=True))


def test_a_channel_that_is_withheld_is_in_no_list(shown: Shown, sample_archive: Path) -> None:
    one = shown.get("/channels.json", q="tarn valley").json()["channels"][0]
    order(sample_archive, one["url"])
    try:
        assert shown.get(f"/channels/{one['number']}").status == 451
        assert one["url"] not in shown.get("/channels.json").text
        assert one["url"].encode() not in shown.get("/channels.opml").body
    finally:
        order(sample_archive, one["url"], lift=True)
    assert shown.get(f"/channels/{one['number']}").status == 200
