"""Searches followed as feeds, taken away as files, and saved under a name."""

from __future__ import annotations

import io
import re
import zipfile
from typing import TYPE_CHECKING

import feedparser
import pytest
from lxml import etree

if TYPE_CHECKING:
    from tests.web.browsing import Shown

pytestmark = pytest.mark.xdist_group("web")


def token_of(shown: Shown) -> str:
    found = re.search(r'name="token" value="([^"]+)"', shown.get("/articles").text)
    assert found is not None
    return found[1]


def test_a_search_is_a_feed_with_the_same_articles(shown: Shown) -> None:
    hits = shown.get("/articles.json", q="the", limit=5).json()["result"]["hits"]
    answer = shown.get("/search.atom", q="the", limit=5)
    assert answer.headers.get_content_type() == "application/atom+xml"
    feed = feedparser.parse(answer.body)
    assert not feed.bozo
    assert [entry.title for entry in feed.entries] == [hit["title"] for hit in hits]


def test_edits_are_a_feed(shown: Shown) -> None:
    events = shown.get("/changes.json").json()["events"]
    feed = feedparser.parse(shown.get("/changes.atom").body)
    assert not feed.bozo
    assert [entry.id for entry in feed.entries] == [event["id"] for event in events]


def test_a_selection_is_one_page_or_a_book(shown: Shown) -> None:
    hits = shown.get("/articles.json", q="the", limit=3).json()["result"]["hits"]
    page = shown.get("/selection.html", q="the", limit=3)
    assert "attachment" in page.headers["content-disposition"]
    assert all(hit["title"].split()[0] in page.text for hit in hits)
    with zipfile.ZipFile(io.BytesIO(shown.get("/selection.epub", q="the", limit=3).body)) as book:
        assert book.namelist()[0] == "mimetype"
        for name in book.namelist():
            if name.endswith((".xhtml", ".opf", ".xml")):
                etree.fromstring(book.read(name))


def test_a_search_is_saved_used_and_forgotten(shown: Shown) -> None:
    token = token_of(shown)
    saved = shown.post("/searches", token=token, name="birds & co", search="q=avocets&order=rank")
    assert saved.status == 200
    behind_tls = {"Origin": shown.base.replace("http:", "https:")}
    assert (
        shown.post(
            "/searches", behind_tls, token=token, name="birds & co", search="q=avocets&order=rank"
        ).status
        == 200
    )
    found = shown.get("/articles.json", saved="birds & co").json()
    assert found["request"]["words"] == "avocets"
    assert found["request"]["ranked"]
    assert "birds & co" in found["saved"]
    assert feedparser.parse(shown.get("/search.atom", saved="birds & co").body).entries
    shown.post("/searches/forget", token=token, name="birds & co")
    assert shown.get("/articles.json", saved="birds & co").status == 404


@pytest.mark.parametrize(
    ("fields", "headers"),
    [
        ({"token": "guessed"}, {}),
        ({}, {}),
        ({"token": "right"}, {"Origin": "http://evil.example"}),
        ({"token": "right"}, {"Origin": "http://127.0.0.1:9"}),
        ({"token": "right"}, {"Origin": "null"}),
        ({"token": "right"}, {"Origin": "", "Sec-Fetch-Site": "cross-site"}),
    ],
)
def test_forms_of_other_sites_are_refused(
    shown: Shown, fields: dict[str, str], headers: dict[str, str]
) -> None:
    if fields.get("token") == "right":
        fields = {"token": token_of(shown)}
    answer = shown.post("/searches", headers, name="planted", search="q=x", **fields)
    assert answer.status == 403
    assert "planted" not in shown.get("/articles.json").json()["saved"]


def test_names_that_would_leave_the_folder_do_not(shown: Shown) -> None:
    name = "../../outside"
    shown.post("/searches", token=token_of(shown), name=name, search="q=x")
    assert shown.get("/articles.json", saved=name).json()["request"]["words"] == "x"
    shown.post("/searches/forget", token=token_of(shown), name=name)


def test_words_are_told_or_why_not(shown: Shown) -> None:
    told = shown.get("/words.json").json()
    assert (told["report"] is None) != (told["problem"] is None)
    assert shown.get("/words").status == 200
