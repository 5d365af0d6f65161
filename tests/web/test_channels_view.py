"""Channels of the sample archive, as pages, as JSON and as OPML."""

from __future__ import annotations

import html
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from archiver.acquisition.seeds.model import SeedRow
from archiver.acquisition.seeds.opml import read_opml

if TYPE_CHECKING:
    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")


@pytest.fixture(scope="module")
def listed(shown: Shown) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = shown.get("/channels.json").json()["channels"]
    return found


def test_every_channel_is_listed_with_its_state(shown: Shown, listed: list[dict[str, Any]]) -> None:
    states = {one["url"].partition("://")[2].partition("/")[2]: one["state"] for one in listed}
    assert (states["gone.xml"], states["missing.xml"]) == ("retired", "failing")
    page = shown.get("/channels")
    assert page.status == 200
    assert all(f'href="/channels/{one["number"]}"' in page.text for one in listed)
    assert page.text.count("<h1") == 1


def test_states_count_what_they_filter(shown: Shown) -> None:
    told = shown.get("/channels.json").json()
    for one in told["states"]:
        found = shown.get("/channels.json", state=one["state"]).json()
        assert found["total"] == one["count"]
        assert {channel["state"] for channel in found["channels"]} <= {one["state"]}


def test_words_labels_and_pages_choose(shown: Shown, listed: list[dict[str, Any]]) -> None:
    found = shown.get("/channels.json", q="TARN valley").json()["channels"]
    assert [one["title"] for one in found] == ["The Tarn Valley Courier"]
    first = shown.get("/channels.json", sort="entries", limit=3).json()
    second = shown.get("/channels.json", sort="entries", limit=3, after=first["next"]).json()
    assert first["channels"][-1]["entries"] >= second["channels"][0]["entries"]
    assert not {one["number"] for one in first["channels"]} & {one["number"] for one in second["channels"]}
    assert shown.get("/channels.json", label="no such label").json()["total"] == 0
    assert len(listed) == shown.get("/channels.json").json()["total"]


def test_a_selection_is_taken_away_as_opml(shown: Shown, listed: list[dict[str, Any]]) -> None:
    answer = shown.get("/channels.opml", q="tarn valley")
    assert answer.headers["content-disposition"] == 'attachment; filename="channels.opml"'
    (row,) = read_opml(answer.body, "here")
    (one,) = (one for one in listed if one["title"] == "The Tarn Valley Courier")
    assert isinstance(row, SeedRow)
    assert row.url == one["url"]
    assert len(list(read_opml(shown.get("/channels.opml").body, "here"))) == len(listed)
    assert shown.get("/channels.opml", state="nonsense").status == 400


def test_a_channel_tells_its_rhythm_polls_articles_and_wrappers(
    shown: Shown, listed: list[dict[str, Any]]
) -> None:
    number = next(one["number"] for one in listed if one["title"] == "The Tarn Valley Courier")
    told = shown.get(f"/channels/{number}.json").json()
    assert told["rhythm"]["entries"] == sum(map(sum, told["rhythm"]["hours"])) > 10
    assert len(told["history"]) == 3
    assert {one["outcome"] for one in told["history"]} <= {"document", "same", "not_modified"}
    assert told["articles"]
    assert all(0 < one["confidence"] <= 1 for one in told["wrappers"])
    page = shown.get(f"/channels/{number}").text
    for words in ("Most entries: ", "heat heat-5", f"/rebuild/{number}", f"/articles?channel={number}"):
        assert words in page
    assert told["articles"][0]["title"] in html.unescape(page)


def test_polls_that_found_nothing_new_are_told(shown: Shown, listed: list[dict[str, Any]]) -> None:
    histories = [shown.get(f"/channels/{one['number']}.json").json()["history"] for one in listed]
    outcomes = Counter(poll["outcome"] for history in histories for poll in history)
    assert outcomes["not_modified"]
    assert outcomes["failed"]


def test_a_failure_is_in_words(shown: Shown, listed: list[dict[str, Any]]) -> None:
    number = next(one["number"] for one in listed if one["state"] == "failing")
    page = shown.get(f"/channels/{number}").text
    assert "polls in a row" in page
    assert "not found (404)" in page


def test_no_channel_is_told(shown: Shown) -> None:
    answer = shown.get("/channels/4000")
    assert answer.status == 404
    assert "The archive has no channel 4000" in answer.text
    assert shown.get("/channels/x.json").status == 400
    assert shown.get("/channels.json", after="nonsense", sort="entries").status == 400
