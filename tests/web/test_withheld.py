"""What is withheld is shown by no view, from the moment of the order to that of its end."""

from __future__ import annotations

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
